package httpapi

import (
	"context"
	"net/http"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/wire"
)

// checks holds the verb that tells how mail programs show a message.
type checks interface {
	CheckMail(ctx context.Context, in service.Access, id mailbox.ID) (service.MailCheck, error)
}

func (a *API) checkEmail(c *call) error {
	id, err := c.params.id("Email")
	if err != nil {
		return err
	}
	m, err := a.svc.CheckMail(c.Context(), c.in, id)
	if err != nil {
		return err
	}
	return a.answer(c, http.StatusOK, wire.NewMailCheck(m.ID, m.HTML, m.Whole, m.Result, m.Links))
}
