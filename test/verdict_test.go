package test

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"net"
	"strings"
	"testing"

	"github.com/emersion/go-msgauth/dkim"
	"github.com/miekg/dns"
)

// nameServer answers for a few TXT records, over UDP, and says where it is.
func nameServer(t *testing.T, records map[string]string) string {
	t.Helper()
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	srv := &dns.Server{PacketConn: conn, Handler: dns.HandlerFunc(func(w dns.ResponseWriter, req *dns.Msg) {
		m := new(dns.Msg).SetReply(req)
		q := req.Question[0]
		text, ok := records[strings.ToLower(strings.TrimSuffix(q.Name, "."))]
		switch {
		case !ok:
			m.Rcode = dns.RcodeNameError
		case q.Qtype == dns.TypeTXT:
			m.Answer = append(m.Answer, &dns.TXT{Hdr: dns.RR_Header{Name: q.Name, Rrtype: dns.TypeTXT,
				Class: dns.ClassINET, Ttl: 60}, Txt: []string{text}})
		}
		_ = w.WriteMsg(m) // a client that is gone asks again
	})}
	done := make(chan error, 1)
	go func() { done <- srv.ActivateAndServe() }()
	t.Cleanup(func() {
		_ = srv.Shutdown()
		<-done
	})
	return conn.LocalAddr().String()
}

// verdict is what the interface says about a sender.
type verdict struct {
	Auth struct {
		SPF, DKIM, DMARC string
		FromAligned      bool `json:"from_aligned"`
	}
	Trust struct {
		Level   string
		Reasons []string
	}
	Screening struct{ Verdict string }
	Labels    []string
}

func (b box) verdict(t *testing.T, id string) (v verdict) {
	t.Helper()
	b.srv.get(t, b.key, "/v1/email?id="+id, &v)
	return v
}

// A signed mail is verified with a real name server, one that was changed on the way is not, and the bytes stay as they
// came.
func TestSenderIsChecked(t *testing.T) {
	public, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	srv := start(t, "MAILKIN_DNS="+nameServer(t, map[string]string{
		"_dmarc.bank.example":         "v=DMARC1; p=reject",
		"key._domainkey.bank.example": "v=DKIM1; k=ed25519; p=" + base64.StdEncoding.EncodeToString(public),
	}))
	b := srv.mailbox(t, "robin")
	message := crlf("From: Bank <post@bank.example>\nTo: robin@mailkin.localhost\nSubject: Statement\nMessage-ID: " +
		"<1@bank.example>\n" +
		"Date: Sat, 14 Mar 2026 12:00:00 +0000\n\nYour statement is ready.\n")
	var signed bytes.Buffer
	err = dkim.Sign(&signed, strings.NewReader(message), &dkim.SignOptions{Domain: "bank.example", Selector: "key",
		Signer: private})
	if err != nil {
		t.Fatal(err)
	}
	srv.deliver(t, signed.String(), b.address)
	id := b.inbox(t)[0].ID
	v := b.verdict(t, id)
	if v.Auth.DKIM != "pass" || v.Auth.DMARC != "pass" || !v.Auth.FromAligned || v.Trust.Level != "verified" ||
		v.Screening.Verdict != "clean" {
		t.Errorf("the verdict on a signed mail is %+v", v)
	}
	sameBytes(t, b.raw(t, id), signed.Bytes())

	forged := strings.Replace(strings.Replace(signed.String(), "is ready", "is late!", 1), "<1@bank", "<2@bank", 1)
	srv.deliver(t, forged, b.address)
	if v := b.verdict(t, b.inbox(t)[0].ID); v.Auth.DKIM == "pass" || v.Auth.FromAligned || v.Trust.Level == "verified" {
		t.Errorf("the verdict on a forged mail is %+v", v)
	}
}

// A resolver that is not there keeps no mail out.
func TestResolverIsDead(t *testing.T) {
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := conn.LocalAddr().String()
	if err := conn.Close(); err != nil { // nobody answers there any more
		t.Fatal(err)
	}
	srv := start(t, "MAILKIN_DNS="+addr)
	b := srv.mailbox(t, "robin")
	for range 5 {
		srv.deliver(t, mail("hello"), b.address)
	}
	if v := b.verdict(t, b.inbox(t)[0].ID); v.Trust.Level == "verified" {
		t.Errorf("verified by nobody: %+v", v)
	}
}
