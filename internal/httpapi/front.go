package httpapi

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// frontPath is the address of the service itself.
const frontPath = "/"

// front leads anyone who opens the address of the service to the right page. The claim links of the older command line
// lead here with their session; a person with a browser gets to the console. To a program there is nothing here.
func (a *API) front(c *call) error {
	h := c.out.Header()
	h.Set("Vary", "Accept")
	session := c.params.first("session")
	switch {
	case session != "":
		return a.lead(c, claimPath+"?session="+url.QueryEscape(session))
	case !forBrowser(c.Header):
		return mailbox.Errorf(mailbox.NotFound, "not_found", "There is nothing at this address.")
	case a.console != nil:
		return a.lead(c, consolePath+"/")
	}
	return a.lead(c, "/docs")
}

// lead sends a client to another path of ours, under the base that the deployment sets.
func (a *API) lead(c *call, path string) error {
	base := ""
	if u, err := url.Parse(a.public); err == nil {
		base = u.EscapedPath() // of a service that is not at the root of its host
	}
	h := c.out.Header()
	h["Cache-Control"] = noStore
	h.Set("Location", base+path)
	h.Set("Referrer-Policy", "no-referrer") // the link of a claim is a secret
	c.out.WriteHeader(http.StatusFound)
	return nil
}

// forBrowser tells whether a request comes from something that shows pages: it asks for HTML by name.
func forBrowser(h http.Header) bool {
	for _, line := range h["Accept"] {
		for kind := range strings.SplitSeq(line, ",") {
			kind, quality, _ := strings.Cut(kind, ";")
			if strings.EqualFold(strings.TrimSpace(kind), "text/html") && strings.ReplaceAll(quality, " ",
				"") != "q=0" {
				return true
			}
		}
	}
	return false
}
