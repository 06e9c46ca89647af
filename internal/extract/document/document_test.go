package document

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"
)

func TestRead(t *testing.T) {
	for _, c := range readCases() {
		t.Run(c.name, func(t *testing.T) {
			got := read(t.Context(), c.part, strings.NewReader(c.data), DefaultLimits())
			want := Text{Status: c.status, Text: c.want, Truncated: c.cut}
			if c.status == "" {
				want.Status = Done
			}
			if got != want {
				t.Errorf("got  %#v\nwant %#v", got, want)
			}
		})
	}
}

type readCase struct {
	name   string
	part   Part
	data   string
	want   string
	status Status // Done where not said
	cut    bool
}

func readCases() []readCase {
	cases := append(plainCases(), markupCases()...)
	return append(cases, officeCases()...)
}

func plainCases() []readCase {
	text := Part{ContentType: "text/plain"}
	return []readCase{
		{name: "text", part: text, data: "one\r\ntwo  three\r\n\r\n", want: "one\ntwo  three"},
		{name: "empty", part: text},
		{name: "latin", part: Part{ContentType: "text/plain", Charset: "iso-8859-1"}, data: "Caf\xe9", want: "Café"},
		{name: "cyrillic", part: Part{ContentType: "text/plain", Charset: "koi8-r"}, data: "\xf0\xf2\xe9", want: "ПРИ"},
		{name: "utf-16 with a mark", part: text, data: "\xff\xfeh\x00i\x00", want: "hi"},
		{name: "japanese", part: Part{ContentType: "text/csv", Charset: "shift_jis"}, data: "\x93\xfa\x96\x7b,1",
			want: "日本,1"},
		{name: "parameters of the type", part: Part{ContentType: "Text/Plain; format=flowed"}, data: "x", want: "x"},
		{name: "control characters", part: text, data: "a\x1b[0mb\x00c and some more text",
			want: "a[0mbc and some more text"},
		{name: "csv", part: Part{ContentType: "text/csv"}, data: "a,b\n1,\"x y\"\n", want: "a,b\n1,\"x y\""},
		{name: "csv as excel", part: Part{ContentType: "application/vnd.ms-excel", Filename: "Report.CSV"}, data: "a;b",
			want: "a;b"},
		{name: "json", part: Part{ContentType: "application/json"}, data: `{"total": 12}`, want: `{"total": 12}`},
		{name: "json of a kind", part: Part{ContentType: "application/vnd.api+json"}, data: `{"a":"é"}`,
			want: `{"a":"é"}`},
		{name: "markdown by name", part: Part{ContentType: "application/octet-stream", Filename: "README.md"},
			data: "# Hi", want: "# Hi"},
		{name: "binary called text", part: text, data: "\x00\x01\x02\x03\x7fELF\x00\x00\x00\x01", status: Unsupported},
		{name: "picture", part: Part{ContentType: "image/png"}, data: "\x89PNG", status: Unsupported},
		{name: "unknown bytes", part: Part{ContentType: "application/octet-stream"}, data: "hello",
			status: Unsupported},
		{name: "archive", part: Part{ContentType: "application/zip"}, data: zipOf("a.txt", "x"), status: Unsupported},
		{name: "old word", part: Part{ContentType: "application/msword", Filename: "a.doc"}, data: "\xd0\xcf\x11\xe0",
			status: Unsupported},
		{name: "mail", part: Part{ContentType: "message/rfc822"}, want: "Subject: Lunch\nFrom: Ann " +
			"<ann@example.org>\nDate: 2026-03-02 10:00 +0000\n\nAt noon?",
			data: "From: Ann <ann@example.org>\r\nDate: Mon, 2 Mar 2026 10:00:00 +0000\r\nSubject: " +
				"=?utf-8?q?Lunch?=\r\n\r\nAt noon?\r\n"},
	}
}

