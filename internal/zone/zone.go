// Package zone knows the DNS records that a mail domain needs, and whether they are published.
//
// A [Plan] is what one domain is to have. Its [Plan.Records] are for the operator of the DNS of that domain;
// [Plan.Check] looks them up:
//
//	           host                              must say                     for dns_verified
//	MX         example.com                       our host is one of them      needed
//	SPF        example.com                       our host may send            needed
//	DKIM       <selector>._domainkey.<domain>    our key                      needed
//	ownership  _mailkin.example.com              our token                    needed
//	DMARC      _dmarc.example.com                any valid policy             advised
//	DKIM, 2nd  <selector>._domainkey.<domain>    our Ed25519 key              advised
//
// [Plan.Sheet] has more: the addresses of the mail host and their names, MTA-STS and TLSRPT; [Plan.ZoneFile] is the
// sheet as a zone file.
//
// People have records already, and do not type exactly what they are told. So what is checked is what a record means to
// those who receive our mail, not how it is written: an SPF policy of any form under which our host passes, a key with
// its tags in any order. What receivers would not accept is not accepted here either: two SPF policies, two keys, a
// policy with a mistake in it.
//
// The package does no network of its own: a [Resolver] is given. What the DNS says is written by strangers; it is
// bounded and made printable before it is shown.
package zone

import (
	"net/netip"
	"strings"
)

// The kinds of records.
const (
	KindMX          = "mx"
	KindSPF         = "spf"
	KindDKIM        = "dkim"
	KindDKIMEd25519 = "dkim_ed25519" // next to an RSA key; a plan with Ed25519 alone has it as KindDKIM
	KindDMARC       = "dmarc"
	KindOwnership   = "ownership"
)

const (
	typeMX     = "MX"
	typeTXT    = "TXT"
	mxPriority = 10
	tokenStart = "mailkin-verify="
)

// Plan is what a domain is to have. Its names are as [Normalize] returns them.
type Plan struct {
	Domain    string
	Hostname  string       // of the server that receives and sends
	Addresses []netip.Addr // it sends from, where they are known: an SPF policy may name them instead of it
	Selectors []Selector
	Token     string // shows that the domain is its owner's; without one it never holds
	Own       bool   // a domain of the deployment itself: nobody needs to show that
	// address for DMARC reports, or empty. One in another domain works where that domain agrees (RFC 9990).
	ReportTo string
	Web      string // host of the pages of the service, where it is another than Hostname
	STS      string // mode of the MTA-STS policy that is served: testing or enforce; empty: none is
}

// Selector is a DKIM key as it is published.
type Selector struct {
	Name   string
	Record string // the text: v=DKIM1; k=rsa; p=…
}

// Record is one DNS record.
type Record struct {
	Kind     string
	Type     string
	Host     string // the whole name, without the last dot
	Value    string
	Purpose  string // for people
	Priority uint16 // of an MX
}

// Records are those to publish: what must be there first.
func (p Plan) Records() []Record {
	var out []Record
	if !p.Own {
		out = append(out, p.ownership())
	}
	out = append(out,
		Record{
			Kind: KindMX, Type: typeMX, Host: p.Domain, Value: p.Hostname, Priority: mxPriority,
			Purpose: "Brings mail for the domain to this server.",
		},
		Record{
			Kind: KindSPF, Type: typeTXT, Host: p.Domain, Value: "v=spf1 " + p.spfTerm() + " ~all",
			Purpose: "Lets this server send mail for the domain. If there is an SPF record already, add " +
				p.spfTerm() +
				" to it before its all: there must not be two.",
		})
	out = append(out, p.keyRecords()...)
	return append(out, Record{
		Kind: KindDMARC, Type: typeTXT, Host: "_dmarc." + p.Domain, Value: p.dmarc(),
		Purpose: "Tells receivers what to do with mail that only claims to be from the domain. Advised, not needed.",
	})
}

func (p Plan) ownership() Record {
	return Record{
		Kind: KindOwnership, Type: typeTXT, Host: "_mailkin." + p.Domain, Value: tokenStart + p.Token,
		Purpose: "Shows that the domain is yours. Leave it there: it is looked up every day.",
	}
}

// spfTerm authorises the server by its name. With mx it would do so through the MX records, with a lookup more, and let
// every other MX of the domain send as well.
func (p Plan) spfTerm() string { return "a:" + p.Hostname }

// keyRecords are those of the DKIM keys.
func (p Plan) keyRecords() []Record {
	hasRSA := false
	for _, s := range p.Selectors {
		hasRSA = hasRSA || !isEd25519(s.Record)
	}
	var out []Record
	for _, s := range p.Selectors {
		r := Record{
			Kind: KindDKIM, Type: typeTXT, Host: s.Name + "._domainkey." + p.Domain, Value: s.Record,
			Purpose: "The key that receivers check the signatures of the domain's mail with.",
		}
		if hasRSA && isEd25519(s.Record) {
			r.Kind = KindDKIMEd25519
			r.Purpose = "A second key, of a newer kind. Advised, not needed."
		}
		out = append(out, r)
	}
	return out
}

func isEd25519(record string) bool {
	k, ok := parseDKIM(record)
	return ok && k.kind == "ed25519"
}

// dmarc is a policy that changes nothing for anybody, and with an address tells who sends in the domain's name.
func (p Plan) dmarc() string {
	const policy = "v=DMARC1; p=none"
	if p.ReportTo == "" {
		return policy
	}
	// RFC 9989 4.7: these would end the address.
	address := strings.NewReplacer("%", "%25", ",", "%2C", "!", "%21", ";", "%3B", " ", "%20").Replace(p.ReportTo)
	return policy + "; rua=mailto:" + address
}
