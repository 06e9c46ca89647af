package test

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// bounce is a report as mail servers send it: a message could not be delivered to a recipient.
func bounce(recipient, messageID string) string {
	return crlf(fmt.Sprintf(`From: MAILER-DAEMON@mx.post.example
To: whom@it.concerns.example
Subject: Undelivered Mail Returned to Sender
Message-ID: <bounce-of-%[2]s@mx.post.example>
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary=b

--b
Content-Type: text/plain

It could not be delivered.
--b
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.post.example

Final-Recipient: rfc822; %[1]s
Action: failed
Status: 5.1.1
Diagnostic-Code: smtp; 550 5.1.1 No such user
--b
Content-Type: text/rfc822-headers

Message-ID: %[2]s
--b--
`, recipient, messageID))
}

// Postfix from Debian as the server that the DNS names: it takes our mail over TLS, the signatures are right in the
// eyes of two other programs, what it refuses bounces at once, what it bounces later bounces later, and nobody else can
// bounce our mail.
func TestSendToPostfix(t *testing.T) {
	t.Parallel()
	z := newZone(t, "127.0.0.1", append(mailDomain("post.example", "mx.post.example", "127.0.0.1"),
		mailDomain("us.example", "mx.us.example", "127.0.0.1")...)...)
	port := freePort(t)
	srv := start(t, shortStreams, "MAILKIN_DOMAIN=us.example", "MAILKIN_HOSTNAME=mx.us.example", "MAILKIN_DNS="+z.addr,
		"MAILKIN_OUTBOUND=direct", "MAILKIN_OUTBOUND_PORT="+port, "MAILKIN_OUTBOUND_ALLOW_PRIVATE=true")
	srv.publish(t, z, "us.example")
	_, ours, _ := net.SplitHostPort(srv.smtp)
	mx := startPostfixMX(t, port, ours)
	b := srv.mailbox(t, "robin")

	d := attached("größe.bin", randomBytes(100_000, 3)).with("to", "Käthe <kept@post.example>").with("subject",
		"Grüße").with("html", "<p>Hello ü</p>").
		with("headers", draft{"X-One": "two  spaces", "List-Unsubscribe": "<mailto:x@us.example>"}).with("text",
		".\r\nLine ü   \n.\n\n\n")
	kept := b.send(t, d)
	if got := b.delivery(t, kept.ID, "delivered"); got.Code != 250 || got.MX != "mx.post.example" ||
		got.TLS != "TLS1.3" || got.Attempts != 1 {
		t.Errorf("delivered as %+v", got)
	}
	raw := mx.kept(t, 1)[0]
	t.Run("signatures", func(t *testing.T) { checkSignatures(t, z, outside(raw)) })

	refused, late := b.send(t, note("refused", "refused@post.example")), b.send(t, note("late", "late@post.example"))
	list := b.hear(t, "bounced refused@post.example", "bounced late@post.example")
	wantTold(t, list, refused.ID, "sent refused@post.example", "bounced refused@post.example")
	wantTold(t, list, late.ID, "sent late@post.example", "delivered late@post.example", "bounced late@post.example")
	for _, o := range list {
		if o.Kind == "message.bounced" && (o.Bounce != "hard" || !strings.Contains(o.Reason, "5.1.1") &&
			!strings.Contains(o.Reason, "nknown user")) {
			t.Errorf("bounced as %+v", o)
		}
	}
	if got := b.suppressed(t); !slices.Equal(got, []string{"late@post.example bounce", "refused@post.example bounce"}) {
		t.Errorf("suppressed: %q", got)
	}
	t.Run("forged", func(t *testing.T) { checkForged(t, b, kept, raw) })
}

// checkSignatures has other programs verify what we have signed.
func checkSignatures(t *testing.T, z *zone, message string) {
	for _, kind := range []string{"a=rsa-sha256", "a=ed25519-sha256"} {
		if n := strings.Count(message, kind); n != 1 {
			t.Errorf("%d signatures with %s", n, kind)
		}
	}
	changed := strings.Replace(message, "Line", "Lime", 1)
	renamed := strings.Replace(message, "\r\nSubject:", "\r\nSubject: not", 1)
	said := z.ask(t, judged{Raw: message}, judged{Raw: changed}, judged{Raw: renamed})
	if o := said[0]; !slices.Equal(o.Each, []bool{true, true}) || o.DKIM != "pass" || o.DMARC != "pass" {
		t.Errorf("dkimpy says %+v", o)
	}
	for _, o := range said[1:] {
		if !slices.Equal(o.Each, []bool{false, false}) || o.DKIM == "pass" {
			t.Errorf("dkimpy says %+v of a message that was changed", o)
		}
	}
	good, bad := openDKIM(t, z, message), openDKIM(t, z, changed)
	if !strings.Contains(good, "verification (s=") || !strings.Contains(good, "succeeded") ||
		strings.Contains(bad, "succeeded") {
		t.Errorf("OpenDKIM says %s\nand of a message that was changed %s", good, bad)
	}
}

