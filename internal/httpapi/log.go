package httpapi

import (
	"net/http"

	"github.com/mailkin/mailkin/internal/wire"
)

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
