package service

import (
	"context"
	"errors"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

// CreatedKey is a new key with its secret, which is shown this once.
type CreatedKey struct {
	mailbox.Key
	Secret mailbox.Secret
}

func (s *Service) newKey(num mailbox.Num, secret mailbox.Secret) mailbox.Key {
	now := s.now()
	return mailbox.Key{ID: mailbox.NewID(now), Mailbox: num, Scope: mailbox.Permanent, Digest: secret.Digest(),
		Hint: secret.Hint(), CreatedAt: now}
}

// CreateKey gives the mailbox one more key.
func (s *Service) CreateKey(ctx context.Context, in Access) (CreatedKey, error) {
	made := CreatedKey{Secret: mailbox.NewSecret()}
	made.Key = s.newKey(in.Box.Num, made.Secret)
	err := s.update(ctx, func(tx store.Tx) error {
		box, err := tx.Mailbox(ctx, in.Box.Num)
		if err != nil {
			return err
		}
		if box.Scope != mailbox.Permanent {
			return mailbox.Errorf(mailbox.Conflict, "provisional_mailbox", "A temporary mailbox has the one key it was made with; claim it first.")
		}
		return tx.InsertKey(ctx, made.Key)
	})
	if errors.Is(err, store.ErrNotFound) {
		err = errNoMailbox
	}
	return made, err
}

// Keys lists the mailbox's keys, oldest first.
func (s *Service) Keys(ctx context.Context, in Access) (keys []mailbox.Key, err error) {
	if err := s.flush(ctx); err != nil {
		return nil, err
	}
	err = s.view(ctx, func(r store.Reader) (err error) {
		keys, err = r.Keys(ctx, in.Box.Num)
		return err
	})
	return keys, err
}

// RevokeKey ends any mailbox's key at once.
func (s *Service) RevokeKey(ctx context.Context, _ Access, id mailbox.ID) error {
	err := s.update(ctx, func(tx store.Tx) error {
		k, err := tx.Key(ctx, id)
		if err != nil {
			return err
		}
		box, err := tx.Mailbox(ctx, k.Mailbox)
		if err != nil {
			return err
		}
		if err := tx.DeleteKey(ctx, id); err != nil {
			return err
		}
		return tx.AppendAudit(ctx, mailbox.Audit{At: s.now(), Action: "revoke key", Mailbox: box.Address, Note: k.Hint})
	})
	if errors.Is(err, store.ErrNotFound) {
		return mailbox.Errorf(mailbox.NotFound, "not_found", "Key not found")
	}
	return err
}

// RotateKey replaces the caller's own key by a new one.
func (s *Service) RotateKey(ctx context.Context, in Access) (CreatedKey, error) {
	if in.Caller.Scope == mailbox.Operator {
		return CreatedKey{}, mailbox.Errorf(mailbox.Invalid, "operator_key",
			"The operator credential is a setting of the deployment and is not rotated here.")
	}
	made := CreatedKey{Secret: mailbox.NewSecret()}
	made.Key = s.newKey(in.Box.Num, made.Secret)
	err := s.update(ctx, func(tx store.Tx) error {
		// Two rotations of one key at the same time: the second finds it gone.
		if _, err := tx.KeyByDigest(ctx, in.Caller.Key.Digest); err != nil {
			return err
		}
		if err := tx.DeleteKey(ctx, in.Caller.Key.ID); err != nil {
			return err
		}
		return tx.InsertKey(ctx, made.Key)
	})
	return made, gone(err)
}
