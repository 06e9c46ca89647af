// Package httpapi serves the HTTP interface: /v1, its alias /api, and the public routes.
//
// Everything it serves is in one table (routes.go). Every request passes the same checks in the same order (call.go):
// preflight, public routes, key (401), paused (403), route (404), method (405), scope and mailbox named (403), body
// (413, 415, 400), handler. A handler reads parameters, asks the service once, and writes what package wire makes of
// the answer: rules about who may do what, or how much, are not here. Streams (event.go) and waiting calls (wait.go) go
// the same way; they end when their client hangs up. What is sent (send.go) is read as it comes, its attachments into a
// file. One route is a page for people (claim_page.go), one is for a provider, which has no key but signs what it says
// (provider.go, signature.go). What the service says about itself (openapi*.go, page_docs*.go, llms.go) is made at its
// first use from the parts in public and from the table of routes.
//
// What is under /console is another handler's, after the preflight and before everything else (console.go).
//
// A handler that returns an error has written nothing; errors.go has the one table from the kind of an error to the
// status and body the caller sees. What is not the caller's to know goes to the log, once, with the request's id.
//
// There is no limit on how long a request or an answer may take, so that large mail can pass over a slow line, but
// there is one on how long it may stand still (response.go, body.go).
package httpapi
