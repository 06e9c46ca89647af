package wire

import (
	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/internal/mailbox"
)

func newDelivery(d mailbox.Delivery) api.Delivery {
	out := api.Delivery{Recipient: d.Recipient, Status: string(d.Status), Attempts: d.Attempts,
		LastCode: api.NullInt(d.Code), LastText: d.Text, MX: d.Host, TLS: d.TLS,
		Simulated: d.Simulated()}
	if !d.Leased {
		out.NextAt = at(d.NextAt)
	}
	if d.Unknown {
		out.Outcome = "unknown" // it may have arrived twice
	}
	return out
}

// NewSending gives the answer to a send.
func NewSending(id, thread mailbox.ID, message string, status mailbox.DeliveryStatus,
	review *mailbox.Review) api.Sending {
	return api.Sending{ID: id.String(), MessageID: messageID(message), ThreadID: thread.String(),
		Status: string(status), Review: newReview(review)}
}

// NewCancellation gives the answer to a cancel.
func NewCancellation(id mailbox.ID, status string, canceled, sent []string) api.Cancellation {
	return api.Cancellation{ID: id.String(), Status: status, Canceled: append([]string{}, canceled...),
		Sent: append([]string{}, sent...)}
}

// PreviewAddresses returns addresses as a preview shows them.
func PreviewAddresses(list []mailbox.Address) []api.Address { return addresses(list) }

// NewSuppressions returns a list of suppressions and where it goes on.
func NewSuppressions(list []mailbox.Suppression, next string) api.Suppressions {
	return api.Suppressions{Next: null(next), Suppressions: each(list,
		func(s mailbox.Suppression) api.Suppression {
			out := api.Suppression{Address: s.Address, Reason: s.Reason, Detail: s.Detail, CreatedAt: at(s.At)}
			if !s.Message.IsZero() {
				out.EmailID = null(s.Message.String())
			}
			return out
		})}
}
