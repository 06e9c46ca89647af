package screen

import "strings"

// tag is a start or an end tag.
type tag struct {
	name            string // in lower case
	closing, closed bool   // </name>, <name/>
	attributes      []attribute
}

type attribute struct{ name, value string } // name in lower case

// maxAttributes bounds those of one tag that are looked at.
const maxAttributes = 32

// cutTag takes the tag a text begins with. Its attributes are put into room.
func cutTag(s string, room []attribute) (t tag, rest string) {
	t.attributes = room
	i := 1
	if s[i] == '/' {
		t.closing = true
		i++
	}
	start := i
	for i < len(s) && s[i] > ' ' && s[i] != '>' && s[i] != '/' {
		i++
	}
	t.name = strings.ToLower(s[start:i])
	s = s[i:]
	for {
		for s != "" && (s[0] <= ' ' || s[0] == '/') {
			s = s[1:]
		}
		if s == "" {
			return t, ""
		}
		if s[0] == '>' {
			return t, s[1:]
		}
		var a attribute
		if a, s = cutAttribute(s); len(t.attributes) < maxAttributes {
			t.attributes = append(t.attributes, a)
		}
	}
}

// cutAttribute takes the attribute a text begins with.
func cutAttribute(s string) (a attribute, rest string) {
	i := 1 // a name may begin with "="
	for i < len(s) && s[i] > ' ' && s[i] != '>' && s[i] != '=' && s[i] != '/' {
		i++
	}
	a.name = strings.ToLower(s[:i])
	rest = strings.TrimLeft(s[i:], " \t\r\n")
	if rest == "" || rest[0] != '=' {
		return a, s[i:]
	}
	rest = strings.TrimLeft(rest[1:], " \t\r\n")
	if rest == "" {
		return a, ""
	}
	if q := rest[0]; q == '"' || q == '\'' {
		if end := strings.IndexByte(rest[1:], q); end >= 0 {
			a.value = rest[1 : 1+end]
			return a, rest[end+2:]
		}
		a.value = rest[1:]
		return a, ""
	}
	end := strings.IndexAny(rest, " \t\r\n>")
	if end < 0 {
		end = len(rest)
	}
	a.value = rest[:end]
	return a, rest[end:]
}
