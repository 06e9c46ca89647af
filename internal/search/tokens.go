package search

import (
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// Tokenize appends the words of a text to dst. The first has the position pos; the second result is the position after
// the last. At most what [Field.Limit] allows is read and made.
//
// Text that is cut at blank lines, and tokenised piece by piece with the positions going on, gives the same tokens as
// the whole.
func Tokenize(dst []Token, f Field, text string, pos uint32) ([]Token, uint32) {
	tokens, bytes := f.Limit()
	s := scanner{src: mailbox.Cut(text, bytes), field: f, out: dst, room: tokens, pos: pos}
	s.scan()
	return s.out, s.pos
}

// Mail is what of a mail is searched for words.
type Mail struct {
	Subject   string
	From      []mailbox.Address
	To        []mailbox.Address // of every kind
	Body      string
	Files     []string // names of attachments
	FileTexts []string
}

// Tokens appends all words of the mail to dst, each field within its limits. A phrase never runs from one value into
// the next: there is a position between them that nothing has.
func (m Mail) Tokens(dst []Token) []Token {
	s := scanner{out: dst}
	s.values(Subject, m.Subject)
	s.addresses(From, m.From)
	s.addresses(To, m.To)
	s.values(Body, m.Body)
	s.values(File, m.Files...)
	s.values(FileText, m.FileTexts...)
	return s.out
}

func (s *scanner) begin(f Field) (bytes int) {
	s.field, s.pos = f, 0
	s.room, bytes = f.Limit()
	return bytes
}

func (s *scanner) values(f Field, values ...string) {
	left := s.begin(f)
	for _, v := range values {
		if left = s.value(v, left); left <= 0 {
			return
		}
	}
}

func (s *scanner) addresses(f Field, people []mailbox.Address) {
	left := s.begin(f)
	for _, p := range people {
		if left = s.value(p.Name, left); left <= 0 {
			return
		}
		if left = s.value(p.Address, left); left <= 0 {
			return
		}
	}
}

// value reads one value of a field and returns how many bytes may still be read.
func (s *scanner) value(text string, left int) int {
	if text == "" {
		return left
	}
	s.src = mailbox.Cut(text, left)
	s.scan()
	s.pos++
	if s.room == 0 {
		return 0
	}
	return left - len(s.src)
}

// scanner makes tokens of a text. Words are gathered into compounds, which are flushed when it is clear where they end.
type scanner struct {
	src   string
	field Field
	out   []Token
	room  int // for this many more tokens
	pos   uint32
	arena arena

	word    word           // the one that is being read
	scratch word           // for forms
	form    []byte         // of a character with its marks
	parts   [maxParts]part // the compound so far
	n       int
	joint   byte // stands after the last part: perhaps another one follows
	apart   bool // something parts what comes from what was before it
	last    unit // the last character that was a word by itself

	keep  bool
	marks []origin // of each token, where keep is set
	sieve *sieve   // words that fall through need no token; nil: all have one
}

// origin is where in the source a token is from.
type origin struct {
	start, end int
	kind       kind
	glued      bool // nothing parts it from the position before it
}

type kind uint8

const (
	part1 kind = iota // a word
	unit1             // a character that is a word
	pair              // two of them
	whole             // a form that stands for several words
)

func (s *scanner) scan() { s.scanFrom(0) }

// scanFrom reads the source from where nothing goes on that began before.
func (s *scanner) scanFrom(start int) {
	s.apart = true
	for i := start; i < len(s.src) && s.room > 0; {
		c := s.src[i]
		switch k := plain[c]; {
		case k != 0:
			i = s.ascii(i, k)
		case c < utf8.RuneSelf:
			s.endWord()
			s.gap(rune(c))
			i++
		default:
			i = s.wide(i)
		}
	}
	s.endWord()
	s.flush()
	s.last.ok = false
}

// ascii reads a whole word if it is all ASCII and short, as nearly all are; otherwise one letter.
func (s *scanner) ascii(i int, k byte) int {
	if s.word.kind == noWord {
		if end := s.asciiWord(i); end > 0 {
			return end
		}
	}
	f := folded{r: rune(k), class: letter}
	if k <= '9' {
		f.class = digit
	}
	s.feed(f, i, i+1, rune(s.src[i]))
	return i + 1
}

func (s *scanner) asciiWord(start int) int {
	src, end := s.src, start
	var changed, letters byte
	for end < len(src) {
		k := plain[src[end]]
		if k == 0 {
			break
		}
		changed |= k ^ src[end]
		letters |= k & 0x40 // which letters have and digits have not
		end++
	}
	if end-start > MaxText || end < len(src) && src[end] >= utf8.RuneSelf {
		return 0
	}
	if s.sieve != nil && s.n == 0 && letters != 0 && (end == len(src) || !joint(src[end])) &&
		!s.sieve.holds(plain[src[start]], end-start) {
		s.pos, s.room, s.apart, s.last.ok = s.pos+1, s.room-1, false, false
		return end
	}
	text := src[start:end]
	if changed != 0 {
		text = s.arena.lower(text, len(src))
	}
	s.addPart(part{text: text, start: start, end: end, digits: letters == 0, same: changed == 0})
	return end
}

// wide reads a character that is not ASCII, with its marks if they may change it.
func (s *scanner) wide(i int) int {
	r, n := utf8.DecodeRuneInString(s.src[i:])
	if r == utf8.RuneError {
		s.endWord()
		s.gap(' ')
		return i + n
	}
	f := fold(r)
	if f.class == many || f.marks && s.marked(i+n) {
		return s.segment(i, n)
	}
	s.feed(f, i, i+n, r)
	return i + n
}

func (s *scanner) marked(i int) bool {
	if i >= len(s.src) || s.src[i] < utf8.RuneSelf {
		return false
	}
	r, _ := utf8.DecodeRuneInString(s.src[i:])
	return combines(r)
}

// maxSegment bounds what is normalised at once. Unicode's own limit for marks on one letter keeps texts far below it.
const maxSegment = 256

// segment normalises a character together with what may change it.
func (s *scanner) segment(i, first int) int {
	n := norm.NFKC.NextBoundaryInString(s.src[i:min(len(s.src), i+maxSegment)], true)
	n = max(n, first)
	s.form = norm.NFKC.AppendString(s.form[:0], s.src[i:i+n])
	form := s.form
	for len(form) > 0 {
		r, size := utf8.DecodeRune(form)
		form = form[size:]
		s.feed(fold(r), i, i+n, utf8.RuneError)
	}
	return i + n
}

// feed takes a folded character that stands at start in the source, where it was the character from.
func (s *scanner) feed(f folded, start, end int, from rune) {
	switch f.class {
	case letter, digit:
		if s.word.kind == ofCluster {
			s.endWord()
		}
		s.word.add(ofLetters, f, start, end, from)
	case mark:
		if s.word.kind != noWord {
			s.word.add(s.word.kind, f, start, end, from)
		}
	case cluster:
		s.endWord()
		s.word.add(ofCluster, f, start, end, from)
	case han, hangul, picture, flag:
		s.endWord()
		s.unit(unit{class: f.class, start: start, end: end, text: s.charText(f, start, end, from)})
	case nothing:
		if s.word.kind != noWord { // it is not in the word's text, but where the word is
			s.word.end, s.word.same = end, false
			return
		}
		for i := len(s.marks) - 1; i >= 0 && s.marks[i].end == start && (s.marks[i].kind == unit1 ||
			s.marks[i].kind == pair); i-- {
			s.marks[i].end = end // the colour of an emoji goes with it
		}
	case gap:
		s.endWord()
		s.gap(f.r)
	}
}

func (s *scanner) charText(f folded, start, end int, from rune) string {
	if f.r == from {
		return s.src[start:end]
	}
	var buf [utf8.UTFMax]byte
	return s.arena.copy(buf[:utf8.EncodeRune(buf[:], f.r)], len(s.src))
}

func (s *scanner) endWord() {
	w := &s.word
	if w.kind == noWord {
		return
	}
	text := w.text(s)
	p := part{text: text, start: w.start, end: w.end, digits: w.digits, same: w.same && w.size <= MaxText}
	kind := w.kind
	*w = word{}
	if kind == ofCluster {
		s.unit(unit{class: cluster, start: p.start, end: p.end, text: text})
		return
	}
	s.addPart(p)
}

// emit makes a token, if there is room for one.
func (s *scanner) emit(text string, pos uint32, span int, o origin) {
	if s.room == 0 {
		return
	}
	s.room--
	s.out = append(s.out, Token{Text: text, Pos: pos, Span: uint16(span), Field: s.field})
	if s.keep {
		s.marks = append(s.marks, o)
	}
}
