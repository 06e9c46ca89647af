package transport

import (
	"context"
	"io"
	"net"
	"time"
)

// Send sends a mail.
func (s *session) Send(ctx context.Context, m Mail) Result {
	if s.dead || ctx.Err() != nil {
		return s.failed(s.lost(net.ErrClosed)).Result
	}
	stop := context.AfterFunc(ctx, func() { s.raw.Close() })
	r := s.transact(ctx, m)
	if !stop() {
		s.dead = true
	}
	if s.dead {
		s.raw.Close()
	}
	s.used = time.Now()
	return r
}

func (s *session) transact(ctx context.Context, m Mail) Result {
	e, refusal := s.envelope(m)
	if refusal != nil {
		return *refusal
	}
	if r := s.offer(e); r != nil {
		s.reset()
		return *r
	}
	if m.Begin != nil {
		if err := m.Begin(ctx); err != nil {
			s.log.Warn("a mail was not begun", "host", s.host, "error", err)
			s.reset()
			return s.failed(temporary("4.3.0", "the mail was not begun here")).Result
		}
	}
	r, err := s.ask(s.times.data, nil, "DATA")
	if err != nil || r.code != codeGo {
		if err == nil && r.class() < 4 {
			s.dead, err = true, errReply
		}
		out := s.judge(r, err)
		out.Began = true
		s.reset()
		return out
	}
	out := s.deliver(m)
	out.Began = true
	return out
}

// offer sends the envelope. The result is nil if it was taken.
func (s *session) offer(e envelope) *Result {
	s.put(e.mail...)
	if s.ext.pipelining {
		s.put(e.rcpt...)
	}
	if err := s.flush(); err != nil {
		r, err := s.lastWords(err)
		return new(s.judge(r, err))
	}
	mail, err := s.hear(s.times.mail)
	if err != nil {
		return new(s.judge(mail, err))
	}
	if !s.ext.pipelining {
		if mail.class() != 2 {
			return new(s.judge(mail, nil))
		}
		s.put(e.rcpt...)
		if err := s.flush(); err != nil {
			r, err := s.lastWords(err)
			return new(s.judge(r, err))
		}
	}
	var rcpt reply
	if !s.dead { // what follows 421 is nobody's reply to RCPT
		rcpt, err = s.hear(s.times.rcpt)
	}
	switch {
	case mail.class() != 2:
		return new(s.judge(mail, nil))
	case err != nil || rcpt.class() != 2:
		return new(s.judge(rcpt, err))
	}
	return nil
}

// deliver sends the message, after DATA.
func (s *session) deliver(m Mail) Result {
	s.pace.until = time.Now().Add(s.times.final + time.Duration(m.Size/s.times.rate)*time.Second)
	defer func() { s.pace.until = time.Time{} }()
	dots := &dotWriter{w: s.w}
	if _, ok := m.Body.(io.WriterTo); !ok && s.buf == nil {
		s.buf = make([]byte, sendBuffer)
	}
	_, err := io.CopyBuffer(dots, m.Body, s.buf)
	if err != nil && dots.fail == nil {
		// The end of the message is not known, so there must not be one: without the final dot the server has no mail.
		s.dead = true
		s.log.Warn("a mail could not be read while it was sent", "host", s.host, "error", err)
		return s.failed(temporary("4.3.0", "the mail could not be read here")).Result
	}
	if dots.end() != nil || s.flush() != nil {
		s.dead = true
		r, err := s.lastWords(io.ErrUnexpectedEOF)
		return s.judge(r, err)
	}
	r, err := s.hear(s.times.final)
	if err != nil {
		out := s.failed(s.lost(err)).Result
		out.Outcome, out.Enhanced = Unknown, ""
		out.Text = oneLine("after the whole mail was sent: " + out.Text)
		return out
	}
	return s.judge(r, nil)
}

// judge is what a reply means for the mail.
func (s *session) judge(r reply, err error) Result {
	if err != nil {
		return s.failed(s.lost(err)).Result
	}
	out := s.result()
	out.Code, out.Enhanced, out.Text = r.code, r.enhanced, r.text
	switch r.class() {
	case 2:
		out.Outcome = Delivered
	case 5:
		out.Outcome = Permanent
	case 4:
		out.Outcome = Temporary
	default: // 3xx, out of place: what it waits for nobody knows
		out.Outcome, s.dead = Temporary, true
	}
	return out
}
