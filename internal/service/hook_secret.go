package service

import (
	"context"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

// HookOverlap is how long a webhook's secret that was replaced signs too, by default.
const HookOverlap = 24 * time.Hour

// HookSecret is what the owner of a webhook verifies its events with, as libraries of Standard Webhooks take it.
type HookSecret struct {
	Value    mailbox.Secret
	OldUntil time.Time // until when events are also signed with the one before; zero: they are not
}

// WebhookSecret is the secret of the mailbox's own webhook, and of those for a label.
func (s *Service) WebhookSecret(ctx context.Context, in Access) (HookSecret, error) {
	var box mailbox.Mailbox
	err := s.view(ctx, func(r store.Reader) (err error) {
		box, err = r.Mailbox(ctx, in.Box.Num)
		return err
	})
	return s.hookSecret(box, mailbox.HookRoute{}, box.Profile().Webhook), in.gone(err)
}

func (s *Service) hookSecret(box mailbox.Mailbox, r mailbox.HookRoute, turns mailbox.SecretTurns) HookSecret {
	out := HookSecret{Value: secretText(s.routeSecret(box, r))}
	if s.now().Before(turns.OldUntil) {
		out.OldUntil = turns.OldUntil
	}
	return out
}

// RotateWebhookSecret replaces the secret of the mailbox's webhook, or of the route with an id. Until the overlap is
// over events are signed with both.
func (s *Service) RotateWebhookSecret(ctx context.Context, in Access, route mailbox.ID, overlap time.Duration) (
	out HookSecret, err error) {
	if overlap < 0 || overlap > maxOverlap {
		return out, mailbox.InvalidField("overlap", "overlap is a length of time up to %s, such as 24h.", maxOverlap)
	}
	err = s.update(ctx, func(tx store.Tx) error {
		box, err := tx.Mailbox(ctx, in.Box.Num)
		if err != nil {
			return err
		}
		if route.IsZero() {
			about := box.Profile()
			if about.Webhook, err = s.turned(about.Webhook, overlap); err != nil {
				return err
			}
			box.SetProfile(about)
			if err := tx.UpdateMailbox(ctx, box); err != nil {
				return err
			}
			out = s.hookSecret(box, mailbox.HookRoute{}, about.Webhook)
			return nil
		}
		r, err := s.routeOf(ctx, tx, in, route)
		if err != nil {
			return err
		}
		if r.SecretTurns, err = s.turned(r.SecretTurns, overlap); err != nil {
			return err
		}
		r.UpdatedAt = s.now()
		if err := tx.PutHookRoute(ctx, r); err != nil {
			return err
		}
		out = s.hookSecret(box, r, r.SecretTurns)
		return nil
	})
	return out, in.gone(err)
}

// turned counts that a webhook's secret is replaced. Only one secret before it signs too, so another one has to wait
// until receivers had their time, or ends what they have.
func (s *Service) turned(t mailbox.SecretTurns, overlap time.Duration) (mailbox.SecretTurns, error) {
	now := s.now()
	if overlap > 0 && now.Before(t.OldUntil) {
		return t, mailbox.Errorf(mailbox.Conflict, "rotation_open", "The secret was replaced not long ago, and events "+
			"are signed with the one before as well until %s. Replace it after that, or end both at once with "+
			"\"overlap_seconds\": 0 (mailkin webhook secret rotate --now).", t.OldUntil.UTC().Format(time.RFC3339))
	}
	return mailbox.SecretTurns{Rotations: t.Rotations + 1, OldUntil: now.Add(overlap)}, nil
}
