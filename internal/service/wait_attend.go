package service

import (
	"context"
	"errors"
	"math"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/wake"
)

// Streams and waiting calls attend to a mailbox: they listen for its wakes, and at each look again whether they still
// may see it, because the key may have been revoked or bound to less, and the mailbox paused or deleted, since they
// began.

var errStopping = mailbox.Errorf(mailbox.Unavailable, "stopping", "The service is stopping; try again in a moment.")

// listen begins to attend to a mailbox.
func (s *Service) listen(in *Access) (*wake.Ear, error) {
	select {
	case <-s.leaving:
		return nil, errStopping
	default:
	}
	most := s.opt.Limits.StreamsPerMailbox
	ear := s.hub.Listen(in.Box.Num, most)
	if ear == nil {
		return nil, &mailbox.Error{Kind: mailbox.Limited, Code: "too_many_streams", RetryAfter: time.Second,
			Message: "Too many streams and waiting calls are open for this mailbox; close some, or try again when " +
				"they end."}
	}
	return ear, nil
}

// still returns the mailbox as it is now, or says why the caller may no longer see it. It notes how long the leave
// lasts.
func (s *Service) still(ctx context.Context, r store.Reader, in *Access) (mailbox.Mailbox, error) {
	box, err := r.Mailbox(ctx, in.Box.Num)
	if err != nil {
		return box, err
	}
	in.Box.ExpiresAt = box.ExpiresAt
	if !in.Caller.Named.ID.IsZero() {
		if err := s.stillOperator(ctx, r, in); err != nil {
			return box, err
		}
	}
	if in.Caller.Scope != mailbox.Operator {
		key, err := r.KeyByDigest(ctx, in.Caller.Key.Digest)
		if err != nil {
			return box, err
		}
		in.Caller.Key.ExpiresAt, in.Caller.Key.Bound = key.ExpiresAt, key.Bound
		if key.Expired(s.now()) || in.Client.IsValid() && !key.Restriction().Admits(in.Client) ||
			!in.Caller.May(in.Need) {
			return box, errUnauthorized
		}
	}
	switch {
	case box.Expired(s.now()):
		return box, errUnauthorized
	case box.Status == mailbox.Halted:
		return box, errPaused
	}
	return box, nil
}

// lifetime is how long the caller's leave lasts by the clock: until its key's or mailbox's end.
func (s *Service) lifetime(in *Access) time.Duration {
	left := time.Duration(math.MaxInt64)
	for _, end := range []time.Time{in.Caller.Key.ExpiresAt, in.Caller.Named.ExpiresAt, in.Box.ExpiresAt} {
		if !end.IsZero() {
			left = min(left, end.Sub(s.opt.Now()))
		}
	}
	return left
}

// gone is the answer when the mailbox was deleted or has expired while the request was under way: its keys are dead,
// and the operator is told that it is not there.
func (in *Access) gone(err error) error {
	if !errors.Is(err, store.ErrNotFound) && !errors.Is(err, errUnauthorized) {
		return err
	}
	if in.Caller.Scope == mailbox.Operator {
		return errNoMailbox
	}
	return errUnauthorized
}

// over tells whether an error means that a stream is to end and not to fail: nobody may see the mailbox any more.
func over(err error) bool {
	return errors.Is(err, store.ErrNotFound) || errors.Is(err, errUnauthorized) || errors.Is(err, errPaused)
}

// Leave ends every stream and waiting call, and begins no new one: the service is about to stop.
func (s *Service) Leave() { s.leave.Do(func() { close(s.leaving) }) }

// Attending counts the streams and waiting calls that are open.
func (s *Service) Attending() int { return s.hub.Listening() }
