package report

import (
	"cmp"
	"strings"
)

// freeForm reads a report that is written for people.
func (d *document) freeForm(s signals) Report {
	if !s.any() {
		return Report{}
	}
	said, original := splitOriginal(d.text())
	if !s.isReport(d.m.Header, said, original != "" || d.returned != nil) {
		return Report{}
	}
	head := cmp.Or(d.returnedHead(), headOf(original))
	n := newNarrative(said)
	if len(n.mentions) == 0 && len(s.failed) == 0 {
		if r := d.reportInside(original, head); r.Class != None {
			return r
		}
	}
	r := d.fromText(s, n, head)
	if len(r.Recipients) == 0 && !(s.daemon && s.subject) {
		return Report{} // it calls itself a report and says nothing
	}
	return r
}

// reportInside reads the report that a report returns.
//
// QUIRK: gateways that report by passing on the report they got, with words of their own that name no recipient.
func (d *document) reportInside(original, head string) Report {
	if d.inner != nil {
		return d.fromGroups(d.groups(d.inner), narrative{}, "")
	}
	if original == "" || !has(headField(head, "from"), daemonName) {
		return Report{}
	}
	said, original := splitOriginal(original[len(headOf(original)):])
	r := d.fromText(signals{}, newNarrative(said), headOf(original))
	if len(r.Recipients) == 0 {
		return Report{}
	}
	return r
}

// fromText makes the report of a text for people.
func (d *document) fromText(s signals, n narrative, head string) Report {
	if strings.Contains(lower(n.said), "final-recipient:") {
		if r := d.fromGroups(parseGroups(n.said), n, head); r.Class != None {
			return r
		}
	}
	var list []string
	for _, a := range s.failed {
		list = appendAddress(list, n.known(a))
	}
	if len(list) == 0 {
		list = n.recipients(d.sender())
	}
	if len(list) == 0 {
		list = addresses(headField(head, "to"))
	}
	r := Report{Class: Bounce, MessageID: d.originalID(head)}
	if isDelay(d.m.Subject, n.said) {
		r.Class = Delayed
	}
	for _, address := range list[:min(len(list), maxRecipients)] {
		rcpt := n.claim(address, len(list) == 1).recipient(address)
		if r.Class == Delayed {
			rcpt.Status, rcpt.Hard = "4"+rcpt.Status[1:], false
		}
		r.Recipients = append(r.Recipients, rcpt)
	}
	return r
}

// claim gathers what a text says about a recipient. Where it is the only one, all of the text is about it.
func (n narrative) claim(address string, only bool) claim {
	words := n.about(address)
	if findReply(words).start < 0 && only {
		if whole := bestWords(n.said); !hasLetters(words) || findReply(whole).start >= 0 {
			words = whole
		}
	}
	c := claim{words: bestWords(words)}
	if only {
		words = n.said
	}
	c.around = lower(oneLine(words, maxClaim))
	return c
}

// bestWords is what the server said, in a text about one recipient: from the reply on, to the end of its paragraph.
// A status without a code of SMTP may stand after the words: "no such user here. (#5.1.1)".
func bestWords(s string) string {
	if r := findReply(s); r.start >= 0 {
		start := r.start
		if r.code == 0 {
			start = strings.LastIndexByte(s[:start], '\n') + 1
		}
		s = s[start:]
		if end := strings.Index(s, "\n\n"); end >= 0 {
			s = s[:end]
		}
	}
	return strings.TrimRight(strings.TrimLeft(s, " \t\n:;,.>)]\"'"), " \t\n")
}

// sender is whom the report is sent to: who wrote the original.
func (d *document) sender() []string {
	var out []string
	for _, a := range d.m.To {
		out = append(out, a.Address)
	}
	return out
}

// isDelay says whether a report for people is about a message that is still being tried.
func isDelay(subject, said string) bool {
	const top = 2 << 10
	return has(subject, delaySubject) || has(said[:min(len(said), top)], delayText)
}
