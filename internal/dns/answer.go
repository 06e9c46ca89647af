package dns

import (
	"net/netip"
	"time"

	"golang.org/x/net/dns/dnsmessage"
)

// Type is a type of record.
type Type = dnsmessage.Type

// The types that can be asked for.
const (
	A     = dnsmessage.TypeA
	AAAA  = dnsmessage.TypeAAAA
	CNAME = dnsmessage.TypeCNAME
	MX    = dnsmessage.TypeMX
	NS    = dnsmessage.TypeNS
	PTR   = dnsmessage.TypePTR
	TXT   = dnsmessage.TypeTXT
	TLSA  = Type(52) // RFC 6698
)

// Question is what the DNS is asked: a name, lower-case and without its last dot, and a type of record.
type Question struct {
	Name string
	Type Type
}

// Outcome is how a question was answered.
type Outcome uint8

// The outcomes.
const (
	Failed Outcome = iota // the DNS could not say
	Found
	NoData // the name exists, but has no such records
	NoName // the name does not exist (NXDOMAIN)
)

// Answer is what the DNS said.
type Answer struct {
	Outcome   Outcome
	Authentic bool          // DNSSEC vouches for it, also where it says that there is nothing
	TTL       time.Duration // of what was found
	Name      string        // whose records they are: the name asked for, or the last of its aliases

	Texts []string     // of TXT, each with its strings joined
	Addrs []netip.Addr // of A and AAAA
	Names []string     // of PTR, NS and CNAME
	MX    []Exchange   // the best first
	TLSA  []Association

	alias string // an alias that the server did not follow
}

// Exchange is an MX record. The host is empty in the one that says that the domain takes no mail (RFC 7505).
type Exchange struct {
	Preference uint16
	Host       string
}

// Association is a TLSA record (RFC 6698 2.1).
type Association struct {
	Usage, Selector, Matching uint8
	Data                      []byte
}
