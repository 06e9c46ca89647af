package webhook

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
)

// Fetch gets a file, as Post brings an event: to the addresses that the guard lets through, in the same time, and
// without following redirects. It reads at most that many bytes.
func (p *Poster) Fetch(ctx context.Context, address string, limit int64) (bytes []byte, mediaType, problem string) {
	within, cancel := context.WithTimeout(ctx, p.timeout)
	defer cancel()
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.Opaque != "" {
		return nil, "", "It has no address that files are fetched from."
	}
	req, err := http.NewRequestWithContext(within, http.MethodGet, u.String(), nil)
	if err != nil {
		return nil, "", "It has no address that files are fetched from."
	}
	req.Header.Set("User-Agent", p.agent)
	authorize(req, u.User)
	req.URL.User = nil
	resp, err := p.transport.RoundTrip(req)
	if err != nil {
		return nil, "", explain(err, p.timeout)
	}
	defer func() { _ = resp.Body.Close() }() // only read from
	switch {
	case !success(resp.StatusCode):
		return nil, "", refusal(resp.StatusCode)
	case resp.ContentLength > limit:
		return nil, "", tooLong(limit)
	}
	bytes, err = io.ReadAll(io.LimitReader(resp.Body, limit+1))
	switch {
	case err != nil:
		return nil, "", explain(err, p.timeout)
	case int64(len(bytes)) > limit:
		return nil, "", tooLong(limit)
	}
	return bytes, resp.Header.Get("Content-Type"), ""
}

func tooLong(limit int64) string {
	return fmt.Sprintf("It is too large: at most %d bytes are taken.", limit)
}