func markupCases() []readCase {
	return []readCase{
		{name: "html", part: Part{ContentType: "text/html"}, data: "<p>One<p>Two <b>bold</b><script>x()</script>",
			want: "One\n\nTwo bold"},
		{name: "html says its charset", part: Part{ContentType: "text/html"},
			data: `<meta charset="iso-8859-1"><p>Caf` + "\xe9", want: "Café"},
		{name: "xhtml", part: Part{ContentType: "application/xhtml+xml"}, data: "<html><body><h1>A</h1>b</body></html>",
			want: "A\n\nb"},
		{name: "xml", part: Part{ContentType: "application/xml"}, data: "<?xml version=\"1.0\"?><inv><id>7</id><sum " +
			"cur=\"EUR\"> 12.00\n</sum><!-- no --></inv>", want: "7\n12.00"},
		{name: "xml in latin", part: Part{ContentType: "text/xml"}, data: "<?xml version=\"1.0\" " +
			"encoding=\"ISO-8859-1\"?><a>Caf\xe9</a>", want: "Café"},
		{name: "xml that grows in lower case", part: Part{ContentType: "text/xml"}, data: "<a>" + strings.Repeat("\xc4",
			40) + "</a><!-- encoding= --><b>x</b>", want: strings.Repeat("Ä", 40) + "\nx"},
		{name: "xml with a file in it", part: Part{ContentType: "application/xml"},
			data: "<a><f>" + strings.Repeat("QUJD", 50_000) + "</f><b>after</b></a>", want: "after"},
		{name: "xml with entities", part: Part{ContentType: "application/xml"},
			data: `<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>b &x; &amp; c</a>`, want: "b &x; & c"},
		{name: "svg is a picture", part: Part{ContentType: "image/svg+xml"}, data: "<svg/>", status: Unsupported},
		{name: "card of version 2.1", part: Part{ContentType: "text/x-vcard"}, want: "Name: Jürgen Groß\nNote: a, b",
			data: "BEGIN:VCARD\rVERSION:2.1\rFN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:J=C3=BCrgen " +
				"Gro=\r=C3=9F\rNOTE:a\\, b\rEND:VCARD\r"},
		{name: "calendar", part: Part{ContentType: "text/calendar"}, data: invitation, want: wantInvitation},
		{name: "card", part: Part{Filename: "ann.vcf"}, data: "BEGIN:VCARD\nFN:Ann Example\nitem1.TEL;TYPE=CELL:+49 " +
			"1\nADR:;;Main St 1;Berlin;;;DE\nPHOTO:abc\nEND:VCARD\n",
			want: "Name: Ann Example\nPhone: +49 1\nAddress: Main St 1, Berlin, DE"},
		{name: "rtf", part: Part{ContentType: "application/rtf"}, want: "Dear Ann,\nCafé – 5 € naïve\ta{b} 😀",
			data: `{\rtf1\ansi\ansicpg1252{\fonttbl{\f0 Arial;}}{\*\generator X;}\f0 Dear Ann,\par Caf\'e9 \endash  5 \u8364? na\u239\'efve\tab a\{b\} \u-10179?\u-8704?}`},
		{name: "rtf as word", part: Part{ContentType: "application/msword", Filename: "letter.doc"}, data: `{\rtf1 hi}`,
			want: "hi"},
		{name: "not rtf", part: Part{ContentType: "application/rtf"}, data: "hello", status: Failed},
		{name: "pdf", part: Part{ContentType: "application/pdf"}, data: smallPDF, want: "Hello, world"},
		{name: "pdf by its bytes", part: Part{ContentType: "application/octet-stream"}, data: smallPDF,
			want: "Hello, world"},
		{name: "pdf called text", part: Part{ContentType: "text/plain"}, data: smallPDF, want: "Hello, world"},
		{name: "not a pdf", part: Part{ContentType: "application/pdf"}, data: "<html>404</html>", status: Failed},
		{name: "pdf without pages", part: Part{ContentType: "application/pdf"}, data: "%PDF-1.7\n", status: Failed},
		{name: "pdf with a password", part: Part{ContentType: "application/pdf"}, status: Unsupported,
			data: strings.Replace(smallPDF, "<</Root", "<</Encrypt<</Filter/Standard/V 2/R 3>>/Root", 1)},
	}
}

