package report

import "cmp"

// receipt reads a message/disposition-notification part (RFC 8098 3). Whatever the reader did with the message, it
// was delivered.
//
// QUIRK: Dovecot refuses a message that its user does not want with a receipt that says "deleted", and a text that
// says "rejected".
func (d *document) receipt() Report {
	said, original := splitOriginal(d.text())
	head := cmp.Or(d.returnedHead(), headOf(original))
	r := d.fromGroups(d.groups(d.disposition), newNarrative(said), head)
	if has(said, rejectedText) {
		return r
	}
	r.Class = Delivered
	for i, rcpt := range r.Recipients {
		r.Recipients[i] = Recipient{Address: rcpt.Address}
	}
	return r
}
