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

// lists holds the verbs about whom a mailbox may write to and hears from.
type lists interface {
	List(ctx context.Context, in service.Access, l service.ListOf, p service.Page) (service.List[mailbox.Listed], error)
	PutListed(ctx context.Context, in service.Access, n service.NewListed) (mailbox.Listed, error)
	DeleteListed(ctx context.Context, in service.Access, l service.ListOf, value string) (string, error)
}

// listOf is the list that the path and the parameter scope name.
func (c *call) listOf() (l service.ListOf, err error) {
	scope, err := c.params.text("scope")
	if err != nil {
		return l, err
	}
	if scope != "" && scope != "deployment" {
		return l, mailbox.InvalidField("scope", "The scope is deployment, or left out.")
	}
	l.Deployment = scope != ""
	var ok bool
	if l.List, ok = mailbox.ParseList(c.value, c.part); !ok {
		err = mailbox.Errorf(mailbox.NotFound, "not_found", "There is no such list; they are send, reply and receive, "+
			"each with allow and block.")
	}
	return l, err
}

func (a *API) list(c *call) error {
	l, err := c.listOf()
	if err != nil {
		return err
	}
	verb := func(ctx context.Context, in service.Access, p service.Page) (service.List[mailbox.Listed], error) {
		return a.svc.List(ctx, in, l, p)
	}
	return answerPage(a, c, verb, wire.NewListEntries)
}

func (a *API) putListed(c *call) error {
	l, err := c.listOf()
	if err != nil {
		return err
	}
	n := service.NewListed{ListOf: l}
	if n.Value, err = c.fields.word("value"); err != nil {
		return err
	}
	if n.Note, err = c.fields.word("note"); err != nil {
		return err
	}
	if n.ExpiresAt, err = c.fields.moment("expires_at"); err != nil {
		return err
	}
	e, err := a.svc.PutListed(c.Context(), c.in, n)
	if err != nil {
		return err
	}
	return a.answer(c, http.StatusOK, wire.NewListEntry(e))
}

func (a *API) deleteListed(c *call) error {
	l, err := c.listOf()
	if err != nil {
		return err
	}
	value, err := c.params.text("value")
	if err != nil {
		return err
	}
	if value = strings.TrimSpace(value); !strings.Contains(value, `"`) { // in quotes a space is one
		value = strings.ReplaceAll(value, " ", "+") // QUIRK: a plus that was not escaped, as in deleteSuppression
	}
	value, err = a.svc.DeleteListed(c.Context(), c.in, l, value)
	if err != nil {
		return err
	}
	return a.answer(c, http.StatusOK, api.Deleted{OK: true, Deleted: value})
}
