package service

import (
	"context"
	"errors"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/wake"
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

// CreateKey makes one more key for the mailbox.
func (s *Service) CreateKey(ctx context.Context, in Access) (CreatedKey, error) {
	made := CreatedKey{Secret: mailbox.NewSecret()}
	made.Key = s.newKey(in.Box.Num, made.Secret)
	err := s.update(ctx, func(tx store.Tx) error {
		box, err := tx.Mailbox(ctx, in.Box.Num)
		if err != nil {
			return err
		}
		if box.Scope != mailbox.Permanent {
			return mailbox.Errorf(mailbox.Conflict, "provisional_mailbox", "A temporary mailbox has the one key it "+
				"was made with; claim it first.")
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
func (s *Service) RevokeKey(ctx context.Context, in Access, id mailbox.ID) error {
	var k mailbox.Key
	err := s.update(ctx, func(tx store.Tx) (err error) {
		if k, err = tx.Key(ctx, id); err != nil {
			return err
		}
		box, err := tx.Mailbox(ctx, k.Mailbox)
		if err != nil {
			return err
		}
		if err := tx.DeleteKey(ctx, id); err != nil {
			return err
		}
		return tx.AppendAudit(ctx, s.audited(in, box.Address, k.Hint))
	})
	if errors.Is(err, store.ErrNotFound) {
		return mailbox.Errorf(mailbox.NotFound, "not_found", "Key not found")
	}
	s.wake(wake.Changed, k.Mailbox)
	s.wake(wake.Mail, k.Mailbox)
	return err
}

// RotateKey replaces the caller's own key by a new one. The old one works on for the deployment's grace time.
func (s *Service) RotateKey(ctx context.Context, in Access) (CreatedKey, error) {
	if in.Caller.Scope == mailbox.Operator {
		return CreatedKey{}, mailbox.Errorf(mailbox.Invalid, "operator_key",
			"The operator credential is a setting of the deployment and is not rotated here.")
	}
	made := CreatedKey{Secret: mailbox.NewSecret()}
	made.Key = s.newKey(in.Box.Num, made.Secret)
	err := s.update(ctx, func(tx store.Tx) error {
		// Two rotations of one key at the same time: the second finds it gone, or with an end.
		old, err := tx.KeyByDigest(ctx, in.Caller.Key.Digest)
		if err != nil {
			return err
		}
		if !old.ExpiresAt.IsZero() {
			return mailbox.Errorf(mailbox.Conflict, "key_retired", "This key was rotated already and ends soon; use "+
				"the new one.")
		}
		if err := s.retire(ctx, tx, old); err != nil {
			return err
		}
		return tx.InsertKey(ctx, made.Key)
	})
	s.wake(wake.Changed, in.Box.Num)
	s.wake(wake.Mail, in.Box.Num)
	return made, in.gone(err)
}

// retire ends a key that was rotated, at once or after the grace time.
func (s *Service) retire(ctx context.Context, tx store.Tx, key mailbox.Key) error {
	if s.opt.KeyGrace == 0 {
		return tx.DeleteKey(ctx, key.ID)
	}
	return tx.ExpireKey(ctx, key.ID, s.now().Add(s.opt.KeyGrace))
}
