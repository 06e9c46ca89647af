package rfc822

import (
	"slices"
	"strconv"
	"strings"
)

// params is a structured MIME field: a value and its parameters.
type params struct {
	value   string // lower-case
	list    []param
	split   bool   // some name has a star (RFC 2231)
	charset string // of raw 8-bit text
}

type param struct{ name, value string }

// parseParams reads "value; name=value; …" with everything that is done to it in the wild: semicolons missing or
// doubled, quotes not closed, file names without quotes, comments.
func parseParams(s string) params {
	s = stripComments(s)
	var p params
	value, rest := cutValue(s)
	p.value = strings.ToLower(trimSpace(value))
	unclosed := false
	for rest != "" {
		rest = strings.TrimLeft(rest, "; \t\r\n,")
		n := strings.IndexAny(rest, "=; \t\r\n")
		if n < 0 {
			break
		}
		name := strings.ToLower(rest[:n])
		rest = strings.TrimLeft(rest[n:], " \t\r\n")
		if !strings.HasPrefix(rest, "=") {
			continue
		}
		var v string
		v, rest = paramValue(strings.TrimLeft(rest[1:], " \t\r\n"), &unclosed)
		if name != "" {
			p.list = append(p.list, param{name, v})
			p.split = p.split || strings.IndexByte(name, '*') >= 0
		}
	}
	return p
}

// cutValue separates the value from the parameters.
//
// QUIRK: "text/plain charset=utf-8", without the semicolon.
func cutValue(s string) (value, rest string) {
	s = trimSpace(s)
	if i := strings.IndexByte(s, ';'); i >= 0 {
		value, rest = s[:i], s[i:]
	} else {
		value = s
	}
	eq := strings.IndexByte(value, '=')
	if eq < 0 {
		return value, rest
	}
	name := strings.LastIndexAny(strings.TrimRight(value[:eq], " \t"), " \t,")
	if name < 0 {
		return "", s // a parameter is all there is
	}
	return value[:name], s[name:]
}

// paramValue reads one value and returns what follows it. Once a quote was found that is never closed, none after it
// is: unclosed keeps that from being found out for each.
func paramValue(s string, unclosed *bool) (value, rest string) {
	if strings.HasPrefix(s, `"`) {
		return quotedValue(s[1:], unclosed)
	}
	end := 0
	for end < len(s) && s[end] != ';' {
		// QUIRK: file names with spaces but without quotes; a blank ends the value only before another "name=".
		if isSpace(s[end]) && (end == 0 || !isSpace(s[end-1])) && startsParam(s[end:]) {
			break
		}
		end++
	}
	return trimSpace(s[:end]), s[end:]
}

// startsParam says whether s, which begins with a blank, goes on with a parameter.
func startsParam(s string) bool {
	s = strings.TrimLeft(s, " \t\r\n")
	n := 0
	for n < len(s) && n < 40 && isToken(s[n]) {
		n++
	}
	return n > 0 && n < len(s) && s[n] == '='
}

// quotedValue reads up to the closing quote; s begins after the opening one.
func quotedValue(s string, unclosed *bool) (value, rest string) {
	var out []byte
	from := 0 // of what is not yet in out
	for i := 0; i < len(s) && !*unclosed; i++ {
		switch c := s[i]; {
		case c == '\\' && i+1 < len(s) && !isAlphanumeric(s[i+1]):
			out = append(out, s[from:i]...)
			i++ // QUIRK: before a letter or digit a backslash is one of a Windows path
			from = i
		case c == '"' && endsQuoted(s[i+1:]):
			if from == 0 {
				return s[:i], s[i+1:]
			}
			return string(append(out, s[from:i]...)), s[i+1:]
		}
	}
	*unclosed = true
	// The quote is never closed: then it ends where the parameter does.
	if end := strings.IndexByte(s, ';'); end >= 0 {
		return trimSpace(strings.ReplaceAll(s[:end], `"`, "")), s[end:]
	}
	return trimSpace(strings.ReplaceAll(string(append(out, s[from:]...)), `"`, "")), ""
}

