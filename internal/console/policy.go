package console

import "net/http"

// The policies of the documents. That of the outer frame of a mail is what the inner frame inherits: a frame without an
// address of its own never gets more than the document that it stands in.
const (
	pagePolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src " +
		"'self'; " +
		"frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; " +
		"require-trusted-types-for 'script'; trusted-types lit-html"
	leavePolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; base-uri 'none'; " +
		"form-action 'none'; " +
		"frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
	framePolicy  = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; " + frameBounds
	remotePolicy = "default-src 'none'; style-src 'unsafe-inline'; img-src https: data:; " + frameBounds
	frameBounds  = "base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
	filePolicy   = "default-src 'none'; frame-ancestors 'none'; sandbox"
)

// guard puts on an answer what holds for everything here.
func guard(h http.Header, policy string) {
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
}
