package report

import (
	"cmp"
	"strings"
)

// statusReport reads a message/delivery-status part.
func (d *document) statusReport() Report {
	groups := d.groups(d.status)
	said, original := splitOriginal(d.text())
	head := cmp.Or(d.returnedHead(), headOf(original))
	return d.fromGroups(groups, newNarrative(said), head)
}

// outcome is what became of the message for one recipient.
type outcome struct {
	Class
	Recipient
}

// fromGroups makes a report of fields. It is None where they name no recipient.
func (d *document) fromGroups(groups []group, n narrative, head string) Report {
	addresses := make([]string, 0, 1)
	for _, g := range groups {
		addresses = append(addresses, n.groupAddress(g))
	}
	var all []outcome
	var seen []string
	id := ""
	for i, g := range groups {
		if id == "" {
			id = cleanID(cmp.Or(g.get("x-original-message-id"), g.get("original-message-id")))
		}
		if a := addresses[i]; a != "" && !hasAddress(seen, a) && len(seen) < maxRecipients {
			seen = append(seen, a)
			all = append(all, readGroup(g, n.claim(a, isOnly(addresses, a)), a))
		}
	}
	r := summary(all)
	if r.Class == None {
		return r
	}
	r.MessageID = cmp.Or(id, d.originalID(head))
	return r
}

// isOnly says whether no other address is in the list.
func isOnly(list []string, address string) bool {
	for _, a := range list {
		if a != "" && !strings.EqualFold(a, address) {
			return false
		}
	}
	return true
}

// summary keeps what counts: failures, and with them what is still being tried; else delays; else deliveries.
func summary(all []outcome) (r Report) {
	for _, o := range all {
		if o.Class == Bounce || o.Class == Delayed && r.Class != Bounce || r.Class == None {
			r.Class = o.Class
		}
	}
	for _, o := range all {
		if o.Class == r.Class || r.Class == Bounce && o.Class == Delayed {
			r.Recipients = append(r.Recipients, o.Recipient)
		}
	}
	return r
}

// readGroup reads what is said about one recipient (RFC 3464 2.3). c is what the text says about it.
func readGroup(g group, c claim, address string) (o outcome) {
	o.Class = actionClass(g)
	c.status = g.get("status")
	if _, words := cutType(g.get("diagnostic-code")); hasLetters(words) {
		c.words = words
	}
	o.Recipient = c.recipient(address)
	switch o.Class {
	case Delivered:
		o.Hard, o.Status = false, givenSuccess(c.status)
	case Delayed:
		o.Hard = false
	}
	return o
}

// groupAddress is the recipient as the sender knows it: the original before the final one. It is "" for the group about
// the message.
//
// QUIRK: "Final-Recipient: rfc822; @relay.example", or the name of a mailbox. Then the text may know better.
func (n narrative) groupAddress(g group) string {
	spare := ""
	for _, name := range [...]string{"original-recipient", "final-recipient", "x-actual-recipient"} {
		a := cleanAddress(g.get(name))
		if strings.IndexByte(a, '@') > 0 {
			return n.known(a)
		}
		if spare == "" {
			spare = a
		}
	}
	if spare != "" {
		if list := n.recipients(nil); len(list) == 1 {
			return list[0]
		}
	}
	return spare
}

// actionClass reads the Action field. QUIRK: it may be missing or in other words; then the status tells.
func actionClass(g group) Class {
	action, _, _ := strings.Cut(lower(g.get("action")), " ")
	switch strings.Trim(action, " \t;,.()") {
	case "failed":
		return Bounce
	case "delayed":
		return Delayed
	case "delivered", "relayed", "expanded":
		return Delivered
	}
	if strings.HasPrefix(g.get("status"), "2.") {
		return Delivered
	}
	return Bounce
}

// givenSuccess is a status of success.
func givenSuccess(s string) string {
	if f := strings.Fields(s); len(f) > 0 && strings.HasPrefix(f[0], "2.") && statusCode("5"+f[0][1:]) != "" {
		return f[0]
	}
	return ""
}

// hasLetters says whether there are words in s, not only a number.
func hasLetters(s string) bool {
	for i := range len(s) {
		if isAlphanumeric(s[i]) && !isDigit(s[i]) || s[i] >= 0x80 {
			return true
		}
	}
	return false
}
