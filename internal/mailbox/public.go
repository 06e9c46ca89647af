package mailbox

import "net/netip"

// everyones is the part of IPv6 that is allocated for use on the Internet. The rest is reserved or not allocated:
// loopback, local networks, multicast, and the ranges that carry an IPv4 address inside.
var everyones = netip.MustParsePrefix("2000::/3")

// notPublic are the ranges that netip does not name: shared (carrier NAT), special, documentation and benchmark
// networks, and the IPv6 ranges inside everyones that are not public.
var notPublic = []netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"), netip.MustParsePrefix("100.64.0.0/10"), netip.MustParsePrefix("192.0.0.0/24"),
	netip.MustParsePrefix("192.0.2.0/24"), netip.MustParsePrefix("192.88.99.0/24"),
	netip.MustParsePrefix("198.18.0.0/15"),
	netip.MustParsePrefix("198.51.100.0/24"), netip.MustParsePrefix("203.0.113.0/24"),
	netip.MustParsePrefix("240.0.0.0/4"),
	netip.MustParsePrefix("168.63.129.16/32"), // a cloud platform's own services
	netip.MustParsePrefix("2001::/23"), netip.MustParsePrefix("2001:db8::/32"), netip.MustParsePrefix("2002::/16"),
	netip.MustParsePrefix("3fff::/20"),
}

// Public reports whether an address can be reached by everyone on the Internet. An IPv4-mapped address is the IPv4
// address inside: that is where a connection to it goes.
func Public(a netip.Addr) bool {
	a = a.Unmap().WithZone("")
	if !a.IsGlobalUnicast() || a.IsPrivate() || a.Is6() && !everyones.Contains(a) {
		return false
	}
	for _, p := range notPublic {
		if p.Contains(a) {
			return false
		}
	}
	return true
}
