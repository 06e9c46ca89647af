package sender

import (
	"net/netip"
	"slices"
	"strings"
	"time"

	"golang.org/x/net/dns/dnsmessage"
)

// question is what the DNS is asked: a name, lower-case and without its last dot, and a type of record.
type question struct {
	name string
	kind dnsmessage.Type
}

// outcome is how a question was answered.
type outcome uint8

const (
	failed outcome = iota // the DNS could not say
	found
	noData // the name exists, but has no such records
	noName // the name does not exist (NXDOMAIN)
)

// answer is what the DNS said. It is shared by everybody who asks and is never changed.
type answer struct {
	outcome outcome
	ttl     time.Duration
	texts   []string     // of TXT, each with its strings joined
	addrs   []netip.Addr // of A and AAAA
	names   []string     // of MX, best first, and of PTR
}

// maxPacket is what a server may send over UDP: what passes through every network in one piece.
const maxPacket = 1232

// pack writes the question as a DNS message with EDNS (RFC 6891).
func (q question) pack(id uint16) ([]byte, error) {
	name, err := dnsmessage.NewName(strings.TrimSuffix(q.name, ".") + ".")
	if err != nil {
		return nil, err
	}
	var opt dnsmessage.ResourceHeader
	if err := opt.SetEDNS0(maxPacket, dnsmessage.RCodeSuccess, false); err != nil {
		return nil, err
	}
	m := dnsmessage.Message{
		Header:      dnsmessage.Header{ID: id, RecursionDesired: true},
		Questions:   []dnsmessage.Question{{Name: name, Type: q.kind, Class: dnsmessage.ClassINET}},
		Additionals: []dnsmessage.Resource{{Header: opt, Body: &dnsmessage.OPTResource{}}},
	}
	return m.Pack()
}

// unpack reads the answer out of a message. ok is false for a message that answers another question, or none: whoever
// forges answers sends those. cut is true where the answer has more than the packet.
func (q question) unpack(msg []byte, id uint16) (a answer, cut, ok bool) {
	var p dnsmessage.Parser
	h, err := p.Start(msg)
	if err != nil || h.ID != id || !h.Response {
		return answer{}, false, false
	}
	asked, err := p.AllQuestions()
	if err != nil || len(asked) != 1 || asked[0].Type != q.kind || asked[0].Class != dnsmessage.ClassINET ||
		!strings.EqualFold(strings.TrimSuffix(asked[0].Name.String(), "."), strings.TrimSuffix(q.name, ".")) {
		return answer{}, false, false
	}
	switch {
	case h.Truncated:
		return answer{}, true, true
	case h.RCode == dnsmessage.RCodeNameError:
		return answer{outcome: noName}, false, true
	case h.RCode != dnsmessage.RCodeSuccess:
		return answer{}, false, true
	}
	return q.records(&p), false, true
}

// records collects the answers. The server has followed aliases: the records are those of the last name, and nobody asks
// which that is.
func (q question) records(p *dnsmessage.Parser) answer {
	a := answer{outcome: noData, ttl: maxTTL}
	var prefs []uint16
	for {
		h, err := p.AnswerHeader()
		if err == dnsmessage.ErrSectionDone {
			break
		}
		if err != nil {
			return answer{}
		}
		a.ttl = min(a.ttl, time.Duration(h.TTL)*time.Second)
		if h.Type != q.kind || h.Class != dnsmessage.ClassINET {
			err = p.SkipAnswer()
		} else {
			a.outcome = found
			prefs, err = a.add(p, q.kind, prefs)
		}
		if err != nil {
			return answer{}
		}
	}
	return a
}

// add takes one record. prefs are the preferences of the MX records so far, in order.
func (a *answer) add(p *dnsmessage.Parser, kind dnsmessage.Type, prefs []uint16) ([]uint16, error) {
	switch kind {
	case dnsmessage.TypeTXT:
		r, err := p.TXTResource()
		a.texts = append(a.texts, strings.Join(r.TXT, "")) // RFC 7208 3.3, RFC 6376 3.6.2.2, RFC 9989 4.5
		return prefs, err
	case dnsmessage.TypeA:
		r, err := p.AResource()
		a.addrs = append(a.addrs, netip.AddrFrom4(r.A))
		return prefs, err
	case dnsmessage.TypeAAAA:
		r, err := p.AAAAResource()
		a.addrs = append(a.addrs, netip.AddrFrom16(r.AAAA))
		return prefs, err
	case dnsmessage.TypePTR:
		r, err := p.PTRResource()
		a.names = append(a.names, plainName(r.PTR))
		return prefs, err
	case dnsmessage.TypeMX:
		r, err := p.MXResource()
		i, _ := slices.BinarySearch(prefs, r.Pref)
		a.names = slices.Insert(a.names, i, plainName(r.MX))
		return slices.Insert(prefs, i, r.Pref), err
	}
	return prefs, p.SkipAnswer()
}

func plainName(n dnsmessage.Name) string {
	return strings.ToLower(strings.TrimSuffix(n.String(), "."))
}
