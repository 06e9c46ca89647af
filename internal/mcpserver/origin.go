package mcpserver

import (
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
)

// hosts are the names by which a deployment is known.
//
// The protocol wants the header Origin checked, because of pages that have their own name lead to the machine of
// anyone who looks at them (DNS rebinding): to the browser, the service there is then the page's own. As everywhere in
// the interface, pages of any origin may ask, for there is nothing that a browser would send along by itself: the key
// must be known. A page, though, that says to be of the service's own origin must be: its name is one of the
// deployment, of this machine, or an address.
type hosts map[string]bool

func newHosts(names []string) hosts {
	h := hosts{"localhost": true}
	for _, name := range names {
		h[hostname(name)] = true
	}
	return h
}

// allow tells whether a request may come from where it says.
func (h hosts) allow(r *http.Request) bool {
	origins := r.Header.Values("Origin")
	if len(origins) == 0 {
		return true
	}
	if len(origins) > 1 {
		return false
	}
	if origins[0] == "null" { // of a file, or a page in a box
		return true
	}
	u, err := url.Parse(origins[0])
	if err != nil || u.Scheme == "" || u.Host == "" || u.User != nil || strings.Trim(u.Path, "/") != "" {
		return false
	}
	name := hostname(u.Host)
	if name != hostname(r.Host) {
		return true
	}
	return h.own(name)
}

// own tells whether a name is one of the deployment's. An address is nobody's name, so that nobody can have it lead
// elsewhere.
func (h hosts) own(name string) bool {
	if _, err := netip.ParseAddr(name); err == nil {
		return true
	}
	return h[name] || strings.HasSuffix(name, ".localhost")
}

// hostname is the name in host:port, as names are compared.
func hostname(hostport string) string {
	name := hostport
	if host, _, err := net.SplitHostPort(hostport); err == nil {
		name = host
	}
	return strings.ToLower(strings.TrimSuffix(strings.Trim(name, "[]"), "."))
}
