package httpapi

import (
	"context"
	"net/http"

	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/wire"
)

// quarantines holds the verbs about mail that the receiving lists keep apart.
type quarantines interface {
	Quarantine(ctx context.Context, in service.Access, p service.Page) (service.List[mailbox.Quarantined], error)
	QuarantinedMessage(ctx context.Context, in service.Access, id mailbox.ID) (service.FullMessage, error)
	Release(ctx context.Context, in service.Access, id mailbox.ID) (mailbox.Receipt, error)
	DeleteQuarantined(ctx context.Context, in service.Access, id mailbox.ID) error
}

func (a *API) quarantine(c *call) error {
	return answerPage(a, c, a.svc.Quarantine, wire.NewQuarantine)
}

// quarantinedID is the mail that the path names.
func (c *call) quarantinedID() (mailbox.ID, error) { return parseID("Email", c.value) }

// quarantined shows mail as /v1/email shows messages. Its attachments cannot be downloaded.
func (a *API) quarantined(c *call) error {
	return answerTo(a, c, c.quarantinedID, a.svc.QuarantinedMessage, func(m service.FullMessage) api.Email {
		e := wire.NewEmail(m.Message, m.Detail, m.Address, false)
		e.Status = "quarantined"
		return e
	})
}

func (a *API) releaseQuarantined(c *call) error {
	id, err := c.quarantinedID()
	if err != nil {
		return err
	}
	r, err := a.svc.Release(c.Context(), c.in, id)
	if err != nil {
		return err
	}
	return a.answer(c, http.StatusOK, api.Released{ID: id.String(), EmailID: r.ID.String(), Mailbox: r.Mailbox,
		Status: "released", Duplicate: r.Duplicate})
}

func (a *API) deleteQuarantined(c *call) error {
	id, err := c.quarantinedID()
	if err != nil {
		return err
	}
	if err := a.svc.DeleteQuarantined(c.Context(), c.in, id); err != nil {
		return err
	}
	return a.answer(c, http.StatusOK, api.Deleted{OK: true, Deleted: id.String()})
}
