package service

import (
	"context"
	"io"
	"slices"
	"strconv"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/wake"
)

// StreamQuery is which events a stream shows, and from where on.
type StreamQuery struct {
	Kinds []mailbox.EventKind // empty: all
	Since time.Time           // replay from this time on, inclusive; zero: the last minute
	Last  string              // Last-Event-ID as the client sent it; wins over Since
}

const (
	// streamBack is what a stream replays that does not say from where.
	streamBack = time.Minute
	// streamPage is how many events are read at a time.
	streamPage = 100
)

// Stream is a bounded look at a mailbox's events as they happen. The caller closes it.
type Stream interface {
	// Address is the mailbox's.
	Address() string
	// Next returns the events that have come, oldest first, waiting for one at most so long; none is no error. io.EOF
	// says that the stream is over: its time is up, its key or mailbox is gone or paused, the store is another, or the
	// service is stopping.
	Next(ctx context.Context, wait time.Duration) ([]mailbox.Event, error)
	Close()
}

// Stream opens a stream of the mailbox's events (SPEC 6.2, API 9).
func (s *Service) Stream(ctx context.Context, in *Access, q StreamQuery) (Stream, error) {
	ear, err := s.listen(in)
	if err != nil {
		return nil, err
	}
	st := &stream{s: s, in: in, kinds: q.Kinds, ear: ear, behind: true, era: s.era.now(),
		end: time.NewTimer(min(s.opt.Limits.StreamTime, s.lifetime(in)))}
	err = s.view(ctx, func(r store.Reader) error { return st.begin(ctx, r, q) })
	if err != nil {
		st.Close()
		return nil, in.gone(err)
	}
	return st, nil
}

type stream struct {
	s     *Service
	in    *Access
	kinds []mailbox.EventKind
	ear   *wake.Ear
	end   *time.Timer
	era   <-chan struct{} // closed: numbers may have been lost

	after  int64     // the last event that was read
	replay int64     // events up to this one were there when the stream was opened
	since  time.Time // of those, only later ones are shown
	behind bool      // there may be events that were not read
}

// begin finds the first event to show.
func (st *stream) begin(ctx context.Context, r store.Reader, q StreamQuery) (err error) {
	box := st.in.Box.Num
	if st.replay, _, err = r.LastEvent(ctx, box); err != nil {
		return err
	}
	now := st.s.now()
	oldest := now.Add(-st.s.opt.EventsKept)
	if q.Last != "" {
		st.since = oldest
		st.after, _, err = r.EventsUntil(ctx, box, oldest)
		if n, bad := strconv.ParseInt(q.Last, 10, 64); bad == nil && n <= st.replay {
			st.after = max(st.after, n)
		}
		return err
	}
	st.since = q.Since
	if st.since.IsZero() {
		st.since = now.Add(-streamBack)
	}
	if st.since.Before(oldest) {
		st.since = oldest
	}
	st.since = st.since.Truncate(time.Millisecond)
	st.after, _, err = r.EventsUntil(ctx, box, st.since.Add(-disorder))
	return err
}

func (st *stream) Address() string { return st.in.Box.Address }

func (st *stream) Close() {
	st.end.Stop()
	st.ear.Close()
}

func (st *stream) Next(ctx context.Context, wait time.Duration) ([]mailbox.Event, error) {
	patience := time.NewTimer(wait)
	defer patience.Stop()
	for {
		for st.behind {
			if st.ended() {
				return nil, io.EOF
			}
			events, err := st.read(ctx)
			if over(err) {
				return nil, io.EOF
			}
			if err != nil || len(events) > 0 || past(patience) {
				return events, err // with none it goes on from here
			}
		}
		select {
		case <-st.ear.C:
			st.behind = true
		case <-patience.C:
			return nil, nil
		case <-st.end.C:
			return nil, io.EOF
		case <-st.s.leaving:
			return nil, io.EOF
		case <-st.era:
			return nil, io.EOF
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// past tells whether a timer is over, without waiting for it.
func past(t *time.Timer) bool {
	select {
	case <-t.C:
		return true
	default:
		return false
	}
}

// ended tells whether the stream's time is up, for one that never waits because there is always more to read.
func (st *stream) ended() bool {
	select {
	case <-st.era:
		return true
	default:
	}
	if !past(st.end) {
		return false
	}
	st.end.Reset(0) // for the next who asks
	return true
}

// read returns the next events that the stream shows.
func (st *stream) read(ctx context.Context) (shown []mailbox.Event, err error) {
	var events []mailbox.Event
	err = st.s.view(ctx, func(r store.Reader) error {
		box, err := st.s.still(ctx, r, st.in)
		if err != nil {
			return err
		}
		st.in.Box.Address = box.Address // it may have been renamed
		events, err = r.Events(ctx, st.in.Box.Num, st.after, streamPage)
		return err
	})
	if err != nil {
		return nil, err
	}
	st.behind = len(events) == streamPage
	for _, e := range events {
		st.after = e.Number
		if st.shows(e) {
			shown = append(shown, e)
		}
	}
	return shown, nil
}

func (st *stream) shows(e mailbox.Event) bool {
	if e.Number <= st.replay && e.At.Before(st.since) {
		return false
	}
	return len(st.kinds) == 0 || slices.Contains(st.kinds, e.Kind)
}
