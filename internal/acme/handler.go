package acme

import (
	"net"
	"net/http"
	"slices"
	"strings"
)

// Handler answers the authority's questions over plain HTTP. Everybody else is sent on to HTTPS, if it is a name of
// ours that they ask and nothing but a page: a request that carries something has carried it in the clear already, and
// must fail so that somebody notices.
func (m *Manager) Handler() http.Handler {
	return m.issuer.HTTPChallengeHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host := r.Host
		if h, _, err := net.SplitHostPort(host); err == nil {
			host = h
		}
		host = strings.ToLower(host)
		switch {
		case !slices.Contains(m.opt.Names, host):
			http.NotFound(w, r)
		case r.Method != http.MethodGet && r.Method != http.MethodHead || r.Header.Get("Authorization") != "":
			http.Error(w, "Use https.", http.StatusForbidden)
		default:
			http.Redirect(w, r, "https://"+host+r.URL.RequestURI(), http.StatusPermanentRedirect)
		}
	}))
}
