package client

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// errBroken is a connection that broke.
var errBroken = &net.OpError{Op: "read", Err: io.ErrUnexpectedEOF}

func TestRetry(t *testing.T) {
	busy := says(503, `{"error":"Busy","code":"unavailable"}`, "Retry-After: 5")
	fine := says(200, `{}`)
	get := func(ctx context.Context, c *Client) error { _, err := c.Me(ctx); return err }
	send := func(ctx context.Context, c *Client) error {
		_, err := c.Send(ctx, Draft{Text: "t", Files: []File{{Name: "a", Content: strings.NewReader("abc")}}})
		return err
	}
	patch := func(ctx context.Context, c *Client) error { _, err := c.Pause(ctx, ""); return err }
	consume := func(ctx context.Context, c *Client) error {
		_, err := c.Code(ctx, CodeQuery{Consume: true})
		return err
	}
	ingest := func(ctx context.Context, c *Client) error {
		_, err := c.Ingest(ctx, "a@b", strings.NewReader("m"))
		return err
	}
	errNoName := &net.DNSError{IsNotFound: true}
	type answers = []func(*http.Request) (*http.Response, error)
	for _, row := range []struct {
		name        string
		do          func(context.Context, *Client) error
		answers     answers
		want        error
		least, most time.Duration
	}{
		{"at once", get, answers{fine}, nil, 0, 0},
		{"Retry-After", get, answers{busy, fine}, nil, 5 * time.Second, 5 * time.Second},
		{"broken", get, answers{breaks(errBroken), breaks(errBroken), fine}, nil, 375 * time.Millisecond,
			750 * time.Millisecond},
		{"up to three times", get, answers{breaks(errBroken), breaks(errBroken), breaks(errBroken), breaks(errBroken)},
			io.ErrUnexpectedEOF, 0, 2 * time.Second},
		{"too long", get, answers{says(429, `{}`, "Retry-After: 21")}, ErrRateLimited, 0, 0},
		{"of a proxy", get, answers{says(502, `<html>`), says(504, ``), fine}, nil, 0, time.Second},
		{"not an error that stays", get, answers{says(415, `{}`)}, ErrInvalid, 0, 0},
		{"not a wrong certificate", get, answers{breaks(&tls.CertificateVerificationError{Err: io.EOF})}, io.EOF, 0, 0},
		{"not a name that is not there", get, answers{breaks(errNoName)}, errNoName, 0, 0},
		{"standing still", get, answers{hangs, fine}, nil, stallTime, stallTime + time.Second},
		{"a send", send, answers{breaks(errBroken), busy, fine}, nil, 5 * time.Second, 6 * time.Second},
		{"a change", patch, answers{breaks(errBroken)}, io.ErrUnexpectedEOF, 0, 0},
		{"a change that was refused", patch, answers{busy}, ErrUnavailable, 0, 0},
		{"a code that is taken", consume, answers{busy, breaks(errBroken)}, io.ErrUnexpectedEOF, 5 * time.Second,
			5 * time.Second},
		{"a code behind a proxy", consume, answers{says(502, ``)}, ErrUnavailable, 0, 0},
		{"a message handed in", ingest, answers{busy, breaks(errBroken)}, io.ErrUnexpectedEOF, 5 * time.Second,
			5 * time.Second},
	} {
		t.Run(row.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c, s := scripted(t, row.answers...)
				began := time.Now()
				err := row.do(t.Context(), c)
				took := time.Since(began)
				if !errors.Is(err, row.want) {
					t.Errorf("error %v, want %v", err, row.want)
				}
				if len(s.asked) != len(row.answers) || took < row.least || took > row.most {
					t.Errorf("%d requests in %v", len(s.asked), took)
				}
				for i := range s.bodies {
					if s.bodies[i] != s.bodies[0] || s.asked[i].Header.Get("Idempotency-Key") != s.asked[0].Header.Get(
						"Idempotency-Key") {
						t.Errorf("request %d is another: %s", i, s.bodies[i])
					}
				}
			})
		})
	}
}

func TestRetryEndsWithContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, s := scripted(t, says(503, `{}`, "Retry-After: 10"))
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		if _, err := c.Me(ctx); !errors.Is(err, ErrUnavailable) || len(s.asked) != 1 || ctx.Err() != nil {
			t.Errorf("error %v after %d requests", err, len(s.asked))
		}
		c, s = scripted(t, breaks(errBroken))
		WithRetries(-1)(c)
		if _, err := c.Me(ctx); !errors.Is(err, io.ErrUnexpectedEOF) || len(s.asked) != 1 {
			t.Errorf("error %v after %d requests", err, len(s.asked))
		}
	})
}

// A program is told of the waits that the service asks for, and not of those after a connection that broke.
func TestWaitingIsTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, _ := scripted(t, says(429, `{}`, "Retry-After: 12"), breaks(errBroken),
			says(503, `{}`, "Retry-After: 3"), says(200, `{}`))
		began := time.Now()
		var waits []time.Duration
		WithWaiting(func(wait time.Duration, refused *Error) {
			if (wait == 12*time.Second) != errors.Is(refused, ErrRateLimited) {
				t.Errorf("%v for %v", wait, refused)
			}
			if len(waits) == 0 && time.Since(began) > 0 {
				t.Error("told after the wait")
			}
			waits = append(waits, wait)
		})(c)
		if _, err := c.Me(t.Context()); err != nil || !slices.Equal(waits, []time.Duration{12 * time.Second,
			3 * time.Second}) {
			t.Errorf("told of %v; %v", waits, err)
		}
	})
}
