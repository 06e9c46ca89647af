package reply

import "strings"

// tag is a start or end tag that may matter.
type tag struct {
	name       string // in lower case
	end        bool
	attributes string // as they stand in the document
	from, to   int    // where it stands
}

// tagScanner finds the tags of a document. It knows as much of HTML as that takes: comments, quoted attributes and
// elements whose content is no markup. A tokenizer that resolves every name and reference takes five times as long.
type tagScanner struct {
	doc  string
	at   int
	text bool // there was text since the last tag
}

// next gives the next tag that may matter.
func (s *tagScanner) next() (t tag, ok bool) {
	s.text = false
	for s.at < len(s.doc) {
		open := strings.IndexByte(s.doc[s.at:], '<')
		if open < 0 {
			open = len(s.doc) - s.at
		}
		s.text = s.text || hasText(s.doc[s.at:s.at+open])
		if s.at += open; s.at == len(s.doc) {
			break
		}
		if t, ok = s.markup(); ok {
			return t, true
		}
	}
	return tag{}, false
}

// hasText says that there is more than white space, written plainly or as a reference.
func hasText(s string) bool {
	for s != "" {
		switch c := s[0]; {
		case c <= ' ':
			s = s[1:]
		case strings.HasPrefix(s, "&nbsp;"):
			s = s[len("&nbsp;"):]
		case strings.HasPrefix(s, "\u00a0"):
			s = s[len("\u00a0"):]
		default:
			return true
		}
	}
	return false
}

// markup goes past what begins with "<" at hand.
func (s *tagScanner) markup() (t tag, ok bool) {
	rest := s.doc[s.at:]
	switch {
	case strings.HasPrefix(rest, "<!--"):
		s.skipPast(4, "-->")
		return tag{}, false
	case len(rest) < 2 || rest[1] == '!' || rest[1] == '?':
		s.skipPast(1, ">")
		return tag{}, false
	}
	name := 1
	if rest[1] == '/' {
		name = 2
	}
	if len(rest) <= name || !isLetter(rest[name]) {
		s.text = true
		s.at++
		return tag{}, false
	}
	t = tag{name: tagName(rest[name:]), end: name == 2, from: s.at}
	s.at += tagEnd(rest)
	t.to = s.at
	if t.name == "" {
		if !t.end {
			s.skipRaw(rest[name:])
		}
		return t, false
	}
	t.attributes = strings.TrimRight(s.doc[t.from+name+len(t.name):t.to], ">")
	return t, true
}

// tagEnd is the length of the tag s begins with. A ">" within quotes does not end it.
func tagEnd(s string) int {
	quote := byte(0)
	for i := 1; i < len(s); i++ {
		switch c := s[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case (c == '"' || c == '\'') && s[i-1] == '=':
			quote = c
		case c == '>':
			return i + 1
		}
	}
	return len(s)
}

// skipPast goes past the next end, from the nth byte at hand on.
func (s *tagScanner) skipPast(n int, end string) {
	from := min(s.at+n, len(s.doc))
	k := strings.Index(s.doc[from:], end)
	if k < 0 {
		s.at = len(s.doc)
		return
	}
	s.at = from + k + len(end)
}

// skipRaw goes past the content of an element that is no markup, if one was just opened.
func (s *tagScanner) skipRaw(name string) {
	for _, raw := range [...]string{"style", "script", "title", "textarea", "xmp", "iframe", "noembed", "noframes"} {
		if hasName(name, raw) {
			k := indexFold(s.doc[s.at:], "</"+raw)
			if k < 0 {
				k = len(s.doc) - s.at
			}
			s.at += k
			return
		}
	}
}

// indexFold is where s has part, in any case, or -1. part begins with "<".
func indexFold(s, part string) int {
	for at := 0; ; at++ {
		k := strings.IndexByte(s[at:], '<')
		if at += k; k < 0 || at+len(part) > len(s) {
			return -1
		}
		if strings.EqualFold(s[at:at+len(part)], part) {
			return at
		}
	}
}

// tagName is the name s begins with if it may matter.
func tagName(s string) string {
	for _, name := range [...]string{"div", "p", "span", "br", "blockquote", "hr", "td", "table", "section", "signature"} {
		if hasName(s, name) {
			return name
		}
	}
	return ""
}

func hasName(s, name string) bool {
	if len(s) < len(name) || s[0]|0x20 != name[0] || !strings.EqualFold(s[:len(name)], name) {
		return false
	}
	return len(s) == len(name) || s[len(name)] <= ' ' || s[len(name)] == '>' || s[len(name)] == '/'
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// nextAttribute reads the attribute s begins with.
func nextAttribute(s string) (key, value, rest string) {
	s = strings.TrimLeft(s, " \t\r\n\f/")
	end := strings.IndexAny(s, "= \t\r\n\f")
	if end < 0 {
		return s, "", ""
	}
	key, s = s[:end], strings.TrimLeft(s[end:], " \t\r\n\f")
	if s == "" || s[0] != '=' {
		return key, "", s
	}
	s = strings.TrimLeft(s[1:], " \t\r\n\f")
	if s != "" && (s[0] == '"' || s[0] == '\'') {
		if end = strings.IndexByte(s[1:], s[0]); end < 0 {
			return key, s[1:], ""
		}
		return key, s[1 : end+1], s[end+2:]
	}
	if end = strings.IndexAny(s, " \t\r\n\f"); end < 0 {
		return key, s, ""
	}
	return key, s[:end], s[end:]
}
