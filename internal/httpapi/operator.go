package httpapi

import (
	"context"
	"net/http"
	"net/netip"
	"time"

	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/wire"
)

// operators holds the verbs about named operators and their sessions.
type operators interface {
	CreateOperator(ctx context.Context, in service.Access, n service.NewOperator) (service.CreatedKey, error)
	Operators(ctx context.Context, in service.Access) ([]service.ListedOperator, error)
	UpdateOperator(ctx context.Context, in service.Access, id mailbox.ID,
		c service.OperatorChange) (service.ListedOperator, error)
	DeleteOperator(ctx context.Context, in service.Access, id mailbox.ID) error
	Sessions(ctx context.Context, in service.Access) ([]service.ListedSession, error)
	EndSession(ctx context.Context, in service.Access, id mailbox.ID) error
	EndSessions(ctx context.Context, in service.Access, operator mailbox.ID) (ended int, err error)
	SignIn(ctx context.Context, id mailbox.Identity, from service.Origin) (service.CreatedKey, error)
	SignInFailed(client netip.Addr, reason string) error
	SignOut(ctx context.Context, in service.Access) error
}

// operatorMembers are what can be said about an operator.
var operatorMembers = []string{"name", "role", "email", "expires_at"}

// operator reads what an operator is to be. What is not given is nil; null takes it away.
func (f fields) operator() (c service.OperatorChange, err error) {
	if err := f.among(operatorMembers, "An operator has no member %q; it has %s."); err != nil {
		return c, err
	}
	var role *string
	for name, into := range map[string]**string{"name": &c.Name, "role": &role, "email": &c.Email} {
		if f[name] == nil {
			continue
		}
		text, err := f.word(name)
		if *into = &text; err != nil {
			return c, err
		}
	}
	c.Role = (*mailbox.Role)(role)
	if f["expires_at"] != nil {
		c.ExpiresAt = new(time.Time)
		*c.ExpiresAt, err = f.moment("expires_at")
	}
	return c, err
}

func (a *API) createOperator(c *call) error {
	given, err := c.fields.operator()
	if err != nil {
		return err
	}
	n := service.NewOperator{Name: valueOf(given.Name), Role: valueOf(given.Role), Email: valueOf(given.Email),
		ExpiresAt: valueOf(given.ExpiresAt)}
	made, err := a.svc.CreateOperator(c.Context(), c.in, n)
	if err != nil {
		return err
	}
	return a.answer(c, http.StatusCreated, wire.NewCreatedOperator(made.Key, made.Secret))
}

func valueOf[T any](p *T) (v T) {
	if p != nil {
		v = *p
	}
	return v
}

func (a *API) operators(c *call) error {
	list, err := a.svc.Operators(c.Context(), c.in)
	if err != nil {
		return err
	}
	out := api.Operators{Operators: make([]api.Operator, len(list))}
	for i, o := range list {
		out.Operators[i] = wire.NewOperator(o.Key, o.Sessions)
	}
	return a.answer(c, http.StatusOK, out)
}

func (a *API) updateOperator(c *call) error {
	id, err := parseID("Operator", c.value)
	if err != nil {
		return err
	}
	change, err := c.fields.operator()
	if err != nil {
		return err
	}
	o, err := a.svc.UpdateOperator(c.Context(), c.in, id, change)
	if err != nil {
		return err
	}
	return a.answer(c, http.StatusOK, wire.NewOperator(o.Key, o.Sessions))
}

func (a *API) deleteOperator(c *call) error { return a.end(c, "Operator", a.svc.DeleteOperator) }

func (a *API) endSession(c *call) error { return a.end(c, "Session", a.svc.EndSession) }

// end has something ended whose id is in the path.
func (a *API) end(c *call, what string, verb func(context.Context, service.Access, mailbox.ID) error) error {
	id, err := parseID(what, c.value)
	if err == nil {
		err = verb(c.Context(), c.in, id)
	}
	if err != nil {
		return err
	}
	return a.answer(c, http.StatusOK, api.Deleted{OK: true, Deleted: id.String()})
}

func (a *API) sessions(c *call) error {
	list, err := a.svc.Sessions(c.Context(), c.in)
	if err != nil {
		return err
	}
	out := api.Sessions{Sessions: make([]api.Session, len(list))}
	for i, s := range list {
		out.Sessions[i] = wire.NewSession(s.Key, s.Operator, c.in.Caller.Named.ID)
	}
	return a.answer(c, http.StatusOK, out)
}

func (a *API) endSessions(c *call) error {
	id, err := parseID("Operator", c.value)
	if err != nil {
		return err
	}
	ended, err := a.svc.EndSessions(c.Context(), c.in, id)
	if err != nil {
		return err
	}
	return a.answer(c, http.StatusOK, api.EndedSessions{OK: true, Ended: ended})
}

// signOut ends the caller's own session, and says where the person can sign out at the provider.
func (a *API) signOut(c *call) error {
	if err := a.svc.SignOut(c.Context(), c.in); err != nil {
		return err
	}
	a.setCookie(c.out.Header(), sessionCookie, "", 0, http.SameSiteStrictMode)
	out := api.SignedOut{OK: true, Deleted: c.in.Caller.Named.ID.String()}
	if a.openID != nil {
		out.ProviderURL = a.openID.SignOut(c.Context())
	}
	return a.answer(c, http.StatusOK, out)
}
