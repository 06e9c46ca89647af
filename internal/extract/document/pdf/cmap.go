package pdf

import (
	"slices"
	"strings"
	"unicode/utf16"
)

// cmap maps codes to text (ISO 32000 9.7.5, 9.10.3).
type cmap struct {
	codes []codespace
	runs  []run // by their first code
}

// codespace are the codes of a given number of bytes between lo and hi, byte by byte.
type codespace struct {
	bytes  int
	lo, hi uint32
}

func (c codespace) holds(code uint32) bool {
	for shift := 0; shift < 8*c.bytes; shift += 8 {
		b, lo, hi := code>>shift&0xff, c.lo>>shift&0xff, c.hi>>shift&0xff
		if b < lo || b > hi {
			return false
		}
	}
	return true
}

// run are codes in a row. The first means to; with each further one the last character is one higher.
type run struct {
	lo, hi uint32
	to     string
}

// Bounds of maps.
const (
	maxRuns       = 1 << 17
	maxCodespaces = 100
	runBytes      = 48
)

// cmap reads a map. It is nil where there is none.
func (f *file) cmap(o object) *cmap {
	s, ok := f.resolve(o).(*stream)
	if !ok {
		return nil
	}
	data := f.data(s)
	defer f.bud.Give(cap(data))
	m := &cmap{}
	l := newLexer(data, 0)
	for f.bud.Step() {
		l.nodes = maxNodes
		o, ok := l.next()
		if !ok {
			break
		}
		switch o {
		case keyword("begincodespacerange"):
			m.readCodespaces(l)
		case keyword("beginbfchar"):
			f.readChars(m, l)
		case keyword("beginbfrange"):
			f.readRanges(m, l)
		}
	}
	slices.SortStableFunc(m.runs, func(a, b run) int {
		switch {
		case a.lo < b.lo:
			return -1
		case a.lo > b.lo:
			return 1
		}
		return 0
	})
	return m
}

// readCodespaces reads pairs of strings up to the end of the section.
func (m *cmap) readCodespaces(l *lexer) {
	for len(m.codes) < maxCodespaces {
		lo, ok := nextText(l)
		hi, ok2 := nextText(l)
		if !ok || !ok2 {
			return
		}
		if n := len(lo); n >= 1 && n <= 4 && len(hi) == n {
			m.codes = append(m.codes, codespace{n, codeOf(lo), codeOf(hi)})
		}
	}
}

// nextText reads a string. What is something else ends the section.
func nextText(l *lexer) (text, bool) {
	o, _ := l.next()
	s, ok := o.(text)
	return s, ok
}

func codeOf(s text) uint32 {
	v := uint32(0)
	for i := range min(len(s), 4) {
		v = v<<8 | uint32(s[i])
	}
	return v
}

func (f *file) readChars(m *cmap, l *lexer) {
	for f.bud.Step() {
		code, ok := nextText(l)
		if !ok {
			return
		}
		to, _ := l.next()
		if !f.addRun(m, codeOf(code), codeOf(code), to) {
			return
		}
	}
}

func (f *file) readRanges(m *cmap, l *lexer) {
	for f.bud.Step() {
		lo, ok := nextText(l)
		hi, ok2 := nextText(l)
		if !ok || !ok2 {
			return
		}
		to, _ := l.next()
		list, isList := to.(array)
		if !isList {
			list = array{to}
		}
		for i, t := range list {
			c := codeOf(lo) + uint32(i)
			end := c
			if !isList {
				end = codeOf(hi)
			}
			if !f.addRun(m, c, end, t) {
				return
			}
		}
	}
}

// addRun keeps a run, and says whether there is room for more.
func (f *file) addRun(m *cmap, lo, hi uint32, to object) bool {
	var s string
	switch to := to.(type) {
	case text:
		if s = decodeUTF16(string(to[:min(len(to), 64)])); len(to) == 1 {
			s = string(rune(to[0])) // QUIRK: one byte
		}
	case name:
		s = glyphText(string(to))
	case keyword:
		return false
	}
	if lo == hi {
		s = clean(s)
	}
	if lo > hi || len(m.runs) >= maxRuns || !f.bud.Take(runBytes+len(s)) {
		return lo > hi
	}
	m.runs = append(m.runs, run{lo, hi, s})
	return true
}

// lookup says what a code means. Not known and meaning nothing are different: where the map has only unusable text for
// a code, the font's encoding may know better.
func (m *cmap) lookup(code uint32) (string, bool) {
	if m == nil {
		return "", false
	}
	i, _ := slices.BinarySearchFunc(m.runs, code, func(r run, c uint32) int {
		if r.lo <= c {
			return -1
		}
		return 1
	})
	for n := 0; n < 4 && i-n > 0; n++ {
		if r := m.runs[i-1-n]; code >= r.lo && code <= r.hi {
			s := r.at(code - r.lo)
			return s, s != ""
		}
	}
	return "", false
}

// at is the text of a run, n codes after its first.
func (r run) at(n uint32) string {
	if n == 0 {
		if r.lo == r.hi {
			return r.to
		}
		return clean(r.to)
	}
	rs := []rune(r.to)
	if len(rs) == 0 || n > 0xffff {
		return ""
	}
	end := rs[len(rs)-1] + rune(n)
	if end > 0x10ffff || utf16.IsSurrogate(end) {
		return ""
	}
	rs[len(rs)-1] = end
	return clean(string(rs))
}

// isIdentity says whether a predefined map gives codes of two bytes the same number.
func isIdentity(n name) bool { return strings.HasPrefix(string(n), "Identity") }
