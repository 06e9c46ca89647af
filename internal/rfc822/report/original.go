package report

import "strings"

// splitOriginal cuts a text where the original message begins that a report returns in it. original begins with its
// header, as far as it is there.
func splitOriginal(text string) (said, original string) {
	at := 0
	for line := range strings.Lines(text) {
		end := at + len(line)
		switch l := lower(strings.TrimSpace(line)); {
		case l == "":
		case indent(line) == 0 && begins(l, headLine):
			return text[:at], text[at:]
		case isSeparator(l, text[end:]):
			return text[:at], strings.TrimLeft(text[end:], "\n\t ")
		}
		at = end
	}
	return text, ""
}

// indent is how far a line is from the margin.
func indent(line string) int { return len(line) - len(strings.TrimLeft(line, " \t")) }

// isSeparator says whether a line announces the original message. Prose speaks of it too, so that a line has to be
// drawn like a separator, or announce what does follow.
func isSeparator(line, next string) bool {
	const longest = 120
	if len(line) > longest {
		return false
	}
	drawn := strings.IndexByte("-=*_|#~+", line[0]) >= 0
	if !drawn && !announces(line) || !has(line, separator) {
		return false
	}
	if drawn {
		return true
	}
	next = strings.TrimLeft(next, "\n\t >")
	if end := strings.IndexByte(next, '\n'); end >= 0 {
		next = next[:end]
	}
	_, ok := parseField(next)
	return ok || strings.HasPrefix(next, "From ")
}

// announces says whether a line ends as if something followed.
func announces(line string) bool {
	bare := strings.TrimRight(line, " .-:=_*|")
	return line[len(line)-1] == ':' || strings.HasSuffix(bare, "follows") || strings.HasSuffix(bare, "follow") ||
		strings.HasSuffix(bare, "following")
}

// headOf is the header that a message begins with.
func headOf(s string) string {
	s = strings.TrimLeft(s, "\n\t ")
	if end := strings.Index(s, "\n\n"); end >= 0 {
		return s[:end]
	}
	return s[:min(len(s), maxHead)]
}

// headField is the value of a header's first field of that name, which is in lower case.
func headField(head, name string) string {
	value, found, lines := "", false, 0
	for line := range strings.Lines(head) {
		if found {
			if indent(line) == 0 || len(value) > maxField || lines == maxFieldLines {
				break
			}
			value += " " + strings.TrimSpace(line)
			lines++
			continue
		}
		line = strings.TrimLeft(line, " \t>")
		if len(line) > len(name) && line[len(name)] == ':' && strings.EqualFold(line[:len(name)], name) {
			value, found = strings.TrimSpace(line[len(name)+1:]), true
		}
	}
	return value
}

// cleanID is the id in a field, without brackets.
func cleanID(value string) string {
	if _, rest, ok := strings.Cut(value, "<"); ok {
		value, _, _ = strings.Cut(rest, ">")
	}
	const longest = 998 // RFC 5322 2.1.1: a line
	if value = strings.Join(strings.Fields(value), ""); len(value) > longest {
		return ""
	}
	return value
}

// originalID finds the id of the original message: in what was returned of it, or in what the report's own header
// says it answers to.
func (d *document) originalID(head string) string {
	if id := cleanID(headField(head, "message-id")); id != "" {
		return id
	}
	if n := len(d.m.InReplyTo); n > 0 {
		return d.m.InReplyTo[0]
	}
	if n := len(d.m.References); n > 0 {
		return d.m.References[n-1]
	}
	return ""
}
