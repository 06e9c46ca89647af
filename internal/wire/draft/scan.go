package draft

import (
	"fmt"
	"hash"
	"io"
	"sync"
)

// A scanner begins with a small buffer and takes a large one when the first was filled.
const (
	firstBuffer = 8 << 10
	fullBuffer  = 64 << 10
	idleReads   = 100 // in a row that give neither bytes nor an error
)

// scratch is memory that small bodies are read with, one after the other.
type scratch struct {
	first     [firstBuffer]byte
	text, key []byte
}

var scratches = sync.Pool{New: func() any { return new(scratch) }}

// borrow gives the scanner its memory.
func (s *scanner) borrow() *scratch {
	m := scratches.Get().(*scratch)
	s.buf, s.text, s.key = m.first[:], m.text, m.key
	return m
}

// giveBack ends the use of the scanner. What a large body needed is not kept.
func (s *scanner) giveBack(m *scratch) {
	if cap(s.text) <= fullBuffer {
		m.text = s.text
	}
	if cap(s.key) <= fullBuffer {
		m.key = s.key
	}
	s.buf, s.text, s.key = nil, nil, nil
	scratches.Put(m)
}

// scanner takes JSON apart as it comes. It holds a buffer of it and, for a string that spans buffers or has escapes,
// the string. It accepts what encoding/json accepts.
type scanner struct {
	from io.Reader
	sum  hash.Hash // of all that was read
	buf  []byte
	pos  int // buf[pos:end] has been read and not yet taken
	end  int
	err  error  // why there is no more
	text []byte // the string that is being read
	key  []byte // the name of the member that is being read
}

// fill reads more once all has been taken. The end is io.EOF.
func (s *scanner) fill() error {
	if s.end == len(s.buf) && len(s.buf) < fullBuffer {
		s.buf = make([]byte, fullBuffer)
	}
	s.pos, s.end = 0, 0
	for range idleReads {
		if s.err != nil {
			return s.err
		}
		n, err := s.from.Read(s.buf)
		if err != nil && err != io.EOF {
			err = fmt.Errorf("read body: %w", err)
		}
		s.err = err
		if n > 0 {
			s.end = n
			s.sum.Write(s.buf[:n])
			return nil
		}
	}
	s.err = fmt.Errorf("read body: %w", io.ErrNoProgress)
	return s.err
}

// peek is the next byte, which is not taken. At the end of the body there should have been one.
func (s *scanner) peek() (byte, error) {
	if s.pos == s.end {
		if err := s.fill(); err != nil {
			return 0, endsEarly(err)
		}
	}
	return s.buf[s.pos], nil
}

// take is the next byte.
func (s *scanner) take() (byte, error) {
	c, err := s.peek()
	if err == nil {
		s.pos++
	}
	return c, err
}

func endsEarly(err error) error {
	if err == io.EOF {
		return notObject()
	}
	return err
}

// space skips white space and returns the byte after it, or io.EOF.
func (s *scanner) space() (byte, error) {
	for {
		for s.pos < s.end {
			switch c := s.buf[s.pos]; c {
			case ' ', '\n', '\r', '\t':
				s.pos++
			default:
				return c, nil
			}
		}
		if err := s.fill(); err != nil {
			return 0, err
		}
	}
}

// token is the first byte of what is next after white space.
func (s *scanner) token() (byte, error) {
	c, err := s.space()
	return c, endsEarly(err)
}

// object reads an object that is next. It calls member with each name, cut after limit bytes and one more; the value is
// next then, and must be read. The name is gone with that.
func (s *scanner) object(limit int64, member func(name []byte) error) error {
	return s.each('}', func(int) error {
		if c, err := s.token(); err != nil || c != '"' {
			return orNotObject(err)
		}
		name, err := s.str(limit)
		if err != nil {
			return err
		}
		s.key = append(s.key[:0], name...) // the colon may be in the next buffer
		if int64(len(name)) > limit {
			if err := s.skipString(); err != nil {
				return err
			}
		}
		if c, err := s.token(); err != nil || c != ':' {
			return orNotObject(err)
		}
		s.pos++
		return member(s.key)
	})
}

// array reads an array that is next. It calls element before each, which must read it.
func (s *scanner) array(element func(i int) error) error { return s.each(']', element) }

// each reads what is between brackets and separated by commas.
func (s *scanner) each(end byte, element func(i int) error) error {
	s.pos++ // the opening bracket
	c, err := s.token()
	if err != nil {
		return err
	}
	if c == end {
		s.pos++
		return nil
	}
	for i := 0; ; i++ {
		if err := element(i); err != nil {
			return err
		}
		c, err := s.token()
		if err != nil || c != end && c != ',' {
			return orNotObject(err)
		}
		s.pos++
		if c == end {
			return nil
		}
	}
}

// orNotObject is the error, or if there is none, that something else should have been there.
func orNotObject(err error) error {
	if err == nil {
		return notObject()
	}
	return err
}

// literal reads a word that must be next.
func (s *scanner) literal(word string) error {
	for i := range len(word) {
		if c, err := s.take(); err != nil || c != word[i] {
			return orNotObject(err)
		}
	}
	return nil
}

// null tells whether null is next, and takes it.
func (s *scanner) null() (bool, error) {
	c, err := s.token()
	if err != nil || c != 'n' {
		return false, err
	}
	return true, s.literal("null")
}
