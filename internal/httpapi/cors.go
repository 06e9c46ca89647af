package httpapi

import (
	"net/http"
	"strings"
)

// CORS: any origin may call, because no cookie is involved (API 1).
var (
	anyOrigin = []string{"*"}
	exposed   = []string{"X-Request-Id, Retry-After, RateLimit, RateLimit-Policy, Content-Disposition, ETag"}
)

const (
	allowedMethods = "GET, POST, PUT, PATCH, DELETE, OPTIONS"
	allowedHeaders = "Content-Type, Authorization, Idempotency-Key, Last-Event-ID, Range"
	ownHeaders     = "x-mails-" // and whatever comes after it
	mcpHeaders     = "mcp-"     // the same, at /mcp alone
)

// allowOrigin goes on every answer.
func allowOrigin(h http.Header) {
	h["Access-Control-Allow-Origin"] = anyOrigin
	h["Access-Control-Expose-Headers"] = exposed
}

// preflight answers what a browser asks before the request proper. It needs no key.
func preflight(c *call) error {
	h := c.out.Header()
	h.Set("Access-Control-Allow-Methods", allowedMethods)
	h.Set("Access-Control-Allow-Headers", allowHeaders(c.Header.Get("Access-Control-Request-Headers"), c.URL.Path))
	h.Set("Access-Control-Max-Age", "86400")
	h.Set("Vary", "Access-Control-Request-Headers")
	c.out.WriteHeader(http.StatusNoContent)
	return nil
}

// allowHeaders lists the headers that may be sent. A prefix with a star means nothing to a browser, so those asked
// for that have the prefix are listed by name.
func allowHeaders(asked, path string) string {
	allowed := allowedHeaders
	for name := range strings.SplitSeq(asked, ",") {
		name = strings.TrimSpace(name)
		known := strings.HasPrefix(strings.ToLower(name), ownHeaders) ||
			path == mcpPath && strings.HasPrefix(strings.ToLower(name), mcpHeaders)
		if known && isToken(name) {
			allowed += ", " + name
		}
	}
	return allowed
}

// isToken tells whether a header name holds nothing but letters, digits and hyphens.
func isToken(name string) bool {
	return strings.Trim(strings.ToLower(name), "abcdefghijklmnopqrstuvwxyz0123456789-") == ""
}
