package draft

import (
	"encoding/binary"
	"unicode/utf16"
	"unicode/utf8"
)

// str reads a string that is next, as it is but for its escapes. Of one that is longer than limit it gives limit bytes
// and one more, and leaves the rest to be read. The bytes are good until the scanner is used again.
func (s *scanner) str(limit int64) ([]byte, error) {
	s.pos++ // the opening quote
	s.text = s.text[:0]
	for {
		run := s.buf[s.pos:s.end]
		run = run[:plainRun(run)]
		if room := limit - int64(len(s.text)); int64(len(run)) > room {
			s.text = append(s.text, run[:room+1]...)
			s.pos += int(room) + 1
			return s.text, nil
		}
		s.pos += len(run)
		if len(s.text) == 0 && s.pos < s.end && s.buf[s.pos] == '"' {
			s.pos++
			return run, nil // most strings: whole in the buffer and without escapes
		}
		s.text = append(s.text, run...)
		if ended, err := s.special(limit); ended || err != nil || int64(len(s.text)) > limit {
			return s.text, err
		}
	}
}

// special reads what ended a run of plain bytes, and tells whether the string ends with it.
func (s *scanner) special(limit int64) (ended bool, err error) {
	c, err := s.peek()
	switch {
	case err != nil:
		return false, err
	case c == '"':
		s.pos++
		return true, nil
	case c == '\\':
		s.pos++
		return false, s.unescape(limit)
	case c < ' ':
		return false, notObject()
	}
	return false, nil // the buffer was at its end
}

// unescape reads an escape after its backslash, and those that follow half a surrogate pair. A half without its other
// half becomes U+FFFD.
func (s *scanner) unescape(limit int64) error {
	var half rune
	for {
		r, err := s.escaped()
		if err != nil {
			return err
		}
		if half != 0 {
			if pair := utf16.DecodeRune(half, r); pair != utf8.RuneError {
				s.text = utf8.AppendRune(s.text, pair)
				return nil
			}
			s.text = utf8.AppendRune(s.text, utf8.RuneError)
		}
		if r < 0xD800 || r >= 0xDC00 {
			s.text = utf8.AppendRune(s.text, r)
			return nil
		}
		if int64(len(s.text)) > limit {
			return nil // too long already: do not collect halves for ever
		}
		half = r
		switch c, err := s.peek(); {
		case err != nil:
			return err
		case c != '\\':
			s.text = utf8.AppendRune(s.text, utf8.RuneError)
			return nil
		}
		s.pos++
	}
}

// escaped reads one escape after its backslash. It may be half a surrogate pair.
func (s *scanner) escaped() (rune, error) {
	c, err := s.take()
	if err != nil {
		return 0, err
	}
	switch c {
	case '"', '\\', '/':
		return rune(c), nil
	case 'b':
		return '\b', nil
	case 'f':
		return '\f', nil
	case 'n':
		return '\n', nil
	case 'r':
		return '\r', nil
	case 't':
		return '\t', nil
	case 'u':
		return s.hex()
	}
	return 0, notObject()
}

// hex reads four hexadecimal digits.
func (s *scanner) hex() (rune, error) {
	var r rune
	for range 4 {
		c, err := s.take()
		if err != nil {
			return 0, err
		}
		switch {
		case '0' <= c && c <= '9':
			c -= '0'
		case 'a' <= c && c <= 'f':
			c -= 'a' - 10
		case 'A' <= c && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, notObject()
		}
		r = r<<4 | rune(c)
	}
	return r, nil
}

// plainRun is how many bytes at the beginning of b a string holds as they are: all but quotes, backslashes and control
// characters.
func plainRun(b []byte) int {
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	i := 0
	for ; i+8 <= len(b); i += 8 {
		// In each byte that is not plain, and before any other, a subtraction sets the top bit that was not set.
		x := binary.LittleEndian.Uint64(b[i:])
		control := (x - ' '*ones) &^ x
		quote := x ^ '"'*ones
		quote = (quote - ones) &^ quote
		backslash := x ^ '\\'*ones
		backslash = (backslash - ones) &^ backslash
		if (control|quote|backslash)&tops != 0 {
			break
		}
	}
	for i < len(b) && b[i] >= ' ' && b[i] != '"' && b[i] != '\\' {
		i++
	}
	return i
}
