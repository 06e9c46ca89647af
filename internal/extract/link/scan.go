package link

import (
	"html"
	"strings"
)

// scanner reads the tags of an HTML document as browsers do, without making a tree of them.
type scanner struct {
	doc string
	at  int
}

// tag is a start or end tag.
type tag struct {
	name             string // lower case; empty for what is too long to be known
	end              bool
	href, style, alt string // attributes, as written
	hidden           bool   // an attribute, too
}

// next gives the text before the next tag, and the tag. At the end there is no tag and ok is false. Comments and
// declarations are passed over, with the conditional ones of mail for Outlook.
func (s *scanner) next() (text string, t tag, ok bool) {
	rest := s.doc[s.at:]
	for i := 0; ; {
		n := strings.IndexByte(rest[i:], '<')
		if n < 0 || i+n+1 >= len(rest) {
			s.at = len(s.doc)
			return rest, tag{}, false
		}
		i += n
		c := rest[i+1]
		switch {
		case isLetter(c), c == '/' && i+2 < len(rest) && isLetter(rest[i+2]):
			t, n = readTag(rest[i:])
			s.at += i + n
			return rest[:i], t, n > 0
		case c == '!' || c == '?' || c == '/':
			s.at += i + commentLength(rest[i:])
			return rest[:i], tag{}, true
		}
		i++
	}
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// commentLength is how long the comment or declaration is that s begins with.
func commentLength(s string) int {
	if !strings.HasPrefix(s, "<!--") {
		if n := strings.IndexByte(s, '>'); n >= 0 {
			return n + 1
		}
		return len(s)
	}
	if strings.HasPrefix(s, "<!-->") || strings.HasPrefix(s, "<!--->") {
		return strings.IndexByte(s, '>') + 1
	}
	for i := len("<!--"); ; {
		n := strings.Index(s[i:], "--")
		if n < 0 {
			return len(s)
		}
		i += n
		if strings.HasPrefix(s[i:], "-->") {
			return i + len("-->")
		}
		if strings.HasPrefix(s[i:], "--!>") {
			return i + len("--!>")
		}
		i++
	}
}

// readTag reads the tag that s begins with, and how long it is. One that does not end is none: its length is 0.
func readTag(s string) (t tag, length int) {
	i := 1
	if s[i] == '/' {
		t.end = true
		i++
	}
	name := i
	for i < len(s) && s[i] > ' ' && s[i] != '/' && s[i] != '>' {
		i++
	}
	t.name = knownName(s[name:i])
	for i < len(s) && s[i] != '>' {
		if s[i] <= ' ' || s[i] == '/' {
			i++
			continue
		}
		var name, value string
		name, value, i = readAttribute(s, i)
		t.attribute(name, value)
	}
	if i >= len(s) {
		return tag{}, 0
	}
	return t, i + 1
}

// attribute keeps an attribute, if it is one that matters and the first of its name.
func (t *tag) attribute(name, value string) {
	switch {
	case len(name) == 4 && t.href == "" && strings.EqualFold(name, "href"):
		t.href = value
	case len(name) == 5 && t.style == "" && strings.EqualFold(name, "style"):
		t.style = value
	case len(name) == 3 && t.alt == "" && strings.EqualFold(name, "alt"):
		t.alt = value
	case len(name) == 6 && strings.EqualFold(name, "hidden"):
		t.hidden = true
	}
}

// readAttribute reads the attribute at s[i]: its name and value as written, and where it ends.
func readAttribute(s string, i int) (name, value string, end int) {
	start := i
	for i++; i < len(s) && s[i] > ' ' && s[i] != '/' && s[i] != '>' && s[i] != '='; i++ {
	}
	name = s[start:i]
	for i < len(s) && s[i] <= ' ' {
		i++
	}
	if i >= len(s) || s[i] != '=' {
		return name, "", i
	}
	for i++; i < len(s) && s[i] <= ' '; i++ {
	}
	if i < len(s) && (s[i] == '"' || s[i] == '\'') {
		n := strings.IndexByte(s[i+1:], s[i])
		if n < 0 {
			return name, "", len(s)
		}
		return name, s[i+1 : i+1+n], i + n + 2
	}
	start = i
	for i < len(s) && s[i] > ' ' && s[i] != '>' {
		i++
	}
	return name, s[start:i], i
}

// unescapeAttribute resolves character references as in attributes: "&copy=1" is none, for addresses are full of such.
func unescapeAttribute(v string) string {
	amp := strings.IndexByte(v, '&')
	if amp < 0 {
		return v
	}
	var out strings.Builder
	for ; amp >= 0; amp = strings.IndexByte(v, '&') {
		out.WriteString(v[:amp])
		n := 1
		for n < len(v)-amp && n < 40 && (isLetter(v[amp+n]) || v[amp+n] >= '0' && v[amp+n] <= '9' || v[amp+n] == '#') {
			n++
		}
		ref, next := v[amp:amp+n], byte(0)
		if amp+n < len(v) {
			next = v[amp+n]
		}
		switch {
		case next == ';':
			out.WriteString(html.UnescapeString(ref + ";"))
			n++
		case strings.HasPrefix(ref, "&#"), next != '=' && html.UnescapeString(ref) == html.UnescapeString(ref+";"):
			out.WriteString(html.UnescapeString(ref))
		default:
			out.WriteString(ref)
		}
		v = v[amp+n:]
	}
	out.WriteString(v)
	return out.String()
}

// longestName is that of the longest element that is known here.
const longestName = len("blockquote")

// knownName is the name of an element in lower case, without a copy where it is so already.
func knownName(s string) string {
	if len(s) > longestName {
		return ""
	}
	return strings.ToLower(s)
}

// skipRaw passes over the content of an element whose content is no HTML.
func (s *scanner) skipRaw(name string) {
	for {
		n := strings.Index(s.doc[s.at:], "</")
		if n < 0 {
			s.at = len(s.doc)
			return
		}
		s.at += n
		rest := s.doc[s.at+2:]
		if len(rest) >= len(name) && strings.EqualFold(rest[:len(name)], name) {
			return
		}
		s.at += 2
	}
}
