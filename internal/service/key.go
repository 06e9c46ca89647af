package service

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"net/netip"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/wake"
	"github.com/mailkin/mailkin/internal/zone"
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

// NewKey is a key to be made, and what it is bound to, as the operator writes it: see mailbox.Restriction.
type NewKey struct {
	Name            string
	Capabilities    []string
	Recipients      []string // addresses, domains, *.domains
	Networks        []string // addresses and prefixes
	Domain          string   // whose addresses it may send from
	ExpiresAt       time.Time
	Mailboxes       []string // addresses of those that it opens beside its own
	CreateMailboxes bool
}

// CreateKey makes one more key for the mailbox.
func (s *Service) CreateKey(ctx context.Context, in Access, n NewKey) (CreatedKey, error) {
	bound, err := s.restriction(n)
	if err != nil {
		return CreatedKey{}, err
	}
	made := CreatedKey{Secret: mailbox.NewSecret()}
	made.Key = s.newKey(in.Box.Num, made.Secret)
	made.Bind(bound)
	made.ExpiresAt = bound.ExpiresAt
	err = s.update(ctx, func(tx store.Tx) error {
		box, err := tx.Mailbox(ctx, in.Box.Num)
		if err != nil {
			return err
		}
		if s.sendsNotices(box) {
			return mailbox.InvalidField("address", "%s", noKeyOpens(box.Address))
		}
		if box.Scope != mailbox.Permanent {
			return mailbox.Errorf(mailbox.Conflict, "provisional_mailbox", "A temporary mailbox has the one key it "+
				"was made with; claim it first.")
		}
		if err := tx.InsertKey(ctx, made.Key); err != nil {
			return err
		}
		if err := s.openBoxes(ctx, tx, made.Key, n.Mailboxes); err != nil {
			return err
		}
		return tx.AppendAudit(ctx, s.audited(in, box.Address, made.Key.ID.String()+" "+grants(made.Key)))
	})
	if errors.Is(err, store.ErrNotFound) {
		err = errNoMailbox
	}
	return made, err
}

// grants says for the audit log what a key may do.
func grants(k mailbox.Key) string {
	if list := k.Restriction().Capabilities; len(list) > 0 {
		return strings.Join(list, " ")
	}
	return string(mailbox.Permanent)
}

// OwnKey is a key that a mailbox makes for itself.
type OwnKey struct {
	Name     string
	SendOnly bool
	Domain   string // whose addresses it may send from; empty: as the caller's
}

// CreateOwnKey makes one more key for the caller's mailbox. It may do what the caller's may, or of that only send, or
// only from a domain, and never more; it counts against the same rate, and ends when the key is revoked that a person
// made.
func (s *Service) CreateOwnKey(ctx context.Context, in Access, n OwnKey) (CreatedKey, error) {
	bound := in.Caller.Key.Restriction()
	bound.Name, bound.Several, bound.CreateMailboxes = n.Name, false, false
	if bound.Maker == nil && in.Caller.Scope != mailbox.Operator {
		bound.Maker = in.Caller.Key.Digest[:]
	}
	if n.SendOnly {
		if !in.Caller.May(mailbox.SendMail) {
			return CreatedKey{}, denied(in.Caller, mailbox.SendMail)
		}
		bound.Capabilities = []string{"send"}
	}
	asked, err := s.restriction(NewKey{Name: n.Name, Domain: n.Domain})
	if err != nil {
		return CreatedKey{}, err
	}
	if bound.Domain != "" && asked.Domain != "" && asked.Domain != bound.Domain {
		return CreatedKey{}, otherDomain(bound.Domain)
	}
	bound.Domain = cmp.Or(bound.Domain, asked.Domain)
	made := CreatedKey{Secret: mailbox.NewSecret()}
	made.Key = s.newKey(in.Box.Num, made.Secret)
	made.Bind(bound)
	made.ExpiresAt = in.Caller.Key.ExpiresAt
	err = s.update(ctx, func(tx store.Tx) error {
		keys, err := tx.Keys(ctx, in.Box.Num)
		if err == nil && len(keys) >= ownKeysMost {
			return mailbox.Errorf(mailbox.Conflict, "too_many_keys", "A mailbox has at most %d keys; delete one first.",
				ownKeysMost)
		}
		if err != nil {
			return err
		}
		if err := tx.InsertKey(ctx, made.Key); err != nil {
			return err
		}
		return tx.AppendAudit(ctx, s.audited(in, in.Box.Address, made.Hint))
	})
	return made, in.gone(err)
}

// ownKeysMost is how many keys a mailbox may have when it makes one for itself.
const ownKeysMost = 100

