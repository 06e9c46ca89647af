package view

import (
	"html"
	"strings"

	"golang.org/x/net/html/atom"
)

// tag is a start or end tag.
type tag struct {
	atom   atom.Atom // 0 for a name that HTML does not know
	name   string    // as written
	attrs  string    // as written, without the closing sign
	end    bool
	closed bool // it ends with "/>"
}

// lexer reads the tags of a document as browsers do.
type lexer struct {
	doc string
	at  int
}

// text returns what stands before the next markup.
func (l *lexer) text() string {
	from := l.at
	for l.at < len(l.doc) {
		n := strings.IndexByte(l.doc[l.at:], '<')
		if n < 0 {
			l.at = len(l.doc)
			break
		}
		l.at += n
		if l.at+1 < len(l.doc) && startsMarkup(l.doc[l.at+1:]) {
			break
		}
		l.at++
	}
	return l.doc[from:l.at]
}

// startsMarkup tells whether s, after a "<", makes it markup.
func startsMarkup(s string) bool {
	c := s[0]
	return isLetter(c) || c == '!' || c == '?' || c == '/'
}

// markup reads what begins with "<" at hand. Comments and declarations give their content and no tag.
func (l *lexer) markup() (t tag, comment string, ok bool) {
	rest := l.doc[l.at:]
	switch c := rest[1]; {
	case isLetter(c):
		return l.tag(1), "", true
	case c == '/' && len(rest) > 2 && isLetter(rest[2]):
		t = l.tag(2)
		t.end = true
		return t, "", true
	case strings.HasPrefix(rest, "<!--"):
		body, n := commentAt(rest)
		l.at += n
		return tag{}, body, false
	case c == '/' && len(rest) > 2 && rest[2] == '>':
		l.at += 3
		return tag{}, "", false
	case c == '/' && len(rest) == 2:
		l.at += 2
		return tag{}, "", false
	}
	end := strings.IndexByte(rest, '>')
	if end < 0 {
		l.at = len(l.doc)
		return tag{}, rest[2:], false
	}
	l.at += end + 1
	return tag{}, rest[2:end], false
}

// commentAt is the comment that s begins with, and its length (HTML 13.2.5.43).
func commentAt(s string) (body string, n int) {
	const open = len("<!--")
	if strings.HasPrefix(s[open:], ">") {
		return "", open + 1
	}
	if strings.HasPrefix(s[open:], "->") {
		return "", open + 2
	}
	for i := open; ; {
		k := strings.Index(s[i:], "--")
		if k < 0 {
			return s[open:], len(s)
		}
		i += k
		for i+2 < len(s) && s[i+2] == '-' {
			i++
		}
		switch {
		case strings.HasPrefix(s[i+2:], ">"):
			return s[open:max(i, open)], i + 3
		case strings.HasPrefix(s[i+2:], "!>"):
			return s[open:max(i, open)], i + 4
		}
		i += 2
	}
}

// tag reads the tag whose name begins n bytes after l.at.
func (l *lexer) tag(n int) tag {
	s := l.doc[l.at+n:]
	i := 0
	for i < len(s) && !isSpace(s[i]) && s[i] != '/' && s[i] != '>' {
		i++
	}
	t := tag{name: s[:i], atom: atomOf(s[:i])}
	end := tagEnd(s, i)
	if end < 0 { // it is never closed: browsers drop it
		l.at = len(l.doc)
		return tag{}
	}
	l.at += n + end + 1
	t.attrs = s[i:end]
	t.closed = end > i && s[end-1] == '/'
	return t
}

// atomOf looks a name up in any case.
func atomOf(name string) atom.Atom {
	var low [16]byte // no element has a longer name
	if len(name) > len(low) {
		return 0
	}
	for i := range len(name) {
		low[i] = lower(name[i])
	}
	return atom.Lookup(low[:len(name)])
}

// tagEnd is where the ">" is that ends the tag; a value in quotes may have one.
func tagEnd(s string, i int) int {
	for i < len(s) {
		switch c := s[i]; {
		case c == '>':
			return i
		case isSpace(c) || c == '/':
			i++
		default:
			if i = skipAttribute(s, i); i < 0 {
				return -1
			}
		}
	}
	return -1
}

// skipAttribute goes past the attribute that begins at i, -1 if it is never closed.
func skipAttribute(s string, i int) int {
	i++ // also where it is "=", which then is part of the name
	for i < len(s) && !isSpace(s[i]) && s[i] != '/' && s[i] != '>' && s[i] != '=' {
		i++
	}
	v := i
	for v < len(s) && isSpace(s[v]) {
		v++
	}
	if v == len(s) || s[v] != '=' {
		return i
	}
	v++
	for v < len(s) && isSpace(s[v]) {
		v++
	}
	if v == len(s) {
		return v
	}
	if q := s[v]; q == '"' || q == '\'' {
		n := strings.IndexByte(s[v+1:], q)
		if n < 0 {
			return -1
		}
		return v + n + 2
	}
	for v < len(s) && !isSpace(s[v]) && s[v] != '>' {
		v++
	}
	return v
}

