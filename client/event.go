package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/mailkin/mailkin/api"
)

// EventOptions say which events are asked for, and from when on.
type EventOptions struct {
	Types       []string  // kinds; none: all
	Since       time.Time // replay from then on; zero: the last 60 seconds
	LastEventID string    // go on after this event, wherever that was; it wins over Since

	// Disconnected is told when the stream broke, why, and how long it will be until it is opened again. It may be nil.
	Disconnected func(err error, pause time.Duration)
}

// Events returns what happens in the mailbox, as it happens. It opens the stream again when that ends or breaks, right
// after the last event it gave, so that none is missed that the service still has (7 days), and returns no event twice.
//
// It ends when ctx ends, without an error, or with an error that would not go away: a wrong key, a mailbox that is
// paused or deleted, a parameter that is not right. Anything else is tried again, for as long as it takes.
func (c *Client) Events(ctx context.Context, o EventOptions) iter.Seq2[api.Event, error] {
	return func(yield func(api.Event, error) bool) {
		f := &follower{c: c, o: o, last: o.LastEventID, retry: time.Second, began: time.Now()}
		for ctx.Err() == nil {
			err := f.follow(ctx, yield)
			switch {
			case err == errStop || ctx.Err() != nil:
				return
			case isFinal(err):
				yield(api.Event{}, err)
				return
			}
			if sleep(ctx, f.pause(err)) != nil {
				return
			}
		}
	}
}

// errStop is for the reader of events that has had enough.
var errStop = errors.New("the reader stops")

// isFinal tells whether an error would come again. The end of a stream is none.
func isFinal(err error) bool {
	var refused *Error
	if errors.As(err, &refused) {
		switch refused.Status {
		case http.StatusTooManyRequests, http.StatusRequestTimeout:
			return false
		case http.StatusNotImplemented:
			return true
		}
		return refused.Status < http.StatusInternalServerError
	}
	return errors.Is(err, ErrNotMail) || err != nil && !mayPass(err)
}

// follower follows a mailbox over many streams.
type follower struct {
	c        *Client
	o        EventOptions
	last     string        // id of the last event
	given    int64         // its number; the numbers of a mailbox only grow
	retry    time.Duration // as the service asks for
	failures int           // in a row
	began    time.Time
	clock    clock
	opened   bool
}

// follow reads one stream to its end: nil for one that the service ended in order.
func (f *follower) follow(ctx context.Context, yield func(api.Event, error) bool) error {
	r := f.call()
	resp, err := f.c.send(ctx, r)
	f.opened = true
	if err != nil {
		f.clock.set(dateOf(err))
		return err
	}
	defer func() { _ = resp.Body.Close() }()
	f.clock.set(date(resp.Header))
	if kind := resp.Header.Get("Content-Type"); !strings.HasPrefix(kind, "text/event-stream") {
		return r.failed(fmt.Errorf("the answer is %q and not a stream of events: %w", kind, ErrNotMail))
	}
	f.failures = 0
	for stream := newFrames(resp.Body); ; {
		one, err := stream.next()
		if stream.retry > 0 {
			f.retry = stream.retry
		}
		switch {
		case err == io.EOF:
			return nil
		case errors.Is(err, errLongEvent):
			return r.failed(fmt.Errorf("%w: %w", ErrNotMail, err))
		case err != nil:
			return r.failed(err)
		}
		if err := f.give(one, yield); err != nil {
			return err
		}
	}
}

// call asks for what comes after the last event. As long as there is none, the service is asked for what has happened
// since we began, however long the connection could not be made.
func (f *follower) call() call {
	v := values{}
	v.text("types", strings.Join(f.o.Types, ","))
	r := call{method: http.MethodGet, path: "/v1/events", header: http.Header{"Accept": {"text/event-stream"}}}
	switch {
	case f.last != "":
		r.header.Set("Last-Event-ID", f.last)
	case !f.o.Since.IsZero():
		v.moment("since", f.o.Since)
	case f.opened:
		v.moment("since", f.clock.at(f.began).Add(-replayTime))
	}
	r.query = url.Values(v)
	return r
}

// replayTime is how far back the service goes by itself (API 9).
const replayTime = time.Minute

// give hands an event on, unless it was.
func (f *follower) give(one frame, yield func(api.Event, error) bool) error {
	number, err := strconv.ParseInt(one.id, 10, 64)
	if err == nil && number <= f.given {
		return nil
	}
	e := api.Event{ID: one.id}
	if err := json.Unmarshal(one.data, &e); err != nil {
		return fmt.Errorf("an event of the stream: %w: %w", ErrNotMail, err)
	}
	if one.id != "" {
		f.last, f.given = one.id, max(f.given, number)
	}
	if !yield(e, nil) {
		return errStop
	}
	return nil
}

// longestBackoff is how long a service that does not answer is left alone, unless it says otherwise.
const longestBackoff = 30 * time.Second

// pause is how long to wait before the next stream.
func (f *follower) pause(err error) time.Duration {
	if err == nil {
		return f.retry + jittered(f.retry/10)
	}
	pause := jittered(min(f.retry<<min(f.failures, 10), max(longestBackoff, f.retry)))
	f.failures++
	var refused *Error
	if errors.As(err, &refused) {
		pause = max(pause, min(refused.RetryAfter, mostRetry))
	}
	if f.o.Disconnected != nil {
		f.o.Disconnected(err, pause)
	}
	return pause
}

// clock knows how far the service's clock is from ours.
type clock struct{ ahead time.Duration }

// set takes what the service's clock says now; zero: nothing.
func (k *clock) set(said time.Time) {
	if !said.IsZero() {
		k.ahead = time.Until(said)
	}
}

// at is a moment of ours by the service's clock.
func (k *clock) at(t time.Time) time.Time { return t.Add(k.ahead) }
