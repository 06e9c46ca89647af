package dns

import (
	"testing"

	"golang.org/x/net/dns/dnsmessage"
)

func FuzzDNSAnswer(f *testing.F) {
	q := Question{"example.com", MX}
	packed, _ := q.Pack(7)
	f.Add(packed)
	m := dnsmessage.Message{Header: dnsmessage.Header{ID: 7, Response: true}}
	m.Questions = []dnsmessage.Question{{Name: dnsmessage.MustNewName("example.com."), Type: q.Type,
		Class: dnsmessage.ClassINET}}
	head := dnsmessage.ResourceHeader{Name: m.Questions[0].Name, Type: q.Type, Class: dnsmessage.ClassINET, TTL: 60}
	m.Answers = []dnsmessage.Resource{{Header: head, Body: &dnsmessage.MXResource{Pref: 1,
		MX: dnsmessage.MustNewName("a.example.com.")}}}
	packed, _ = m.Pack()
	f.Add(packed)
	f.Fuzz(func(t *testing.T, msg []byte) {
		for _, kind := range []Type{TXT, A, AAAA, MX, PTR, NS, CNAME, TLSA} {
			a, cut, ok := Question{"example.com", kind}.Unpack(msg, 7)
			if (cut || !ok) && a.Outcome != Failed || a.TTL > maxTTL || a.TTL < 0 ||
				a.Outcome == Failed && a.Authentic {
				t.Errorf("%+v, %v, %v", a, cut, ok)
			}
		}
	})
}
