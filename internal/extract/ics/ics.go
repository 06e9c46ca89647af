// Package ics reads the content lines of calendars (RFC 5545) and of cards (RFC 6350), whatever their state.
package ics

import (
	"bytes"
	"iter"
	"strconv"
	"strings"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// Property is a content line: DTSTART;TZID=Europe/Berlin:20260314T100000. Its name, and those of its parameters, are in
// upper case; the name of its group is left out.
type Property struct {
	Name   string
	Params []Param
	Value  string
}

// Param is a parameter of a property.
type Param struct{ Name, Value string }

// Param returns the value of a parameter; empty: there is none.
func (p *Property) Param(name string) string {
	for _, q := range p.Params {
		if q.Name == name {
			return q.Value
		}
	}
	return ""
}

// Properties returns the content lines of s, each with a value of at most a given number of bytes. Lines that make no
// sense are left out.
func Properties(s string, most int) iter.Seq[Property] {
	return func(yield func(Property) bool) {
		unfold(s, most, func(line string) bool {
			p, ok := readProperty(line, most)
			return !ok || yield(p)
		})
	}
}

// unfold yields the content lines (RFC 5545 3.1): a line that begins with a blank goes on with the one before. Line
// ends of any kind are taken.
func unfold(s string, most int, give func(string) bool) {
	s = strings.TrimPrefix(s, "\ufeff")
	var line []byte
	for s != "" {
		end := strings.IndexAny(s, "\r\n")
		if end < 0 {
			end = len(s)
		}
		text, rest := s[:end], s[end:]
		if rest = strings.TrimPrefix(rest, "\r\n"); len(rest) == len(s)-end && rest != "" {
			rest = rest[1:]
		}
		s = rest
		if len(line) > 0 && text != "" && (text[0] == ' ' || text[0] == '\t') {
			if len(line) < 8*most {
				line = append(line, text[1:]...)
			}
			continue
		}
		if len(line) < most && isSoft(line) { // vCalendar 1.0
			line = append(line[:len(line)-1], text...)
			continue
		}
		if len(line) > 0 && !give(string(line)) {
			return
		}
		line = append(line[:0], text...)
	}
	if len(line) > 0 {
		give(string(line))
	}
}

// isSoft says whether a line is quoted-printable and goes on.
func isSoft(line []byte) bool {
	return bytes.HasSuffix(line, []byte("=")) &&
		bytes.Contains(bytes.ToUpper(line[:min(len(line), 200)]), []byte("QUOTED-PRINTABLE"))
}

// readProperty reads a content line. QUIRK: blanks around names are dropped.
func readProperty(s string, most int) (p Property, ok bool) {
	end := strings.IndexAny(s, ":;")
	if end <= 0 {
		return p, false
	}
	p.Name = strings.ToUpper(strings.TrimSpace(s[:end]))
	if dot := strings.LastIndexByte(p.Name, '.'); dot >= 0 {
		p.Name = p.Name[dot+1:]
	}
	rest := s[end:]
	for rest != "" && rest[0] == ';' {
		var q Param
		q, rest = readParam(rest[1:])
		if q.Name != "" && len(p.Params) < 50 {
			p.Params = append(p.Params, q)
		}
	}
	if rest == "" || rest[0] != ':' {
		return p, false
	}
	p.Value = mailbox.Cut(rest[1:], most)
	p.Value = strings.ToValidUTF8(p.Value, "\ufffd")
	if strings.EqualFold(p.Param("ENCODING"), "QUOTED-PRINTABLE") {
		p.Value = unquote(p.Value)
	}
	return p, p.Name != ""
}

// readParam reads a parameter, and returns what follows it.
func readParam(s string) (p Param, rest string) {
	end := strings.IndexAny(s, "=:;")
	if end < 0 {
		return p, ""
	}
	if s[end] != '=' {
		return p, s[end:]
	}
	p.Name, s = strings.ToUpper(strings.TrimSpace(s[:end])), s[end+1:]
	quoted, i := false, 0
	for ; i < len(s) && (quoted || s[i] != ':' && s[i] != ';'); i++ {
		if s[i] == '"' {
			quoted = !quoted
		}
	}
	if i == len(s) && quoted { // a quote that is never closed: the value ends at the first sign that ends one
		i = max(0, strings.IndexAny(s, ":;"))
	}
	p.Value = circumflex.Replace(strings.Trim(strings.TrimSpace(s[:i]), `"`))
	return p, s[i:]
}

// circumflex resolves what RFC 6868 allows in parameters.
var circumflex = strings.NewReplacer("^n", " ", "^'", `"`, "^^", "^")

// unquote resolves quoted-printable.
func unquote(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '=' && i+2 < len(s) {
			if n, ok := hexByte(s[i+1], s[i+2]); ok {
				b.WriteByte(n)
				i += 2
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return strings.ToValidUTF8(b.String(), "\ufffd")
}

func hexByte(a, b byte) (byte, bool) {
	n, err := strconv.ParseUint(string([]byte{a, b}), 16, 8)
	return byte(n), err == nil
}
