package transport

import (
	"net"
	"net/netip"
	"slices"
	"strings"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// permitted says whether a stranger's DNS may send us to an address.
func permitted(a netip.Addr, allowPrivate func(netip.Addr) bool) bool {
	return mailbox.Public(a) || allowPrivate != nil && allowPrivate(a.Unmap().WithZone(""))
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

// hasIPv6 says whether this machine has a way to the Internet over IPv6. Nothing is sent: connecting a socket for
// packets only looks for the way.
func hasIPv6() bool {
	conn, err := net.Dial("udp6", "[2001:500:2::c]:53")
	if err != nil {
		return false
	}
	defer conn.Close()
	local, err := netip.ParseAddrPort(conn.LocalAddr().String())
	return err == nil && mailbox.Public(local.Addr())
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
