package dnstest

import (
	"strings"

	"github.com/miekg/dns"
)

// Reply is the answer to a request, or nil for none.
func (z *Zone) Reply(req *dns.Msg) *dns.Msg {
	z.mu.Lock()
	defer z.mu.Unlock()
	q := req.Question[0]
	z.asked = append(z.asked, strings.TrimSuffix(q.Name, ".")+" "+dns.TypeToString[q.Qtype])
	name := strings.ToLower(q.Name)
	m := new(dns.Msg).SetReply(req)
	m.RecursionAvailable = true
	m.AuthenticatedData = req.AuthenticatedData // only who asks is told: RFC 6840 5.8
	for range 9 {
		m.AuthenticatedData = m.AuthenticatedData && z.isSecure(name)
		switch z.marks[name] {
		case Silent:
			return nil
		case Bogus:
			return m.SetRcode(req, dns.RcodeServerFailure)
		}
		next := z.take(m, name, q.Qtype)
		switch {
		case next == "" && len(m.Answer) == 0 && z.marks[name] == Fail:
			return m.SetRcode(req, dns.RcodeServerFailure)
		case next == "":
			z.end(m, name, q.Qtype)
			return m
		case z.marks[name] == Shallow:
			return m
		}
		name = next
	}
	return m.SetRcode(req, dns.RcodeServerFailure)
}

// take puts the records of a name in the reply, and returns the name that it is an alias of.
func (z *Zone) take(m *dns.Msg, name string, kind uint16) (next string) {
	for _, rr := range z.records[name] {
		if alias, ok := rr.(*dns.CNAME); ok && kind != dns.TypeCNAME {
			next = strings.ToLower(alias.Target)
		}
		if rr.Header().Rrtype == kind || next != "" {
			m.Answer = append(m.Answer, rr)
		}
	}
	return next
}

// end says what there is at the last name if it has no records.
func (z *Zone) end(m *dns.Msg, name string, kind uint16) {
	if !z.exists(name) {
		m.Rcode = dns.RcodeNameError
	}
	for _, rr := range m.Answer {
		if rr.Header().Rrtype == kind {
			return
		}
	}
	m.Ns = []dns.RR{&dns.SOA{Hdr: dns.RR_Header{Name: ".", Rrtype: dns.TypeSOA, Class: dns.ClassINET}, Ns: ".",
		Mbox: "."}}
}

func (z *Zone) exists(name string) bool {
	for known := range z.records {
		if known == name || strings.HasSuffix(known, "."+name) {
			return true
		}
	}
	return false
}

func (z *Zone) isSecure(name string) bool {
	for marked, mark := range z.marks {
		if mark == Secure && (name == marked || strings.HasSuffix(name, "."+marked)) {
			return true
		}
	}
	return false
}
