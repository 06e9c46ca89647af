package draft

// skip reads past a value that nobody wants, of whatever size. It must be well formed all the same.
func (s *scanner) skip(depth int) error {
	c, err := s.token()
	if err != nil {
		return err
	}
	switch c {
	case '"':
		s.pos++
		return s.skipString()
	case '{', '[':
		if depth == 0 {
			return tooDeep()
		}
		if c == '{' {
			return s.object(0, func([]byte) error { return s.skip(depth - 1) })
		}
		return s.array(func(int) error { return s.skip(depth - 1) })
	case 't':
		return s.literal("true")
	case 'f':
		return s.literal("false")
	case 'n':
		return s.literal("null")
	}
	return s.skipNumber()
}

// skipString reads to the end of a string from anywhere inside it, only not from the middle of an escape.
func (s *scanner) skipString() error {
	for {
		s.pos += plainRun(s.buf[s.pos:s.end])
		c, err := s.peek()
		if err != nil {
			return err
		}
		switch {
		case c == '"':
			s.pos++
			return nil
		case c == '\\':
			s.pos++
			if _, err := s.escaped(); err != nil {
				return err
			}
		case c < ' ':
			return notObject()
		}
	}
}

// skipNumber reads past a number: sign, digits without a leading zero, fraction, exponent (RFC 8259 6).
func (s *scanner) skipNumber() error {
	if _, err := s.optional("-"); err != nil {
		return err
	}
	zero, err := s.optional("0")
	if err != nil {
		return err
	}
	if !zero {
		if err := s.skipDigits(); err != nil {
			return err
		}
	}
	if some, err := s.optional("."); err != nil {
		return err
	} else if some {
		if err := s.skipDigits(); err != nil {
			return err
		}
	}
	if some, err := s.optional("eE"); err != nil || !some {
		return err
	}
	if _, err := s.optional("+-"); err != nil {
		return err
	}
	return s.skipDigits()
}

// optional takes the next byte if it is one of a few.
func (s *scanner) optional(oneOf string) (bool, error) {
	c, err := s.peek()
	if err != nil {
		return false, err
	}
	for i := range len(oneOf) {
		if c == oneOf[i] {
			s.pos++
			return true, nil
		}
	}
	return false, nil
}

// skipDigits reads past at least one digit.
func (s *scanner) skipDigits() error {
	for n := 0; ; n++ {
		c, err := s.peek()
		if err != nil {
			return err
		}
		if c < '0' || c > '9' {
			if n == 0 {
				return notObject()
			}
			return nil
		}
		s.pos++
	}
}
