package test

import (
	"strings"
	"testing"
)

// Two servers send to each other as strangers on the Internet do: what arrives is signed and passes every check, and an
// address that is not there bounces at once.
func TestSendTwoServers(t *testing.T) {
	t.Parallel()
	const one, other = "198.20.0.10", "198.20.0.20"
	if !ownNetwork(t, one, other) {
		return
	}
	z := newZone(t, "127.0.0.1", append(append(mailDomain("one.example", "mx.one.example", one),
		mailDomain("other.example", "mx.other.example", other)...),
		"none.example. 60 IN TXT x", "null.example. 60 IN MX 0 .")...)
	settings := func(name, addr string) []string {
		return append([]string{shortStreams, "MAILKIN_DOMAIN=" + name, "MAILKIN_HOSTNAME=mx." + name,
			"MAILKIN_SMTP_ADDR=" + addr + ":25", "MAILKIN_DNS=" + z.addr,
			"MAILKIN_OUTBOUND=direct"}, unbounded...)
	}
	a, b := start(t, settings("one.example", one)...), start(t, settings("other.example", other)...)
	a.publish(t, z, "one.example")
	b.publish(t, z, "other.example")
	robin, marian := a.mailbox(t, "robin"), b.mailbox(t, "marian")

	s := robin.send(t, note("Grüße", "Märian <"+marian.address+">", "nobody@other.example", "x@none.example",
		"x@null.example", "x@nowhere.example"))
	list := robin.hear(t, "delivered "+marian.address, "bounced nobody@other.example", "bounced x@none.example",
		"bounced x@null.example", "bounced x@nowhere.example")
	if got := told(list, s.ID); len(got) != 6 {
		t.Errorf("the events are %q", got)
	}
	for _, o := range list {
		if o.Kind == "message.bounced" && (o.Reason == "" || o.Bounce == "" ||
			o.Status != "bounced" && o.Status != "failed") {
			t.Errorf("bounced as %+v", o)
		}
		if o.Recipient == "nobody@other.example" && (!strings.Contains(o.Reason, "5.1.1") || o.Bounce != "hard") {
			t.Errorf("bounced as %+v", o)
		}
	}
	deliveries := robin.outgoing(t, s.ID).Deliveries
	if d := deliveries[0]; d.Code != 250 || d.MX != "mx.other.example" || !strings.HasPrefix(d.TLS, "TLS1.") ||
		d.Attempts != 1 {
		t.Errorf("delivered as %+v", d)
	}
	if d := deliveries[1]; d.Code != 550 || d.Attempts != 1 || d.NextAt != nil {
		t.Errorf("bounced as %+v", d)
	}

	e := marian.only(t)
	v := marian.verdict(t, e.ID)
	if v.Auth.SPF != "pass" || v.Auth.DKIM != "pass" || v.Auth.DMARC != "pass" || !v.Auth.FromAligned ||
		v.Trust.Level != "verified" {
		t.Errorf("the verdict is %+v", v)
	}
	if e.MessageID != s.MessageID || e.Subject != "Grüße" || !strings.HasPrefix(e.Metadata.EnvelopeFrom, "bounce+") ||
		e.Metadata.Protocol != "ESMTPS" {
		t.Errorf("arrived as %+v", e)
	}
	answer := b.do(t, request{method: "POST", path: "/v1/reply", key: marian.key, body: draft{"email_id": e.ID,
		"text": "Thank you."}.String()}, 200, nil)
	var back sent
	answer.into(t, &back)
	marian.delivery(t, back.ID, "delivered")
	got := robin.inbox(t)[0]
	if got.Direction != "inbound" || got.ThreadID != s.ThreadID || got.Subject != "Re: Grüße" {
		t.Errorf("answered with %+v in the thread %s", got, s.ThreadID)
	}
}
