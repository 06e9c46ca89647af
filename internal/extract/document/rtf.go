package document

import (
	"bytes"
	"strconv"
	"unicode/utf16"

	"github.com/mailkin/mailkin/internal/rfc822"
)

// rtfReader reads the text of RTF: groups, control words and characters. Nothing but the text, its lines and tabs is
// kept.
type rtfReader struct {
	d       *document
	b       []byte
	pos     int
	state   rtfState
	saved   []rtfState
	charset string
	bytes   []byte // characters of the code page that wait to be read together
	skip    int    // characters that stand for the \u before them
	high    rune   // the first half of a pair
}

// rtfState is what a group begins with and gives back.
type rtfState struct {
	hidden bool
	uc     int // how many characters stand for one of Unicode
}

// maxGroups bounds groups in groups. Deeper ones are read as if they were not there.
const maxGroups = 200

func (d *document) rtf() error {
	at := bytes.Index(d.data[:min(len(d.data), HeadBytes)], []byte(`{\rtf`))
	if at < 0 {
		return errFormat
	}
	r := rtfReader{d: d, b: d.data, pos: at, state: rtfState{uc: 1}, charset: "windows-1252"}
	for r.pos < len(r.b) && !d.out.full && d.bud.Step() {
		r.step()
	}
	r.flush()
	return nil
}

// step reads one thing.
func (r *rtfReader) step() {
	c := r.b[r.pos]
	r.pos++
	switch c {
	case '{':
		if len(r.saved) < maxGroups {
			r.saved = append(r.saved, r.state)
		}
	case '}':
		r.flush()
		if n := len(r.saved); n > 0 {
			r.state, r.saved = r.saved[n-1], r.saved[:n-1]
		}
	case '\\':
		r.control()
	case '\r', '\n':
	default:
		r.char(c)
	}
}

// char is a character in the code page.
func (r *rtfReader) char(c byte) {
	switch {
	case r.skip > 0:
		r.skip--
	case !r.state.hidden:
		r.bytes = append(r.bytes, c)
	}
}

// flush writes what waits.
func (r *rtfReader) flush() {
	if len(r.bytes) > 0 {
		r.d.out.words(rfc822.Text(r.bytes, r.charset))
		r.bytes = r.bytes[:0]
	}
}

// control reads what follows a backslash: a symbol, or a word with a number and a blank that belongs to it.
func (r *rtfReader) control() {
	if r.pos >= len(r.b) {
		return
	}
	start := r.pos
	for r.pos < len(r.b) && r.pos-start < 32 && r.b[r.pos]|0x20 >= 'a' && r.b[r.pos]|0x20 <= 'z' {
		r.pos++
	}
	if r.pos == start {
		r.symbol()
		return
	}
	word := string(r.b[start:r.pos])
	digits := r.pos
	if r.pos < len(r.b) && r.b[r.pos] == '-' {
		r.pos++
	}
	for r.pos < len(r.b) && r.pos-digits < 11 && r.b[r.pos] >= '0' && r.b[r.pos] <= '9' {
		r.pos++
	}
	n, err := strconv.Atoi(string(r.b[digits:r.pos]))
	if r.pos < len(r.b) && r.b[r.pos] == ' ' {
		r.pos++
	}
	r.word(word, n, err == nil)
}

// symbol is a control of one character.
func (r *rtfReader) symbol() {
	c := r.b[r.pos]
	r.pos++
	switch c {
	case '\'':
		if r.pos+2 <= len(r.b) {
			v, err := strconv.ParseUint(string(r.b[r.pos:r.pos+2]), 16, 8)
			if r.pos += 2; err == nil {
				r.char(byte(v))
			}
		}
	case '*':
		r.state.hidden = true // a destination that readers may pass over
	case '~':
		r.char(' ')
	case '_':
		r.char('-')
	case '\\', '{', '}':
		r.char(c)
	case '\n', '\r':
		r.word("par", 0, false)
	}
}

// word does what a control word says.
func (r *rtfReader) word(w string, n int, has bool) {
	switch w {
	case "par", "line", "row", "page", "sect":
		r.mark(r.d.out.line)
	case "tab", "cell":
		r.mark(r.d.out.cell)
	case "u":
		r.unicode(n)
	case "uc":
		if has && n >= 0 && n < 10 {
			r.state.uc = n
		}
	case "ansicpg":
		r.charset = "windows-" + strconv.Itoa(n)
	case "fonttbl", "colortbl", "stylesheet", "info", "pict", "object", "header", "footer", "listtable", "themedata",
		"datastore", "fldinst", "xe", "tc":
		r.state.hidden = true
	case "emdash", "endash", "bullet", "lquote", "rquote", "ldblquote", "rdblquote":
		r.mark(func() { r.d.out.words(rtfSigns[w]) })
	case "bin":
		if has && n > 0 && n <= len(r.b)-r.pos {
			r.pos += n
		}
	}
}

var rtfSigns = map[string]string{
	"emdash": "—", "endash": "–", "bullet": "•", "lquote": "‘", "rquote": "’", "ldblquote": "“", "rdblquote": "”",
}

// mark writes what stands between characters.
func (r *rtfReader) mark(write func()) {
	if r.state.hidden {
		return
	}
	r.flush()
	write()
}

// unicode is a character by its number, which may be negative, and half of a pair.
func (r *rtfReader) unicode(n int) {
	r.skip = r.state.uc
	if n < 0 {
		n += 1 << 16
	}
	if r.state.hidden || n < ' ' || n > 0x10ffff {
		return
	}
	c := rune(n)
	if c >= 0xd800 && c < 0xdc00 {
		r.high = c
		return
	}
	if utf16.IsSurrogate(c) {
		c = utf16.DecodeRune(r.high, c)
	}
	r.flush()
	r.d.out.words(string(c))
}
