package door

import (
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
)

// Local guards a door without keys: whoever reaches it sees everything, so that it is for programs and pages of this
// machine. A page of the Internet can ask it too, from a browser on this machine. It is kept out by its origin, and
// where it has given its own name the address of this machine (DNS rebinding) by the name that it asks.
type Local struct {
	Hosts []string // names by which the door may be asked, beside those of loopback, in lower case; "*": by any
}

// admit refuses what is not from this machine, and says to a browser that what is may be read. answered tells that the
// request was a browser's question before the one proper, and has its answer.
func (l *Local) admit(w http.ResponseWriter, r *http.Request) (answered bool, err error) {
	h := w.Header()
	h.Del("Access-Control-Allow-Origin")
	h.Del("Access-Control-Expose-Headers")
	h.Add("Vary", "Origin")
	if !l.knows(hostOf(r.Host)) {
		return false, Refuse(http.StatusForbidden, "host_denied", "This server is not asked by the name %q: use "+
			"localhost, or name it in the setting catch_all_hosts.", hostOf(r.Host))
	}
	origins := r.Header["Origin"]
	if len(origins) == 0 {
		return false, nil
	}
	if len(origins) > 1 || !l.knowsOrigin(origins[0]) {
		return false, Refuse(http.StatusForbidden, "origin_denied", "Pages of other machines cannot ask this server.")
	}
	h.Set("Access-Control-Allow-Origin", origins[0])
	h.Set("Access-Control-Expose-Headers", "*")
	if r.Method != http.MethodOptions {
		return false, nil
	}
	h.Set("Access-Control-Allow-Methods", "GET, POST, PUT, DELETE, OPTIONS")
	if asked := r.Header.Get("Access-Control-Request-Headers"); asked != "" {
		h.Set("Access-Control-Allow-Headers", asked)
	}
	w.WriteHeader(http.StatusNoContent)
	return true, nil
}

// knows tells whether the door may be asked by this name.
func (l *Local) knows(host string) bool {
	ip, err := netip.ParseAddr(strings.Trim(host, "[]"))
	switch {
	case err == nil && ip.Unmap().IsLoopback(), host == "localhost", strings.HasSuffix(host, ".localhost"):
		return true // names under localhost are always this machine (RFC 6761 6.3)
	}
	return host != "" && slices.Contains(l.Hosts, host) || slices.Contains(l.Hosts, "*")
}

// knowsOrigin tells whether a page is of this machine, or of a host by whose name the door may be asked. That any name
// may be asked does not let every page in.
func (l *Local) knowsOrigin(origin string) bool {
	u, err := url.Parse(origin)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" {
		return false
	}
	named := Local{Hosts: slices.DeleteFunc(slices.Clone(l.Hosts), func(h string) bool { return h == "*" })}
	return named.knows(hostOf(u.Host))
}

// hostOf is the name in a Host header, without the port.
func hostOf(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return strings.TrimSuffix(strings.ToLower(host), ".")
}
