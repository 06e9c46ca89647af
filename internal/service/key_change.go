package service

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/wake"
)

// KeyChange is what is to be different about a key; what is nil stays. An empty name or list, and the zero time, take
// that bound away.
type KeyChange struct {
	Name         *string
	Capabilities *[]string
	Recipients   *[]string
	Networks     *[]string
	Domain       *string
	ExpiresAt    *time.Time
}

// apply changes what a key is bound to. What is wrong with the change is found as for a new key.
func (c KeyChange) apply(s *Service, to mailbox.Restriction) (r mailbox.Restriction, names []string, err error) {
	n := NewKey{Name: value(c.Name), Capabilities: value(c.Capabilities), Recipients: value(c.Recipients),
		Networks: value(c.Networks), Domain: value(c.Domain), ExpiresAt: value(c.ExpiresAt)}
	given, err := s.restriction(n)
	if err != nil {
		return to, nil, err
	}
	for _, m := range []struct {
		name  string
		given bool
		set   func()
	}{
		{"name", c.Name != nil, func() { to.Name = given.Name }},
		{"capabilities", c.Capabilities != nil, func() { to.Capabilities = given.Capabilities }},
		{"recipients", c.Recipients != nil, func() { to.Recipients = given.Recipients }},
		{"networks", c.Networks != nil, func() { to.Networks = given.Networks }},
		{"domain", c.Domain != nil, func() { to.Domain = given.Domain }},
		{"expires_at", c.ExpiresAt != nil, func() { to.ExpiresAt = given.ExpiresAt }},
	} {
		if m.given {
			m.set()
			names = append(names, m.name)
		}
	}
	if len(names) == 0 {
		err = mailbox.Errorf(mailbox.Invalid, "invalid_body", "There is nothing to change: give a member.")
	}
	return to, names, err
}

func value[T any](p *T) (v T) {
	if p != nil {
		v = *p
	}
	return v
}

// UpdateKey changes any mailbox's key: its next request finds it so, and what it has open ends where it may not do it
// any more. Its secret, and the mailboxes that it opens, stay. Only who may make such a key enters here.
func (s *Service) UpdateKey(ctx context.Context, in Access, id mailbox.ID, c KeyChange) (ListedKey, error) {
	return s.updateKey(ctx, in, id, c, func(mailbox.Key) error { return nil })
}

// RenameOwnKey names a key of the caller's mailbox: one that may do no more than the caller's own.
func (s *Service) RenameOwnKey(ctx context.Context, in Access, id mailbox.ID, name string) error {
	_, err := s.updateKey(ctx, in, id, KeyChange{Name: &name}, func(k mailbox.Key) error { return in.surpasses(k) })
	return err
}

func (s *Service) updateKey(ctx context.Context, in Access, id mailbox.ID, c KeyChange,
	may func(mailbox.Key) error) (changed ListedKey, err error) {
	err = s.update(ctx, func(tx store.Tx) error {
		k, err := tx.Key(ctx, id)
		if err != nil {
			return err
		}
		if err := s.changeable(k, may); err != nil {
			return err
		}
		to, names, err := c.apply(s, k.Restriction())
		if err != nil {
			return err
		}
		k.Bind(to)
		k.ExpiresAt = to.ExpiresAt
		if err := tx.UpdateKey(ctx, k); err != nil {
			return err
		}
		if err := bindMade(ctx, tx, k); err != nil {
			return err
		}
		b, err := bound(ctx, tx, k)
		if err != nil {
			return err
		}
		changed = ListedKey{k, b.Mailboxes}
		box, err := tx.Mailbox(ctx, k.Mailbox)
		if err != nil {
			return err
		}
		return tx.AppendAudit(ctx, s.audited(in, box.Address, k.Hint+" "+strings.Join(names, ", ")))
	})
	if errors.Is(err, store.ErrNotFound) {
		err = errNoKey
	}
	if err != nil {
		return ListedKey{}, err
	}
	s.wake(wake.Changed, changed.Mailbox)
	s.wake(wake.Mail, changed.Mailbox)
	return changed, nil
}

// bindMade binds the keys that a key has made to what it is bound to now. Those with nothing left end.
func bindMade(ctx context.Context, tx store.Tx, k mailbox.Key) error {
	return eachMade(ctx, tx, k, func(made mailbox.Key) error {
		to, left := made.Restriction().Within(k.Restriction())
		if !left {
			return tx.DeleteKey(ctx, made.ID)
		}
		made.Bind(to)
		made.ExpiresAt = to.ExpiresAt
		return tx.UpdateKey(ctx, made)
	})
}

// changeable fails where a key stays as it is: one that has ended, that was rotated, or that a temporary mailbox has.
func (s *Service) changeable(k mailbox.Key, may func(mailbox.Key) error) error {
	switch {
	case k.Expired(s.now()):
		return errNoKey
	case temporary(k):
		return mailbox.Errorf(mailbox.Conflict, "provisional_mailbox", "The key of a temporary mailbox stays as it "+
			"is; claim the mailbox first.")
	case k.Retired():
		return mailbox.Errorf(mailbox.Conflict, "key_retired", "This key was rotated and ends soon; change "+
			"the new one.")
	}
	return may(k)
}

var errNoKey = mailbox.Errorf(mailbox.NotFound, "not_found", "Key not found")

// surpasses fails where a key is not one of the caller's mailbox, or may do what the caller's may not.
func (in *Access) surpasses(k mailbox.Key) error {
	if k.Mailbox != in.Box.Num {
		return errNoKey
	}
	who := mailbox.Caller{Scope: k.Scope, Key: k, Mailbox: in.Box}
	for _, c := range mailbox.Capabilities() {
		if who.May(c) && !in.Caller.May(c) {
			return denied(in.Caller, c)
		}
	}
	return nil
}