const smallPDF = "%PDF-1.7\n1 0 obj<</Pages 2 0 R>>endobj 2 0 obj<</Kids[3 0 R]>>endobj 3 0 obj<</Contents 4 0 " +
	"R/Resources<</Font<</F<</Subtype/Type1/BaseFont/Helvetica>>>>>>>>endobj\n" +
	"4 0 obj<</Length 42>>stream\nBT /F 12 Tf 72 700 Td (Hello, world) Tj ET\nendstream endobj trailer<</Root 1 0 R>>"

const invitation = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nMETHOD:REQUEST\r\nBEGIN:VTIMEZONE\r\nTZID:Europe/Berlin\r\nBEGIN:STANDARD\r\nDTSTART:19701025T030000\r\nEND:STANDARD\r\nEND:VTIMEZONE\r\n" +
	"BEGIN:VEVENT\r\nUID:1@example.org\r\nDTSTART;TZID=Europe/Berlin:20260302T100000\r\nDTEND:20260302T100000Z\r\nSUMMARY:Plan\\, then\r\n  act\r\n" +
	"ORGANIZER;CN=\"Ann: Example\":mailto:ann@example.org\r\nLOCATION:Room 1\\; left\r\nDESCRIPTION:First " +
	"line\\nsecond line\r\n" +
	"BEGIN:VALARM\r\nDESCRIPTION:Reminder\r\nEND:VALARM\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"

const wantInvitation = "Method: REQUEST\n\nStart: 2026-03-02 10:00 Europe/Berlin\nEnd: 2026-03-02 10:00 " +
	"UTC\nSummary: Plan, then act\n" +
	"Organizer: Ann: Example <ann@example.org>\nLocation: Room 1; left\nDescription: First line\nsecond line"

func TestKind(t *testing.T) {
	for _, c := range []struct {
		name string
		part Part
		want Cost
	}{
		{"text", Part{ContentType: "text/plain"}, Cheap},
		{"any text", Part{ContentType: "text/x-whatever"}, Cheap},
		{"calendar", Part{ContentType: "text/calendar"}, Cheap},
		{"json", Part{ContentType: "application/ld+json"}, Cheap},
		{"csv by name", Part{ContentType: "application/octet-stream", Filename: "a.csv"}, Cheap},
		{"pdf", Part{ContentType: "application/pdf", Filename: "a.txt"}, Slow},
		{"pdf by name", Part{Filename: "A.PDF"}, Slow},
		{"word", Part{ContentType: "application/vnd.openxmlformats-officedocument.wordprocessingml.document"}, Slow},
		{"word as zip", Part{ContentType: "application/zip", Filename: "a.docx"}, Slow},
		{"mail", Part{ContentType: "message/rfc822"}, Slow},
		{"unknown", Part{ContentType: "application/octet-stream"}, Slow},
		{"picture", Part{ContentType: "image/jpeg", Filename: "a.pdf"}, Unreadable},
		{"picture by name", Part{Filename: "a.jpg"}, Unreadable},
		{"video", Part{ContentType: "video/mp4"}, Unreadable},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Kind(c.part); got != c.want {
				t.Errorf("Kind = %d, want %d", got, c.want)
			}
		})
	}
}