// nextAttribute returns the first attribute of s as written, and what follows it. The name is empty at the end.
func nextAttribute(s string) (name, value, rest string) {
	i := 0
	for i < len(s) && (isSpace(s[i]) || s[i] == '/') {
		i++
	}
	from := i
	if i < len(s) {
		i++
	}
	for i < len(s) && !isSpace(s[i]) && s[i] != '/' && s[i] != '=' {
		i++
	}
	name = s[from:i]
	v := i
	for v < len(s) && isSpace(s[v]) {
		v++
	}
	if v == len(s) || s[v] != '=' {
		return name, "", s[i:]
	}
	v++
	for v < len(s) && isSpace(s[v]) {
		v++
	}
	if v == len(s) {
		return name, "", ""
	}
	if q := s[v]; q == '"' || q == '\'' {
		n := strings.IndexByte(s[v+1:], q)
		if n < 0 {
			return name, s[v+1:], ""
		}
		return name, s[v+1 : v+1+n], s[v+n+2:]
	}
	from = v
	for v < len(s) && !isSpace(s[v]) {
		v++
	}
	return name, s[from:v], s[v:]
}

// raw goes past the content of an element that has no markup in it, with its end tag, and returns the content.
func (l *lexer) raw(name string) string {
	from := l.at
	script := strings.EqualFold(name, "script")
	escaped, double := false, false // HTML 13.2.5.20: a script within a comment in a script
	dashes := -1                    // where the comment ends
	for l.at < len(l.doc) {
		n := strings.IndexByte(l.doc[l.at:], '<')
		if escaped {
			if dashes < l.at {
				dashes = indexFrom(l.doc, "-->", l.at)
			}
			if dashes < len(l.doc) && (n < 0 || dashes < l.at+n) {
				escaped, double, l.at = false, false, dashes+3
				continue
			}
		}
		if n < 0 {
			break
		}
		l.at += n
		rest := l.doc[l.at:]
		switch {
		case len(rest) > 2 && rest[1] == '/' && isNamed(rest[2:], name):
			if !double {
				body := l.doc[from:l.at]
				l.tag(2)
				return body
			}
			double = false
		case script && strings.HasPrefix(rest, "<!--"):
			escaped = true
			l.at++ // its dashes may be those of the end, too
		case escaped && isNamed(rest[1:], name):
			double = true
		}
		l.at++
	}
	l.at = len(l.doc)
	return l.doc[from:]
}

// indexFrom is where sub is next in s, from i on; the end of s is nowhere.
func indexFrom(s, sub string, i int) int {
	if n := strings.Index(s[i:], sub); n >= 0 {
		return i + n
	}
	return len(s)
}

// isNamed tells whether s begins with a tag's name and ends it there.
func isNamed(s, name string) bool {
	if len(s) <= len(name) || !strings.EqualFold(s[:len(name)], name) {
		return false
	}
	c := s[len(name)]
	return isSpace(c) || c == '/' || c == '>'
}

// isSpace is white space within tags.
func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f' }

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

func lower(c byte) byte {
	if c-'A' < 26 {
		return c | 0x20
	}
	return c
}

// unescape resolves character references.
func unescape(s string) string {
	return unescapeWith(s, func(s string) (string, int) {
		n := referenceLength(s)
		return reference(s[:n]), n
	})
}

// unescapeWith has one function resolve the reference, if it is one, at the beginning of what it is given, and tell its
// length. Most texts have none, and are not copied.
func unescapeWith(s string, resolve func(string) (text string, length int)) string {
	amp := strings.IndexByte(s, '&')
	if amp < 0 {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for ; amp >= 0; amp = strings.IndexByte(s, '&') {
		text, n := resolve(s[amp:])
		b.WriteString(s[:amp])
		b.WriteString(text)
		s = s[amp+n:]
	}
	b.WriteString(s)
	return b.String()
}

// reference resolves one reference, or what looks like one.
func reference(ref string) string {
	switch ref {
	case "&nbsp;":
		return "\u00a0"
	case "&amp;":
		return "&"
	case "&zwnj;":
		return "\u200c"
	}
	if n := numericLength(ref); n > 0 && (n == len(ref) || ref[n] != ';') {
		return html.UnescapeString(ref[:n]+";") + ref[n:] // package html wants two digits where there is no semicolon
	}
	return html.UnescapeString(ref)
}

// numericLength is the length of a reference by number without its semicolon; 0 for any other one.
func numericLength(ref string) int {
	if !strings.HasPrefix(ref, "&#") {
		return 0
	}
	from, digit := 2, func(c byte) bool { return c-'0' < 10 }
	if len(ref) > 2 && ref[2]|0x20 == 'x' {
		from, digit = 3, func(c byte) bool { return hexDigit(c) >= 0 }
	}
	n := from
	for n < len(ref) && digit(ref[n]) {
		n++
	}
	if n == from {
		return 0
	}
	return n
}

// referenceLength is how much of s, which begins with an ampersand, may be a reference: the longest name has 32
// letters, and some need no semicolon.
func referenceLength(s string) int {
	n := 1
	for n < len(s) && n < 40 && s[n] != ';' && s[n] != '&' && s[n] > ' ' && s[n] < 0x7f {
		n++
	}
	if n < len(s) && s[n] == ';' {
		n++
	}
	return n
}

// unescapeValue resolves the references of an attribute, where a name without a semicolon counts only before what could
// not go on with it: "?a=1&copy=2" has none.
func unescapeValue(s string) string { return unescapeWith(s, referenceInValue) }

func referenceInValue(s string) (text string, length int) {
	n := 1
	for n < len(s) && n < 40 && (isLetter(s[n]) || s[n]-'0' < 10 || s[n] == '#') {
		n++
	}
	ref, next := s[:n], byte(0)
	if n < len(s) {
		next = s[n]
	}
	switch {
	case next == ';':
		return reference(s[:n+1]), n + 1
	case strings.HasPrefix(ref, "&#"):
		return reference(ref), n
	case next != '=' && html.UnescapeString(ref) == html.UnescapeString(ref+";"):
		return html.UnescapeString(ref), n
	}
	return ref, n
}
