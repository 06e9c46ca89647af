package smtpd

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// drainTimeout is how long the rest of a refused message is waited for.
const drainTimeout = time.Minute

// data is RFC 5321 4.1.1.4.
func (s *session) data(ctx context.Context, _ string) error {
	no, ready := s.readyForMessage()
	if s.chunks != nil {
		no, ready = replyInChunks, false
	}
	switch {
	case !ready && s.wire.in.len() > 0:
		// This client does not wait for 354. What it has sent may be the message, and must not run as commands.
		return s.end(replyTooEarly)
	case !ready:
		return s.protest(no)
	}
	s.wire.say(replyGo)
	s.wire.borrow()
	dots := newDotReader(&s.wire.in, s.wire.awaitData)
	m := &message{src: dots, left: s.srv.cfg.MaxSize}
	receipts, err := s.receiver()(ctx, m)
	if lost := s.drain(m); lost != nil {
		return lost
	}
	s.settle(arrival{s.srv.cfg.MaxSize - m.left, m.ended}, receipts, m.verdict(err))
	s.reset()
	if !dots.done {
		s.linger = true
		return errEnded
	}
	return nil
}

// readyForMessage tells whether DATA or BDAT may come now.
func (s *session) readyForMessage() (no reply, ok bool) {
	switch {
	case s.tx == nil:
		return replyMailFirst, false
	case len(s.tx.rcpts) == 0:
		return replyRcptFirst, false
	}
	return reply{}, true
}

// message is the reader that Receive gets for DATA. It turns every end but the true one into an error.
type message struct {
	src  io.Reader
	left int64 // bytes it may still have
	err  error // how it ended: io.EOF, too large, or lost
	lost error // the connection's own error

	unread int64     // bytes that Receive left
	ended  time.Time // when its last byte was read
}

func (m *message) Read(p []byte) (int, error) {
	if m.err != nil {
		return 0, m.err
	}
	if int64(len(p)) > m.left+1 {
		p = p[:m.left+1]
	}
	n, err := m.src.Read(p)
	switch {
	case int64(n) > m.left:
		n = int(m.left)
		m.err = errTooLarge()
	case err == io.EOF:
		m.err, m.ended = io.EOF, time.Now()
	case err != nil:
		m.err, m.lost = io.ErrUnexpectedEOF, err
	}
	m.left -= int64(n)
	return n, m.err
}

func errTooLarge() error {
	return mailbox.Errorf(mailbox.TooLarge, "message_too_large", "The message is larger than this server takes.")
}

// drain reads what Receive has left, so that the reply comes where the client looks for it. It gives up after as much
// again as a message may have, or a minute. Its error is that of the connection, if that is what ended.
func (s *session) drain(m *message) error {
	if m.err == io.EOF || m.lost != nil {
		return m.lost
	}
	end := s.wire.end
	s.wire.end = s.wire.until(drainTimeout)
	defer func() { s.wire.end = end }()
	n, err := io.Copy(io.Discard, io.LimitReader(m.src, 2*s.srv.cfg.MaxSize))
	m.unread = n
	if err != nil && time.Now().Before(s.wire.end) {
		return err
	}
	return nil
}

// verdict is what became of the message as a whole. Success counts only for a message that was read whole.
func (m *message) verdict(err error) error {
	switch {
	case m.err != nil && m.err != io.EOF:
		return m.err
	case err == nil && m.unread > 0:
		return errUnread
	}
	return err
}

var errUnread = errors.New("receive returned before the end of the message")
