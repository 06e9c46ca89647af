package test

import (
	"maps"
	"strings"
	"testing"
)

// authorTricks are headers that show a bank as the author to some readers, and spare its policy where only one From is
// asked for.
var authorTricks = map[string]string{
	"one":                      "From: Bank <post@bank.example>\n",
	"two of its addresses":     "From: post@bank.example, help@bank.example\n",
	"two fields":               "From: post@bank.example\nFrom: eve@far.example\n",
	"two fields, the other":    "From: eve@far.example\nFrom: post@bank.example\n",
	"two addresses":            "From: post@bank.example, eve@far.example\n",
	"two addresses, no comma":  "From: post@bank.example eve@far.example\n",
	"an empty field":           "From: post@bank.example\nFrom:\n",
	"an empty field first":     "from:\nFROM : post@bank.example\n",
	"Sender alone":             "Sender: post@bank.example\n",
	"Sender and an empty From": "From:\nSender: post@bank.example\n",
	"Sender and a name":        "From: Bank Support\nSender: post@bank.example\n",
	"a group":                  "From: Bank: post@bank.example, eve@far.example;\n",
	"an empty group":           "From: Bank:;\nSender: post@bank.example\n",
	"an unseen letter":         "From: post@bank.example\u200b\n",
	"two signs":                "From: post@bank.example@far.example\n",
	"a line that is no field":  "From: post@bank.example\nX: y\nno field\nno field\nFrom: eve@far.example\n",
	"nothing":                  "",
	"a user":                   "From: security\n",
	"a user in brackets":       "From: \"Your Bank Security\" <security>\n",
	"an address literal":       "From: Bank <x@[203.0.113.5]>\n",
	"a single label":           "From: Bank <x@bank>\n",
	"a local host":             "From: x@localhost\n",
	"an unfinished group":      "From: Bank x@bank.example:;\n",
	"quotes around all":        "From: \"x@bank.example\"\n",
	"a sign behind it":         "From: x@bank.example@\n",
	"two dots":                 "From: x@bank..example\n",
	"a backslash":              "From: x@bank.example\\\n",
	"two in brackets":          "From: <post@bank.example> <eve@far.example>\n",
	"two in brackets, a name":  "From: Bank <post@bank.example><eve@far.example>\n",
	"one behind the brackets":  "From: <eve@far.example> post@bank.example\n",
	"brackets in brackets":     "From: <post@bank.example <eve@far.example>>\n",
	"a comment between":        "From: <post@bank.example> (of) <eve@far.example>\n",
	"a semicolon between":      "From: <post@bank.example>; <eve@far.example>\n",
	"a semicolon, no brackets": "From: post@bank.example; eve@far.example\n",
	"three in brackets":        "From: <eve@far.example> <post@bank.example> <eve@far.example>\n",
	"a colon between":          "From: <post@bank.example>: <eve@far.example>\n",
	"a slash between":          "From: post@bank.example/eve@far.example\n",
	"two in one word":          "From: =?utf-8?q?=3Cpost=40bank.example=3E_=3Ceve=40far.example=3E?=\n",
	"a list in brackets":       "From: <post@bank.example, eve@far.example>\n",
	"a fold between":           "From: <post@bank.example>\n <eve@far.example>\n",
	"an open bracket":          "From: <post@bank.example <eve@far.example>\n",
}

func authorZone(t *testing.T) string {
	return "MAILKIN_DNS=" + nameServer(t, map[string]string{
		"_dmarc.bank.example": "v=DMARC1; p=reject",
		"far.example":         "v=spf1 +all",
		"_dmarc.far.example":  "v=DMARC1; p=none",
	})
}

// Where DMARC is followed, no way to write From lets a stranger speak in the name of a domain that forbids it.
func TestAuthorsAreRefused(t *testing.T) {
	t.Parallel()
	srv := start(t, authorZone(t), "MAILKIN_DMARC_REJECT=on", "MAILKIN_TRUSTED_PROXIES=127.0.0.0/8",
		"MAILKIN_PROXY_PROTOCOL=smtp")
	b := srv.mailbox(t, "robin")
	c := srv.from(t, "8.8.8.8")
	for name, header := range authorTricks {
		message := crlf("Subject: " + name + "\n" + header + "To: robin@mailkin.localhost\n\nhello\n")
		r, err := c.send(envelope{from: "eve@far.example", to: []string{b.address}}, []byte(message), byDATA)
		if err != nil || r.code != 550 || !strings.Contains(r.String(), "5.7.1") || !strings.Contains(r.String(),
			"From") {
			t.Errorf("%s: %v %v", name, r, err)
		}
	}
	for name, header := range authorTricks { // the null return path makes no difference
		message := crlf("Subject: " + name + "\n" + header + "To: robin@mailkin.localhost\n\nhello\n")
		if r, err := c.send(envelope{to: []string{b.address}}, []byte(message), byDATA); err != nil || r.code != 550 {
			t.Errorf("%s, from nobody: %v %v", name, r, err)
		}
	}
	honest := crlf("From: eve@far.example\nSender: post@bank.example\nSubject: honest\n\nhello\n")
	if r, err := c.send(envelope{from: "eve@far.example", to: []string{b.address}}, []byte(honest),
		byDATA); err != nil || r.code != 250 {
		t.Errorf("mail of an honest author: %v %v", r, err)
	}
	near := srv.from(t, "10.0.0.5") // a program of ours, such as cron
	if r, err := near.send(envelope{from: "root@web1", to: []string{b.address}},
		[]byte(crlf("From: root\nSubject: cron\n\nhello\n")), byDATA); err != nil || r.code != 250 {
		t.Errorf("mail of a local program: %v %v", r, err)
	}
	list := b.inbox(t)
	if len(list) != 2 {
		t.Fatalf("%d messages are stored, want 2", len(list))
	}
	if list[0].From != "root" {
		t.Errorf("mail of a local program is from %q", list[0].From)
	}
}

