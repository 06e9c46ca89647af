package httpapi

import (
	"context"
	"net/http"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/wire"
)

// histories holds the verb that tells what happened to a message.
type histories interface {
	History(ctx context.Context, in service.Access, id mailbox.ID) (service.History, error)
}

func (a *API) history(c *call) error {
	id, err := c.params.id("Email")
	if err != nil {
		return err
	}
	h, err := a.svc.History(c.Context(), c.in, id)
	if err != nil {
		return err
	}
	return a.answer(c, http.StatusOK, wire.NewHistory(h.ID, h.Address, h.Entries, h.Truncated))
}