// RevokeOwnKey ends a key of the caller's mailbox at once: one that may do no more than the caller's own.
func (s *Service) RevokeOwnKey(ctx context.Context, in Access, id mailbox.ID) error {
	err := s.view(ctx, func(r store.Reader) error {
		k, err := r.Key(ctx, id)
		if err != nil {
			return err
		}
		return in.surpasses(k)
	})
	if errors.Is(err, store.ErrNotFound) {
		err = errNoKey
	}
	if err != nil {
		return err
	}
	return s.RevokeKey(ctx, in, id)
}

// openBoxes lets a key open the permanent mailboxes of these addresses.
func (s *Service) openBoxes(ctx context.Context, tx store.Tx, k mailbox.Key, addresses []string) error {
	for _, address := range addresses {
		box, err := tx.MailboxAt(ctx, canonical(address))
		if errors.Is(err, store.ErrNotFound) || err == nil && box.Scope != mailbox.Permanent {
			return mailbox.InvalidField("mailboxes", "There is no permanent mailbox %s.", address)
		}
		if err == nil && s.sendsNotices(box) {
			err = mailbox.InvalidField("mailboxes", "%s", noKeyOpens(box.Address))
		}
		if err == nil {
			err = tx.InsertKeyBox(ctx, k.ID, box.Num)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// noKeyOpens says why a mailbox of the service has no keys: what it sends has links that decide.
func noKeyOpens(address string) string {
	return address + " is a mailbox of the service, from which it sends notices to reviewers; no key opens it."
}

const (
	keyNameMost = 100 // characters
	keyListMost = 1000
)

// restriction reads what a key that is to be made is bound to, or says what is wrong with it.
func (s *Service) restriction(n NewKey) (r mailbox.Restriction, err error) {
	r = mailbox.Restriction{Name: n.Name, Capabilities: n.Capabilities, ExpiresAt: n.ExpiresAt,
		Several: len(n.Mailboxes) > 0 || n.CreateMailboxes, CreateMailboxes: n.CreateMailboxes}
	if utf8.RuneCountInString(n.Name) > keyNameMost {
		return r, mailbox.InvalidField("name", "The name is too long: at most %d characters.", keyNameMost)
	}
	if strings.ContainsFunc(n.Name, unicode.IsControl) {
		return r, mailbox.InvalidField("name", "The name is one line of text, without control characters.")
	}
	if !n.ExpiresAt.IsZero() && !n.ExpiresAt.After(s.now()) {
		return r, mailbox.InvalidField("expires_at", "expires_at is in the past.")
	}
	for field, list := range map[string][]string{"capabilities": n.Capabilities, "recipients": n.Recipients,
		"networks": n.Networks, "mailboxes": n.Mailboxes} {
		if len(list) > keyListMost {
			return r, mailbox.InvalidField(field, "There are too many %s: at most %d.", field, keyListMost)
		}
	}
	if n.Domain != "" {
		if r.Domain, err = zone.Normalize(n.Domain); err != nil {
			return r, mailbox.InvalidAs("domain", err)
		}
	}
	for _, c := range n.Capabilities {
		if !slices.Contains(mailbox.GrantNames(), c) {
			return r, mailbox.InvalidField("capabilities", "There is no capability %q; there are %s.",
				mailbox.Clip(c, 50), strings.Join(mailbox.GrantNames(), ", "))
		}
	}
	for _, text := range n.Recipients {
		p, err := pattern(text)
		if err != nil {
			return r, mailbox.InvalidAs("recipients", err)
		}
		r.Recipients = append(r.Recipients, p)
	}
	r.Networks, err = networks(n.Networks)
	return r, err
}

// networks reads addresses and prefixes.
func networks(texts []string) (list []netip.Prefix, err error) {
	for _, text := range texts {
		p, err := netip.ParsePrefix(text)
		if a, bad := netip.ParseAddr(text); bad == nil {
			p, err = a.Unmap().Prefix(a.Unmap().BitLen())
		}
		if err != nil {
			return nil, mailbox.InvalidField("networks", "%q is no network; write 192.0.2.1 or 2001:db8::/32.",
				mailbox.Clip(text, 50))
		}
		list = append(list, p.Masked())
	}
	return list, nil
}

// Bound is what a key is bound to, with the addresses of the mailboxes that it opens beside its own.
type Bound struct {
	mailbox.Restriction
	Mailboxes []string
}

// bound returns what a key is bound to.
func bound(ctx context.Context, r store.Reader, k mailbox.Key) (Bound, error) {
	b := Bound{Restriction: k.Restriction()}
	if !b.Several {
		return b, nil
	}
	nums, err := r.KeyBoxes(ctx, k.ID)
	for _, num := range nums {
		if err == nil {
			var box mailbox.Mailbox
			box, err = r.Mailbox(ctx, num)
			b.Mailboxes = append(b.Mailboxes, box.Address)
		}
	}
	return b, err
}

// ListedKey is a key with the addresses of the mailboxes that it opens beside its own.
type ListedKey struct {
	mailbox.Key
	Mailboxes []string
}

// Keys lists the mailbox's keys, oldest first.
func (s *Service) Keys(ctx context.Context, in Access) (list []ListedKey, err error) {
	if err := s.flush(ctx); err != nil {
		return nil, err
	}
	err = s.view(ctx, func(r store.Reader) error {
		keys, err := r.Keys(ctx, in.Box.Num)
		list = make([]ListedKey, len(keys))
		for i, k := range keys {
			if err == nil {
				var b Bound
				b, err = bound(ctx, r, k)
				list[i] = ListedKey{k, b.Mailboxes}
			}
		}
		return err
	})
	return list, err
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
		err = eachMade(ctx, tx, k, func(made mailbox.Key) error { return tx.DeleteKey(ctx, made.ID) })
		if err != nil {
			return err
		}
		return tx.AppendAudit(ctx, s.audited(in, box.Address, k.Hint))
	})
	if errors.Is(err, store.ErrNotFound) {
		return errNoKey
	}
	s.wake(wake.Changed, k.Mailbox)
	s.wake(wake.Mail, k.Mailbox)
	return err
}

// eachMade visits the keys that a key has made.
func eachMade(ctx context.Context, r store.Reader, k mailbox.Key, visit func(mailbox.Key) error) error {
	keys, err := r.Keys(ctx, k.Mailbox)
	if err != nil {
		return err
	}
	for _, made := range keys {
		if !bytes.Equal(made.Restriction().Maker, k.Digest[:]) {
			continue
		}
		if err := visit(made); err != nil {
			return err
		}
	}
	return nil
}

// RotateKey replaces the caller's own key by a new one that may do the same. The old one works on for the deployment's
// grace time.
func (s *Service) RotateKey(ctx context.Context, in Access) (CreatedKey, error) {
	own := in.Caller.Key
	switch named := in.Caller.Named; {
	case in.Caller.Scope == mailbox.Operator && named.ID.IsZero():
		return CreatedKey{}, mailbox.Errorf(mailbox.Invalid, "operator_key",
			"The operator credential is a setting of the deployment and is not rotated here.")
	case named.Restriction().Session:
		return CreatedKey{}, mailbox.Errorf(mailbox.Invalid, "operator_key",
			"A session is not rotated; end it and sign in again.")
	case in.Caller.Scope == mailbox.Operator:
		own = named
	}
	made := CreatedKey{Secret: mailbox.NewSecret()}
	made.Key = s.newKey(own.Mailbox, made.Secret) // whatever mailbox is named
	made.Scope = own.Scope
	err := s.update(ctx, func(tx store.Tx) error {
		// Two rotations of one key at the same time: the second finds it gone, or with an end.
		old, err := tx.KeyByDigest(ctx, own.Digest)
		if err != nil {
			return err
		}
		if old.Retired() {
			return mailbox.Errorf(mailbox.Conflict, "key_retired", "This key was rotated already and ends soon; use "+
				"the new one.")
		}
		boxes, err := tx.KeyBoxes(ctx, old.ID)
		if err != nil {
			return err
		}
		if err := s.retire(ctx, tx, old); err != nil {
			return err
		}
		made.Bound, made.ExpiresAt = old.Bound, old.Restriction().ExpiresAt
		for _, num := range boxes {
			if err := tx.InsertKeyBox(ctx, made.ID, num); err != nil {
				return err
			}
		}
		if err := s.passRoutes(ctx, tx, old, made.Key); err != nil {
			return err
		}
		err = eachMade(ctx, tx, old, func(child mailbox.Key) error {
			r := child.Restriction()
			r.Maker = made.Digest[:]
			child.Bind(r)
			return tx.UpdateKey(ctx, child)
		})
		if err != nil {
			return err
		}
		if err := tx.InsertKey(ctx, made.Key); err != nil {
			return err
		}
		var box mailbox.Mailbox
		if made.Mailbox != noBox {
			box, err = tx.Mailbox(ctx, made.Mailbox)
		}
		if err != nil {
			return err
		}
		return tx.AppendAudit(ctx, s.audited(in, box.Address, old.ID.String()+" is now "+made.Key.ID.String()))
	})
	if err == nil {
		s.rates.keys.inherit(made.Digest, own.Digest)
	}
	s.wake(wake.Changed, made.Mailbox)
	s.wake(wake.Mail, made.Mailbox)
	return made, in.gone(err)
}

// retire ends a key that was rotated, at once or after the grace time.
func (s *Service) retire(ctx context.Context, tx store.Tx, key mailbox.Key) error {
	if s.live().KeyGrace == 0 {
		return tx.DeleteKey(ctx, key.ID)
	}
	end := s.now().Add(s.live().KeyGrace)
	if !key.ExpiresAt.IsZero() && !end.Before(key.ExpiresAt) {
		end = key.ExpiresAt.Add(-time.Millisecond) // not later than it would have ended, and still told to be retired
	}
	return tx.ExpireKey(ctx, key.ID, end)
}
