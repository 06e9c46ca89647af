package webhook

import (
	"bytes"
	"context"
	"net/http"
	"net/url"
)

// PostReport posts a report on TLS (RFC 8460 5.4), as Post brings an event: to the addresses that the guard lets
// through, in the same time, and without following redirects. It goes by HTTPS only.
func (p *Poster) PostReport(ctx context.Context, address, mediaType string, report []byte) (problem string) {
	within, cancel := context.WithTimeout(ctx, p.timeout)
	defer cancel()
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "https" || u.Hostname() == "" || u.Opaque != "" {
		return "It has no address that reports are posted to."
	}
	req, err := http.NewRequestWithContext(within, http.MethodPost, u.String(), bytes.NewReader(report))
	if err != nil {
		return "It has no address that reports are posted to."
	}
	req.Header.Set("User-Agent", p.agent)
	req.Header.Set("Content-Type", mediaType)
	authorize(req, u.User)
	req.URL.User = nil
	resp, err := p.transport.RoundTrip(req)
	if err != nil {
		return explain(err, p.timeout)
	}
	_ = resp.Body.Close() // only its status counts
	if !success(resp.StatusCode) {
		return refusal(resp.StatusCode)
	}
	return ""
}
