package service

import (
	"context"
	"io"
	"time"

	"github.com/mailkin/mailkin/internal/catalogue"
	"github.com/mailkin/mailkin/internal/mailbox"
)

// CapturedChange is something that happened to a captured message.
type CapturedChange = catalogue.Change

// CapturedNews is what has happened to captured mail since it was last asked for.
type CapturedNews struct {
	Changes       []CapturedChange // in their order; messages that came have their cards
	Missed        bool             // there was more than is remembered: Changes is empty, and all of it may be another
	Total, Unread int
}

// CapturedFollower follows captured mail as it changes. The caller closes it.
type CapturedFollower struct {
	s   *Service
	in  Access
	ear chan struct{}
	at  int64 // changes that it knows of
}

// FollowCaptured follows captured mail from now on.
func (s *Service) FollowCaptured(ctx context.Context, in Access) (*CapturedFollower, error) {
	ear := s.catalogued.marks.listen(s.opt.Limits.StreamsPerMailbox + 1) // FillCaptured is one of them
	if ear == nil {
		return nil, &mailbox.Error{Kind: mailbox.Limited, Code: "too_many_streams", RetryAfter: time.Second,
			Message: "Too many connections follow captured mail; close some."}
	}
	f := &CapturedFollower{s: s, in: in, ear: ear}
	err := s.withCaptured(ctx, in, func(list *catalogue.List, _ catalogue.Load) error {
		f.at = list.Changed()
		return nil
	})
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// Close ends the following.
func (f *CapturedFollower) Close() { f.s.catalogued.marks.unlisten(f.ear) }

// Next waits until something has changed, or for so long; then it returns without changes. io.EOF: the service is
// stopping.
func (f *CapturedFollower) Next(ctx context.Context, wait time.Duration) (CapturedNews, error) {
	patience := time.NewTimer(wait)
	defer patience.Stop()
	select {
	case <-f.ear:
	case <-patience.C:
	case <-f.s.leaving:
		return CapturedNews{}, io.EOF
	case <-ctx.Done():
		return CapturedNews{}, ctx.Err()
	}
	return f.News(ctx)
}

// News returns what has changed, without waiting.
func (f *CapturedFollower) News(ctx context.Context) (n CapturedNews, err error) {
	err = f.s.withCaptured(ctx, f.in, func(list *catalogue.List, load catalogue.Load) error {
		n.Total, n.Unread = list.Len(), list.Unread()
		changes, known := list.Changes(f.at)
		f.at, n.Missed = list.Changed(), !known
		for _, c := range changes {
			if c.Kind == catalogue.Came {
				e, err := list.Carded(c.Entry.ID, load)
				if err != nil {
					return err
				}
				if e == nil { // it is gone again, which follows
					continue
				}
				c.Entry = e
			}
			n.Changes = append(n.Changes, c)
		}
		return nil
	})
	return n, err
}
