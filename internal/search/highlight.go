package search

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// Snippet is a piece of a mail's text with what was searched for. It is plain text on one line, without characters that
// cannot be seen; anyone who puts it into a page has to escape it.
type Snippet struct {
	Text  string
	Spans []Span // in order, apart from each other
}

// Span is a piece of a snippet that matches: bytes from Start to before End, never inside a character.
type Span struct{ Start, End int }

// RuneSpans are the spans counted in characters (code points) instead of bytes, as most other languages count.
func (s Snippet) RuneSpans() []Span {
	out := make([]Span, len(s.Spans))
	at, runes := 0, 0
	to := func(byte int) int {
		runes += utf8.RuneCountInString(s.Text[at:byte])
		at = byte
		return runes
	}
	for i, span := range s.Spans {
		out[i].Start = to(span.Start)
		out[i].End = to(span.End)
	}
	return out
}

const (
	windowRunes = 160
	maxSnippets = 3
	maxHits     = 500 // of a text are looked at for windows
	ellipsis    = "…"
)

// Highlighter finds the pieces of texts that show why they were found. It is for one goroutine, and for many texts: it
// keeps its room.
type Highlighter struct {
	matcher *Matcher
	sieve   sieve
	seek    []seeker // of the words, where all of them can be looked for in that way
	pieces  []Span
	tokens  []Token
	marks   []origin
	where   []origin // of each position
	hits    []textHit
}

// NewHighlighter prepares a query.
func NewHighlighter(q Query) *Highlighter {
	l := &Highlighter{matcher: NewMatcher(q)}
	l.sieve = l.matcher.sieve
	l.seek = seekers(l.matcher)
	for _, at := range l.matcher.begin {
		l.sieve.addLonger(l.matcher.steps[at].text)
	}
	return l
}

// Highlight returns the pieces of a field's text with the most of what was searched for, in the order of the text, at
// most max and never more than three. There are none if nothing of the query is there. No more of a text
// is read than is indexed.
func (l *Highlighter) Highlight(f Field, text string, most int) []Snippet {
	_, bytes := f.Limit()
	text = mailbox.Cut(text, bytes)
	plain := isASCII(text)
	hits := l.hitsIn(f, text, plain)
	if len(hits) == 0 {
		return nil
	}
	most = min(most, maxSnippets)
	var windows []window
	for len(windows) < most {
		w, ok := bestWindow(text, plain, hits, windows)
		if !ok {
			break
		}
		windows = append(windows, w.widen(text, plain).apart(w, windows))
	}
	slices.SortFunc(windows, func(a, b window) int { return a.start - b.start })
	out := make([]Snippet, 0, len(windows))
	for _, w := range windows {
		out = append(out, w.snippet(text, hits))
	}
	return out
}