// endsQuoted says whether a quote with s after it is the closing one: quotes inside file names are not always
// escaped.
func endsQuoted(s string) bool {
	t := strings.TrimLeft(s, " \t\r\n")
	return t == "" || t[0] == ';' || t[0] == ',' || len(t) < len(s) && startsParam(s) || !strings.Contains(t, `"`)
}

// stripComments removes RFC 822 comments outside quoted strings. A parenthesis that is never closed is text.
func stripComments(s string) string {
	if strings.IndexByte(s, '(') < 0 {
		return s
	}
	lex := lexer{s: s}
	out := make([]byte, 0, len(s))
	quoted := false
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c == '\\' && i+1 < len(s):
			out = append(out, c, s[i+1])
			i++
			continue
		case c == '"':
			quoted = !quoted
		case c == '(' && !quoted && (i == 0 || isSpace(s[i-1]) || s[i-1] == ';'):
			if n := lex.commentEnd(i); n > 0 {
				i += n - 1
				continue
			}
		}
		out = append(out, c)
	}
	return string(out)
}

// raw is a parameter as written: boundaries are compared byte by byte.
func (p params) raw(name string) string {
	for _, v := range p.list {
		if v.name == name && v.value != "" {
			return v.value
		}
	}
	return ""
}

// param is a parameter as read: put together from the pieces of RFC 2231, or decoded where a sender has used
// encoded words (which RFC 2047 5 forbids) or plain 8-bit text.
func (p params) param(name string) string {
	if p.split {
		if s := p.extended(name); s != "" {
			return s
		}
	}
	s := p.raw(name)
	if s == "" || name == "boundary" || isASCII(s) && !strings.Contains(s, "=?") {
		return s
	}
	return decodeWords(s, p.charset)
}

// piece is one part of a parameter that was split (RFC 2231 3).
type piece struct {
	number  int
	value   string
	encoded bool
}

// extended puts together name*, or name*0, name*1*, … in the order of their numbers, whatever is missing.
func (p params) extended(name string) string {
	var pieces []piece
	for _, v := range p.list {
		rest, ok := strings.CutPrefix(v.name, name+"*")
		if !ok {
			continue
		}
		if rest == "" {
			if s := decodeExtended([]piece{{value: v.value, encoded: true}}); s != "" {
				return s
			}
			continue
		}
		digits, encoded := strings.CutSuffix(rest, "*")
		if n, err := strconv.Atoi(digits); err == nil && n >= 0 {
			pieces = append(pieces, piece{n, v.value, encoded})
		}
	}
	if len(pieces) == 0 {
		return ""
	}
	slices.SortStableFunc(pieces, func(a, b piece) int { return a.number - b.number })
	return decodeExtended(pieces)
}

// decodeExtended joins pieces and decodes them (RFC 2231 4): charset'language'text, percent-encoded.
func decodeExtended(pieces []piece) string {
	charset := ""
	var out []byte
	for i, pc := range pieces {
		if !pc.encoded {
			out = append(out, pc.value...)
			continue
		}
		v := pc.value
		if i == 0 {
			if c, rest, ok := strings.Cut(v, "'"); ok {
				if _, text, ok := strings.Cut(rest, "'"); ok {
					charset, v = strings.ToLower(c), text
				}
			}
		} else if c, text, ok := strings.Cut(v, "'"); ok && charset != "" && strings.EqualFold(c, charset) {
			v = text // QUIRK: the character set is said again in each piece
		}
		out = appendPercent(out, v)
	}
	if charset == "" && strings.Contains(string(out), "=?") {
		return decodeWords(string(out), "") // QUIRK: both encodings at once
	}
	return cleanHeader(decodeBytes(out, charset))
}

func appendPercent(dst []byte, s string) []byte {
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) && unhex(s[i+1]) >= 0 && unhex(s[i+2]) >= 0 {
			dst = append(dst, byte(unhex(s[i+1])<<4|unhex(s[i+2])))
			i += 2
			continue
		}
		dst = append(dst, s[i])
	}
	return dst
}
