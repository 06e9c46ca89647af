package smtpd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"strings"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// chunks is a message that comes by BDAT (RFC 3030). Receive runs in a goroutine of its own and reads the pipe; the
// session writes the chunks into it, and waits for the goroutine before it forgets about it.
type chunks struct {
	pipe  *io.PipeWriter
	total int64
	done  chan received // gets one
}

type received struct {
	receipts []mailbox.Receipt
	err      error
}

// errReturned is what a chunk meets when Receive has returned early.
var errReturned = errors.New("receive has returned")

// errPanic is a Receive that panicked in its goroutine.
var errPanic = errors.New("panic in receive")

// bdat takes a chunk. Whatever the answer, exactly the chunk's bytes are read after the command, so that no byte of a
// message is ever taken for a command. Where that cannot be done the session ends.
func (s *session) bdat(ctx context.Context, args string) error {
	size, last, bounded, ok := parseChunk(args)
	if !bounded || size > 2*s.srv.cfg.MaxSize {
		return s.endChunks(size)
	}
	no, ready := s.readyForMessage()
	switch {
	case !ok:
		no = replyChunkForm
	case !ready:
	case s.total()+size > s.srv.cfg.MaxSize:
		return s.chunkTooLarge(size, last)
	default:
		return s.takeChunk(ctx, size, last)
	}
	if err := s.dropChunk(size); err != nil {
		return err
	}
	return s.protest(no)
}

// parseChunk reads "size" or "size LAST". It is bounded if the size could be read, ok if all of it could.
func parseChunk(args string) (size int64, last, bounded, ok bool) {
	words := strings.Fields(args)
	if len(words) == 0 {
		return 0, false, false, false
	}
	size, bounded = parseSize(words[0])
	last = len(words) == 2 && strings.EqualFold(words[1], "LAST")
	return size, last, bounded, bounded && (len(words) == 1 || last)
}

// endChunks ends a session in which the next command cannot be found: the size is not a number, or beyond patience.
func (s *session) endChunks(size int64) error {
	if size > 0 {
		s.wire.say(kindReplies[mailbox.TooLarge])
	} else {
		s.wire.say(replyChunkForm)
	}
	return s.end(replyOutOfStep)
}

func (s *session) total() int64 {
	if s.chunks == nil {
		return 0
	}
	return s.chunks.total
}

func (s *session) takeChunk(ctx context.Context, size int64, last bool) error {
	if s.chunks == nil {
		s.startChunks(ctx)
	}
	c := s.chunks
	c.total += size
	refused := false
	err := s.eachPiece(size, func(b []byte) {
		if !refused {
			_, err := c.pipe.Write(b)
			refused = err != nil
		}
	})
	switch {
	case err != nil:
		return err
	case refused:
		return s.finishChunks(last, errUnread)
	case last:
		c.pipe.Close()
		return s.finishChunks(last, nil)
	}
	return s.say(replyChunk)
}

// startChunks starts Receive in a goroutine of its own.
func (s *session) startChunks(ctx context.Context) {
	r, w := io.Pipe()
	c := &chunks{pipe: w, done: make(chan received, 1)}
	s.chunks = c
	receive := s.receiver()
	go func() {
		var got received
		defer func() {
			if p := recover(); p != nil {
				got = received{err: fmt.Errorf("%w: %v\n%s", errPanic, p, debug.Stack())}
			}
			r.CloseWithError(errReturned)
			c.done <- got
		}()
		got.receipts, got.err = receive(ctx, r)
	}()
}

// finishChunks waits for Receive and answers. Success counts only if Receive has read everything; else incomplete says
// why. Before the last chunk there is one reply also in LMTP. After a failure no transaction is left, so the chunks
// that are still under way are refused one by one.
func (s *session) finishChunks(last bool, incomplete error) error {
	came := arrival{s.chunks.total, time.Now()}
	got := <-s.chunks.done
	s.chunks = nil
	defer s.reset()
	switch {
	case errors.Is(got.err, errPanic):
		panic(got.err)
	case got.err == nil:
		got.err = incomplete
	}
	if !last {
		s.tx.order = s.tx.order[:1]
	}
	s.settle(came, got.receipts, got.err)
	return nil
}

// chunkTooLarge refuses the chunk with which the message becomes too large.
func (s *session) chunkTooLarge(size int64, last bool) error {
	if err := s.dropChunk(size); err != nil {
		return err
	}
	if s.chunks != nil {
		s.abortChunks(errTooLarge())
	}
	if !last {
		s.tx.order = s.tx.order[:1]
	}
	s.settle(arrival{}, nil, errTooLarge())
	s.reset()
	return nil
}

// abort ends a message that is half here. Receive sees an unexpected end and stores nothing.
func (s *session) abort() {
	if s.chunks != nil {
		s.abortChunks(io.ErrUnexpectedEOF)
	}
}

func (s *session) abortChunks(why error) {
	s.chunks.pipe.CloseWithError(why)
	got := <-s.chunks.done
	s.chunks = nil
	if errors.Is(got.err, errPanic) {
		s.log.Error("panic in SMTP session", "error", got.err)
	}
}

func (s *session) dropChunk(size int64) error {
	return s.eachPiece(size, func([]byte) {})
}

// eachPiece reads exactly size bytes.
func (s *session) eachPiece(size int64, use func([]byte)) error {
	if size > int64(s.wire.in.len()) {
		s.wire.borrow()
	}
	for size > 0 {
		if s.wire.in.len() == 0 {
			if err := s.wire.awaitData(); err != nil {
				return err
			}
		}
		b := s.wire.in.unread()
		b = b[:min(size, int64(len(b)))]
		use(b)
		s.wire.in.skip(len(b))
		size -= int64(len(b))
	}
	return nil
}
