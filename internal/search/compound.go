package search

import (
	"unicode"
	"unicode/utf8"
)

// maxParts bounds a compound. What is longer is read as several.
const maxParts = 16

// part is a word of a compound.
type part struct {
	text       string
	start, end int
	digits     bool
	same       bool // as in the source
	glued      bool
	joint      byte // what joins it to the part before it
}

// Levels of joints: a form is made of parts whose joints are of its level or tighter.
const (
	tight  = 1 + iota // e-mail, 482-915, 1,234: joined without it
	dotted            // example.com, kim+tag: joined with it
	at                // kim@example.com
	spaced            // 482 915: between digits only, joined without it
)

// joins tells whether a character after the last part may join another one to it. Whether it does depends on that one
// too.
func (s *scanner) joins(r rune) bool {
	if r < utf8.RuneSelf && joint(byte(r)) {
		return true
	}
	last := &s.parts[s.n-1]
	switch r {
	case ',', ':', '/':
		return last.digits
	case ' ':
		return isGroup(last)
	}
	return false
}

// joint tells whether a character may join a word of letters to another.
func joint(c byte) bool {
	switch c {
	case '-', '_', '\'', '.', '@', '+', '"':
		return true
	}
	return false
}

func (s *scanner) fits(p *part) bool {
	last := &s.parts[s.n-1]
	switch s.joint {
	case ',', ':', '/':
		return p.digits
	case ' ':
		return isGroup(p)
	case '"': // stands for gershayim, which few keyboards have
		before, _ := utf8.DecodeLastRuneInString(last.text)
		after, _ := utf8.DecodeRuneInString(p.text)
		return unicode.Is(unicode.Hebrew, before) && unicode.Is(unicode.Hebrew, after)
	}
	return true
}

// isGroup tells groups of digits, as codes and telephone numbers are written in.
func isGroup(p *part) bool { return p.digits && len(p.text) >= 2 && len(p.text) <= 4 }

// addPart takes a word that is complete.
func (s *scanner) addPart(p part) {
	s.last.ok = false
	p.glued = !s.apart
	switch {
	case s.n == 0:
	case s.n < maxParts && s.joint != 0 && s.fits(&p):
		p.joint, p.glued = s.joint, true
	default:
		p.glued = p.glued || s.joint != 0 && s.fits(&p)
		s.flush()
	}
	s.parts[s.n] = p
	s.n++
	s.joint, s.apart = 0, false
}

// flush makes the tokens of the compound.
func (s *scanner) flush() {
	if s.n == 0 {
		return
	}
	for k := range s.n {
		p := &s.parts[k]
		s.emit(p.text, s.pos+uint32(k), 1, origin{p.start, p.end, part1, p.glued})
	}
	if s.n > 1 {
		s.forms()
	}
	s.pos += uint32(s.n)
	s.n, s.joint = 0, 0
}

func (s *scanner) level(k int) int {
	switch s.parts[k].joint {
	case ' ':
		return spaced
	case '@':
		return at
	case '+':
		return dotted
	case '.':
		if !s.parts[k].digits || !s.parts[k-1].digits {
			return dotted
		}
	}
	return tight
}

// forms makes what stands for several parts.
func (s *scanner) forms() {
	for level := tight; level <= spaced; level++ {
		for from := 0; from < s.n; {
			to := from + 1
			has := false
			for to < s.n {
				l := s.level(to)
				if l > level || level == spaced && (l == dotted || l == at || !s.allDigits(to-1, to+1)) {
					break
				}
				has = has || l == level
				to++
			}
			if has {
				s.emitLevel(level, from, to)
			}
			from = to
		}
	}
}

func (s *scanner) emitLevel(level, from, to int) {
	switch level {
	case tight:
		s.emitJoined(from, to, s.decimal(from, to))
	case dotted:
		s.emitDotted(from, to)
	case at:
		s.emitWhole(from, to)
	case spaced:
		s.emitSpaced(from, to)
	}
}

// emitSpaced joins groups of digits: all of them, if that can still be a telephone number, and each two.
func (s *scanner) emitSpaced(from, to int) {
	const most = 15 // ITU-T E.164
	digits := 0
	for k := from; k < to; k++ {
		digits += len(s.parts[k].text)
		if k > from && s.parts[k].joint == ' ' && to-from > 2 {
			s.emitJoined(k-1, k+1, -1)
		}
	}
	if digits <= most {
		s.emitJoined(from, to, -1)
	}
}

func (s *scanner) allDigits(from, to int) bool {
	for k := from; k < to; k++ {
		if !s.parts[k].digits {
			return false
		}
	}
	return true
}

// decimal is the part that is a fraction: one or two digits after a point or comma that does not also part thousands.
// -1: none.
func (s *scanner) decimal(from, to int) int {
	last := &s.parts[to-1]
	if last.joint != '.' && last.joint != ',' || len(last.text) > 2 || !s.allDigits(from, to) {
		return -1
	}
	for k := from + 1; k < to-1; k++ {
		if j := s.parts[k].joint; j == last.joint || j != '.' && j != ',' && j != '\'' {
			return -1
		}
	}
	return to - 1
}

// emitDotted makes the form with dots, and those of the domains it is in.
func (s *scanner) emitDotted(from, to int) {
	s.emitWhole(from, to)
	if s.initials(from, to) {
		s.emitJoined(from, to, -1)
		return
	}
	const most = 3
	dots, made := 0, 0
	for k := to - 1; k > from && made < most; k-- {
		if s.parts[k].joint != '.' || s.level(k) != dotted {
			continue
		}
		if dots++; dots > 1 {
			s.emitWhole(k, to)
			made++
		}
	}
}

// initials tells U.S.A. from a domain.
func (s *scanner) initials(from, to int) bool {
	for k := from; k < to; k++ {
		if utf8.RuneCountInString(s.parts[k].text) != 1 || s.parts[k].digits {
			return false
		}
	}
	return true
}

func (s *scanner) emitJoined(from, to, decimal int) {
	s.scratch.reset()
	for k := from; k < to; k++ {
		if k == decimal {
			s.scratch.addByte('.')
		}
		s.scratch.addText(s.parts[k].text)
	}
	s.emitForm(s.scratch.copied(s), from, to)
}

func (s *scanner) emitWhole(from, to int) {
	if text, ok := s.fromSource(from, to); ok {
		s.emitForm(text, from, to)
		return
	}
	s.scratch.reset()
	for k := from; k < to; k++ {
		if k > from {
			s.scratch.addByte(s.parts[k].joint)
		}
		s.scratch.addText(s.parts[k].text)
	}
	s.emitForm(s.scratch.copied(s), from, to)
}

// fromSource is the form as it stands in the source, if it needs no folding. A joint of one byte is ASCII, and stands
// for itself.
func (s *scanner) fromSource(from, to int) (string, bool) {
	for k := from; k < to; k++ {
		if !s.parts[k].same || k > from && s.parts[k].start != s.parts[k-1].end+1 {
			return "", false
		}
	}
	text := s.src[s.parts[from].start:s.parts[to-1].end]
	return text, len(text) <= MaxText
}

func (s *scanner) emitForm(text string, from, to int) {
	s.emit(text, s.pos+uint32(from), to-from, origin{s.parts[from].start, s.parts[to-1].end, whole, false})
}
