package report

import (
	"cmp"
	"encoding/json"
	"strings"
)

// sesNotice is what Amazon SES publishes; subscribers by mail get it as the text of a message.
type sesNotice struct {
	NotificationType, EventType string
	Bounce                      struct{ BouncedRecipients []sesRecipient }
	DeliveryDelay               struct{ DelayedRecipients []sesRecipient }
	Complaint                   struct {
		ComplainedRecipients  []sesRecipient
		ComplaintFeedbackType string
	}
	Delivery struct {
		Recipients   []string
		SMTPResponse string
	}
	Mail struct {
		MessageID     string
		CommonHeaders struct{ MessageID string }
	}
}

type sesRecipient struct{ EmailAddress, Status, DiagnosticCode string }

// sesReport reads a notice of Amazon SES, None for any other text.
//
// QUIRK: the text is one long line, which relays break with "!", a line end and a blank.
func sesReport(text string) (r Report) {
	text = strings.TrimSpace(text)
	if !strings.HasPrefix(text, "{") {
		return r
	}
	text = strings.ReplaceAll(strings.ReplaceAll(text, "!\n ", ""), "\n", "")
	var n sesNotice
	if json.NewDecoder(strings.NewReader(text)).Decode(&n) != nil {
		return r
	}
	list := n.Bounce.BouncedRecipients
	switch n.NotificationType + n.EventType {
	case "Bounce":
		r.Class = Bounce
	case "DeliveryDelay":
		r.Class, list = Delayed, n.DeliveryDelay.DelayedRecipients
	case "Complaint":
		r.Class, list = Complaint, n.Complaint.ComplainedRecipients
		r.Feedback = oneLine(lower(n.Complaint.ComplaintFeedbackType), maxFeedback)
	case "Delivery":
		r.Class = Delivered
		for _, a := range n.Delivery.Recipients {
			list = append(list, sesRecipient{EmailAddress: a, DiagnosticCode: n.Delivery.SMTPResponse})
		}
	default:
		return r
	}
	r.MessageID = cleanID(cmp.Or(n.Mail.CommonHeaders.MessageID, n.Mail.MessageID))
	for _, one := range list[:min(len(list), maxRecipients)] {
		if a := cleanAddress(one.EmailAddress); a != "" {
			r.Recipients = addRecipient(r.Recipients, one.recipient(r.Class, a))
		}
	}
	return r
}

func (one sesRecipient) recipient(class Class, address string) Recipient {
	_, words := cutType(one.DiagnosticCode)
	switch class {
	case Complaint:
		return Recipient{Address: address}
	case Delivered:
		_, after, _ := strings.Cut(words, " ") // 250 2.0.0 OK
		return Recipient{Address: address, Status: givenSuccess(after), Text: oneLine(words, maxWords)}
	}
	r := claim{status: one.Status, words: words}.recipient(address)
	r.Hard = r.Hard && class == Bounce
	return r
}
