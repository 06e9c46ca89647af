package test

import "bytes"

// longString is how much of a string is looked at. The contract has nothing to say about the rest of it, and a test
// with an attachment of 100 MB is about memory.
const longString = 64 << 10

// shortened is a JSON text in which long strings end early. Everything else of it is there, so that a schema can judge
// it.
type shortened struct {
	kept []byte

	inside   bool // a string
	skipping bool // the rest of it
	escaped  bool // the next byte belongs to a backslash
	length   int  // of the string so far
	whole    int  // bytes since the last backslash, whose sequence must not be cut
}

// brief returns a text so.
func brief(text []byte) []byte {
	if len(text) <= longString {
		return text
	}
	var s shortened
	_, _ = s.Write(text) // never fails
	return s.kept
}

func (s *shortened) Write(p []byte) (int, error) {
	for rest := p; len(rest) > 0; {
		s.skipping = s.skipping || s.inside && !s.escaped && s.length >= longString && s.whole >= len("u0000") &&
			rest[0] < 0x80
		if s.skipping {
			rest = s.skip(rest)
			continue
		}
		s.keep(rest[0])
		rest = rest[1:]
	}
	return len(p), nil
}

// skip gives what comes after the part of a string that it leaves out.
func (s *shortened) skip(p []byte) []byte {
	if s.escaped {
		s.escaped = false
		return p[1:]
	}
	end := bytes.IndexAny(p, `"\`)
	switch {
	case end < 0:
		return nil
	case p[end] == '\\':
		s.escaped = true
		return p[end+1:]
	}
	s.skipping = false
	s.keep('"')
	return p[end+1:]
}

func (s *shortened) keep(c byte) {
	s.kept = append(s.kept, c)
	s.length++
	s.whole++
	switch {
	case s.escaped:
		s.escaped = false
	case c == '\\' && s.inside:
		s.escaped, s.whole = true, 0
	case c == '"':
		s.inside, s.length, s.whole = !s.inside, 0, longString
	}
}
