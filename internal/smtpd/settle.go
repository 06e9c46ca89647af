package smtpd

import (
	"errors"
	"fmt"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// arrival is a message that has come to its end.
type arrival struct {
	size  int64
	ended time.Time // when its last byte came
}

// settle answers a message that has come to its end: with one reply, or in LMTP with one for each accepted RCPT.
func (s *session) settle(came arrival, receipts []mailbox.Receipt, err error) {
	replies := s.verdicts(receipts, err)
	taken := false
	for i, r := range replies {
		if r.class() == 2 {
			taken = true
			continue
		}
		s.reject(stageData, s.tx.rcpts[i].Address, r)
	}
	if s.srv.cfg.LMTP {
		for _, i := range s.tx.order {
			s.wire.say(replies[i])
		}
	} else {
		r := oneForAll(replies)
		taken = r.class() == 2
		s.wire.say(r)
	}
	if taken {
		s.messages++
		s.srv.count.accepted.Add(1)
		s.srv.count.bytes.Add(came.size)
		s.srv.cfg.Took(time.Since(came.ended))
	}
}

// verdicts is the reply for each recipient's copy.
func (s *session) verdicts(receipts []mailbox.Receipt, err error) []reply {
	if err == nil && len(receipts) != len(s.tx.rcpts) {
		err = fmt.Errorf("%d receipts for %d recipients", len(receipts), len(s.tx.rcpts))
	}
	s.logError("receive", err)
	replies := make([]reply, len(s.tx.rcpts))
	for i := range replies {
		switch {
		case err != nil:
			replies[i] = s.replyFor(err, stageData, s.tx.utf8)
		case receipts[i].Err != nil:
			s.logError("receive for one recipient", receipts[i].Err)
			replies[i] = s.replyFor(receipts[i].Err, stageData, s.tx.utf8)
		default:
			replies[i] = replyStored
			if s.submits() {
				replies[i] = replyQueued
			}
			if receipts[i].Held {
				replies[i] = replyHeld
			}
			replies[i].text += receipts[i].ID.String()
		}
	}
	return replies
}

// oneForAll is SMTP's single reply for all recipients. If a copy failed for now, so has the message: the client sends
// it again, and those who have it already do not get it twice, because Receive knows a duplicate. If copies failed for
// good and others are stored, it is 250: a 5xx would tell the sender that nobody has it.
func oneForAll(replies []reply) reply {
	rank := map[int]int{4: 0, 2: 1, 5: 2}
	best := replies[0]
	for _, r := range replies[1:] {
		if rank[r.class()] < rank[best.class()] {
			best = r
		}
	}
	return best
}

// logError keeps what the client is not told. An error that is the client's own is no news.
func (s *session) logError(doing string, err error) {
	var e *mailbox.Error
	switch {
	case err == nil:
	case !errors.As(err, &e) || e.Kind == mailbox.Internal:
		s.log.Error(doing, "error", err)
	case e.Kind == mailbox.DiskFull, e.Kind == mailbox.KeyLost:
		s.log.Debug(doing, "error", err) // that is logged once, and not for each mail
	case e.Err != nil:
		s.log.Warn(doing, "error", err)
	}
}
