package httpapi

import "testing"

func TestCORS(t *testing.T) {
	const listed = "Content-Type, Authorization, Idempotency-Key, Last-Event-ID, Range"
	origin := "Origin: https://app.example"
	asking := func(names string) []string { return []string{origin, "Access-Control-Request-Headers: " + names} }
	const exposing = "Access-Control-Expose-Headers: X-Request-Id, Retry-After, RateLimit, RateLimit-Policy, " +
		"Content-Disposition, ETag"
	runAll(t, []scenario{
		{name: "preflight", method: "OPTIONS", path: "/v1/inbox", key: "-", header: []string{origin}, status: 204,
			headers: []string{
				"Access-Control-Allow-Methods: GET, POST, PUT, PATCH, DELETE, OPTIONS",
				"Access-Control-Allow-Headers: " +
					listed,
				"Access-Control-Allow-Credentials", exposing}},
		{name: "own headers are listed by name", method: "OPTIONS", path: "/v1/inbox", key: "-",
			header: asking("content-type, x-mails-trace,X-Mails-B"),
			status: 204, headers: []string{"Access-Control-Allow-Headers: " + listed + ", x-mails-trace, X-Mails-B"}},
		{name: "others are not", method: "OPTIONS", path: "/v1/inbox", key: "-",
			header: asking("x-other, x-mails-a b, x-mails-\x80"),
			status: 204, headers: []string{"Access-Control-Allow-Headers: " + listed}},
		{name: "the protocol's headers at its address", method: "OPTIONS", path: "/mcp", key: "-",
			header: asking("mcp-protocol-version, Mcp-Method, x-other"),
			status: 204, headers: []string{"Access-Control-Allow-Headers: " + listed + ", mcp-protocol-version, " +
				"Mcp-Method"}},
		{name: "and nowhere else", method: "OPTIONS", path: "/v1/inbox", key: "-",
			header: asking("mcp-protocol-version"),
			status: 204, headers: []string{"Access-Control-Allow-Headers: " + listed}},
		{name: "on an answer", path: "/v1/me", header: []string{origin}, status: 200, headers: []string{exposing}},
		{name: "on a refusal", path: "/v1/me", key: "-", header: []string{origin}, status: 401,
			headers: []string{exposing}},
		{name: "on a download", path: "/v1/email/raw?id=" + fakeID.String(), header: []string{origin}, status: 200,
			headers: []string{exposing}},
		{name: "a request id of the client's is not taken", path: "/v1/me", header: []string{"X-Request-Id: mine"},
			status: 200, lacks: []string{"mine"}},
	})
}
