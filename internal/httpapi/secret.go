package httpapi

import (
	"context"
	"net/http"
	"time"

	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/wire"
)

// secrets holds the verbs about the deployment's secrets.
type secrets interface {
	Secrets(ctx context.Context, in service.Access) ([]service.SecretState, error)
	RotateSecret(ctx context.Context, in service.Access, name mailbox.SecretName, overlap time.Duration) (
		service.NewSecret, error)
	EndSecret(ctx context.Context, in service.Access, name mailbox.SecretName) (service.SecretState, error)
}

func (a *API) secrets(c *call) error {
	list, err := a.svc.Secrets(c.Context(), c.in)
	if err != nil {
		return err
	}
	out := api.Secrets{Secrets: make([]api.Secret, len(list))}
	for i, one := range list {
		out.Secrets[i] = newSecret(one)
	}
	return a.answer(c, http.StatusOK, out)
}

func newSecret(s service.SecretState) api.Secret {
	return wire.NewSecret(s.Name, s.InFile, s.MadeAt, wire.SecretOverlap{Until: s.OldUntil, Overdue: s.Overdue,
		SettingsOld: s.Pending})
}

func (a *API) rotateSecret(c *call) error {
	overlap, given, err := c.overlap()
	if err == nil && given && overlap == 0 {
		err = mailbox.InvalidField("overlap_seconds", "overlap_seconds is above 0: who has the new secret can end the one "+
			"before with POST /v1/secrets/{name}/end.")
	}
	if err != nil {
		return err
	}
	made, err := a.svc.RotateSecret(c.Context(), c.in, mailbox.SecretName(c.value), overlap)
	if err != nil {
		return err
	}
	return a.answer(c, http.StatusCreated, api.RotatedSecret{Secret: newSecret(made.SecretState),
		Value: string(made.Value),
		Next:  made.Next()})
}

func (a *API) endSecret(c *call) error {
	ended, err := a.svc.EndSecret(c.Context(), c.in, mailbox.SecretName(c.value))
	if err != nil {
		return err
	}
	return a.answer(c, http.StatusOK, newSecret(ended))
}

// overlap is how long a secret that is replaced counts on, where the request says.
func (c *call) overlap() (overlap time.Duration, given bool, err error) {
	seconds, err := c.fields.number("overlap_seconds")
	if err != nil || seconds == nil {
		return 0, false, err
	}
	if *seconds < 0 || *seconds > 90*24*3600 {
		return 0, true, mailbox.InvalidField("overlap_seconds", "overlap_seconds is a number from 0 to 7776000.")
	}
	return time.Duration(*seconds) * time.Second, true, nil
}
