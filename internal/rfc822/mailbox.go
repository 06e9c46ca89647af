package rfc822

import "strings"

// mailbox is one item of an address list taken apart.
type mailbox struct {
	phrase  string // words and quoted strings outside brackets, quotes still around
	comment string // the last one, without parentheses
	angle   string // between < and >
	hasAddr bool   // angle was there
	more    []string
	// more is the addresses next to the one in brackets, where a comma should be: in brackets before it,
	// or after it
}

// plainMailbox is scanMailbox for what most items are: a name, perhaps in quotes, and an address in brackets, or one of
// them.
func plainMailbox(s string) (m mailbox, ok bool) {
	for i := 0; i < len(s); {
		switch s[i] {
		case '"':
			n := quotedEnd(s[i:])
			if n == 0 {
				return m, false
			}
			i += n
		case '<':
			n := m.takeAngle(s[i:])
			m.phrase = trimSpace(s[:i])
			return m, trimSpace(s[i+n:]) == ""
		case '\\', '(', '>':
			return m, false
		default:
			i++
		}
	}
	m.phrase = trimSpace(s)
	return m, true
}

// scanMailbox takes an item apart.
func scanMailbox(s string) mailbox {
	if m, ok := plainMailbox(s); ok {
		return m
	}
	return anyMailbox(s)
}

func anyMailbox(s string) mailbox {
	lex := lexer{s: s}
	var m mailbox
	var phrase []byte
	behind := -1 // where in phrase begins what stands after the first brackets
	for i := 0; i < len(s); {
		n := 1
		switch c := s[i]; c {
		case '\\':
			n = min(2, len(s)-i)
			phrase = append(phrase, s[i:i+n]...)
		case '"':
			if n = quotedEnd(s[i:]); n == 0 {
				n = 1
				break // a stray quote
			}
			phrase = append(phrase, s[i:i+n]...)
		case '(':
			if n = lex.commentEnd(i); n == 0 {
				n = 1
				phrase = append(phrase, c)
				break
			}
			m.comment = s[i+1 : i+n-1]
			phrase = append(phrase, ' ')
		case '<':
			n = m.takeAngle(s[i:])
			if behind < 0 {
				behind = len(phrase)
			}
			phrase = append(phrase, ' ')
		case '>':
		default:
			phrase = append(phrase, c)
		}
		i += n
	}
	m.phrase = trimSpace(string(phrase))
	if behind >= 0 && strings.IndexByte(m.angle, '@') >= 0 {
		if found := findAddress(string(phrase[behind:])); found != "" {
			m.more = append(m.more, found)
		}
	}
	return m
}

// takeAngle reads the address in brackets that s begins with, and returns its length. The last one that looks like
// an address counts; one before it is kept as one more.
func (m *mailbox) takeAngle(s string) int {
	end, stray := 1, false
	for end < len(s) && s[end] != '>' {
		if s[end] == '"' && !stray {
			if n := quotedEnd(s[end:]); n > 0 {
				end += n
				continue
			}
			stray = true // what comes after it would be looked through again for each one more
		}
		end++
	}
	inside := strings.Trim(s[1:end], "<> \t")
	if !m.hasAddr || strings.IndexByte(inside, '@') >= 0 {
		if strings.IndexByte(m.angle, '@') >= 0 && len(m.more) < maxAddresses {
			m.more = append(m.more, cleanAddress(m.angle))
		}
		m.angle = inside
	}
	m.hasAddr = true
	return min(end+1, len(s))
}

// isName says that there is nothing in it that could be an address.
func (m mailbox) isName() bool {
	return !m.hasAddr && m.phrase != "" && strings.IndexByte(m.phrase, '@') < 0
}

// several is the addresses of an item that has several, with blanks between them.
//
// QUIRK: a list with one address on each line and no commas. Readers of mail disagree on which of them counts.
func (m mailbox) several() []Address {
	if len(m.more) > 0 {
		return m.beside()
	}
	if m.hasAddr || strings.Count(m.phrase, "@") < 2 || strings.IndexByte(m.phrase, '"') >= 0 {
		return nil
	}
	var out []Address
	for _, w := range strings.Fields(m.phrase) {
		if at := strings.IndexByte(w, '@'); at <= 0 || at == len(w)-1 {
			return nil
		}
		out = append(out, Address{Address: cleanAddress(w)})
	}
	return out
}

// beside is the addresses in brackets of an item, and one after them. nil: they are all the same.
func (m mailbox) beside() []Address {
	last := cleanAddress(m.angle)
	var out []Address
	for _, a := range m.more {
		if !strings.EqualFold(a, last) {
			out = append(out, Address{Address: a})
		}
	}
	if out == nil {
		return nil
	}
	return append(out, Address{Address: last})
}

