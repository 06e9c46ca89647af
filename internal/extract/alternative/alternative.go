// Package alternative compares the two forms of a mail's body, its plain text and its HTML. Mail programs show the
// HTML, so where the forms disagree on a code, on the target of a link to act with or on a total, the HTML counts.
//
// Most mails say the same in both. To see that takes a look at the numbers, the codes and the addresses of the plain
// text: where all of them are to be seen in the HTML, nothing can differ, and no form is read in full.
package alternative

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mailkin/mailkin/internal/extract/code"
	"github.com/mailkin/mailkin/internal/extract/link"
	"github.com/mailkin/mailkin/internal/extract/record"
	"github.com/mailkin/mailkin/internal/view"
)

// Version is that of the rules by which forms are compared, including how codes, links and totals are found.
const Version = 1

// Mail is a mail whose body has two forms.
type Mail struct {
	From, FromName, Subject string
	Text                    string
	View                    *view.View
}

// The defects of a message whose plain text says something else than its HTML.
const (
	DefectCode  = "text-html-code-differs"
	DefectLink  = "text-html-link-differs"
	DefectTotal = "text-html-total-differs"
)

// Compare lists in which values the forms differ, as defects. Replaced says that the plain text contradicts the HTML,
// which counts in its place; else it only adds a code that the HTML does not show.
func Compare(m Mail) (defects []string, replaced bool) {
	if m.View == nil || m.Text == "" || repeats(m.Text, m.Subject, m.View) {
		return nil, false
	}
	text, shown := code.Forms(code.Mail{From: m.From, FromName: m.FromName, Subject: m.Subject, Text: m.Text,
		View: m.View, Alternative: true})
	if text != "" && text != shown {
		defects, replaced = append(defects, DefectCode), shown != ""
	}
	if link.Differ(link.Mail{Subject: m.Subject, Text: m.Text, View: m.View, Alternative: true}) {
		defects, replaced = append(defects, DefectLink), true
	}
	if record.Differ(record.Mail{From: m.From, FromName: m.FromName, Subject: m.Subject, Text: m.Text, View: m.View,
		Alternative: true}) {
		defects, replaced = append(defects, DefectTotal), true
	}
	return defects, replaced
}

// maxLooked is how many values are looked for in the HTML. A text with more of them is read in full, which bounds the
// work.
const maxLooked = 100

// repeats tells whether everything in a plain text that may be a code, an amount or an address of the web is to be seen
// in the HTML or in the subject.
func repeats(text, subject string, v *view.View) bool {
	shown, looked := v.Text(), 0
	for text != "" {
		var line string
		line, text, _ = strings.Cut(text, "\n")
		for w := (words{line: strings.TrimSpace(line)}); w.next(); {
			if looked++; looked > maxLooked || !strings.Contains(shown, w.word) && !strings.Contains(subject, w.word) &&
				!(strings.Contains(w.word, "://") && leadsTo(v, w.word)) {
				return false
			}
		}
	}
	return true
}

// leadsTo tells whether a link that is shown has an address as its target.
func leadsTo(v *view.View, address string) bool {
	return slices.ContainsFunc(v.Links, func(l view.Link) bool { return l.Hidden == 0 && l.Href == address })
}

// words goes through what may be a value in a line: addresses, words with a digit, with their neighbours that have one
// too, words in capitals, and a word that is alone on its line.
type words struct {
	line string
	at   int
	word string
}

func (w *words) next() bool {
	for w.at < len(w.line) {
		from := w.at
		end, kind := wordAt(w.line, from)
		if end == from {
			w.at++
			continue
		}
		w.at = end
		switch kind {
		case address:
			w.word = strings.TrimRight(w.line[from:end], ".,;:!?)]>'\"")
			return true
		case numeric:
			for { // 482 913 and 48-29-13 are one
				next, kind := wordAt(w.line, min(w.at+1, len(w.line)))
				if next <= w.at+1 || kind != numeric {
					break
				}
				w.at = next
			}
			w.word = w.line[from:w.at]
			return true
		case plain:
			if from > 0 || end < len(w.line) {
				continue
			}
			fallthrough
		case capitals:
			w.word = w.line[from:end]
			return true
		}
	}
	return false
}

// wordKind is what a word consists of.
type wordKind uint8

const (
	plain wordKind = iota
	capitals
	numeric
	address
)

// wordAt is where the word ends that begins at i, which is i where none does, and what it is. Short words in capitals
// are no codes, and count as plain.
func wordAt(line string, i int) (end int, kind wordKind) {
	const shortest = 4
	from, upper, digit := i, true, false
	for i < len(line) {
		c := line[i]
		switch {
		case c-'0' < 10:
			digit = true
		case c|0x20 >= 'a' && c|0x20 <= 'z':
			upper = upper && c <= 'Z'
		case c >= utf8.RuneSelf:
			r, n := utf8.DecodeRuneInString(line[i:])
			upper, digit = false, digit || unicode.IsDigit(r)
			i += n - 1
		case c == ':' && i > from && strings.HasPrefix(line[i:], "://"):
			return i + addressLength(line[i:]), address
		default:
			return i, kindOf(digit, upper && i-from >= shortest)
		}
		i++
	}
	return i, kindOf(digit, upper && i-from >= shortest)
}

func kindOf(digit, upper bool) wordKind {
	switch {
	case digit:
		return numeric
	case upper:
		return capitals
	}
	return plain
}

// addressLength is how long the rest of an address is: it ends at white space and at what is put around addresses.
func addressLength(s string) int {
	if n := strings.IndexAny(s, " \t<>\"|"); n >= 0 {
		return n
	}
	return len(s)
}
