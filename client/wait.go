package client

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/mailkin/mailkin/api"
)

// LongestWait is the longest that one call waits.
const LongestWait = 55 * time.Second

// defaultWait is how long a call waits that does not say.
const defaultWait = 30 * time.Second

// CodeQuery says which code is waited for.
type CodeQuery struct {
	From    string    // a part of the sender
	Since   time.Time // in a message later than this; zero: in one of the last 15 minutes
	After   string    // after the event with this id, whatever Since is; empty: see Since
	Consume bool      // it is given to no later call that says so
	// Code: up to LongestWait, zero is 30 seconds; WaitForCode: as long as you like, zero is for ever
	Timeout time.Duration
}

// Code asks once for the newest code, and waits for it. None came: ErrTimedOut.
func (c *Client) Code(ctx context.Context, q CodeQuery) (*api.Code, error) {
	out, _, err := c.code(ctx, q)
	return out, err
}

func (c *Client) code(ctx context.Context, q CodeQuery) (*api.Code, time.Time, error) {
	v := values{}
	v.text("from", q.From)
	v.moment("since", q.Since)
	v.text("after", q.After)
	v.flag("consume", q.Consume)
	r := waiting("/v1/code", v, q.Timeout)
	if q.Consume {
		r.again = ifRefused // a code whose answer was lost is gone
	}
	out := new(api.Code)
	said, err := c.ask(ctx, r, out)
	if err == nil && out.Code == "" { // it was null
		err = r.failed(ErrTimedOut)
	}
	if q.Consume && ctx.Err() == nil && isLost(err) {
		err = fmt.Errorf("%w: %w", ErrMaybeConsumed, err)
	}
	if err != nil {
		return nil, said, err
	}
	return out, said, nil
}

// isLost tells whether a call may have done what it should, and its answer was lost.
func isLost(err error) bool {
	var refused *Error
	var unreached *net.OpError
	switch {
	case err == nil, errors.Is(err, ErrTimedOut):
		return false
	case errors.As(err, &refused):
		return refused.Status >= http.StatusInternalServerError && refused.Status != http.StatusServiceUnavailable &&
			refused.Status != http.StatusNotImplemented
	case errors.As(err, &unreached) && unreached.Op == "dial":
		return false
	}
	return mayPass(err)
}

// WaitForCode waits for a code as long as it takes: until the query's Timeout (ErrTimedOut) or until ctx ends. What
// goes wrong on the way and may go away is tried again, but with Consume not what may have cost a code:
// ErrMaybeConsumed.
func (c *Client) WaitForCode(ctx context.Context, q CodeQuery) (*api.Code, error) {
	return repeat(ctx, q.Timeout, func(w wave) (*api.Code, time.Time, error) {
		q.Timeout = w.timeout
		return c.code(ctx, q)
	})
}

// WaitQuery says which message is waited for. All that is given must hold.
type WaitQuery struct {
	Query    string    // words, as in a search
	From     string    // a part of the sender
	Subject  string    // a part of the subject
	Label    string    //
	ThreadID string    //
	Has      []string  // code, link, attachment
	Since    time.Time // later than this; zero: 60 seconds ago
	After    string    // the oldest after the event with this id, whatever Since is; empty: see Since
	// Wait: up to LongestWait, zero is 30 seconds; WaitForEmail: as long as you like, zero is for ever
	Timeout time.Duration
}

// Wait asks once for the newest message that fits, and waits for it. None came: ErrTimedOut.
func (c *Client) Wait(ctx context.Context, q WaitQuery) (*api.Email, error) {
	out, _, err := c.wait(ctx, q)
	return out, err
}

func (c *Client) wait(ctx context.Context, q WaitQuery) (*api.Email, time.Time, error) {
	v := values{}
	v.text("query", q.Query)
	v.text("from", q.From)
	v.text("subject", q.Subject)
	v.text("label", q.Label)
	v.text("thread_id", q.ThreadID)
	v.text("has", strings.Join(q.Has, ","))
	v.moment("since", q.Since)
	v.text("after", q.After)
	r := waiting("/v1/wait", v, q.Timeout)
	r.limit = wholeLimit
	var out api.Waited
	said, err := c.ask(ctx, r, &out)
	if err == nil && out.Email == nil {
		err = r.failed(ErrTimedOut)
	}
	if err != nil {
		return nil, said, err
	}
	return out.Email, said, nil
}

// WaitForEmail waits for a message as long as it takes: until the query's Timeout (ErrTimedOut) or until ctx ends. A
// message that came while the service could not be reached is found, too.
func (c *Client) WaitForEmail(ctx context.Context, q WaitQuery) (*api.Email, error) {
	began := time.Now()
	return repeat(ctx, q.Timeout, func(w wave) (*api.Email, time.Time, error) {
		q := q
		q.Timeout = w.timeout
		if q.Since.IsZero() && !w.isFirst {
			q.Since = w.clock.at(began).Add(-replayTime)
		}
		return c.wait(ctx, q)
	})
}

// waiting is a call that waits.
func waiting(path string, v values, timeout time.Duration) call {
	if timeout <= 0 {
		timeout = defaultWait
	}
	return get(path, url.Values(v)).waiting(timeout)
}

// waiting is the same call with another time to wait, in whole seconds.
func (r call) waiting(timeout time.Duration) call {
	seconds := int(math.Ceil(min(timeout, LongestWait).Seconds()))
	r.query = maps.Clone(r.query)
	values(r.query).number("timeout", seconds)
	r.quiet = time.Duration(seconds) * time.Second
	return r
}

// wave is one call of many that wait.
type wave struct {
	timeout time.Duration
	isFirst bool
	clock   *clock
}

// repeat waits again and again until something comes, the time is over (0: never) or ctx ends.
func repeat[T any](ctx context.Context, timeout time.Duration, ask func(wave) (*T, time.Time, error)) (*T, error) {
	began := time.Now()
	w := wave{timeout: LongestWait, isFirst: true, clock: new(clock)}
	for failures := 0; ; w.isFirst = false {
		if timeout > 0 {
			w.timeout = min(max(timeout-time.Since(began), time.Second), LongestWait)
		}
		found, said, err := ask(w)
		w.clock.set(said)
		isNone := errors.Is(err, ErrTimedOut)
		switch {
		case err == nil:
			return found, nil
		case ctx.Err() != nil || !isNone && isFinal(err) || errors.Is(err, ErrMaybeConsumed):
			return nil, err
		case timeout > 0 && time.Since(began) >= timeout:
			return nil, timedOut(err)
		case isNone:
			failures = 0
			continue
		}
		pause := backoff(failures, err)
		if left := timeout - time.Since(began); timeout > 0 && pause > left {
			pause = left
		}
		failures++
		if sleep(ctx, pause) != nil {
			return nil, err
		}
	}
}

// backoff is how long to wait after a given number of failures.
func backoff(failures int, err error) time.Duration {
	pause := jittered(min(time.Second<<min(failures, 10), longestBackoff))
	var refused *Error
	if errors.As(err, &refused) {
		pause = max(pause, min(refused.RetryAfter, mostRetry))
	}
	return pause
}

// timedOut says that nothing came in time, and why, if it was not for want of mail.
func timedOut(err error) error {
	if errors.Is(err, ErrTimedOut) {
		return err
	}
	return fmt.Errorf("%w: %w", ErrTimedOut, err)
}
