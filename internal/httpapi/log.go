package httpapi

import (
	"context"
	"net/http"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/wire"
)

// logs holds the verbs that read the deployment's logs.
type logs interface {
	Rejects(ctx context.Context, in service.Access, p service.Page) (service.List[mailbox.Reject], error)
	Audits(ctx context.Context, in service.Access, p service.Page) (service.List[mailbox.Audit], error)
}

func (a *API) rejects(c *call) error {
	page, err := c.params.page()
	if err != nil {
		return err
	}
	list, err := a.svc.Rejects(c.Context(), c.in, page)
	if err != nil {
		return err
	}
	return a.answer(c, http.StatusOK, wire.NewRejects(list.Items, list.Next))
}

func (a *API) activity(c *call) error {
	limit, err := c.params.limit()
	if err != nil {
		return err
	}
	list, err := a.svc.Activity(c.Context(), c.in, limit)
	if err != nil {
		return err
	}
	return a.answer(c, http.StatusOK, wire.NewActivity(list))
}

func (a *API) audit(c *call) error {
	page, err := c.params.page()
	if err != nil {
		return err
	}
	list, err := a.svc.Audits(c.Context(), c.in, page)
	if err != nil {
		return err
	}
	return a.answer(c, http.StatusOK, wire.NewAudits(list.Items, list.Next))
}
