package record

import (
	"strconv"
	"strings"
)

// component is a part of a calendar: VCALENDAR, VEVENT, VTIMEZONE and so on.
type component struct {
	name  string
	props []property
	parts []*component
}

// property is a content line: DTSTART;TZID=Europe/Berlin:20260314T100000.
type property struct {
	name   string
	params []param
	value  string
}

type param struct{ name, value string }

// Bounds of calendars.
const (
	maxICS      = 1 << 20
	maxICSLines = 50000
	maxICSDepth = 8
	maxICSValue = 8000
)

// readICS reads a calendar (RFC 5545), whatever its state: it gives a component that holds everything there is. Lines that
// make no sense are left out; a BEGIN without END is closed, an END without BEGIN ignored.
func readICS(s string) *component {
	root := &component{}
	open := []*component{root}
	deep, lines := 0, 0
	unfold(cut(s, maxICS), func(content string) bool {
		p, ok := readProperty(content)
		inside := open[len(open)-1]
		switch {
		case !ok:
		case p.name == "BEGIN" && len(open) > maxICSDepth:
			deep++
		case p.name == "BEGIN":
			part := &component{name: strings.ToUpper(strings.TrimSpace(p.value))}
			inside.parts = append(inside.parts, part)
			open = append(open, part)
		case p.name == "END" && deep > 0:
			deep--
		case p.name == "END":
			open = closeComponent(open, strings.ToUpper(strings.TrimSpace(p.value)))
		case deep == 0:
			inside.props = append(inside.props, p)
		}
		lines++
		return lines < maxICSLines
	})
	return root
}

func closeComponent(open []*component, name string) []*component {
	for i := len(open) - 1; i > 0; i-- {
		if open[i].name == name {
			return open[:i]
		}
	}
	return open
}

// unfold gives the content lines (RFC 5545 3.1): a line that begins with a blank goes on with the one before. Line ends
// of any kind are taken.
func unfold(s string, give func(string) bool) {
	s = strings.TrimPrefix(s, "\ufeff")
	var b strings.Builder
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
		if b.Len() > 0 && text != "" && (text[0] == ' ' || text[0] == '\t') {
			if b.Len() < 8*maxICSValue {
				b.WriteString(text[1:])
			}
			continue
		}
		if b.Len() > 0 && isSoft(b.String()) { // vCalendar 1.0
			joined := strings.TrimSuffix(b.String(), "=") + text
			b.Reset()
			b.WriteString(joined)
			continue
		}
		if b.Len() > 0 && !give(b.String()) {
			return
		}
		b.Reset()
		b.WriteString(text)
	}
	if b.Len() > 0 {
		give(b.String())
	}
}

// isSoft says whether a line is quoted-printable and goes on.
func isSoft(s string) bool {
	return strings.HasSuffix(s, "=") && len(s) < maxICSValue && strings.Contains(strings.ToUpper(cut(s, 200)), "QUOTED-PRINTABLE")
}

// readProperty reads a content line. QUIRK: blanks around names are dropped.
func readProperty(s string) (p property, ok bool) {
	end := strings.IndexAny(s, ":;")
	if end <= 0 {
		return p, false
	}
	p.name = strings.ToUpper(strings.TrimSpace(s[:end]))
	if dot := strings.LastIndexByte(p.name, '.'); dot >= 0 {
		p.name = p.name[dot+1:]
	}
	rest := s[end:]
	for rest != "" && rest[0] == ';' {
		var q param
		q, rest = readParam(rest[1:])
		if q.name != "" && len(p.params) < 50 {
			p.params = append(p.params, q)
		}
	}
	if rest == "" || rest[0] != ':' {
		return p, false
	}
	p.value = strings.ToValidUTF8(cut(rest[1:], maxICSValue), "\ufffd")
	if strings.EqualFold(p.param("ENCODING"), "QUOTED-PRINTABLE") {
		p.value = unquote(p.value)
	}
	return p, p.name != ""
}

// readParam reads a parameter, and gives what follows it.
func readParam(s string) (p param, rest string) {
	end := strings.IndexAny(s, "=:;")
	if end < 0 {
		return p, ""
	}
	if s[end] != '=' {
		return p, s[end:]
	}
	p.name, s = strings.ToUpper(strings.TrimSpace(s[:end])), s[end+1:]
	quoted, i := false, 0
	for ; i < len(s) && (quoted || s[i] != ':' && s[i] != ';'); i++ {
		if s[i] == '"' {
			quoted = !quoted
		}
	}
	if i == len(s) && quoted { // a quote that is never closed: the value ends at the first sign that ends one
		i = max(0, strings.IndexAny(s, ":;"))
	}
	p.value = circumflex.Replace(strings.Trim(strings.TrimSpace(s[:i]), `"`))
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

func (p *property) param(name string) string {
	for _, q := range p.params {
		if q.name == name {
			return q.value
		}
	}
	return ""
}

// prop gives the first property of a name, or an empty one.
func (c *component) prop(name string) *property {
	for i := range c.props {
		if c.props[i].name == name {
			return &c.props[i]
		}
	}
	return &property{}
}

// text gives the text of a property (RFC 5545 3.3.11) in one line.
func (c *component) text(name string) string { return icsText(c.prop(name).value) }

var icsEscapes = strings.NewReplacer(`\n`, " ", `\N`, " ", `\,`, ",", `\;`, ";", `\\`, `\`)

func icsText(s string) string { return squeeze(icsEscapes.Replace(s)) }
