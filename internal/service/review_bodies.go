package service

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/mailkin/mailkin/internal/extract/link"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/view"
)

// Bodies are the forms of a message's body, for a person who has to decide about it. Mail programs show the HTML part,
// so nobody should have to decide by the text part alone.
type Bodies struct {
	Text             string // the text part
	HTML             string // what is seen of the HTML part, as text
	Hidden           string // what the HTML part says and mail programs do not show
	HasText, HasHTML bool
	Differ           bool           // both are there, and do not say the same
	Links            []mailbox.Link // with what they lead to, also those that are not of the web
	MoreLinks        bool           // there are more
}

// maxBodyLinks is how many links are shown to a person who has to decide.
const maxBodyLinks = 200

// Bodies reads the forms of the message's body.
func (p ReviewPage) Bodies() Bodies {
	d := &p.Email.Detail
	read := bodyOf(d)
	b := Bodies{Text: read.text, HasHTML: d.HTML != "", Links: slices.Clone(d.Links)}
	if d.PlainPart != "" {
		b.Text = d.PlainPart
	}
	b.HasText = b.Text != "" || !b.HasHTML
	if v := read.view; v != nil {
		b.HTML = v.Text()
		b.Differ = b.HasText && !sayTheSame(b.Text, v)
		if unseen := v.Unseen(); unseen != nil && view.Letters(unseen.Text()) != "" {
			b.Hidden = unseen.Text()
		}
		b.addLinks(v)
	}
	if b.MoreLinks = len(b.Links) >= maxBodyLinks; b.MoreLinks {
		b.Links = b.Links[:maxBodyLinks]
	}
	return b
}

// addLinks adds the links of the HTML part that a mail program shows and that were not listed: those that are not of
// the web, and overlong ones.
func (b *Bodies) addLinks(v *view.View) {
	known := make(map[string]bool)
	for _, l := range b.Links {
		known[l.URL] = true
	}
	for i, l := range v.Links {
		href := strings.TrimSpace(l.Href)
		if l.Hidden != 0 || href == "" || href[0] == '#' || known[href] || len(b.Links) >= maxBodyLinks {
			continue
		}
		known[href] = true
		b.Links = append(b.Links, mailbox.Link{URL: href, Text: labelOf(v, int32(i)),
			Kind: string(link.Other)})
	}
}

// labelOf is the text of a link.
func labelOf(v *view.View, index int32) string {
	l := v.Links[index]
	label := l.Label
	for i := max(l.Run, 0); i < min(l.End, int32(len(v.Runs))) && len(label) < noticeLine; i++ {
		if v.Runs[i].Hidden == 0 {
			label += " " + v.Runs[i].Text
		}
	}
	return oneLine(label, noticeLine)
}

var webAddress = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`https?://[^\s<>"]+`)
})

// sayTheSame tells whether a text says what HTML shows. White space and the marks of lists, headings and quotations do
// not count, nor does that a text has to write out where a link leads.
func sayTheSame(text string, v *view.View) bool {
	targets := make(map[string]bool)
	for _, l := range v.Links {
		if l.Hidden == 0 {
			targets[strings.TrimSpace(l.Href)] = true
		}
	}
	said := func(s string) string {
		return bareText(webAddress().ReplaceAllStringFunc(s, func(address string) string {
			if bare := strings.TrimRight(address, ".,;:!?)]"); targets[bare] {
				return address[len(bare):]
			}
			return address
		}))
	}
	return said(text) == said(v.Text())
}

// bareText is a text without white space and marks of form.
func bareText(s string) string {
	var b strings.Builder
	for i, r := range s {
		switch {
		case unicode.IsSpace(r) || strings.ContainsRune("*_#>•·|=~`()[]", r):
		case r == '-' && (i+1 == len(s) || s[i+1] < '0' || s[i+1] > '9'): // else it may be a minus
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// Form says which parts a body has.
func (b Bodies) Form() string {
	switch {
	case b.Differ:
		return "HTML and text, which do not say the same. Mail programs show the HTML part."
	case b.HasHTML && b.HasText:
		return "HTML and text, which say the same. Mail programs show the HTML part."
	case b.HasHTML:
		return "HTML, without a text part."
	}
	return "Text, without an HTML part."
}

// BodySection is a piece of a body with its heading.
type BodySection struct {
	Title, Text string
	Left        int // bytes of it that are not shown
}

// Sections are the pieces of a body that a person has to see who decides: at most n bytes of each are shown.
func (b Bodies) Sections(n int) (list []BodySection) {
	add := func(title, text string) {
		s := BodySection{Title: title}
		s.Text, s.Left = Excerpt(text, n)
		list = append(list, s)
	}
	if b.HasHTML {
		add("HTML part, as text", b.HTML)
	}
	if b.HasText && (b.Differ || !b.HasHTML) {
		add("Text part", b.Text)
	}
	if b.Hidden != "" {
		add("Hidden in the HTML part: mail programs do not show it", b.Hidden)
	}
	return list
}

// foldedLines is how many empty lines in a row are shown.
const foldedLines = 5

// Excerpt returns a text as it is shown to a person who has to decide, and how many bytes of it are missing at its end.
// Many empty lines in a row are one line that says so: what stands below them is not to be missed.
func Excerpt(text string, n int) (shown string, left int) {
	var b strings.Builder
	empty, read := 0, 0
	for line := range strings.Lines(text) {
		trimmed := strings.TrimRightFunc(Visible(line), blank)
		if trimmed == "" {
			empty++
			read += len(line)
			continue
		}
		writeEmpty(&b, empty)
		empty = 0
		if room := n - b.Len(); len(trimmed) > room {
			trimmed = strings.ToValidUTF8(trimmed[:max(room, 0)], "")
			b.WriteString(trimmed)
			return b.String(), len(text) - read - min(len(trimmed), len(line))
		}
		read += len(line)
		b.WriteString(trimmed + "\n")
	}
	return strings.TrimSuffix(b.String(), "\n"), 0
}

// blank tells of a character that leaves no mark: white space, and what has no width.
func blank(r rune) bool {
	return unicode.IsSpace(r) || unicode.Is(unicode.Cf, r) || r == '\u2800' || r == '\u3164' || r == '\u034f'
}

// writeEmpty writes empty lines, or how many there are.
func writeEmpty(b *strings.Builder, n int) {
	if n <= foldedLines {
		b.WriteString(strings.Repeat("\n", n))
		return
	}
	fmt.Fprintf(b, "\n[%d empty lines are left out here]\n\n", n)
}

// Visible returns a text in which characters that turn the direction of others, or that a page obeys, are shown by
// their number.
func Visible(text string) string {
	if !strings.ContainsFunc(text, turns) {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		if turns(r) {
			fmt.Fprintf(&b, "⟨%04X⟩", r)
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

func turns(r rune) bool {
	return unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' || r == '\u2029' || r >= 0xe0000 && r <= 0xe0fff ||
		unicode.IsControl(r) && r != '\n' && r != '\t' && r != '\r'
}
