package report

import "strings"

// complaint reads a message/feedback-report part (RFC 5965 3).
func (d *document) complaint() Report {
	r := Report{Class: Complaint}
	for _, g := range d.groups(d.feedback) {
		for _, f := range g {
			r.feedbackField(f)
		}
	}
	d.fromReturned(&r)
	return r
}

// feedbackField takes in one field.
func (r *Report) feedbackField(f field) {
	switch f.name {
	case "feedback-type":
		if r.Feedback == "" {
			r.Feedback = oneLine(lower(f.value), maxFeedback)
		}
	case "original-rcpt-to", "removal-recipient":
		if a := cleanAddress(f.value); a != "" && len(r.Recipients) < maxRecipients {
			r.Recipients = addRecipient(r.Recipients, Recipient{Address: a})
		}
	case "original-message-id", "x-original-message-id":
		r.MessageID = cleanID(f.value)
	}
}

// bareComplaint reads a complaint that has no fields: its subject says what it is.
//
// QUIRK: the feedback loop of Microsoft's mail for consumers.
func (d *document) bareComplaint() Report {
	if d.returned == nil || !strings.HasPrefix(lower(d.m.Subject), "complaint about message from") {
		return Report{}
	}
	r := Report{Class: Complaint, Feedback: "abuse"}
	d.fromReturned(&r)
	return r
}

// fromReturned completes a complaint with what the original's header says.
func (d *document) fromReturned(r *Report) {
	head := d.returnedHead()
	if r.MessageID == "" {
		r.MessageID = d.originalID(head)
	}
	if len(r.Recipients) == 0 {
		for _, a := range complainers(head) {
			r.Recipients = append(r.Recipients, Recipient{Address: a})
		}
	}
}

// addRecipient adds one that is not yet in the list.
func addRecipient(list []Recipient, r Recipient) []Recipient {
	for _, have := range list {
		if strings.EqualFold(have.Address, r.Address) {
			return list
		}
	}
	return append(list, r)
}

// complainers finds in the original's header who got it.
func complainers(head string) []string {
	for _, name := range [...]string{"x-hmxmroriginalrecipient", "x-original-to", "delivered-to", "to"} {
		if v := headField(head, name); strings.IndexByte(v, '@') >= 0 {
			if list := addresses(v); len(list) > 0 {
				return list
			}
		}
	}
	return nil
}
