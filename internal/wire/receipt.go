package wire

import "github.com/mailkin/mailkin/internal/mailbox"

// Receipt is the answer to a message that came over HTTP (API 11).
type Receipt struct {
	ID        ID     `json:"id"`
	Mailbox   string `json:"mailbox"`
	Duplicate bool   `json:"duplicate"`
}

// NewReceipt gives what became of a message.
func NewReceipt(r mailbox.Receipt) Receipt {
	return Receipt{ID: ID(r.ID), Mailbox: r.Mailbox, Duplicate: r.Duplicate}
}

// DeletedEmail is the answer to deleting a message.
type DeletedEmail struct {
	Deleted bool `json:"deleted"`
}

// Health is whether the service is up.
type Health struct {
	OK      bool   `json:"ok"`
	Status  string `json:"status"`
	Version string `json:"version"`
}