func TestGlance(t *testing.T) {
	vague := Part{ContentType: "application/octet-stream"}
	for _, c := range []struct {
		name, head string
		part       Part
		want       Cost
	}{
		{"bytes", "\x00\x01", vague, Unreadable},
		{"nothing", "", vague, Unreadable},
		{"pdf", "%PDF-1.7", vague, Slow},
		{"archive", "PK\x03\x04", vague, Slow},
		{"rtf", `{\rtf1`, vague, Cheap},
		{"text", "words", Part{ContentType: "text/plain"}, Cheap},
		{"a picture that begins like a pdf", "%PDF-1.7", Part{ContentType: "image/png"}, Unreadable},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Glance(c.part, []byte(c.head)); got != c.want {
				t.Errorf("Glance = %d, want %d", got, c.want)
			}
		})
	}
}

func TestTextIsCut(t *testing.T) {
	lim := Limits{Text: 100}
	for _, c := range []struct{ name, kind, data string }{
		{"text", "text/plain", strings.Repeat("äöü ", 1000)},
		{"html", "text/html", "<p>" + strings.Repeat("äöü ", 1000)},
		{"xml", "text/xml", "<a>" + strings.Repeat("<b>äöü</b>", 1000) + "</a>"},
		{"rtf", "text/rtf", `{\rtf1 ` + strings.Repeat("words ", 1000)},
		{"calendar", "text/calendar", strings.Repeat("SUMMARY:äöü\n", 1000)},
		{"mail", "message/rfc822", "Subject: x\n\n" + strings.Repeat("äöü ", 1000)},
		{"word", "application/zip", docx("<w:p><w:r><w:t>" + strings.Repeat("äöü ", 1000) + "</w:t></w:r></w:p>")},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := read(t.Context(), Part{ContentType: c.kind}, strings.NewReader(c.data), lim.orDefault())
			if got.Status != Done || !got.Truncated || len(got.Text) > 100 || len(got.Text) < 90 ||
				!utf8.ValidString(got.Text) {
				t.Errorf("got %#v", got)
			}
		})
	}
}

func TestSizeIsKept(t *testing.T) {
	lim := Limits{Size: 1000}
	large := strings.Repeat(" ", 2000)
	for _, c := range []struct {
		name string
		part Part
		data string
		want Status
	}{
		{"said to be larger", Part{ContentType: "text/plain", Size: 1001}, "x", TooLarge},
		{"text just so", Part{ContentType: "text/plain", Size: 1000}, "x", Done},
		{"pdf that is larger", Part{ContentType: "application/pdf"}, "%PDF-1.4" + large, TooLarge},
		{"archive that is larger", Part{Filename: "a.docx"}, "PK\x03\x04" + large, TooLarge},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Read(t.Context(), c.part, strings.NewReader(c.data), lim); got.Status != c.want {
				t.Errorf("got %#v, want %s", got, c.want)
			}
		})
	}
}

func TestReaderThatFails(t *testing.T) {
	broken := errors.New("disk")
	for _, kind := range []string{"text/plain", "application/pdf"} {
		late := io.MultiReader(strings.NewReader("%PDF-1.4"+strings.Repeat("x", 5000)), iotest.ErrReader(broken))
		for _, r := range []io.Reader{iotest.ErrReader(broken), late} {
			if got := Read(t.Context(), Part{ContentType: kind}, r, Limits{}); got.Status != Failed || got.Text != "" {
				t.Errorf("%s: got %#v", kind, got)
			}
		}
	}
}

// TestPanicIsCaught has a reader that panics stand for a mistake in the package.
func TestPanicIsCaught(t *testing.T) {
	got := Read(t.Context(), Part{ContentType: "text/plain"}, panicking{}, Limits{})
	if got != (Text{Status: Failed}) {
		t.Errorf("got %#v", got)
	}
}

type panicking struct{}

func (panicking) Read([]byte) (int, error) { panic("mistake") }

func TestTimeIsOver(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, c := range readCases() {
		if got := Read(ctx, c.part, strings.NewReader(c.data), Limits{}); got.Status == Done && got.Text != "" {
			t.Errorf("%s: got %#v", c.name, got)
		}
	}
}
