package service

import (
	"context"
	"runtime"
	"strconv"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// largeRead is the size above which messages are read in turns: what is made of their bodies meanwhile may take tens
// of megabytes.
const largeRead = 256 << 10

// largeTurns is how many large messages are read at once for callers. One more is read in the background.
func largeTurns() int { return min(max(2, runtime.GOMAXPROCS(0)), 4) }

// largeTurn waits until a message may be read, and returns what ends the turn. Nothing of the message should be in
// memory while it waits. No turn may wait for a client, or for another turn.
func (s *Service) largeTurn(ctx context.Context, m mailbox.Message) (leave func(), err error) {
	if m.Size <= largeRead {
		return func() {}, nil
	}
	return s.turnOf(ctx, m.Mailbox)
}

// turnOf waits for a turn to read large messages of a mailbox. Each mailbox has one at a time, so that nobody's mail
// holds up all others'. The loops of the background share one turn of their own, so that no caller holds them up: they
// ask with mailbox 0.
func (s *Service) turnOf(ctx context.Context, num mailbox.Num) (leave func(), err error) {
	unlock, err := s.locks.lock(ctx, largeKey(num))
	if err != nil {
		return nil, fail(err)
	}
	if num == 0 {
		return unlock, nil
	}
	select {
	case s.largeReads <- struct{}{}:
		return func() { <-s.largeReads; unlock() }, nil
	case <-ctx.Done():
		unlock()
		return nil, fail(ctx.Err())
	}
}

func largeKey(num mailbox.Num) string { return "large " + strconv.FormatInt(int64(num), 10) }
