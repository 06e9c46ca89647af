package transport

import (
	"net"
	"net/netip"
	"slices"
	"strings"
)

// special are the ranges that netip does not name: shared (carrier NAT), special, documentation and benchmark networks, and
// the IPv6 ranges that carry an IPv4 address inside.
var special = func() (out []netip.Prefix) {
	for _, s := range []string{
		"0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24",
		"240.0.0.0/4", "168.63.129.16/32", "::/96", "64:ff9b::/96", "64:ff9b:1::/48", "100::/64", "2001::/23", "2001:db8::/32", "2002::/16",
		"3fff::/20", "fec0::/10",
	} {
		out = append(out, netip.MustParsePrefix(s))
	}
	return out
}()

// isPublic says whether an address can be reached by everyone on the Internet.
func isPublic(a netip.Addr) bool {
	a = a.Unmap().WithZone("")
	if !a.IsGlobalUnicast() || a.IsPrivate() {
		return false
	}
	for _, p := range special {
		if p.Contains(a) {
			return false
		}
	}
	return true
}

// permitted says whether a stranger's DNS may send us to an address.
func permitted(a netip.Addr, allowPrivate func(netip.Addr) bool) bool {
	return isPublic(a) || allowPrivate != nil && allowPrivate(a.Unmap().WithZone(""))
}

// isLocal says whether an address is one of this machine's.
func isLocal(a netip.Addr) bool {
	if a.IsLoopback() || a.IsUnspecified() {
		return true
	}
	nets, err := net.InterfaceAddrs()
	if err != nil {
		return false
	}
	return slices.ContainsFunc(nets, func(n net.Addr) bool {
		p, err := netip.ParsePrefix(n.String())
		return err == nil && p.Addr().Unmap().WithZone("") == a.WithZone("")
	})
}

// inTurn puts addresses of the two kinds in turn, so that one kind that does not work costs no more than the other.
func inTurn(addrs []netip.Addr, six bool) []netip.Addr {
	var kinds [2][]netip.Addr
	for _, a := range addrs {
		i := 0
		if a.Unmap().Is4() == six {
			i = 1
		}
		kinds[i] = append(kinds[i], a)
	}
	out := make([]netip.Addr, 0, len(addrs))
	for i := range addrs {
		for _, kind := range kinds {
			if i < len(kind) {
				out = append(out, kind[i])
			}
		}
	}
	return out
}

// hasIPv6 says whether this machine has a way to the Internet over IPv6. Nothing is sent: connecting a socket for packets
// only looks for the way.
func hasIPv6() bool {
	conn, err := net.Dial("udp6", "[2001:500:2::c]:53")
	if err != nil {
		return false
	}
	defer conn.Close()
	local, err := netip.ParseAddrPort(conn.LocalAddr().String())
	return err == nil && isPublic(local.Addr())
}

// literal is the address in [192.0.2.1] or [IPv6:2001:db8::1] (RFC 5321 4.1.3).
func literal(domain string) (netip.Addr, bool) {
	inner, ok := strings.CutPrefix(domain, "[")
	inner, closed := strings.CutSuffix(inner, "]")
	if !ok || !closed {
		return netip.Addr{}, false
	}
	six := len(inner) > 5 && strings.EqualFold(inner[:5], "IPv6:")
	if six {
		inner = inner[5:]
	}
	a, err := netip.ParseAddr(inner)
	return a, err == nil && a.Is4() != six && a.Zone() == ""
}
