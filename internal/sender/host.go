package sender

import (
	"context"
	"net/netip"
	"slices"
	"time"

	"github.com/mailkin/mailkin/internal/dns"
)

const (
	hostTime  = time.Second // for finding the name of a client
	hostNames = 3           // that an address has are tried
)

// HostOf finds the name of a client's address, where the name leads back to the address; empty: it has none.
func HostOf(ctx context.Context, r *dns.Resolver, addr netip.Addr) string {
	ctx, cancel := context.WithTimeout(ctx, hostTime)
	defer cancel()
	addr = addr.Unmap()
	zone, kind := "in-addr.arpa", dns.A
	if addr.Is6() {
		zone, kind = "ip6.arpa", dns.AAAA
	}
	names := r.Lookup(ctx, reversed(addr)+zone, dns.PTR).Names
	for _, name := range names[:min(len(names), hostNames)] {
		if slices.Contains(r.Lookup(ctx, name, kind).Addrs, addr) {
			return name
		}
	}
	return ""
}
