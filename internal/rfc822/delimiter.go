package rfc822

import "bytes"

// delimiter is a boundary line in some bytes: [start, end) with its line end, but without the line end before
// it, which belongs to it too.
type delimiter struct {
	start, end int
	level      int // of the multipart in the stack
	closing    bool
	guessed    string // a boundary nobody has declared
}

// delimiterSlack is what may follow a boundary on its line.
const delimiterSlack = 256

// boundaries is what is known of all the boundaries in force, to pass by other lines quickly: hostile mail may
// have a hundred of the ones and millions of the others.
type boundaries struct {
	first   [256]bool // bytes that one begins with
	longest int
}

// noteBoundaries looks at the boundaries in force, after one was added or taken away.
func (p *Parser) noteBoundaries() {
	p.known = boundaries{longest: maxGuess}
	for i := range p.stack {
		for _, b := range [...]string{p.stack[i].boundary, p.stack[i].guessed} {
			if b != "" {
				p.known.first[b[0]] = true
				p.known.longest = max(p.known.longest, len(b))
			}
		}
	}
}

// findDelimiter looks for the first boundary line in data. Without one the result has start and end where the
// body bytes end: at the end of data, or where ok is false before a line that is not complete.
func (p *Parser) findDelimiter(data []byte, eof bool) (d delimiter, ok bool) {
	for i := 0; i < len(data); {
		n := bytes.IndexByte(data[i:], '-')
		if n < 0 {
			break
		}
		i += n
		before := p.prev
		if i > 0 {
			before = data[i-1]
		}
		if before != '\n' && before != '\r' {
			run := dashes(data[i:]) // a rule of dashes is looked at once
			if before == '-' || run > delimiterSlack {
				i += run
				continue
			}
			d, ok := p.gluedAt(data[i:], run, eof)
			if !ok {
				return delimiter{start: i}, false
			}
			if d.end > 0 {
				d.start, d.end = i+d.start, i+d.end
				return d, true
			}
			i += run
			continue
		}
		d, ok := p.delimiterAt(data[i:], eof)
		if !ok {
			return delimiter{start: i}, false
		}
		if d.end > 0 {
			d.start, d.end = i, i+d.end
			return d, true
		}
		i++
	}
	return delimiter{start: len(data), end: len(data)}, true
}

// delimiterAt says whether data, which begins a line, begins with a boundary line: then end is its length, else
// 0. ok is false where that cannot be told yet.
func (p *Parser) delimiterAt(data []byte, eof bool) (d delimiter, ok bool) {
	if len(p.stack) == 0 || data[0] != '-' {
		return delimiter{}, true
	}
	if len(data) == 1 {
		return delimiter{}, eof
	}
	if data[1] != '-' {
		return delimiter{}, true
	}
	limit := p.known.longest + 4 + delimiterSlack
	line := data[:min(len(data), limit)]
	end := bytes.IndexAny(line, "\r\n")
	switch {
	case end >= 0:
	case len(data) >= limit:
		return delimiter{}, true
	case !eof:
		return delimiter{}, false
	default:
		end = len(line)
	}
	d = p.match(line[2:end])
	if d.level < 0 {
		return p.guess(data, end, eof)
	}
	if d.end, ok = skipEOL(data, end, eof); !ok {
		return delimiter{}, false
	}
	return d, true
}

// maxCRs is how many CRs before an LF are one line end with it.
//
// QUIRK: CR CR LF, from gateways that translated line ends twice.
const maxCRs = 8

// skipEOL is the index after the line end at i, which may come in two pieces: ok is false where that cannot be
// told yet. CRs that no LF follows are line ends of their own.
func skipEOL(data []byte, i int, eof bool) (next int, ok bool) {
	if i == len(data) || data[i] == '\n' {
		return min(i+1, len(data)), true
	}
	n := i + 1
	for n < len(data) && data[n] == '\r' && n-i < maxCRs {
		n++
	}
	switch {
	case n == len(data) && n-i < maxCRs:
		return i + 1, eof
	case n < len(data) && data[n] == '\n':
		return n + 1, true
	}
	return i + 1, true
}

// match finds the multipart whose boundary a line bears, which is given without its dashes and line end. Inner
// ones come first, a line that is nothing but the boundary before one with words after it; a multipart that has
// ended only counts where no other does. level is -1 where there is none.
func (p *Parser) match(line []byte) delimiter {
	none := delimiter{level: -1}
	if len(line) == 0 || !p.known.first[line[0]] {
		return none
	}
	loose, late := none, none
	for i := len(p.stack) - 1; i >= 0; i-- {
		f := &p.stack[i]
		closing, fit := matchBoundary(line, f.boundary)
		if fit == boundaryOther && f.guessed != "" {
			closing, fit = matchBoundary(line, f.guessed)
		}
		switch {
		case fit == boundaryOther:
		case f.phase == phaseEpilogue:
			if late.level < 0 && !closing && fit == boundaryExact {
				late = delimiter{level: i}
			}
		case fit == boundaryExact:
			return delimiter{level: i, closing: closing}
		case loose.level < 0:
			loose = delimiter{level: i, closing: closing}
		}
	}
	if loose.level >= 0 {
		return loose
	}
	return late
}

