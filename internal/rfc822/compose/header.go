package compose

import "strings"

// lineLength is where header lines are folded: a line with an encoded word has at most 76 characters (RFC 2047 2).
const lineLength = 76

// maxLine is what no line may exceed, without its end (RFC 5322 2.1.1).
const maxLine = 998

// header writes fields.
type header struct {
	buf   []byte
	col   int  // characters on the line at hand
	first bool // the field has no word yet
}

// begin starts a field.
func (h *header) begin(name string) {
	h.buf = append(append(h.buf, name...), ':')
	h.col, h.first = len(name)+1, true
}

// end ends a field.
func (h *header) end() {
	if h.first {
		h.buf = append(h.buf, ' ')
	}
	h.buf = append(h.buf, '\r', '\n')
}

// fold goes to the next line of the field.
func (h *header) fold() {
	h.buf = append(h.buf, '\r', '\n')
	h.col = 0
}

// word writes what cannot be broken, on this line or the next. The first word stays next to the name of its field
// unless folding makes it fit.
func (h *header) word(w string) {
	if width := h.col + 1 + len(w); width > lineLength && (!h.first || 1+len(w) <= lineLength || width > maxLine) {
		h.fold()
	}
	h.buf = append(append(h.buf, ' '), w...)
	h.col += 1 + len(w)
	h.first = false
}

// mark writes a comma or semicolon after the last word.
func (h *header) mark(c byte) {
	h.buf = append(h.buf, c)
	h.col++
}

// field writes a field of which the value is one word or words that fit on a line.
func (h *header) field(name, value string) {
	h.begin(name)
	h.word(value)
	h.end()
}

// ids writes message ids, as many on a line as fit.
func (h *header) ids(name string, ids ...string) {
	begun := false
	for _, id := range ids {
		if !isID(id) {
			continue // it is someone else's, and changed it would name nothing
		}
		if !begun {
			h.begin(name)
			begun = true
		}
		h.word("<" + id + ">")
	}
	if begun {
		h.end()
	}
}

// text writes words that people or programs read as text (RFC 5322 3.6.5). Words that are not plain, or longer than
// longest, become encoded words; the blanks between two of those are encoded with them (RFC 2047 6.2). It is folded at
// single blanks only, because readers make one blank of several around a fold.
func (h *header) text(s string, longest int) {
	from := -1 // where the words to encode begin
	for at := 0; at < len(s); {
		end := wordLength(s[at:]) + at
		switch plain := isPlain(s[at:end], longest); {
		case !plain && from < 0:
			from = at
		case plain && from >= 0:
			h.encoded(s[from : at-1])
			from = -1
			fallthrough
		case plain:
			h.word(s[at:end])
		}
		at = end + 1
	}
	if from >= 0 {
		h.encoded(s[from:])
	}
}

// wordLength is how far it is to the first single blank.
func wordLength(s string) int {
	for i := 0; i < len(s); {
		n := strings.IndexByte(s[i:], ' ')
		if n < 0 {
			break
		}
		i += n
		run := 1
		for i+run < len(s) && s[i+run] == ' ' {
			run++
		}
		if run == 1 {
			return i
		}
		i += run
	}
	return len(s)
}

// isPlain says whether a word can stand as it is.
func isPlain(s string, longest int) bool {
	return len(s) <= longest && isASCII(s) && !strings.Contains(s, "=?")
}
