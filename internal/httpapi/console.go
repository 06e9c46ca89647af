package httpapi

import "strings"

// consolePath is where the console's pages are, and everything under it. They are files that need no key: what they
// show, they ask for like any client.
const consolePath = "/console"

// forConsole tells whether a request is one for the console.
func (a *API) forConsole(path string) bool {
	rest, ok := strings.CutPrefix(path, consolePath)
	return ok && a.console != nil && (rest == "" || rest[0] == '/')
}

// showConsole hands a request to the console. Its pages are read by no other origin, unlike the interface.
func (a *API) showConsole(c *call) error {
	h := c.out.Header()
	h.Del("Access-Control-Allow-Origin")
	h.Del("Access-Control-Expose-Headers")
	a.console.ServeHTTP(c.out, c.Request)
	return nil
}
