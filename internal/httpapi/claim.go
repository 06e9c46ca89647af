package httpapi

import (
	"context"
	"net/http"
	"net/url"

	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/wire"
)

// claims holds the verbs by which a temporary mailbox becomes a permanent one.
type claims interface {
	StartClaim(ctx context.Context, r service.ClaimRequest) (service.StartedClaim, error)
	ShowClaim(ctx context.Context, session string) (service.ShownClaim, error)
	ConfirmClaim(ctx context.Context, session string, by mailbox.Secret) (service.ConfirmedClaim, error)
	PollClaim(ctx context.Context, session string, by mailbox.Secret) (service.PolledClaim, error)
	PendingClaims(ctx context.Context, in service.Access) ([]service.ShownClaim, error)
	ConfirmPending(ctx context.Context, in service.Access, id mailbox.ID) (service.ConfirmedClaim, error)
	DenyClaim(ctx context.Context, in service.Access, id mailbox.ID) error
}

func (a *API) startClaim(c *call) error {
	key, err := credential(c.Header)
	if err != nil {
		return err
	}
	name, err := c.fields.word("name")
	if err != nil {
		return err
	}
	started, err := a.svc.StartClaim(c.Context(), service.ClaimRequest{Client: a.client(c.Request), Name: name,
		Key: key})
	if err != nil {
		return a.wrongKey(c, key, err)
	}
	page := a.address(c.Request, claimPath+"?session="+url.QueryEscape(started.Link))
	return a.answer(c, http.StatusCreated, wire.NewStartedClaim(started.Claim, started.Session, page))
}

func (a *API) confirmClaim(c *call) error {
	key, err := credential(c.Header)
	if err != nil {
		return err
	}
	session, err := c.fields.word("session_id")
	if err != nil {
		return err
	}
	if session == "" {
		return mailbox.InvalidField("session_id", "The field session_id is missing.")
	}
	done, err := a.svc.ConfirmClaim(c.Context(), session, key)
	if err != nil {
		return a.wrongKey(c, key, err)
	}
	return a.answer(c, http.StatusOK, api.ConfirmedClaim{
		Status: string(mailbox.ClaimComplete), Mailbox: done.Address, Already: done.Already, APIKey: string(done.Key),
	})
}

func (a *API) pollClaim(c *call) error {
	key, err := credential(c.Header)
	if err != nil {
		return err
	}
	session, err := c.params.session()
	if err != nil {
		return err
	}
	polled, err := a.svc.PollClaim(c.Context(), session, key)
	if err != nil {
		return a.wrongKey(c, key, err)
	}
	return a.answer(c, http.StatusOK, api.Claim{
		Status: string(polled.State), Mailbox: polled.Address, APIKey: string(polled.Key),
	})
}

// session is the claim that a request is about.
func (p params) session() (string, error) {
	session, err := p.text("session")
	if err == nil && session == "" {
		err = mailbox.InvalidField("session", "The parameter session is missing: it is in the link of the claim.")
	}
	return session, err
}

func (a *API) pendingClaims(c *call) error {
	list, err := a.svc.PendingClaims(c.Context(), c.in)
	if err != nil {
		return err
	}
	out := api.PendingClaims{Claims: make([]api.PendingClaim, len(list))}
	for i, one := range list {
		out.Claims[i] = wire.NewPendingClaim(one.Claim, one.Temporary, one.RetiredAt, one.Barred)
	}
	return a.answer(c, http.StatusOK, out)
}

func (a *API) confirmPending(c *call) error {
	id, err := parseID("Claim", c.value)
	if err != nil {
		return err
	}
	done, err := a.svc.ConfirmPending(c.Context(), c.in, id)
	if err != nil {
		return err
	}
	return a.answer(c, http.StatusOK, api.ConfirmedClaim{Status: string(mailbox.ClaimComplete), Mailbox: done.Address,
		Already: done.Already})
}

func (a *API) denyClaim(c *call) error { return a.end(c, "Claim", a.svc.DenyClaim) }
