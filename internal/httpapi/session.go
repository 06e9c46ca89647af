package httpapi

import (
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// A session of the console is a key that the browser keeps as a cookie which no script can read. Every other request
// carries its key in a header, so a cookie must not open a door for pages of others: it counts only on requests that
// the console's own scripts make. They carry sessionHeader, which a browser sends to another origin only after a
// preflight, and preflight allows neither that header nor cookies; what a browser says of where a request comes from
// is checked as well.
const (
	sessionHeader = "X-Mailkin-Console"
	sessionCookie = "mailkin_session"
	signInCookie  = "mailkin_signin" // until the provider's answer is here
	signInTime    = 10 * time.Minute
)

// secure tells whether people reach us over TLS.
func (a *API) secure() bool { return strings.HasPrefix(a.public, "https://") }

// cookieName is the name of a cookie; over TLS with a prefix that keeps other hosts from setting it.
func (a *API) cookieName(name string) string {
	if a.secure() {
		return "__Host-" + name
	}
	return name
}

// cookie reads a cookie of ours; empty: there is none.
func (a *API) cookie(r *http.Request, name string) string {
	c, err := r.Cookie(a.cookieName(name))
	if err != nil {
		return ""
	}
	return c.Value
}

// setCookie has the browser keep a cookie for a time, or drop it.
func (a *API) setCookie(h http.Header, name, value string, lasts time.Duration, site http.SameSite) {
	c := http.Cookie{Name: a.cookieName(name), Value: value, Path: "/", HttpOnly: true, Secure: a.secure(),
		SameSite: site, MaxAge: int(lasts.Seconds())}
	if value == "" {
		c.MaxAge = -1
	}
	h.Add("Set-Cookie", c.String())
}

// credentialOf is the key of a request, and whether it came as a cookie.
func (a *API) credentialOf(r *http.Request) (key mailbox.Secret, session bool) {
	if _, given := r.Header["Authorization"]; given {
		return mailbox.Bearer(r.Header["Authorization"]), false
	}
	if a.openID == nil || r.Header.Get(sessionHeader) == "" || !a.sameOrigin(r) {
		return "", false
	}
	key = mailbox.Secret(a.cookie(r, sessionCookie))
	return key, key != ""
}

// sameOrigin tells whether a request was made by a page of ours, as far as the browser says.
func (a *API) sameOrigin(r *http.Request) bool {
	if site := r.Header.Get("Sec-Fetch-Site"); site != "" && site != "same-origin" {
		return false
	}
	origin := r.Header.Get("Origin")
	if origin == "" {
		return true
	}
	u, err := url.Parse(origin)
	public, _ := url.Parse(a.public) // which a proxy need not tell us
	return err == nil && u.Host != "" && (u.Host == r.Host || public != nil && u.Host == public.Host)
}
