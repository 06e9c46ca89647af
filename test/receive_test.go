package test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"os/exec"
	"strings"
	"testing"
)

// crlf returns a message that is written with plain line ends in a test.
func crlf(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }

const withAttachments = `From: =?utf-8?q?J=C3=B6rg?= <joerg@example.org>
To: someone@mailkin.localhost
Subject: =?utf-8?b?w5xiZXJzaWNodA==?=
Message-ID: <attachments@example.org>
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=outer

--outer
Content-Type: multipart/alternative; boundary=inner

--inner
Content-Type: text/plain; charset=iso-8859-1
Content-Transfer-Encoding: quoted-printable

Gr=FC=DFe
--inner
Content-Type: text/html; charset=utf-8

<p>Grüße</p>
--inner--
--outer
Content-Type: application/pdf; name="report.pdf"
Content-Disposition: attachment; filename="report.pdf"
Content-Transfer-Encoding: base64

JVBERi0xLjQK
--outer
Content-Type: text/csv
Content-Disposition: attachment; filename*=utf-8''%C3%BCbersicht.csv

a,b
1,2
--outer--
`

// ways are how a message can be sent with the kit's own client.
var ways = []struct {
	name  string
	proto string // as the message's metadata names it
	lmtp  bool
	tls   bool
	param string
	by    sender
}{
	{name: "DATA", proto: "ESMTP", by: byDATA},
	{name: "BDAT in one chunk", proto: "ESMTP", by: byBDAT},
	{name: "BDAT in many chunks", proto: "ESMTP", by: inChunks(7)},
	{name: "STARTTLS", proto: "ESMTPS", tls: true, by: byDATA},
	{name: "STARTTLS and BDAT", proto: "ESMTPS", tls: true, by: inChunks(100)},
	{name: "8BITMIME", proto: "ESMTP", param: " BODY=8BITMIME", by: byDATA},
	{name: "SMTPUTF8", proto: "UTF8SMTP", param: " SMTPUTF8", by: byDATA},
	{name: "LMTP", proto: "LMTP", lmtp: true, by: byDATA},
	{name: "LMTP and BDAT", proto: "LMTP", lmtp: true, by: byBDAT},
}

// However a message is sent, its bytes and its attachments come back as they were.
func TestWaysIn(t *testing.T) {
	t.Parallel()
	srv := start(t)
	message := []byte(crlf(withAttachments))
	for i, way := range ways {
		t.Run(way.name, func(t *testing.T) {
			b := srv.mailbox(t, fmt.Sprintf("way%d", i))
			addr := srv.smtp
			if way.lmtp {
				addr = srv.lmtp
			}
			c := open(t, addr)
			if way.tls {
				c.startTLS(t)
			}
			r, err := c.send(envelope{from: "joerg@example.org", params: way.param, to: []string{b.address}}, message,
				way.by)
			if err != nil || r.code != 250 || !strings.HasPrefix(r.lines[0], "2.0.0 Stored") {
				t.Fatalf("got %v %v", r, err)
			}
			for _, b.prefix = range []string{"/v1", "/api"} {
				e := b.only(t)
				if !strings.HasSuffix(r.lines[0], e.ID) {
					t.Errorf("the reply %v does not name the message %s", r, e.ID)
				}
				if e.Metadata.Protocol != way.proto {
					t.Errorf("protocol %s, want %s", e.Metadata.Protocol, way.proto)
				}
				checkAttachments(t, b, e)
				sameBytes(t, b.raw(t, e.ID), message)
			}
		})
	}
}

func checkAttachments(t *testing.T, b box, e email) {
	t.Helper()
	if e.Subject != "Übersicht" || e.FromName != "Jörg" || strings.TrimSpace(e.Text) != "Grüße" ||
		strings.TrimSpace(e.HTML) != "<p>Grüße</p>" {
		t.Errorf("subject %q, from %q, text %q, HTML %q", e.Subject, e.FromName, e.Text, e.HTML)
	}
	want := []struct{ name, kind, body string }{
		{"report.pdf", "application/pdf", "%PDF-1.4\n"},
		{"übersicht.csv", "text/csv", "a,b\r\n1,2"},
	}
	if len(e.Attachments) != len(want) || e.Count != len(want) {
		t.Fatalf("attachments %+v", e.Attachments)
	}
	for i, w := range want {
		a := e.Attachments[i]
		got := b.download(t, a)
		if a.Filename != w.name || !strings.HasPrefix(a.Type, w.kind) || string(got.body) != w.body {
			t.Errorf("got %+v with %q, want %+v", a, got.body, w)
		}
		if h := got.header.Get("Content-Disposition"); !strings.HasPrefix(h, "attachment") {
			t.Errorf("Content-Disposition %q", h)
		}
	}
}

