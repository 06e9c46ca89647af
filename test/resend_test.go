package test

import (
	"strings"
	"testing"
)

// The SDK of Resend runs against the binary: every method that the door supports.
func TestResendWithSDK(t *testing.T) {
	modules := doorModules(t, "resend")
	z := newZone(t, "127.0.0.1", "brought.example. 60 IN TXT x")
	s := start(t, "MAILKIN_DNS="+z.addr)
	own, other := s.mailbox(t, "own"), s.mailbox(t, "other")
	out := runNode(t, modules, []string{"RESEND_BASE_URL=" + s.http + "/resend", "INGEST=" + s.http + "/v1/ingest",
		"KEY=" + own.key, "OPERATOR=" + s.token, "OWN=" + own.address, "OTHER=" + other.address}, "resend/client.cjs")
	if !strings.Contains(out, "all of it") {
		t.Error(out)
	}
}

// What is sent with the SDK arrives at another server, signed.
func TestResendTwoServers(t *testing.T) {
	t.Parallel()
	const one, other = "198.20.1.10", "198.20.1.20"
	modules := doorModules(t, "resend")
	if !ownNetwork(t, one, other) {
		return
	}
	z := newZone(t, "127.0.0.1", append(mailDomain("one.example", "mx.one.example", one),
		mailDomain("other.example", "mx.other.example", other)...)...)
	settings := func(name, addr string) []string {
		return append([]string{shortStreams, "MAILKIN_DOMAIN=" + name, "MAILKIN_HOSTNAME=mx." + name,
			"MAILKIN_SMTP_ADDR=" + addr + ":25", "MAILKIN_DNS=" + z.addr, "MAILKIN_OUTBOUND=direct"}, unbounded...)
	}
	a, b := start(t, settings("one.example", one)...), start(t, settings("other.example", other)...)
	a.publish(t, z, "one.example")
	b.publish(t, z, "other.example")
	robin, marian := a.mailbox(t, "robin"), b.mailbox(t, "marian")
	const script = `const { Resend } = require(process.env.MODULES + "/resend");
new Resend(process.env.KEY).emails.send({ from: process.env.OWN, to: process.env.OTHER, subject: "Hello",
  html: "<p>It works</p>" }).then(({ data, error }) => { if (error) throw new Error(JSON.stringify(error));
  console.log(data.id); });`
	id := strings.TrimSpace(runNode(t, modules, []string{"RESEND_BASE_URL=" + a.http + "/resend", "KEY=" + robin.key,
		"OWN=" + robin.address, "OTHER=" + marian.address}, "-e", script))
	robin.delivery(t, id, "delivered")
	e := marian.only(t)
	if v := marian.verdict(t, e.ID); v.Auth.DKIM != "pass" || v.Auth.SPF != "pass" || v.Auth.DMARC != "pass" {
		t.Errorf("the verdict is %+v", v)
	}
}
