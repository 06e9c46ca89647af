package httpapi

import (
	"context"
	"io"
	"net/http"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/wire"
)

// ingests takes mail that a program has.
type ingests interface {
	Ingest(ctx context.Context, in service.Access, message io.Reader) (mailbox.Receipt, error)
}

// unreadBytes is how much of a refused message is read all the same.
const unreadBytes = 1 << 20

// ingest takes a raw message from the server that receives mail for this deployment. It streams: a message is never in
// memory as a whole.
func (a *API) ingest(c *call) error {
	if named, _ := c.params.mailbox(); named == "" {
		return mailbox.InvalidField("mailbox", "The parameter mailbox is missing: it names whose mail this is.")
	}
	receipt, err := a.svc.Ingest(c.Context(), c.in, c.body)
	if err == nil {
		err = receipt.Err
	}
	if failed := c.failure(); err != nil && failed != nil {
		return failed
	}
	if err != nil {
		// It may have been refused before it was read. A client that is still sending would be cut off, and not see the
		// answer.
		_, _ = io.CopyN(io.Discard, c.body, unreadBytes)
	}
	if err != nil && mailbox.KindOf(err) == mailbox.Paused {
		// Put off, not refused: the sender tries again, as it would over SMTP (API 11).
		c.out.Header().Set("Retry-After", "300")
		return &refusal{http.StatusServiceUnavailable, "mailbox_paused", "The mailbox is paused; try again later."}
	}
	if err != nil {
		return err
	}
	return a.answer(c, http.StatusCreated, wire.NewReceipt(receipt))
}
