package rfc822

// structureCase is a message and what it holds.
type structureCase struct {
	name       string
	raw        string
	text, html string
	parts      []string
	defects    []Defect
}

var structureCases = []structureCase{
	{name: "plain", raw: lines("From: a@b.example", "", "Hello", "world", ""), text: "Hello\nworld\n"},
	{name: "empty", raw: "", defects: []Defect{DefectHeaderMissing}},
	{name: "header only", raw: "From: a@b.example\r\nSubject: x\r\n\r\n"},
	{name: "header without end", raw: "From: a@b.example\r\nSubject: x", defects: []Defect{DefectHeaderUnended}},
	{name: "no header", raw: "Just words.\nMore of them.\n", text: "Just words.\nMore of them.\n",
		defects: []Defect{DefectHeaderMissing}},
	{name: "no empty line", raw: "Subject: x\nThe body begins\nat once.\n", text: "The body begins\nat once.\n",
		defects: []Defect{DefectHeaderUnended}},
	{name: "line without colon", raw: "Subject: x\nnonsense\nFrom: a@b.example\n\nbody", text: "body",
		defects: []Defect{DefectHeaderLine}},
	{name: "blank in the empty line", raw: "Subject: x\n \nThe body.\n", text: "The body.\n",
		defects: []Defect{DefectHeaderUnended}},
	{name: "blank line inside folding", raw: "From: a@b.example\nSubject: x\n \n y\nTo: b@c.example\n\nbody",
		text: "body"},
	{name: "leading empty lines", raw: "\r\n\r\nFrom: a@b.example\r\n\r\nbody", text: "body"},
	{name: "mbox line", raw: "From a@b Mon Jan  1 00:00:00 2024\nFrom: a@b.example\n\nbody", text: "body",
		defects: []Defect{DefectMboxLine}},
	{name: "parameters not indented", raw: "Content-Type: multipart/mixed;\nboundary=b\n\n--b\n\nin\n--b--", text: "in",
		defects: []Defect{DefectHeaderLine}},
	{name: "NUL", raw: "Subject: a\x00b\n\nx\x00y", text: "xy"},
	{name: "alternative", text: "plain", html: "<p>html</p>",
		raw: lines("Content-Type: multipart/alternative; boundary=\"b\"", "", "--b", "Content-Type: text/plain", "",
			"plain",
			"--b", "Content-Type: text/html", "", "<p>html</p>", "--b--")},
	{name: "alternative with empty plain", text: "html", html: "<p>html</p>",
		raw: lines("Content-Type: multipart/alternative; boundary=b", "", "--b", "", "  ", "--b",
			"Content-Type: text/html", "",
			"<p>html</p>", "--b--")},
	{name: "alternative with nothing but a link", text: "html", html: "<p>html</p>",
		raw: lines("Content-Type: multipart/alternative; boundary=b", "", "--b", "", "<https://x.example/view?id=1>",
			"--b",
			"Content-Type: text/html", "", "<p>html</p>", "--b--")},
	{name: "alternative with a stub", html: "<p>Your order has been shipped today and will arrive on Tuesday. Track " +
		"it with the number 1Z999 " +
		"on our site. Thank you for your trust, and see you soon again in our shop, your friends.</p>",
		text: "Your order has been shipped today and will arrive on Tuesday. Track it with the number 1Z999 " +
			"on our site. Thank you for your trust, and see you soon again in our shop, your friends.",
		raw: lines("Content-Type: multipart/alternative; boundary=b", "", "--b", "", "Please view this in HTML.",
			"--b", "Content-Type: text/html", "", "<p>Your order has been shipped today and will arrive on Tuesday. "+
				"Track it with the number 1Z999 "+
				"on our site. Thank you for your trust, and see you soon again in our shop, your friends.</p>",
			"--b--")},
	{name: "alternative with a short text that is content", text: "Your code is 123456.",
		html: "<p>Your code is 123456. " +
			"View this in a web browser if you like. It has a lot of words around the code, which nobody needs to read " +
			"at all.</p>",
		raw: lines("Content-Type: multipart/alternative; boundary=b", "", "--b", "", "Your code is 123456.",
			"--b", "Content-Type: text/html", "", "<p>Your code is 123456. View this in a web browser if you like. "+
				"It has a lot of words around the code, which nobody needs to read at all.</p>", "--b--")},
	{name: "newsletter with AMP", text: "plain", html: "<p>html</p>",
		raw: lines("Content-Type: multipart/alternative; boundary=b", "", "--b", "", "plain", "--b",
			"Content-Type: text/x-amp-html", "",
			"<html ⚡4email>", "--b", "Content-Type: text/html", "", "<p>html</p>", "--b--")},
	{name: "mixed plain and html in order", text: "one\ntwo\nthree", html: "<p>two</p>",
		raw: lines("Content-Type: multipart/mixed; boundary=b", "", "--b", "", "one", "--b", "Content-Type: text/html",
			"", "<p>two</p>",
			"--b", "", "three", "--b--")},
	{name: "related", text: "see", html: "<p>see<img src=cid:i@x></p>",
		parts: []string{`2 image/png inline i.png: "PNG"`},
		raw: lines("Content-Type: multipart/related; boundary=b", "", "--b", "Content-Type: text/html", "",
			"<p>see<img src=cid:i@x></p>",
			"--b", "Content-Type: image/png; name=i.png", "Content-ID: <i@x>", "", "PNG", "--b--")},
	{name: "named text is attached", text: "body", parts: []string{`2 text/plain inline notes.txt: "notes"`},
		raw: lines("Content-Type: multipart/mixed; boundary=b", "", "--b", "", "body", "--b",
			"Content-Type: text/plain; name=notes.txt", "Content-Disposition: inline", "", "notes", "--b--")},
	{name: "nested multiparts and paths", text: "deep", parts: []string{`1.2 application/x attachment : "x"`,
		`2 application/y attachment : "y"`},
		raw: lines("Content-Type: multipart/mixed; boundary=b", "", "--b", "Content-Type: multipart/mixed; boundary=c",
			"", "--c", "", "deep",
			"--c", "Content-Type: application/x", "", "x", "--c--", "--b", "Content-Type: application/y", "", "y",
			"--b--")},
	{name: "nested message", text: "outer\ninner", parts: []string{
		`2 message/rfc822 attachment A subject.eml: "171 bytes"`, `2.2 application/x attachment : "x"`},
		raw: lines("Content-Type: multipart/mixed; boundary=b", "", "--b", "", "outer", "--b",
			"Content-Type: message/rfc822", "",
			"Subject: A subject", "Content-Type: multipart/mixed; boundary=c", "", "--c", "", "inner", "--c",
			"Content-Type: application/x", "", "x", "--c--", "epilogue of the inner message, which is longer",
			"--b--")},
	{name: "digest", text: "one\ntwo", parts: []string{`1 message/rfc822 attachment first.eml: "Subject: first\r\n\r\none"`,
		`2 message/rfc822 attachment message.eml: "From: x\r\n\r\ntwo"`},
		raw: lines("Content-Type: multipart/digest; boundary=b", "", "--b", "", "Subject: first", "", "one", "--b", "",
			"From: x", "", "two", "--b--")},
	{name: "report does not speak for the returned message", text: "could not deliver", parts: []string{
		`2 message/delivery-status attachment : "Status: 5.1.1"`,
		`3 message/rfc822 attachment secret.eml: "Subject: secret\r\n\r\nYour code is 1"`},
		raw: lines("Content-Type: multipart/report; boundary=b", "", "--b", "", "could not deliver", "--b",
			"Content-Type: message/delivery-status", "",
			"Status: 5.1.1", "--b", "Content-Type: message/rfc822", "", "Subject: secret", "", "Your code is 1",
			"--b--")},
	{name: "root attachment", parts: []string{`1 application/pdf attachment a.pdf: "PDF"`},
		raw: lines("Content-Type: application/pdf; name=a.pdf", "Content-Transfer-Encoding: base64", "", "UERG")},
	{name: "root of another text type", text: "BEGIN:VCALENDAR",
		parts: []string{`1 text/calendar inline : "BEGIN:VCALENDAR"`},
		raw:   lines("Content-Type: text/calendar", "", "BEGIN:VCALENDAR")},
	{name: "TNEF", text: "body", parts: []string{`2 application/ms-tnef attachment winmail.dat: "x\x9f>\""`},
		raw: lines("Content-Type: multipart/mixed; boundary=b", "", "--b", "", "body", "--b",
			"Content-Type: application/ms-tnef; name=winmail.dat",
			"Content-Transfer-Encoding: base64", "", "eJ8+Ig==", "--b--")},
	{name: "part without body", text: "x", raw: lines("Content-Type: multipart/mixed; boundary=b", "", "--b",
		"Content-Type: text/plain",
		"--b", "", "x", "--b--")},
	{name: "part without header or empty line", text: "Hello there",
		raw: lines("Content-Type: multipart/mixed; boundary=b", "", "--b",
			"Hello there", "--b--")},
}