// openDKIM returns what OpenDKIM says about a message. It is told the keys in a file: it cannot ask a server on a port
// of ours.
func openDKIM(t *testing.T, z *zone, message string) string {
	t.Helper()
	dir := t.TempDir()
	var keys strings.Builder
	z.mu.Lock()
	for name, list := range z.records {
		if strings.Contains(name, "._domainkey.") {
			_, value, _ := strings.Cut(list[0].String(), "TXT\t")
			fmt.Fprintf(&keys, "%s %s\n", strings.TrimSuffix(name, "."), strings.NewReplacer(`" "`, "", `"`, "", `\;`,
				";").Replace(value))
		}
	}
	z.mu.Unlock()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	settings := file("conf", "Mode v\nTestPublicKeys "+file("keys", keys.String())+"\n")
	said, _ := execute(t, "opendkim", "-n", "-x", settings)
	out, _ := execute(t, "opendkim", "-x", settings, "-vv", "-t", file("message", message))
	return said + out
}

// checkForged tries to bounce a message that was delivered, without its return path, and then with it.
func checkForged(t *testing.T, b box, s sent, raw string) {
	_, rest, _ := strings.Cut(raw, "Return-Path: <")
	path, _, _ := strings.Cut(rest, ">")
	if !strings.HasPrefix(path, "bounce+") || !strings.HasSuffix(path, "@us.example") {
		t.Fatalf("the return path is %q", path)
	}
	wrong := strings.Replace(path, "@", "0@", 1)
	if last := path[strings.IndexByte(path, '@')-1]; last != '0' {
		wrong = strings.Replace(path, string(last)+"@", "0@", 1)
	}
	report := func(n int) []byte {
		return []byte(strings.Replace(bounce("kept@post.example", s.MessageID), "bounce-of-",
			fmt.Sprintf("bounce-%d-of-", n), 1))
	}
	for i, tt := range []struct{ name, from, to string }{
		{"a wrong path", "", wrong},
		{"a shorter path", "", strings.Replace(path, path[strings.IndexByte(path, '.'):strings.IndexByte(path, '@')],
			"", 1)},
		{"the right path from somebody", "mailer-daemon@mx.post.example", path},
		{"to the mailbox", "", b.address},
	} {
		c := open(t, b.srv.smtp)
		r, err := c.send(envelope{from: tt.from, to: []string{tt.to}}, report(i), byDATA)
		if err != nil {
			t.Fatal(err)
		}
		if d := b.outgoing(t, s.ID).Deliveries[0]; d.Status != "delivered" {
			t.Errorf("%s (%v): the delivery is %+v", tt.name, r, d)
		}
	}
	if got := b.suppressed(t); slices.Contains(got, "kept@post.example bounce") {
		t.Errorf("suppressed: %q", got)
	}
	c := open(t, b.srv.smtp)
	if r, err := c.send(envelope{to: []string{path}}, report(9), byDATA); err != nil || r.code != 250 {
		t.Fatalf("the real return path: %v %v", r, err)
	}
	if d := b.outgoing(t, s.ID).Deliveries[0]; d.Status != "bounced" {
		t.Errorf("with the real return path the delivery is %+v", d)
	}
	list := b.log(t, 0)
	wantTold(t, list, s.ID, "sent kept@post.example", "delivered kept@post.example", "bounced kept@post.example")
}

// Postfix as the server that takes everything: without a password on this machine.
func TestSendByPostfix(t *testing.T) {
	t.Parallel()
	z := newZone(t, "127.0.0.1", mailDomain("us.example", "mx.us.example", "127.0.0.1")...)
	port := freePort(t)
	srv := start(t, shortStreams, "MAILKIN_DOMAIN=us.example", "MAILKIN_HOSTNAME=mx.us.example", "MAILKIN_DNS="+z.addr,
		"MAILKIN_OUTBOUND=smtp://127.0.0.1:"+port)
	srv.publish(t, z, "us.example")
	_, ours, _ := net.SplitHostPort(srv.smtp)
	mx := startPostfixMX(t, port, ours)
	b := srv.mailbox(t, "robin")
	kept := b.send(t, note("through a relay", "kept@post.example"))
	if d := b.delivery(t, kept.ID, "sent"); d.TLS != "TLS1.3" || d.Code != 250 {
		t.Errorf("sent as %+v", d)
	}
	if said := z.ask(t, judged{Raw: outside(mx.kept(t, 1)[0])}); !slices.Equal(said[0].Each, []bool{true, true}) {
		t.Errorf("dkimpy says %+v", said)
	}
	late := b.send(t, note("to nobody", "late@post.example"))
	list := b.hear(t, "bounced late@post.example")
	wantTold(t, list, late.ID, "sent late@post.example", "bounced late@post.example")
	wantTold(t, list, kept.ID, "sent kept@post.example")
}