// A mail system's report is taken whose From has no domain, and shows no author; nobody else gets in by looking like
// one.
func TestReportsWithoutADomain(t *testing.T) {
	t.Parallel()
	srv := start(t, authorZone(t), "MAILKIN_DMARC_REJECT=on", "MAILKIN_TRUSTED_PROXIES=127.0.0.0/8",
		"MAILKIN_PROXY_PROTOCOL=smtp")
	b := srv.mailbox(t, "robin")
	c := srv.from(t, "8.8.8.8")
	const status = "MIME-Version: 1.0\nContent-Type: multipart/report; report-type=delivery-status; " +
		"boundary=b\n\n--b\n\nNot delivered.\n" +
		"--b\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; mx.far.example\n\n" +
		"Final-Recipient: rfc822; ann@far.example\nAction: failed\nStatus: 5.1.1\n\n--b--\n"
	const words = "\nI could not deliver your message to <ann@far.example>: no such user.\n"
	for _, tt := range []struct {
		name, header, body, from string
		code                     int
	}{
		{"a daemon's words", "From: MAILER-DAEMON\n", words, "", 250},
		{"a daemon's report", "From: Mail Delivery System <MAILER-DAEMON>\n", status, "", 250},
		{"a postmaster's", "From: postmaster\n", words, "", 250},
		{"a report by somebody", "From: ceo\n", status, "", 250},
		{"from a sender", "From: MAILER-DAEMON\n", status, "eve@far.example", 550},
		{"somebody's words", "From: ceo\n", words, "", 550},
		{"an address as a name", "From: \"post@bank.example\" <MAILER-DAEMON>\n", status, "", 550},
		{"a hidden address as a name", "From: =?utf-8?q?post=40bank.example?= <MAILER-DAEMON>\n", status, "", 550},
		{"another sign as a name", "From: =?utf-8?b?cG9zdO+8oGJhbmsuZXhhbXBsZQ==?= <MAILER-DAEMON>\n", status, "", 550},
		{"an address", "From: post@bank.example\n", status, "", 550},
		{"with a Sender", "From: MAILER-DAEMON\nSender: post@bank.example\n", status, "", 550},
		{"two fields", "From: MAILER-DAEMON\nFrom: post@bank.example\n", status, "", 550},
		{"two names", "From: MAILER-DAEMON, post@bank.example\n", status, "", 550},
		{"no author", "", status, "", 550},
	} {
		message := crlf("Subject: " + tt.name + "\nTo: robin@mailkin.localhost\n" + tt.header + tt.body)
		if r, err := c.send(envelope{from: tt.from, to: []string{b.address}}, []byte(message), byDATA); err != nil ||
			r.code != tt.code {
			t.Errorf("%s: %v %v, want %d", tt.name, r, err, tt.code)
		}
	}
	var list struct{ Emails []authored }
	srv.get(t, b.key, "/v1/inbox?limit=100", &list)
	if len(list.Emails) != 4 {
		t.Fatalf("%d messages, want 4", len(list.Emails))
	}
	for _, m := range list.Emails {
		if m.Trust.Level != "suspicious" || !strings.Contains(strings.Join(m.Trust.Reasons, " "), "who wrote it") ||
			m.From != "" || m.Name != "" {
			t.Errorf("%+v", m)
		}
	}
}

// authored is a message in a list with who is shown as its author.
type authored struct {
	Subject string
	From    string `json:"from_address"`
	Name    string `json:"from_name"`
	Trust   struct {
		Level   string
		Reasons []string
	}
	Labels []string
}

// Where it is not followed the mail is kept, marked suspicious, and neither Sender nor the envelope stands in for From.
func TestAuthorsAreSuspicious(t *testing.T) {
	t.Parallel()
	srv := start(t, authorZone(t), "MAILKIN_TRUSTED_PROXIES=127.0.0.0/8", "MAILKIN_PROXY_PROTOCOL=smtp")
	b := srv.mailbox(t, "robin")
	c := srv.from(t, "8.8.8.8")
	tricks := maps.Clone(authorTricks)
	tricks["a name"] = "From: post@bank.example <eve@far.example>\n" // as in quotes: one author with a false name
	for name, header := range tricks {
		message := crlf("Subject: " + name + "\n" + header + "To: robin@mailkin.localhost\n\nhello\n")
		r, err := c.send(envelope{from: "post@bank.example", to: []string{b.address}}, []byte(message), byDATA)
		if err != nil || r.code != 250 {
			t.Fatalf("%s: %v %v", name, r, err)
		}
	}
	var list struct{ Emails []authored }
	srv.get(t, b.key, "/v1/inbox?limit=100", &list)
	if len(list.Emails) != len(tricks) {
		t.Fatalf("%d messages, want %d", len(list.Emails), len(tricks))
	}
	for _, m := range list.Emails {
		if m.Trust.Level != "suspicious" {
			t.Errorf("%s: %+v", m.Subject, m)
		}
		header := tricks[m.Subject]
		none := !strings.Contains(header, "post@bank.example") || strings.Contains(header, "Sender:") ||
			m.Subject == "two signs"
		if none && (m.From != "" || m.Name != "") {
			t.Errorf("%s: shows %q %q as its author", m.Subject, m.Name, m.From)
		}
	}
}
