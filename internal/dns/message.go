package dns

import (
	"net/netip"
	"slices"
	"strings"
	"time"

	"golang.org/x/net/dns/dnsmessage"
)

// maxPacket is what a server may send over UDP: what passes through every network in one piece.
const maxPacket = 1232

// maxAliases is how many aliases are followed.
const maxAliases = 8

// Pack writes the question as a DNS message with EDNS (RFC 6891). The AD bit asks whether the answer is authentic (RFC
// 6840 5.7); the DO bit would ask for the signatures, too, which are long and which nobody here reads.
func (q Question) Pack(id uint16) ([]byte, error) {
	name, err := dnsmessage.NewName(strings.TrimSuffix(q.Name, ".") + ".")
	if err != nil {
		return nil, err
	}
	var opt dnsmessage.ResourceHeader
	if err := opt.SetEDNS0(maxPacket, dnsmessage.RCodeSuccess, false); err != nil {
		return nil, err
	}
	m := dnsmessage.Message{
		Header:      dnsmessage.Header{ID: id, RecursionDesired: true, AuthenticData: true},
		Questions:   []dnsmessage.Question{{Name: name, Type: q.Type, Class: dnsmessage.ClassINET}},
		Additionals: []dnsmessage.Resource{{Header: opt, Body: &dnsmessage.OPTResource{}}},
	}
	return m.Pack()
}

// Unpack reads the answer out of a message. ok is false for a message that answers another question, or none, as
// forged answers do. cut is true where the answer has more than the packet.
func (q Question) Unpack(msg []byte, id uint16) (a Answer, cut, ok bool) {
	var p dnsmessage.Parser
	h, err := p.Start(msg)
	if err != nil || h.ID != id || !h.Response {
		return Answer{}, false, false
	}
	asked, err := p.AllQuestions()
	if err != nil || len(asked) != 1 || asked[0].Type != q.Type || asked[0].Class != dnsmessage.ClassINET ||
		!strings.EqualFold(strings.TrimSuffix(asked[0].Name.String(), "."), strings.TrimSuffix(q.Name, ".")) {
		return Answer{}, false, false
	}
	switch {
	case h.Truncated:
		return Answer{}, true, true
	case h.RCode == dnsmessage.RCodeNameError:
		return Answer{Outcome: NoName, Authentic: h.AuthenticData, Name: q.Name}, false, true
	case h.RCode != dnsmessage.RCodeSuccess:
		return Answer{}, false, true
	}
	a = q.records(&p)
	a.Authentic = h.AuthenticData && a.Outcome != Failed
	return a, false, true
}

// records collects the answers: those of the name, or of the last of its aliases.
func (q Question) records(p *dnsmessage.Parser) Answer {
	again := *p
	aliases, ttl, ok := aliasesOf(p)
	if !ok {
		return Answer{}
	}
	a := Answer{Outcome: NoData, TTL: ttl, Name: q.Name}
	if q.Type != CNAME {
		for range len(aliases) {
			if target := aliases[a.Name]; target != "" {
				a.Name = target
			}
		}
		if aliases[a.Name] != "" {
			return Answer{} // a loop
		}
	}
	if !a.collect(&again, q.Type) {
		return Answer{}
	}
	if a.Outcome == NoData && a.Name != q.Name && !endsThere(p) {
		a.alias = a.Name
	}
	return a
}

// aliasesOf reads the CNAME records of an answer, and the shortest time of all records.
func aliasesOf(p *dnsmessage.Parser) (aliases map[string]string, ttl time.Duration, ok bool) {
	ttl = maxTTL
	for {
		h, err := p.AnswerHeader()
		switch {
		case err == dnsmessage.ErrSectionDone:
			return aliases, ttl, true
		case err != nil:
			return nil, 0, false
		}
		ttl = min(ttl, time.Duration(h.TTL)*time.Second)
		if h.Type != CNAME || h.Class != dnsmessage.ClassINET {
			if p.SkipAnswer() != nil {
				return nil, 0, false
			}
			continue
		}
		r, err := p.CNAMEResource()
		if err != nil || len(aliases) == maxAliases {
			return nil, 0, false
		}
		if aliases == nil {
			aliases = make(map[string]string)
		}
		aliases[plainName(h.Name)] = plainName(r.CNAME)
	}
}

// endsThere says whether the server knows that the last alias has no such records (RFC 2308 2.2). If not, it has to be
// asked.
func endsThere(p *dnsmessage.Parser) bool {
	for {
		h, err := p.AuthorityHeader()
		if err != nil || h.Type == dnsmessage.TypeSOA {
			return err == nil
		}
		if p.SkipAuthority() != nil {
			return false
		}
	}
}

// collect takes the records of the answer's name.
func (a *Answer) collect(p *dnsmessage.Parser, kind Type) (ok bool) {
	for {
		h, err := p.AnswerHeader()
		if err == dnsmessage.ErrSectionDone {
			slices.SortStableFunc(a.MX, func(x, y Exchange) int { return int(x.Preference) - int(y.Preference) })
			return true
		}
		if err != nil {
			return false
		}
		if h.Type != kind || h.Class != dnsmessage.ClassINET || plainName(h.Name) != a.Name {
			err = p.SkipAnswer()
		} else {
			a.Outcome = Found
			err = a.add(p, kind)
		}
		if err != nil {
			return false
		}
	}
}

// add takes one record.
func (a *Answer) add(p *dnsmessage.Parser, kind Type) error {
	switch kind {
	case TXT:
		r, err := p.TXTResource()
		a.Texts = append(a.Texts, strings.Join(r.TXT, "")) // RFC 7208 3.3, RFC 6376 3.6.2.2, RFC 9989 4.5
		return err
	case A:
		r, err := p.AResource()
		a.Addrs = append(a.Addrs, netip.AddrFrom4(r.A))
		return err
	case AAAA:
		r, err := p.AAAAResource()
		a.Addrs = append(a.Addrs, netip.AddrFrom16(r.AAAA))
		return err
	case PTR:
		r, err := p.PTRResource()
		a.Names = append(a.Names, plainName(r.PTR))
		return err
	case NS:
		r, err := p.NSResource()
		a.Names = append(a.Names, plainName(r.NS))
		return err
	case CNAME:
		r, err := p.CNAMEResource()
		a.Names = append(a.Names, plainName(r.CNAME))
		return err
	case MX:
		r, err := p.MXResource()
		a.MX = append(a.MX, Exchange{r.Pref, plainName(r.MX)})
		return err
	case TLSA:
		return a.addTLSA(p)
	}
	return p.SkipAnswer()
}

func (a *Answer) addTLSA(p *dnsmessage.Parser) error {
	r, err := p.UnknownResource()
	if err == nil && len(r.Data) > 3 {
		a.TLSA = append(a.TLSA, Association{r.Data[0], r.Data[1], r.Data[2], r.Data[3:]})
	}
	return err
}

func plainName(n dnsmessage.Name) string {
	return strings.ToLower(strings.TrimSuffix(n.String(), "."))
}
