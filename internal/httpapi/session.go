package httpapi

import (
	"net/http"
	"net/url"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// A session of the console is a key that the browser keeps as a cookie which no script can read. Every other request
// carries its key in a header, so a cookie must not open a door for pages of others: it counts only on requests that
// the console's own scripts make. They carry sessionHeader, which a browser sends to another origin only after a
// preflight, and preflight allows neither that header nor cookies; what a browser says of where a request comes from
// is checked as well.
const (
	sessionHeader = "X-Mailkin-Console"
	// SessionCookie is the name of the cookie; over TLS with a prefix that keeps other hosts from setting it.
	SessionCookie       = "mailkin_session"
	SecureSessionCookie = "__Host-" + SessionCookie
)

// credentialOf is the key of a request, and whether it came as a cookie.
func credentialOf(r *http.Request) (key mailbox.Secret, session bool) {
	if _, given := r.Header["Authorization"]; given {
		return bearer(r.Header), false
	}
	if r.Header.Get(sessionHeader) == "" || !sameOrigin(r) {
		return "", false
	}
	for _, name := range []string{SecureSessionCookie, SessionCookie} {
		if c, err := r.Cookie(name); err == nil {
			return mailbox.Secret(c.Value), true
		}
	}
	return "", false
}

// sameOrigin tells whether a request was made by a page of ours, as far as the browser says.
func sameOrigin(r *http.Request) bool {
	if site := r.Header.Get("Sec-Fetch-Site"); site != "" && site != "same-origin" {
		return false
	}
	origin := r.Header.Get("Origin")
	if origin == "" {
		return true
	}
	u, err := url.Parse(origin)
	return err == nil && u.Host == r.Host
}

// forgetSession has the browser drop the cookie.
func forgetSession(h http.Header) {
	for _, c := range []http.Cookie{{Name: SecureSessionCookie, Secure: true}, {Name: SessionCookie}} {
		c.Path, c.HttpOnly, c.SameSite, c.MaxAge = "/", true, http.SameSiteStrictMode, -1
		h.Add("Set-Cookie", c.String())
	}
}
