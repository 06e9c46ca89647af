package httpapi

import (
	"context"
	"net/http"

	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/wire"
)

// bootstraps makes a temporary mailbox for an agent that has no key.
type bootstraps interface {
	Bootstrap(ctx context.Context, r service.BootstrapRequest) (service.Bootstrapped, error)
}

func (a *API) bootstrap(c *call) error {
	key, err := idempotencyKey(c.Header)
	if err != nil {
		return err
	}
	made, err := a.svc.Bootstrap(c.Context(), service.BootstrapRequest{Client: a.client(c.Request),
		IdempotencyKey: key})
	if err != nil {
		return err
	}
	status := http.StatusCreated
	if made.Replayed {
		status = http.StatusOK
	}
	answer := wire.NewBootstrapped(made.Mailbox, made.Key, made.Replayed, a.upgrade(c))
	answer.EventID = eventID(made.Event)
	return a.answer(c, status, answer)
}

// idempotencyKey is what the client calls this request; empty: nothing. The service knows what such a key looks like.
// One that is given and empty is refused here, because it means that the client believes it sent one.
func idempotencyKey(h http.Header) (string, error) {
	switch values := h["Idempotency-Key"]; {
	case len(values) == 0:
		return "", nil
	case len(values) == 1 && values[0] != "":
		return values[0], nil
	}
	return "", mailbox.InvalidField("idempotency_key", "The header Idempotency-Key is given once, with a value.")
}

// upgrade says how a temporary mailbox becomes a permanent one. The address is a page: people open it.
func (a *API) upgrade(c *call) api.Upgrade {
	return api.Upgrade{Command: "mailkin claim", URL: a.address(c.Request, claimPath)}
}
