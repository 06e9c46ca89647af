package rfc822

import (
	"bytes"
	"hash/maphash"
	"io"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// byteStats is what must be known of all bytes of a text to read its characters: see decodeCharset.
type byteStats struct {
	size      int64
	words     bool     // there is a byte that is not white space
	high      bool     // there is a byte beyond ASCII
	tags      bool     // there is a "<"
	zeros     [2]int64 // at even and odd offsets
	good, bad int64    // characters of UTF-8 beyond ASCII, and bytes that are none
	half      []byte   // of a character at the end
	sum       maphash.Hash
}

func (s *byteStats) write(b []byte) {
	for i, c := range b {
		if c == 0 {
			s.zeros[(s.size+int64(i))%2]++
		}
	}
	s.size += int64(len(b))
	s.words = s.words || len(trimSpace(b)) > 0
	s.tags = s.tags || bytes.IndexByte(b, '<') >= 0
	_, _ = s.sum.Write(b)
	if len(s.half) > 0 {
		b = append(s.half, b...)
	}
	s.half = s.count(b)
}

// count looks for characters of UTF-8, and returns the half one at the end.
func (s *byteStats) count(b []byte) []byte {
	if isASCII(b) {
		return nil
	}
	s.high = true
	for len(b) > 0 {
		if b[0] < utf8.RuneSelf {
			b = b[1:]
			continue
		}
		if !utf8.FullRune(b) {
			return bytes.Clone(b)
		}
		r, n := utf8.DecodeRune(b)
		if r == utf8.RuneError && n == 1 {
			s.bad++
		} else {
			s.good++
		}
		b = b[n:]
	}
	return nil
}

func (s *byteStats) finish() {
	s.bad += int64(len(s.half))
	s.half = nil
}

const utf8Mark = "\xef\xbb\xbf"

// characters reads the bytes of a text as decodeText does.
func (p *bodyPart) characters(r io.Reader) io.Reader {
	kind, enc := lookupCharset(p.set)
	width := charsetWidth(p.set)
	marked := strings.HasPrefix(p.mark, utf8Mark)
	switch kind {
	case charsetUTF7, charsetISO2022KR: // every line stands for itself
		r = newStepReader(r, func(dst, src []byte, eof bool) ([]byte, int) {
			n := wholeLines(src, eof)
			s, _ := decodeCharset(normalizeLines(bytes.Clone(src[:n])), p.set)
			return append(dst, s...), n
		})
	case charsetUTF16:
		r = p.utf16(r)
	case charsetTable:
		switch {
		case marked && p.stats.bad == 0:
			r = p.utf8(r)
		case !p.stats.high && enc != simplifiedchinese.HZGB2312 && enc != japanese.ISO2022JP && width == 1:
		case width == 2:
			r = decoding(io.LimitReader(r, p.stats.size&^1), enc)
		default:
			r = decoding(r, enc)
		}
	default:
		if kind != charsetUTF8 && (strings.HasPrefix(p.mark, "\xff\xfe") || strings.HasPrefix(p.mark, "\xfe\xff")) {
			r = p.utf16(r)
		} else {
			r = p.utf8(r)
		}
	}
	return newStepReader(r, (&lineCleaner{}).step)
}

func (p *bodyPart) utf16(r io.Reader) io.Reader {
	order := unicode.BigEndian
	if p.stats.zeros[1] > p.stats.zeros[0] {
		order = unicode.LittleEndian
	}
	return decoding(io.LimitReader(r, p.stats.size&^1), unicode.UTF16(order, unicode.UseBOM))
}

// utf8 reads what is, or should be, UTF-8: see decodeUTF8.
func (p *bodyPart) utf8(r io.Reader) io.Reader {
	good := p.stats.good
	if strings.HasPrefix(p.mark, utf8Mark) {
		good--
		r = &skipReader{r: r, left: len(utf8Mark)}
	}
	switch {
	case p.stats.bad > good:
		return decoding(r, charmap.Windows1252)
	case p.stats.bad > 0:
		return newStepReader(r, (&validator{}).step)
	}
	return r
}

// decoding reads a character set of which there is a table.
func decoding(r io.Reader, enc encoding.Encoding) io.Reader {
	return transform.NewReader(r, transform.Chain(enc.NewDecoder(), encoding.UTF8Validator))
}

// skipReader leaves out the first bytes.
type skipReader struct {
	r    io.Reader
	left int
}

func (s *skipReader) Read(b []byte) (int, error) {
	for s.left > 0 {
		n, err := s.r.Read(b[:min(len(b), s.left)])
		s.left -= n
		if err != nil {
			return 0, err
		}
	}
	return s.r.Read(b)
}

// stepSize is how much text is in the hands of a stepReader.
const stepSize = 32 << 10

// stepReader returns what a function makes of a text, piece by piece.
type stepReader struct {
	r    io.Reader
	step stepFunc
	in   []byte // what step has not used yet
	out  []byte
	next int // the first byte of out that was not given
	err  error
}

// stepFunc appends to dst what becomes of src, and says how much of src it has used: at the end all of it, and some
// of it where src has stepSize bytes.
type stepFunc func(dst, src []byte, eof bool) (out []byte, used int)

func newStepReader(r io.Reader, step stepFunc) *stepReader {
	return &stepReader{r: r, step: step, in: make([]byte, 0, stepSize)}
}

func (s *stepReader) Read(b []byte) (int, error) {
	for s.next == len(s.out) {
		if s.err != nil {
			return 0, s.err
		}
		var n int
		n, s.err = s.r.Read(s.in[len(s.in):cap(s.in)])
		s.in = s.in[:len(s.in)+n]
		if s.err != nil && s.err != io.EOF {
			return 0, s.err
		}
		s.out, n = s.step(s.out[:0], s.in, s.err != nil)
		s.in, s.next = s.in[:copy(s.in, s.in[n:])], 0
	}
	n := copy(b, s.out[s.next:])
	s.next += n
	return n, nil
}

// wholeLines is how much of src is lines that have their end. A line that is too long is cut between characters.
func wholeLines(src []byte, eof bool) int {
	if eof {
		return len(src)
	}
	if n := bytes.LastIndexByte(src, '\n') + 1; n > 0 || len(src) < stepSize {
		return n
	}
	return len(trimHalfRune(src))
}

// lineCleaner does what cleanText does: lines end with LF, and there are no NULs.
type lineCleaner struct{ returns int } // CRs of which it is not known whether LF follows

func (c *lineCleaner) step(dst, src []byte, eof bool) ([]byte, int) {
	for _, b := range src {
		if b == '\r' && c.returns < stepSize {
			c.returns++
			continue
		}
		if b != '\n' {
			dst = c.flush(dst)
		}
		if c.returns = 0; b == '\r' {
			c.returns = 1
		} else if b != 0 {
			dst = append(dst, b)
		}
	}
	if eof {
		dst = c.flush(dst)
	}
	return dst, len(src)
}

func (c *lineCleaner) flush(dst []byte) []byte {
	for ; c.returns > 0; c.returns-- {
		dst = append(dst, '\n')
	}
	return dst
}

// validator makes one U+FFFD of bytes that are no UTF-8, as bytes.ToValidUTF8 does.
type validator struct{ broken bool }

func (v *validator) step(dst, src []byte, eof bool) ([]byte, int) {
	used := 0
	for used < len(src) {
		if !eof && !utf8.FullRune(src[used:]) {
			break
		}
		r, n := utf8.DecodeRune(src[used:])
		bad := r == utf8.RuneError && n == 1
		switch {
		case !bad:
			dst = append(dst, src[used:used+n]...)
		case !v.broken:
			dst = append(dst, "\uFFFD"...)
		}
		v.broken = bad
		used += n
	}
	return dst, used
}