// boundaryFit is how well a line is a boundary.
type boundaryFit uint8

const (
	boundaryOther boundaryFit = iota
	boundaryLoose             // words follow it
	boundaryExact
)

// minLooseBoundary is how long a boundary must be for words to follow it on its line.
const minLooseBoundary = 6

// matchBoundary says whether a line is a boundary, and whether the closing one. Blanks may follow it. RFC 2046
// 5.1.1 lets anything follow it, which would make "--foo-1" a case of "--foo": so other text counts only after a
// blank or after the closing dashes.
func matchBoundary(line []byte, boundary string) (closing bool, fit boundaryFit) {
	n := len(boundary)
	if n == 0 || len(line) < n || line[n-1] != boundary[n-1] || string(line[:n]) != boundary {
		return false, boundaryOther
	}
	rest := line[n:]
	if bytes.HasPrefix(rest, []byte("--")) {
		closing, rest = true, rest[2:]
	}
	if len(bytes.TrimRight(rest, " \t")) == 0 {
		return closing, boundaryExact
	}
	if n >= minLooseBoundary && (closing || isBlank(rest[0])) {
		return closing, boundaryLoose
	}
	return closing, boundaryOther
}

// dashes counts the dashes b begins with.
func dashes[T string | []byte](b T) int {
	n := 0
	for n < len(b) && b[n] == '-' {
		n++
	}
	return n
}

// gluedAt says whether data, which begins with run dashes inside a line, is the end of a line that ends with the
// closing boundary of the innermost multipart.
//
// QUIRK: programs that forget the line end between the last part and the closing boundary.
func (p *Parser) gluedAt(data []byte, run int, eof bool) (d delimiter, ok bool) {
	level := len(p.stack) - 1
	f := &p.stack[level]
	own := dashes(f.boundary)
	if f.boundary == "" || own == len(f.boundary) || f.phase != phaseParts {
		return delimiter{}, true
	}
	if run == len(data) && !eof {
		return delimiter{}, false // the run may go on
	}
	start := run - own - 2
	if start < 0 {
		return delimiter{}, true
	}
	want := f.boundary[own:] + "--"
	rest := data[run:]
	if n := min(len(rest), len(want)); string(rest[:n]) != want[:n] {
		return delimiter{}, true
	} else if n < len(want) {
		return delimiter{}, eof
	}
	end := run + len(want)
	switch {
	case end == len(data) && !eof:
		return delimiter{}, false
	case end < len(data) && data[end] != '\r' && data[end] != '\n':
		return delimiter{}, true
	}
	if end, ok = skipEOL(data, end, eof); !ok {
		return delimiter{}, false
	}
	p.res.defect(DefectBoundaryGlued)
	return delimiter{start: start, end: end, level: level, closing: true}, true
}

// maxGuess is the longest boundary that is guessed; RFC 2046 allows 70.
const maxGuess = 200

// guess recognises a boundary that was not declared, or not so, before the first part of a multipart: a line
// with dashes and a word, after which a part's header begins.
//
// QUIRK: mail whose Content-Type was rewritten on the way, or that never had a boundary parameter.
func (p *Parser) guess(data []byte, end int, eof bool) (d delimiter, ok bool) {
	top := len(p.stack) - 1
	if p.mode != modeBody || p.stack[top].phase != phasePreamble || p.stack[top].message != nil {
		return delimiter{}, true
	}
	word := bytes.TrimRight(data[2:end], " \t")
	if len(word) == 0 || len(word) > maxGuess || len(bytes.Trim(word, "-")) == 0 || bytes.ContainsAny(word, " \t") {
		return delimiter{}, true
	}
	next, ok := skipEOL(data, end, eof)
	if !ok {
		return delimiter{}, false
	}
	const header = "content-"
	if len(data) < next+len(header) && !eof && couldBe(data[next:], header) {
		return delimiter{}, false
	}
	if !hasFold(data[next:], header) {
		return delimiter{}, true
	}
	return delimiter{end: next, level: top, guessed: string(word)}, true
}

// couldBe says whether more bytes may turn b into something that begins with prefix.
func couldBe(b []byte, prefix string) bool {
	return len(b) < len(prefix) && hasFold(b, prefix[:len(b)])
}
