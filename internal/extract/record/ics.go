package record

import (
	"strings"

	"github.com/mailkin/mailkin/internal/extract/ics"
	"github.com/mailkin/mailkin/internal/mailbox"
)

// component is a part of a calendar: VCALENDAR, VEVENT, VTIMEZONE and so on.
type component struct {
	name  string
	props []ics.Property
	parts []*component
}

// Bounds of calendars.
const (
	maxICS      = 1 << 20
	maxICSLines = 50000
	maxICSDepth = 8
	maxICSValue = 8000
)

// readICS reads a calendar (RFC 5545), whatever its state: it gives a component that holds everything there is. Lines
// that make no sense are left out; a BEGIN without END is closed, an END without BEGIN ignored.
func readICS(s string) *component {
	root := &component{}
	open := []*component{root}
	deep, lines := 0, 0
	for p := range ics.Properties(mailbox.Cut(s, maxICS), maxICSValue) {
		inside := open[len(open)-1]
		switch {
		case p.Name == "BEGIN" && len(open) > maxICSDepth:
			deep++
		case p.Name == "BEGIN":
			part := &component{name: strings.ToUpper(strings.TrimSpace(p.Value))}
			inside.parts = append(inside.parts, part)
			open = append(open, part)
		case p.Name == "END" && deep > 0:
			deep--
		case p.Name == "END":
			open = closeComponent(open, strings.ToUpper(strings.TrimSpace(p.Value)))
		case deep == 0:
			inside.props = append(inside.props, p)
		}
		if lines++; lines == maxICSLines {
			break
		}
	}
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

// prop returns the first property of a name, or an empty one.
func (c *component) prop(name string) *ics.Property {
	for i := range c.props {
		if c.props[i].Name == name {
			return &c.props[i]
		}
	}
	return &ics.Property{}
}

// text returns the text of a property (RFC 5545 3.3.11) in one line.
func (c *component) text(name string) string { return icsText(c.prop(name).Value) }

var icsEscapes = strings.NewReplacer(`\n`, " ", `\N`, " ", `\,`, ",", `\;`, ";", `\\`, `\`)

func icsText(s string) string { return squeeze(icsEscapes.Replace(s)) }