// download fetches an attachment and checks that it is what its record says.
func (b box) download(t testing.TB, a attachment) answer {
	t.Helper()
	got := b.srv.do(t, request{path: b.prefix + "/attachment?id=" + a.ID, key: b.key}, http.StatusOK, nil)
	sum := sha256.Sum256(got.body)
	if int64(len(got.body)) != a.Size || hex.EncodeToString(sum[:]) != a.SHA256 {
		t.Errorf("attachment %q has %d bytes with digest %x, its record says %d with %s", a.Filename, len(got.body),
			sum, a.Size, a.SHA256)
	}
	return got
}

// Other people's clients reach us too.
func TestForeignClients(t *testing.T) {
	t.Parallel()
	srv := start(t)
	host, port, _ := strings.Cut(srv.smtp, ":")
	for _, tt := range []struct {
		name, program string
		args          func(to string) []string
		want          string // in the text
	}{
		{"smtplib", "python3", func(to string) []string {
			return []string{"-c", `
import smtplib, sys
from email.message import EmailMessage
m = EmailMessage()
m["From"], m["To"], m["Subject"], m["Message-ID"] = "py@example.org", sys.argv[3], "From Python – ü", "<py@example.org>"
m.set_content("Hello from smtplib: ü\n.a dot\n")
m.add_attachment(b"\x00\x01\x02", maintype="application", subtype="octet-stream", filename="three.bin")
with smtplib.SMTP(sys.argv[1], int(sys.argv[2])) as s:
    s.send_message(m)
`, host, port, to}
		}, "Hello from smtplib: ü\n.a dot"},
		{"swaks", "swaks", func(to string) []string {
			return []string{"--server", srv.smtp, "--to", to, "--from", "sw@example.org", "--tls", "--body",
				"Hello from swaks", "--suppress-data"}
		}, "Hello from swaks"},
		{"swaks with pipelining", "swaks", func(to string) []string {
			return []string{"--server", srv.smtp, "--to", to, "--from", "sw@example.org", "--pipeline", "--body",
				"Hello in one go", "--suppress-data"}
		}, "Hello in one go"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := exec.LookPath(tt.program); err != nil {
				t.Skipf("%s is not installed", tt.program)
			}
			b := srv.mailbox(t, strings.ReplaceAll(tt.name, " ", "-"))
			if out, err := exec.Command(tt.program, tt.args(b.address)...).CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			e := b.only(t)
			if got := strings.ReplaceAll(e.Text, "\r\n", "\n"); !strings.Contains(got, tt.want) {
				t.Errorf("text %q, want %q", got, tt.want)
			}
			for _, a := range e.Attachments {
				b.download(t, a)
			}
		})
	}
}

// What is offered is what the interface promises, and TLS only once.
func TestGreeting(t *testing.T) {
	t.Parallel()
	srv := start(t)
	for addr, hello := range map[string]string{srv.smtp: "EHLO", srv.lmtp: "LHLO"} {
		c := open(t, addr)
		for _, tls := range []string{"STARTTLS ", ""} {
			got := strings.Join(c.mustAsk(t, hello+" client.example", 250).lines[1:], " ")
			if want := "PIPELINING SIZE 140000000 " + tls +
				"8BITMIME SMTPUTF8 CHUNKING ENHANCEDSTATUSCODES"; got != want {
				t.Errorf("%s offers %q, want %q", hello, got, want)
			}
			if tls != "" {
				c.startTLS(t)
			}
		}
	}
}

// Addresses and headers beyond ASCII come through as they are.
func TestUTF8(t *testing.T) {
	t.Parallel()
	b := start(t).mailbox(t, "utf")
	c := open(t, b.srv.smtp)
	message := crlf("From: Jörg Müßig <jörg@bücher.example>\nTo: utf@mailkin.localhost\nSubject: 日本語のメール ✓\n\nこんにちは\n")
	r, err := c.send(envelope{from: "jörg@bücher.example", params: " BODY=8BITMIME SMTPUTF8",
		to: []string{"utf+größe@" + domain}}, []byte(message), byDATA)
	if err != nil || r.code != 250 {
		t.Fatalf("got %v %v", r, err)
	}
	e := b.only(t)
	if e.Subject != "日本語のメール ✓" || e.From != "jörg@bücher.example" || e.FromName != "Jörg Müßig" ||
		strings.TrimSpace(e.Text) != "こんにちは" {
		t.Errorf("subject %q, from %q %q, text %q", e.Subject, e.FromName, e.From, e.Text)
	}
	if e.Metadata.EnvelopeFrom != "jörg@bücher.example" || e.Metadata.Tag != "größe" {
		t.Errorf("metadata %+v", e.Metadata)
	}
	sameBytes(t, b.raw(t, e.ID), []byte(message))
}

func TestHTMLOnly(t *testing.T) {
	t.Parallel()
	b := start(t).mailbox(t, "html")
	b.srv.deliver(t, crlf("From: a@example.org\nSubject: page\nContent-Type: text/html\n\n<h1>Your order</h1><p>It "+
		"is <b>here</b>.</p>\n"), b.address)
	if e := b.only(t); !strings.Contains(e.Text, "It is here.") || !strings.Contains(e.HTML, "<h1>") {
		t.Errorf("text %q, HTML %q", e.Text, e.HTML)
	}
}
