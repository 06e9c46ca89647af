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

// batch is what the messages of a batch take that come before one of them.
type batch struct {
	sends map[sendsOf]int64
	boxes map[mailbox.Num]*batchBox
}

// batchBox is what they take of a mailbox.
type batchBox struct {
	use  mailbox.Use
	held int
	to   []string      // who is written to
	pace *mailbox.Pace // as it is then; nil: it was not asked for
}

func (b *batch) sendsOf(num mailbox.Num, day int64) int64 {
	if b == nil {
		return 0
	}
	return b.sends[sendsOf{num, day}]
}

// box is what is taken of a mailbox; nothing without a batch.
func (b *batch) box(num mailbox.Num) *batchBox {
	if b == nil {
		return new(batchBox)
	}
	if b.boxes[num] == nil {
		b.boxes[num] = new(batchBox)
	}
	return b.boxes[num]
}

// add counts a message that can be sent.
func (b *batch) add(o *outgoing) {
	box := b.box(o.box.Num)
	for _, rcpt := range o.recipients {
		box.to = append(box.to, rcpt.canonical)
	}
	box.use.Messages++
	box.use.Bytes += max(o.message.Size, 1)
	if o.status == mailbox.Held { // which counts as sent when it is approved
		box.held++
		return
	}
	day := utcDay(o.due)
	b.sends[sendsOf{o.box.Num, day}]++
	b.sends[sendsOf{0, day}]++
}

// MaySendAll tells whether these messages could all be sent, one after the other: everything that a send checks, with
// those before it counted. Nothing is sent. What was sent already with its Idempotency-Key counts
// no more. Somebody who sends meanwhile may still take the last places of the day. It returns where it stopped.
func (s *Service) MaySendAll(ctx context.Context, in Access, list []mailbox.Draft) (at int, err error) {
	ahead := &batch{make(map[sendsOf]int64), make(map[mailbox.Num]*batchBox)}
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
			return i, s.braking(ctx, o, err)
		}
		if answer.Preview != nil {
			ahead.add(o)
		}
	}
	return len(list), nil
}
