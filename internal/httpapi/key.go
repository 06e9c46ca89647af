package httpapi

import (
	"context"
	"net/http"

	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/wire"
)

// keys holds the verbs about keys.
type keys interface {
	CreateKey(ctx context.Context, in service.Access) (service.CreatedKey, error)
	Keys(ctx context.Context, in service.Access) ([]mailbox.Key, error)
	RevokeKey(ctx context.Context, in service.Access, id mailbox.ID) error
	RotateKey(ctx context.Context, in service.Access) (service.CreatedKey, error)
}

func (a *API) createKey(c *call) error {
	key, err := a.svc.CreateKey(c.Context(), c.in)
	return a.createdKey(c, key, err)
}

func (a *API) rotateKey(c *call) error {
	key, err := a.svc.RotateKey(c.Context(), c.in)
	return a.createdKey(c, key, err)
}

func (a *API) createdKey(c *call, key service.CreatedKey, err error) error {
	if err != nil {
		return err
	}
	return a.answer(c, http.StatusCreated, wire.NewCreatedKey(key.Key, key.Secret, c.in.Box.Address))
}

func (a *API) keys(c *call) error {
	list, err := a.svc.Keys(c.Context(), c.in)
	if err != nil {
		return err
	}
	return a.answer(c, http.StatusOK, wire.NewKeys(list))
}

func (a *API) revokeKey(c *call) error {
	id, err := parseID("Key", c.value)
	if err != nil {
		return err
	}
	if err := a.svc.RevokeKey(c.Context(), c.in, id); err != nil {
		return err
	}
	return a.answer(c, http.StatusOK, api.Deleted{OK: true, Deleted: id.String()})
}
