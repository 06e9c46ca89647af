package httpapi

import (
	"context"
	"net/http"
	"strings"

	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/wire"
)

// suppressions holds the verbs about where not to send.
type suppressions interface {
	Suppressions(ctx context.Context, in service.Access, q service.SuppressionsQuery) (
		service.List[mailbox.Suppression], error)
	AddSuppressions(ctx context.Context, in service.Access, n service.NewSuppressions) (service.AddedSuppressions,
		error)
	DeleteSuppression(ctx context.Context, in service.Access, address string) error
}

func (a *API) suppressions(c *call) error {
	return answerTo(a, c, c.suppressionsQuery, a.svc.Suppressions, formPage(wire.NewSuppressions))
}

// suppressionsQuery is which suppressions are asked for.
func (c *call) suppressionsQuery() (q service.SuppressionsQuery, err error) {
	if q.Words, err = c.params.text("query"); err == nil {
		q.Page, err = c.params.page()
	}
	return q, err
}

func (a *API) addSuppressions(c *call) error {
	addresses, err := c.fields.texts("addresses")
	if err != nil {
		return err
	}
	reason, err := c.fields.word("reason")
	if err != nil {
		return err
	}
	done, err := a.svc.AddSuppressions(c.Context(), c.in, service.NewSuppressions{Addresses: addresses, Reason: reason})
	if err != nil {
		return err
	}
	return a.answer(c, http.StatusOK, api.AddedSuppressions{OK: true, Added: done.Added, Present: done.Present})
}

func (a *API) deleteSuppression(c *call) error {
	address, err := c.params.text("address")
	if err != nil {
		return err
	}
	if address = strings.TrimSpace(address); !strings.Contains(address, `"`) { // in quotes a space is one
		// QUIRK: a plus that was not escaped in a query, as in parseTime
		address = strings.ReplaceAll(address, " ", "+")
	}
	if err := a.svc.DeleteSuppression(c.Context(), c.in, address); err != nil {
		return err
	}
	return a.answer(c, http.StatusOK, api.Deleted{OK: true, Deleted: address})
}
