package httpapi

import (
	"iter"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// proxies are the networks whose forwarding headers are believed.
type proxies []netip.Prefix

// newProxies writes every network as client addresses are written: IPv4 as such, also where it was given inside IPv6.
func newProxies(networks []netip.Prefix) proxies {
	trusted := make(proxies, 0, len(networks))
	for _, p := range networks {
		if p.Addr().Is4In6() && p.Bits() >= 96 {
			p = netip.PrefixFrom(p.Addr().Unmap(), p.Bits()-96)
		}
		trusted = append(trusted, p)
	}
	return trusted
}

func (p proxies) trust(addr netip.Addr) bool {
	return slices.ContainsFunc(p, func(network netip.Prefix) bool { return network.Contains(addr) })
}

// client is where a request comes from. Each proxy adds its own peer to the right of X-Forwarded-For, so what a trusted
// one says there is believed, and nothing to the left of the first address that is not trusted: anybody can have
// written that.
func (p proxies) client(peer netip.Addr, forwarded []string) netip.Addr {
	client := peer
	for hop := range hops(forwarded) {
		if !p.trust(client) {
			break
		}
		addr, ok := parseHop(hop)
		if !ok || !believable(addr, client) {
			break
		}
		client = addr
	}
	return client
}

// believable tells whether addr can be the peer of a proxy at from. Nobody but a proxy on this machine has one on this
// machine: else a client in a trusted network could name itself so, and be free of limits.
func believable(addr, from netip.Addr) bool {
	if addr.IsUnspecified() || addr.IsMulticast() {
		return false
	}
	return !addr.IsLoopback() || from.IsLoopback()
}

// hops are the entries of all lines of a header, last to first.
func hops(lines []string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, line := range slices.Backward(lines) {
			for more := true; more; {
				comma := strings.LastIndexByte(line, ',')
				if !yield(line[comma+1:]) {
					return
				}
				line, more = line[:max(comma, 0)], comma >= 0
			}
		}
	}
}

// parseHop reads an address, which may have a port and, for IPv6, brackets.
func parseHop(s string) (netip.Addr, bool) {
	s = strings.TrimSpace(s)
	if withPort, err := netip.ParseAddrPort(s); err == nil {
		return plainAddr(withPort.Addr()), true
	}
	if inside, ok := strings.CutPrefix(s, "["); ok {
		if s, ok = strings.CutSuffix(inside, "]"); !ok || !strings.Contains(s, ":") {
			return netip.Addr{}, false
		}
	}
	addr, err := netip.ParseAddr(s)
	return plainAddr(addr), err == nil
}

// plainAddr writes one client in one way.
func plainAddr(a netip.Addr) netip.Addr { return a.Unmap().WithZone("") }

// peerAddr is the other end of a connection. A Unix socket has no address: anyone who may open it is on this machine.
func peerAddr(r *http.Request) netip.Addr {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return netip.AddrFrom4([4]byte{127, 0, 0, 1})
	}
	return plainAddr(peer.Addr())
}

// origin is the address that a request comes from, as far as it is known: that of a proxy which names no client.
func (a *API) origin(r *http.Request) netip.Addr {
	return a.proxies.client(peerAddr(r), r.Header["X-Forwarded-For"])
}

// client is the address whose limits count for a request.
func (a *API) client(r *http.Request) netip.Addr {
	origin := a.origin(r)
	if origin.IsLoopback() && origin == peerAddr(r) && a.proxies.trust(origin) {
		return unnamed
	}
	return origin
}

// Client is the address whose limits count for a request, as trusted proxies report it.
func (a *API) Client(r *http.Request) netip.Addr { return a.client(r) }

// unnamed is the client where a trusted proxy on this machine names none: all such are one, and not on this machine,
// which would be free of limits.
var unnamed = netip.IPv4Unspecified()

// isHostPort tells whether the header Host may become a part of an address that we hand out: a name, an IPv4 address or
// one in brackets, with a port or without.
func isHostPort(s string) bool {
	host, port, named := strings.Cut(s, ":")
	if rest, ok := strings.CutPrefix(s, "["); ok {
		if host, port, ok = strings.Cut(rest, "]"); !ok || !spelled(host, 2, 45, "0123456789ABCDEFabcdef:.") {
			return false
		}
		if port, named = strings.CutPrefix(port, ":"); !named {
			return port == ""
		}
	} else if !spelled(host, 1, 253, nameLetters) {
		return false
	}
	return !named || spelled(port, 1, 5, "0123456789")
}

const nameLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-"

// spelled tells whether a word has so many of these letters and no others.
func spelled(word string, least, most int, letters string) bool {
	return len(word) >= least && len(word) <= most && strings.Trim(word, letters) == ""
}

// address makes a path of ours an address for people and agents: under the base that the deployment sets, or the one
// that the request was sent to. It stays a path where that is not clear.
func (a *API) address(r *http.Request, path string) string {
	switch {
	case a.public != "":
		return a.public + path
	case !isHostPort(r.Host):
		return path
	}
	return a.scheme(r) + "://" + r.Host + path
}

// scheme is how the client speaks to us, or to the proxy before us if that one is trusted.
func (a *API) scheme(r *http.Request) string {
	if a.proxies.trust(peerAddr(r)) {
		first, _, _ := strings.Cut(r.Header.Get("X-Forwarded-Proto"), ",")
		switch first = strings.ToLower(strings.TrimSpace(first)); first {
		case "http", "https":
			return first
		}
	}
	if r.TLS != nil {
		return "https"
	}
	return "http"
}
