package wire

import (
	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/internal/mailbox"
)

// NewReceipt returns what became of a message.
func NewReceipt(r mailbox.Receipt) api.IngestReceipt {
	return api.IngestReceipt{ID: r.ID.String(), Mailbox: r.Mailbox, Duplicate: r.Duplicate, Quarantined: r.Quarantined}
}
