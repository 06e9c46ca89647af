package test

import (
	"bufio"
	"strings"
	"testing"
)

// from gives a session as a client with that address has it, behind a balancer.
func (s *server) from(t *testing.T, client string) *session {
	t.Helper()
	conn, err := proxied(t.Context(), s.smtp, proxyLine(client))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	c := &session{conn: conn, in: bufio.NewReader(conn)}
	if r, err := c.read(); err != nil || r.code != 220 {
		t.Fatalf("greeting: %v %v", r, err)
	}
	if err := c.hello(); err != nil {
		t.Fatal(err)
	}
	return c
}

// authorTricks are headers that show a bank as the author to some readers, and spare its policy where only one From is asked for.
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
	srv := start(t, authorZone(t), "MAILKIN_DMARC_REJECT=on", "MAILKIN_TRUSTED_PROXIES=127.0.0.0/8", "MAILKIN_PROXY_PROTOCOL=smtp")
	b := srv.mailbox(t, "robin")
	c := srv.from(t, "8.8.8.8")
	for name, header := range authorTricks {
		message := crlf("Subject: " + name + "\n" + header + "To: robin@mailkin.localhost\n\nhello\n")
		r, err := c.send(envelope{from: "eve@far.example", to: []string{b.address}}, []byte(message), byDATA)
		if err != nil || r.code != 550 || !strings.Contains(r.String(), "5.7.1") || !strings.Contains(r.String(), "From") {
			t.Errorf("%s: %v %v", name, r, err)
		}
	}
	honest := crlf("From: eve@far.example\nSender: post@bank.example\nSubject: honest\n\nhello\n")
	if r, err := c.send(envelope{from: "eve@far.example", to: []string{b.address}}, []byte(honest), byDATA); err != nil || r.code != 250 {
		t.Errorf("mail of an honest author: %v %v", r, err)
	}
	if list := b.inbox(t); len(list) != 1 {
		t.Errorf("%d messages are stored, want 1", len(list))
	}
}

// Where it is not followed the mail is kept, marked suspicious, and neither Sender nor the envelope stands in for From.
func TestAuthorsAreSuspicious(t *testing.T) {
	srv := start(t, authorZone(t), "MAILKIN_TRUSTED_PROXIES=127.0.0.0/8", "MAILKIN_PROXY_PROTOCOL=smtp")
	b := srv.mailbox(t, "robin")
	c := srv.from(t, "8.8.8.8")
	for name, header := range authorTricks {
		message := crlf("Subject: " + name + "\n" + header + "To: robin@mailkin.localhost\n\nhello\n")
		r, err := c.send(envelope{from: "post@bank.example", to: []string{b.address}}, []byte(message), byDATA)
		if err != nil || r.code != 250 {
			t.Fatalf("%s: %v %v", name, r, err)
		}
	}
	var list struct {
		Emails []struct {
			Subject string
			From    string `json:"from_address"`
			Trust   struct{ Level string }
			Labels  []string
		}
	}
	srv.get(t, b.key, "/v1/inbox?limit=100", &list)
	if len(list.Emails) != len(authorTricks) {
		t.Fatalf("%d messages, want %d", len(list.Emails), len(authorTricks))
	}
	for _, m := range list.Emails {
		if m.Trust.Level != "suspicious" {
			t.Errorf("%s: %+v", m.Subject, m)
		}
		if !strings.Contains(authorTricks[m.Subject], "post@bank.example") || strings.Contains(authorTricks[m.Subject], "Sender:") {
			if m.From != "" {
				t.Errorf("%s: shows %q as its author", m.Subject, m.From)
			}
		}
	}
}
