package reply

import "strings"

// markPlain is no mark: the element is an indentation.
const markPlain = -1

// meaning is the mark that an element gets at its beginning and at its end.
func meaning(t tag) (begin, end rune) {
	switch t.name {
	case "blockquote":
		begin, end = markQuote, markUnquote
	case "hr":
		begin = markThinRule
	case "signature": // Mailspring
		begin, end = markSign, markSignEnd
	}
	for rest := t.attributes; rest != ""; {
		var key, value string
		key, value, rest = nextAttribute(rest)
		switch b, e := meaningOf(t.name, lower(key), value); b {
		case 0:
		case markPlain:
			return 0, 0
		default:
			begin, end = b, e
		}
	}
	return begin, end
}

func meaningOf(tag, key, value string) (begin, end rune) {
	switch key {
	case "class", "id", "name", "data-marker", "data-smartmail":
		for name := range strings.FieldsSeq(value) {
			if b, e := elementNamed(tag, key, plainName(name)); b != 0 {
				return b, e
			}
		}
	case "style":
		return elementStyled(tag, value)
	}
	return 0, 0
}

// plainName removes what readers put before the names of other people's elements: x_ by Outlook, yiv and a number or
// ydp and an id by Yahoo.
func plainName(name string) string {
	name = lower(name)
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
func elementNamed(tag, key, name string) (begin, end rune) {
	switch name {
	case "gmail_attr", "moz-cite-prefix", "reply-intro", "airmail_on":
		return markHead, markHeadEnd
	case "gmail_signature", "gmail_signature_prefix", "moz-signature", "signature", "ms-outlook-mobile-signature", "applemailsignature", "apple-signature",
		"protonmail_signature_block", "composer_signature", "bloop_sign", "k9mail-signature", "yahoo-signature", "messagesignaturesection",
		"front-signature", "hs_signature", "tutanota_signature", "sh-signature", "zm-_id_-sgn", "__sig_pre__", "__sig_post__", "_rc_sig",
		"mac_outlook_signature":
		return markSign, markSignEnd
	case "linebreakatbeginningofsignature":
		return markSign, 0
	}
	if tag == "blockquote" {
		return 0, 0
	}
	switch name {
	case "gmail_quote", "gmail_quote_container", "protonmail_quote", "zmail_extra", "messagereplysection", "freshdesk_quote", "missive_quote":
		return markIntro, 0
	case "divrplyfwdmsg", "appendonsend", "stopspelling", "mail-editor-reference-message-container", "ms-outlook-mobile-reference-message",
		"olk_src_body_section", "isreplycontent", "isforwardcontent", "zwchr", "__divider__", "__headers__", "__quoted_text__", "moz-forward-container":
		return markHard, 0
	case "quote", "quoted-content": // GMX
		if key == "name" {
			return markHard, 0
		}
	}
	if strings.HasPrefix(name, "yahoo_quoted") {
		return markHard, 0
	}
	return 0, 0
}

// elementStyled knows elements by how they look.
func elementStyled(tag, value string) (begin, end rune) {
	if !strings.Contains(value, "order") { // border, in any case
		return 0, 0
	}
	style := strings.ReplaceAll(lower(value), " ", "")
	switch tag {
	case "blockquote":
		// QUIRK: Gmail and Outlook indent with a quotation that has no border.
		if strings.Contains(style, "border:none") || strings.Contains(style, "border:0") {
			return markPlain, 0
		}
	case "div", "p", "td", "table":
		return lineAbove(style), 0
	}
	return 0, 0
}

// lineAbove knows the line that Outlook draws above the head of a message by its colour, and other lines above.
func lineAbove(style string) rune {
	if !strings.Contains(style, "border") || !strings.Contains(style, "solid") || !strings.Contains(style, "padding") {
		return 0
	}
	top := strings.Contains(style, "border-top") || strings.Contains(style, "border-style:solidnonenonenone")
	switch {
	case !top:
		return 0
	case strings.Contains(style, "#e1e1e1") || strings.Contains(style, "#b5c4df"):
		if strings.Contains(style, "padding:3") {
			return markRule
		}
	}
	return markThinRule
}