// isASCII tells whether each byte of a text is a character.
func isASCII(text string) bool {
	for len(text) >= 8 {
		eight := uint64(text[0]) | uint64(text[1])<<8 | uint64(text[2])<<16 | uint64(text[3])<<24 |
			uint64(text[4])<<32 | uint64(text[5])<<40 | uint64(text[6])<<48 | uint64(text[7])<<56
		if eight&0x8080808080808080 != 0 {
			return false
		}
		text = text[8:]
	}
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// textHit is where in a text words were found.
type textHit struct{ start, end, words int }

// hitsIn finds the words of the query in one text, in order. Plain says that each byte of the text is a character.
func (l *Highlighter) hitsIn(f Field, text string, plain bool) []textHit {
	tokens, _ := f.Limit()
	s := scanner{src: text, field: f, room: tokens, keep: true, sieve: &l.sieve, out: l.tokens[:0], marks: l.marks[:0]}
	if !plain || !l.scanPieces(&s) {
		guess := min(tokens, len(text)/4+16)
		s.out, s.marks = slices.Grow(s.out, guess), slices.Grow(s.marks, guess)
		s.scan()
	}
	l.tokens, l.marks = s.out, s.marks
	m := l.matcher
	m.Match(&Doc{Tokens: s.out})
	if len(m.found) == 0 {
		return nil
	}
	where := slices.Grow(l.where[:0], int(s.pos))[:s.pos]
	clear(where)
	l.where = where
	for i, t := range s.out {
		if t.Span == 1 && s.marks[i].kind != pair {
			where[t.Pos] = s.marks[i]
		}
	}
	hits := l.hits[:0]
	for _, h := range m.found {
		if m.q.words[h.words].barred || h.end <= h.pos || int(h.end) > len(where) {
			continue
		}
		if start, end := where[h.pos].start, where[h.end-1].end; start < end {
			hits = append(hits, textHit{start, end, h.words})
		}
	}
	slices.SortFunc(hits, func(a, b textHit) int { return cmp.Or(a.start-b.start, b.end-a.end) })
	l.hits = hits
	return hits
}

// scanPieces makes tokens of the pieces of an ASCII text in which words of the query can be; false: the whole text is
// to be read.
func (l *Highlighter) scanPieces(s *scanner) bool {
	// Where words that are begun count, or not every word may become a token, no more than that would be known.
	if len(l.seek) == 0 || len(l.matcher.begin) > 0 && PrefixFields.Has(s.field) || len(s.src) > s.room {
		return false
	}
	found, ok := pieces(l.pieces[:0], s.src, l.seek)
	l.pieces = found
	if !ok {
		return false
	}
	text := s.src
	for _, p := range found {
		s.src = text[:p.End]
		s.scanFrom(p.Start)
	}
	return true
}

// window is a piece of a text.
type window struct{ start, end, worth int }

// bestWindow finds the piece with the most different words, then the most hits, then the first; apart from those that
// were taken. Plain says that each byte of the text is a character.
func bestWindow(text string, plain bool, hits []textHit, taken []window) (best window, ok bool) {
	hits = hits[:min(len(hits), maxHits)]
	for i, h := range hits {
		if overlaps(h.start, h.end, taken) {
			continue
		}
		w := window{start: h.start, end: h.end}
		var had uint64 // a bit for each of the words: there are at most maxTerms
		for _, next := range hits[i:] {
			if !within(text, plain, h.start, next.end) || overlaps(next.start, next.end, taken) {
				break
			}
			w.end = max(w.end, next.end)
			if w.worth++; had&(1<<next.words) == 0 {
				had |= 1 << next.words
				w.worth += maxHits
			}
		}
		if !ok || w.worth > best.worth {
			best, ok = w, true
		}
	}
	return best, ok
}

func overlaps(start, end int, taken []window) bool {
	return slices.ContainsFunc(taken, func(w window) bool { return start < w.end && end > w.start })
}

// within tells whether a piece leaves room in a window for some text around it.
func within(text string, plain bool, start, end int) bool {
	const most = windowRunes * 3 / 4
	return end-start <= most || !plain && end-start <= most*utf8.UTFMax &&
		utf8.RuneCountInString(text[start:end]) <= most
}

// widen adds text on both sides, to where a word begins and ends if that is near.
func (w window) widen(text string, plain bool) window {
	size := func(start, end int) int {
		if plain {
			return end - start
		}
		return utf8.RuneCountInString(text[start:end])
	}
	if end := runesOn(text, plain, w.start, windowRunes); end < w.end { // one hit, and very long
		w.end = end
		return w
	}
	spare := windowRunes - size(w.start, w.end)
	start := runesBack(text, plain, w.start, spare/2)
	end := runesOn(text, plain, w.end, spare-size(start, w.start))
	if start > 0 {
		if i := strings.IndexFunc(text[start:w.start], unicode.IsSpace); i >= 0 && i < 20 {
			start += i
		}
	}
	if end < len(text) {
		if i := strings.LastIndexFunc(text[w.end:end], unicode.IsSpace); i >= 0 && end-w.end-i < 20 {
			end = w.end + i
		}
	}
	w.start, w.end = start, end
	return w
}

// apart takes back what a widened window, whose hits are in core, has of others.
func (w window) apart(core window, others []window) window {
	for _, o := range others {
		if o.end <= core.start {
			w.start = max(w.start, o.end)
		} else {
			w.end = min(w.end, o.start)
		}
	}
	return w
}

func runesBack(text string, plain bool, from, n int) int {
	if plain {
		return max(from-max(n, 0), 0)
	}
	for ; n > 0 && from > 0; n-- {
		_, size := utf8.DecodeLastRuneInString(text[:from])
		from -= size
	}
	return from
}

func runesOn(text string, plain bool, from, n int) int {
	if plain {
		return min(from+max(n, 0), len(text))
	}
	for ; n > 0 && from < len(text); n-- {
		_, size := utf8.DecodeRuneInString(text[from:])
		from += size
	}
	return from
}
