package service

import (
	"context"
	"runtime"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// largeRead is the size above which messages are read in turns: what is made of their bodies meanwhile may take tens
// of megabytes.
const largeRead = 256 << 10

// largeTurns is how many large messages are read at once.
func largeTurns() int { return min(max(2, runtime.GOMAXPROCS(0)), 4) }

// largeTurn waits until a message may be read, and returns what ends the turn. Of each mailbox one large message is
// read at a time, so that nobody's mail holds up all others'. No turn may wait for a client, or for another turn.
func (s *Service) largeTurn(ctx context.Context, m mailbox.Message, address string) (leave func(), err error) {
	if m.Size <= largeRead {
		return func() {}, nil
	}
	unlock, err := s.locks.lock(ctx, "large "+address)
	if err != nil {
		return nil, fail(err)
	}
	select {
	case s.largeReads <- struct{}{}:
		return func() { <-s.largeReads; unlock() }, nil
	case <-ctx.Done():
		unlock()
		return nil, fail(ctx.Err())
	}
}