// address makes the best of what was found.
func (m mailbox) address(hint string) Address {
	if m.hasAddr {
		a := Address{Name: m.name(hint), Address: cleanAddress(m.angle)}
		if strings.IndexByte(a.Address, '@') < 0 { // QUIRK: the address is where the name should be
			if found := findAddress(m.phrase); found != "" {
				a.Address = found
			}
		}
		return a
	}
	if strings.IndexByte(m.phrase, '@') >= 0 {
		return m.bare(hint)
	}
	text := phraseText(m.phrase, hint)
	if strings.Contains(m.phrase, "=?") && strings.IndexByte(text, '@') >= 0 {
		// QUIRK: name and address together in one encoded word.
		inner := scanMailbox(strings.ReplaceAll(text, "=?", ""))
		if inner.several() != nil {
			return Address{Name: text}
		}
		return inner.address(hint)
	}
	if text != "" && !strings.ContainsAny(text, " \t") && isASCII(text) && m.phrase[0] != '"' {
		return Address{Name: m.commentText(hint), Address: text} // a local user
	}
	if text == "" {
		text = m.commentText(hint)
	}
	return Address{Name: text}
}

// bare reads an address without brackets, with the name in a comment or next to it.
func (m mailbox) bare(hint string) Address {
	if m.phrase[0] != '"' && strings.ContainsAny(m.phrase, " \t") {
		joined := cleanAddress(m.phrase)
		if loose := strings.Fields(m.phrase); strings.Count(m.phrase, "@") == 1 && !isSpaced(loose) {
			found := findAddress(m.phrase)
			name := trimSpace(strings.Replace(m.phrase, found, " ", 1))
			return Address{Name: phraseText(name, hint), Address: found}
		}
		return Address{Name: m.commentText(hint), Address: joined}
	}
	return Address{Name: m.commentText(hint), Address: cleanAddress(m.phrase)}
}

// isSpaced says whether words are one address with blanks around its dots and @ (RFC 5322 4.4).
func isSpaced(words []string) bool {
	for i := 1; i < len(words); i++ {
		before, after := words[i-1], words[i]
		if !strings.HasSuffix(before, ".") && !strings.HasSuffix(before, "@") && after[0] != '.' && after[0] != '@' {
			return false
		}
	}
	return true
}

// name is the display name: the phrase, else the comment.
func (m mailbox) name(hint string) string {
	if s := phraseText(m.phrase, hint); s != "" {
		return s
	}
	return m.commentText(hint)
}

func (m mailbox) commentText(hint string) string {
	s := m.comment
	if strings.IndexByte(s, '\\') >= 0 {
		s = unescape(s)
	}
	return trimSpace(decodeWords(s, hint))
}

// phraseText removes the quotes of a phrase and decodes it. Encoded words inside quotes are decoded too.
func phraseText(s, hint string) string {
	if first, last, _ := strings.Cut(s, " "); isPlain(first) && isPlain(last) {
		return trimSpace(s)
	}
	if strings.ContainsAny(s, `"\`) {
		s = unescape(s)
	}
	s = trimSpace(decodeWords(s, hint))
	// QUIRK: names in single quotes, from address books that quote twice.
	if n := len(s); n > 2 && s[0] == '\'' && s[n-1] == '\'' && strings.Count(s, "'") == 2 {
		s = trimSpace(s[1 : n-1])
	}
	return collapseBlanks(s)
}

// collapseBlanks makes one space of several.
func collapseBlanks(s string) string {
	if !strings.Contains(s, "  ") && !strings.Contains(s, "\t") {
		return s
	}
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r == ' ' || r == '\t' }), " ")
}

// unescape removes quotes and the backslashes before characters.
func unescape(s string) string {
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\\' && i+1 < len(s):
			i++
			out = append(out, s[i])
		case s[i] != '"':
			out = append(out, s[i])
		}
	}
	return string(out)
}

// cleanAddress removes routes, comments, and blanks outside quotes.
func cleanAddress(s string) string {
	if isPlain(s) {
		return s
	}
	s = trimSpace(s)
	if hasFold(s, "mailto:") {
		s, _, _ = strings.Cut(s[len("mailto:"):], "?") // the fields of a draft
	}
	if strings.HasPrefix(s, "@") { // RFC 5322 4.4: a route, to be ignored
		if _, rest, ok := strings.Cut(s, ":"); ok {
			s = rest
		}
	}
	if strings.ContainsAny(s, " \t\"(") {
		s = squeeze(s)
	}
	return cleanHeader(raw8bit(strings.Trim(s, "<>,;"), ""))
}

// squeeze removes blanks and comments outside quoted strings.
func squeeze(s string) string {
	lex := lexer{s: s}
	stray := false // there is a quote that is not closed
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); {
		n := 1
		switch c := s[i]; {
		case c == '"' && !stray:
			n = quotedEnd(s[i:])
			stray = n == 0
			n = max(n, 1)
			out = append(out, s[i:i+n]...)
		case c == '(':
			if n = lex.commentEnd(i); n == 0 {
				n = 1
				out = append(out, c)
			}
		case !isSpace(c):
			out = append(out, c)
		}
		i += n
	}
	return string(out)
}

// findAddress is the first word with an @ in s.
func findAddress(s string) string {
	for _, w := range strings.Fields(s) {
		if strings.IndexByte(w, '@') >= 0 {
			return cleanAddress(strings.Trim(w, `"'`))
		}
	}
	return ""
}
