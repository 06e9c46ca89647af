package client

import (
	"context"
	"crypto/tls"
	"errors"
	"math/rand/v2"
	"net"
	"net/http"
	"time"
)

const (
	firstPause = 250 * time.Millisecond
	longest    = 20 * time.Second // Retry-After above it is for the caller
)

// pause is how long to wait before a call is tried again, and whether that is worth it.
func (c *Client) pause(ctx context.Context, r call, tried int, err error) (time.Duration, bool) {
	if tried >= c.retries || r.again == never || ctx.Err() != nil {
		return 0, false
	}
	var refused *Error
	isRefusal := errors.As(err, &refused)
	switch {
	case r.body != nil && !r.body.rewinds():
		return 0, false
	case isRefusal && !refused.passes(r.again):
		return 0, false
	case !isRefusal && (r.again == ifRefused || !mayPass(err)):
		return 0, false
	}
	pause := jittered(firstPause << min(tried, 10))
	if isRefusal {
		pause = max(pause, refused.RetryAfter)
	}
	if deadline, ok := ctx.Deadline(); pause > longest || ok && time.Until(deadline) < pause {
		return 0, false
	}
	return pause, true
}

// tellWaiting tells of a wait that the service asked for.
func (c *Client) tellWaiting(wait time.Duration, err error) {
	var refused *Error
	if c.waiting != nil && errors.As(err, &refused) && refused.RetryAfter > 0 {
		c.waiting(wait, refused)
	}
}

// passes tells whether the same request may be made again a little later, and be answered otherwise.
func (e *Error) passes(may again) bool {
	switch e.Status {
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		return true
	case http.StatusBadGateway, http.StatusGatewayTimeout: // a proxy does not know what happened behind it
		return may == ifUnknown
	}
	return false
}

// mayPass tells whether a request that had no answer may have one a little later.
func mayPass(err error) bool {
	var certificate *tls.CertificateVerificationError
	var name *net.DNSError
	var source *sourceError
	switch {
	case errors.As(err, &certificate), errors.As(err, &source):
		return false
	case errors.As(err, &name):
		return !name.IsNotFound
	}
	return true
}

// jittered spreads a time over its upper half, so that many clients do not come back as one.
func jittered(d time.Duration) time.Duration {
	if d <= 1 {
		return d
	}
	return d/2 + rand.N(d/2+1)
}

// sleep waits, unless ctx ends first.
func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
