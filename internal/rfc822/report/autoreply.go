package report

import (
	"strings"

	"github.com/mailkin/mailkin/internal/rfc822"
)

// autoReply makes the report of an automatic answer.
func (d *document) autoReply() Report {
	r := Report{Class: AutoReply, MessageID: d.originalID("")}
	if len(d.m.From) > 0 {
		r.Recipients = []Recipient{{Address: d.m.From[0].Address}}
	}
	return r
}

// hasAutoHeader says whether a field of before RFC 3834 marks an automatic answer.
func hasAutoHeader(h rfc822.Header) bool {
	for _, name := range [...]string{"Precedence", "X-Precedence", "Preference"} {
		if v := lower(h.Raw(name)); v == "auto_reply" || v == "auto-reply" {
			return true
		}
	}
	for _, name := range [...]string{"X-Autoreply", "X-Autorespond", "X-Auto-Reply", "X-AutoReply-From",
		"X-Mail-Autoreply"} {
		if v := lower(h.Raw(name)); v != "" && v != "no" && v != "false" {
			return true
		}
	}
	return false
}

// answers says whether a mail that a program wrote may be an answer. Notices of what others write are none: they speak
// of vacations too.
func (d *document) answers(s signals) bool {
	if d.m.Header.Raw("List-Unsubscribe") != "" || d.m.Header.Raw("List-Id") != "" {
		return false
	}
	return s.null || len(d.m.InReplyTo) > 0 || len(d.m.References) > 0 || strings.HasPrefix(lower(d.m.Subject), "re:")
}

// isAway says whether a text that a program wrote begins like an answer for someone who is away.
//
// QUIRK: vacation programs that call what they send generated, which RFC 3834 5 keeps for what answers nothing, or that
// say nothing and leave the return path empty.
func isAway(text string) bool {
	const top = 1 << 10
	return has(text[:min(len(text), top)], awayText)
}

// isAutoTag says whether a subject begins with the words of an automatic answer in brackets: "[Auto-Reply] Your order".
func isAutoTag(subject string) bool {
	tag, _, ok := strings.Cut(strings.ToLower(subject), "]")
	return ok && strings.HasPrefix(tag, "[") && begins(strings.TrimLeft(tag, "[ "), autoSubject|autoPhrase)
}

// isAutoSubject says whether a subject of lower case is that of an automatic answer. A reply to one begins with
// "Re:" and is not.
func isAutoSubject(subject string) bool {
	if begins(subject, autoSubject|autoPhrase) {
		return true
	}
	before, _, ok := strings.Cut(subject, ":")
	return ok && has(before, autoPhrase)
}
