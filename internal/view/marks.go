package view

import (
	"strconv"
	"strings"

	"golang.org/x/net/html/atom"
)

// Mark is where a mail program has begun or ended something that it adds to what a person writes.
type Mark struct {
	Kind MarkKind
	Run  int32 // the first run after it
}

// MarkKind is what a mark stands for.
type MarkKind uint8

// The marks.
const (
	NoMark         MarkKind = iota
	Quote                   // quoted lines follow
	QuoteEnd                // they end
	Attribution             // a line that introduces a quotation follows
	AttributionEnd          // it ends
	Signature               // a signature follows
	SignatureEnd            // it ends
	SignatureBreak          // a signature follows, whose end nothing marks
	HistoryIntro            // history begins, with its attribution
	History                 // everything from here on is history
	Rule                    // a line is drawn as Outlook draws it above history
	ThinRule                // a line is drawn
	indented                // no quotation but an indentation
)

// maxMarks bounds the marks that are kept.
const maxMarks = 4000

func (b *builder) mark(kind MarkKind) {
	if len(b.view.Marks) < maxMarks && !b.streams {
		b.view.Marks = append(b.view.Marks, Mark{kind, int32(len(b.view.Runs))})
	}
}

// startMarks marks the beginning of an element, and notes its microdata.
func (b *builder) startMarks(e *element, t tag) {
	if e.isItem {
		b.startItem(e)
	}
	begin, end := b.meaning(e)
	if begin == NoMark {
		return
	}
	b.mark(begin)
	e.end = end
	if begin == Quote {
		e.quote++
	}
}

// endMarks marks the end of an element.
func (b *builder) endMarks(e *element) {
	if e.item >= 0 {
		b.endItem(e)
	}
	if e.end != NoMark {
		b.mark(e.end)
		e.end = NoMark
	}
}

// meaning is the mark that an element gets at its beginning and at its end.
func (b *builder) meaning(e *element) (begin, end MarkKind) {
	switch e.atom {
	case atom.Blockquote:
		begin, end = Quote, QuoteEnd
	case atom.Hr:
		begin = ThinRule
	case 0:
		if strings.EqualFold(e.name, "signature") { // Mailspring
			begin, end = Signature, SignatureEnd
		}
	}
	if e.class == "" && e.id == "" && b.named == "" && b.marker == "" && !e.border {
		return begin, end
	}
	for i, list := range [...]string{e.class, e.id, b.named, b.marker} {
		for name := range strings.FieldsSeq(list) {
			if k, l := elementNamed(e.atom, i == 2, name); k != NoMark {
				begin, end = k, l
				break
			}
		}
	}
	if e.border {
		switch k := elementStyled(e.atom, unescapeValue(e.inline)); k {
		case NoMark:
		case indented:
			return NoMark, NoMark
		default:
			begin, end = k, NoMark
		}
	}
	return begin, end
}

// plainName removes what readers put before the names of other people's elements: x_ by Outlook, yiv and a number or
// ydp and an id by Yahoo.
func plainName(name string) string {
	name = lowered(name)
	for strings.HasPrefix(name, "x_") {
		name = name[2:]
	}
	if at := strings.Index(name, "yahoo_quoted"); at > 0 {
		name = name[at:]
	}
	if strings.HasPrefix(name, "yiv") {
		name = strings.TrimLeft(name[3:], "0123456789")
	}
	return name
}

// elementNamed knows the names that clients give to their elements.
func elementNamed(tag atom.Atom, isName bool, name string) (begin, end MarkKind) {
	name = plainName(name)
	switch name {
	case "gmail_attr", "moz-cite-prefix", "reply-intro", "airmail_on":
		return Attribution, AttributionEnd
	case "gmail_signature", "gmail_signature_prefix", "moz-signature", "signature", "ms-outlook-mobile-signature",
		"applemailsignature",
		"apple-signature", "protonmail_signature_block", "composer_signature", "bloop_sign", "k9mail-signature",
		"yahoo-signature",
		"messagesignaturesection", "front-signature", "hs_signature", "tutanota_signature", "sh-signature",
		"zm-_id_-sgn", "__sig_pre__",
		"__sig_post__", "_rc_sig", "mac_outlook_signature":
		return Signature, SignatureEnd
	case "linebreakatbeginningofsignature":
		return SignatureBreak, NoMark
	}
	if tag == atom.Blockquote {
		return NoMark, NoMark
	}
	switch name {
	case "gmail_quote", "gmail_quote_container", "protonmail_quote", "zmail_extra", "messagereplysection",
		"freshdesk_quote", "missive_quote":
		return HistoryIntro, NoMark
	case "divrplyfwdmsg", "appendonsend", "stopspelling", "mail-editor-reference-message-container",
		"ms-outlook-mobile-reference-message",
		"olk_src_body_section", "isreplycontent", "isforwardcontent", "zwchr", "__divider__", "__headers__",
		"__quoted_text__", "moz-forward-container":
		return History, NoMark
	case "quote", "quoted-content": // GMX
		if isName {
			return History, NoMark
		}
	}
	if strings.HasPrefix(name, "yahoo_quoted") {
		return History, NoMark
	}
	return NoMark, NoMark
}

// elementStyled knows elements by their border.
func elementStyled(tag atom.Atom, value string) MarkKind {
	style := strings.ReplaceAll(lowered(value), " ", "")
	switch tag {
	case atom.Blockquote:
		// QUIRK: Gmail and Outlook indent with a quotation that has no border.
		if strings.Contains(style, "border:none") || strings.Contains(style, "border:0") {
			return indented
		}
	case atom.Div, atom.P, atom.Td, atom.Table:
		return lineAbove(style)
	}
	return NoMark
}

// lineAbove knows the line that Outlook draws above the head of a message by its colour, and other lines above.
func lineAbove(style string) MarkKind {
	if !strings.Contains(style, "border") || !strings.Contains(style, "solid") || !strings.Contains(style, "padding") {
		return NoMark
	}
	top := strings.Contains(style, "border-top") || strings.Contains(style, "border-style:solidnonenonenone")
	switch {
	case !top:
		return NoMark
	case strings.Contains(style, "#e1e1e1") || strings.Contains(style, "#b5c4df"):
		if strings.Contains(style, "padding:3") {
			return Rule
		}
	}
	return ThinRule
}

func itoa(n int) string { return strconv.Itoa(n) }
