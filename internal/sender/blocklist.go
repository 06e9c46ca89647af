package sender

import (
	"context"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/mailkin/mailkin/internal/dns"
)

// Blocklists asks DNS block lists about the addresses of clients (RFC 5782). The resolver remembers the answers.
type Blocklists struct {
	dns    *dns.Resolver
	zones  []string
	exempt func(netip.Addr) bool

	asked, listed, failed atomic.Int64
}

// blocklistTime is how long all lists together may take.
const blocklistTime = 2 * time.Second

// maxListingText is how much of a list's own words is passed on.
const maxListingText = 200

// NewBlocklists asks these zones. Addresses that exempt allows are never asked about.
func NewBlocklists(r *dns.Resolver, zones []string, exempt func(netip.Addr) bool) *Blocklists {
	return &Blocklists{dns: r, zones: zones, exempt: exempt}
}

// Listing is a zone that lists an address.
type Listing struct {
	Zone string
	Text string // the list's own words; empty: it has none, or was not asked
}

// Listings returns the zones that list an address, in the order of the settings. A list that does not answer in time
// lists nothing.
func (b *Blocklists) Listings(ctx context.Context, addr netip.Addr) (list []Listing) {
	if !addr.IsValid() || b.exempt(addr) {
		return nil
	}
	b.asked.Add(1)
	ctx, cancel := context.WithTimeout(ctx, blocklistTime)
	defer cancel()
	prefix := reversed(addr)
	questions := make([]dns.Question, len(b.zones))
	for i, zone := range b.zones {
		questions[i] = dns.Question{Name: prefix + zone, Type: dns.A}
	}
	for i, a := range b.dns.LookupAll(ctx, questions...) {
		switch {
		case a.Outcome == dns.Failed || slices.ContainsFunc(a.Addrs, refusesUs):
			b.failed.Add(1)
		case slices.ContainsFunc(a.Addrs, isListing):
			list = append(list, Listing{Zone: b.zones[i]})
		}
	}
	if len(list) > 0 {
		b.listed.Add(1)
	}
	return list
}

// Explain asks the first of the zones that list an address for its own words.
func (b *Blocklists) Explain(ctx context.Context, addr netip.Addr, list []Listing) Listing {
	ctx, cancel := context.WithTimeout(ctx, blocklistTime)
	defer cancel()
	a := b.dns.Lookup(ctx, reversed(addr)+list[0].Zone, dns.TXT)
	if len(a.Texts) > 0 {
		list[0].Text = plain(a.Texts[0])
	}
	return list[0]
}

// Counts are the addresses that were asked about, those that a list has, and the questions without an answer.
func (b *Blocklists) Counts() map[string]int64 {
	return map[string]int64{"asked": b.asked.Load(), "listed": b.listed.Load(), "failed": b.failed.Load()}
}

// errorCodes are answers by which lists say that they do not answer this resolver (Spamhaus and others).
var errorCodes = netip.MustParsePrefix("127.255.255.0/24")

var listings = netip.MustParsePrefix("127.0.0.0/8")

func refusesUs(a netip.Addr) bool { return errorCodes.Contains(a) }

// isListing tells whether an answer means that the address is listed. Others come from resolvers that answer
// everything, or from domains that somebody else has now (RFC 5782 2.1). QUIRK: 127.0.0.1 is an error code of some.
func isListing(a netip.Addr) bool {
	return listings.Contains(a) && !errorCodes.Contains(a) && a != netip.AddrFrom4([4]byte{127, 0, 0, 1})
}

// reversed is the beginning of the name under which a list has an address (RFC 5782 2.1, 2.4).
func reversed(addr netip.Addr) string {
	const digits = "0123456789abcdef"
	var b strings.Builder
	if addr = addr.Unmap(); addr.Is4() {
		for _, n := range slices.Backward(addr.AsSlice()) {
			b.WriteString(strconv.Itoa(int(n)) + ".")
		}
		return b.String()
	}
	for _, n := range slices.Backward(addr.AsSlice()) {
		b.Write([]byte{digits[n&15], '.', digits[n>>4], '.'})
	}
	return b.String()
}

// plain is a text of a list as an SMTP reply can have it.
func plain(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return -1
		}
		return r
	}, s)
	return s[:min(len(s), maxListingText)]
}
