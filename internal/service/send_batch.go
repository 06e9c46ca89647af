package service

import (
	"context"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// sendsOf names a count of sends: those of a mailbox, or of all for 0, on a day.
type sendsOf struct {
	num mailbox.Num
	day int64
}

// MaySendAll tells whether these messages could all be sent, one after the other: everything that a send checks, and
// the day's limits with those before it counted. Nothing is sent. What was sent already with its Idempotency-Key counts
// no more. Somebody who sends meanwhile may still take the last places of the day. It returns where it stopped.
func (s *Service) MaySendAll(ctx context.Context, in Access, list []mailbox.Draft) (at int, err error) {
	ahead := make(map[sendsOf]int64)
	for i, d := range list {
		by, err := s.author(ctx, in, d.From)
		if err != nil {
			return i, err
		}
		d.DryRun = true
		o, err := s.check(ctx, by, d)
		if err != nil {
			return i, err
		}
		o.ahead = ahead
		answer, err := s.post(ctx, o)
		if err != nil {
			return i, err
		}
		if answer.Preview != nil && o.status != mailbox.Held { // which counts when it is approved
			day := utcDay(o.due)
			ahead[sendsOf{o.box.Num, day}]++
			ahead[sendsOf{0, day}]++
		}
	}
	return len(list), nil
}
