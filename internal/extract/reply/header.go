package reply

import (
	"strings"
	"unicode/utf8"

	"github.com/mailkin/mailkin/internal/lexicon"
)

// field is a set of header fields.
type field = lexicon.Set

const (
	maxFieldName   = 40 // bytes
	maxHeaderLines = 40
	maxFolded      = 6 // lines that go on with a field
)

// fieldIn reads the name of a header field a line begins with. Programs that make text of bold names leave stars.
func fieldIn(body string) (f field, value string) {
	for body != "" && (body[0] == '*' || body[0] == '_' || body[0] == ' ') {
		body = body[1:]
	}
	colon, size := colonIn(body)
	if colon <= 0 {
		return 0, ""
	}
	name := trim(strings.TrimRight(body[:colon], " *_\u00a0\t"))
	return words().Whole(name) & anyField, strings.TrimLeft(body[colon+size:], " *_\t")
}

// colonIn finds the colon after a name.
func colonIn(body string) (at, size int) {
	for i := 0; i < len(body) && i < maxFieldName; i++ {
		switch {
		case body[i] == ':':
			return i, 1
		case body[i] == 0xef && strings.HasPrefix(body[i:], "："):
			return i, len("：")
		}
	}
	return -1, 0
}

// headerBlock is the head of an older message within the lines.
type headerBlock struct {
	fields field
	count  int  // of different fields
	mail   bool // an address is in it
	dated  bool // a field has a date and a time
	end    int  // the line after it
}

func (h *headerBlock) add(f field, value string) {
	if f&h.fields == 0 || f&^h.fields != 0 {
		h.count++
	}
	h.fields |= f
	h.mail = h.mail || strings.IndexByte(value, '@') > 0
	h.dated = h.dated || f&fieldDate != 0 && len(value) < maxAttributionLine && dateTime(value) == hasDate|hasTime
	if f&fieldFrom != 0 && len(value) < maxAttributionLine {
		h.inLine(value)
	}
}

// inLine finds more fields in the line of the first one.
//
// QUIRK: programs that make text of HTML lose the breaks between them.
func (h *headerBlock) inLine(value string) {
	for w := range strings.FieldsSeq(value) {
		name, ok := strings.CutSuffix(w, ":")
		if !ok || name == "" || name[0] >= 'a' {
			continue
		}
		if f := words().Whole(name) & anyField; f != 0 && f&h.fields == 0 {
			h.count++
			h.fields |= f
		}
	}
}

// certain says that this is no list that somebody typed: "From: Berlin, To: Munich" is one.
func (h *headerBlock) certain() bool {
	switch {
	case h.fields&fieldFrom != 0 && h.count >= 3:
		return h.fields&fieldSubject != 0 || h.mail || h.dated
	case h.fields&(fieldFrom|fieldDate) == fieldFrom|fieldDate:
		return h.mail
	}
	return h.count >= 3 && h.fields&fieldSubject != 0 && h.fields&fieldDate != 0
}

// headerAt reads the header fields from line i on. Empty lines may be between them, and long ones are folded.
func headerAt(ls []line, i int) (h headerBlock) {
	const mostBlank = 3 // lines between two fields
	folded, blank := 0, 0
	for k := i; k < len(ls) && k < i+maxHeaderLines; k++ {
		l := &ls[k]
		if l.kind != own || l.depth != ls[i].depth {
			break
		}
		if l.blank() {
			if blank++; blank > mostBlank || h.count == 0 {
				break
			}
			continue
		}
		f, value := fieldIn(l.body)
		switch {
		case f != 0:
			h.add(f, value)
			h.end, folded, blank = k+1, 0, 0
		case h.count == 0 || blank > 0 && !goesOn(ls, k) || folded >= maxFolded:
			return h.folded(ls)
		default:
			folded++
			h.mail = h.mail || strings.IndexByte(l.body, '@') > 0
		}
	}
	return h.folded(ls)
}

// goesOn says that the line at k, below an empty one, is the rest of a list of recipients: another field is right below
// it.
func goesOn(ls []line, k int) bool {
	if k+1 == len(ls) || ls[k+1].blank() {
		return false
	}
	f, _ := fieldIn(ls[k+1].body)
	return f != 0 && strings.ContainsAny(ls[k].body, ";@")
}

// folded takes in the rest of the last field: the only line of its paragraph, below a line that was long enough to be
// folded.
func (h headerBlock) folded(ls []line) headerBlock {
	const long = 50
	if k := h.end; k > 0 && k+1 < len(ls) && !ls[k].blank() && ls[k].depth == ls[k-1].depth && ls[k+1].blank() &&
		utf8.RuneCountInString(ls[k-1].body) >= long {
		h.end++
	}
	return h
}
