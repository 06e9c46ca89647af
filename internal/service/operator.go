package service

import (
	"context"
	"errors"
	"net/mail"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/wake"
)

// A named operator is a key of no mailbox, with a name and a role. A session is another one, which the operator's key
// has made: it ends with it, like every key that was made by another.

// noBox is the mailbox of operators' keys.
const noBox mailbox.Num = 0

// namedOperator finds whose credential this is where it is no mailbox's key.
func (s *Service) namedOperator(ctx context.Context, token mailbox.Secret) (mailbox.Caller, error) {
	var key mailbox.Key
	err := s.ask(ctx, func(r store.Reader) (err error) {
		key, err = r.KeyByDigest(ctx, token.Digest())
		return err
	})
	now := s.now()
	if errors.Is(err, store.ErrNotFound) || err == nil && (key.Scope != mailbox.Operator || key.Expired(now)) ||
		key.Restriction().Session && !s.opt.SignIns.Hold(key.Restriction()) {
		return mailbox.Caller{}, errUnauthorized
	}
	if err != nil {
		return mailbox.Caller{}, err
	}
	box, err := s.configured(ctx)
	s.ledger.touch(key, now)
	s.meet(key)
	return mailbox.Caller{Scope: mailbox.Operator, Mailbox: box, Named: key}, err
}

// stillOperator fails where a named operator may no longer do what was begun.
func (s *Service) stillOperator(ctx context.Context, r store.Reader, in *Access) error {
	key, err := r.KeyByDigest(ctx, in.Caller.Named.Digest)
	if err != nil {
		return err
	}
	in.Caller.Named = key
	if key.Expired(s.now()) || !in.Caller.May(in.Need) ||
		in.Box.Num != in.Caller.Mailbox.Num && !in.Caller.Everywhere(in.Need) {
		return errUnauthorized
	}
	return nil
}

// NewOperator is a named operator to be made.
type NewOperator struct {
	Name      string
	Role      mailbox.Role
	Email     string    // with which the operator may sign in at the provider; empty: only with the key
	ExpiresAt time.Time // zero: never
}

// OperatorChange is what is to be different about an operator; what is nil stays. The zero time and an empty address
// take that away.
type OperatorChange struct {
	Name      *string
	Role      *mailbox.Role
	Email     *string
	ExpiresAt *time.Time
}

// ListedOperator is a named operator, and how many sessions are open.
type ListedOperator struct {
	mailbox.Key
	Sessions int
}

var (
	errNoOperator = mailbox.Errorf(mailbox.NotFound, "not_found", "Operator not found")
	errNoSession  = mailbox.Errorf(mailbox.NotFound, "not_found", "Session not found")
)

// CreateOperator makes a named operator. The key is shown this once.
func (s *Service) CreateOperator(ctx context.Context, in Access, n NewOperator) (CreatedKey, error) {
	made := CreatedKey{Secret: mailbox.NewSecret()}
	made.Key = s.newOperatorKey(made.Secret)
	err := s.update(ctx, func(tx store.Tx) error {
		all, err := tx.Keys(ctx, noBox)
		if err != nil {
			return err
		}
		r, err := s.checkOperator(all, made.ID, mailbox.Restriction{Name: n.Name, Role: n.Role, Email: n.Email,
			ExpiresAt: n.ExpiresAt})
		if err != nil {
			return err
		}
		if len(all) >= operatorsMost {
			return errTooManyOperators
		}
		made.Bind(r)
		made.ExpiresAt = r.ExpiresAt
		if err := tx.InsertKey(ctx, made.Key); err != nil {
			return err
		}
		return tx.AppendAudit(ctx, s.audited(in, "", made.ID.String()+" "+r.Name+" "+string(r.Role)))
	})
	return made, err
}

const operatorsMost = 10_000

var errTooManyOperators = mailbox.Errorf(mailbox.Conflict, "too_many_operators",
	"There are at most %d operators and sessions.", operatorsMost)

func (s *Service) newOperatorKey(secret mailbox.Secret) mailbox.Key {
	k := s.newKey(noBox, secret)
	k.Scope = mailbox.Operator
	return k
}

// checkOperator returns what an operator is to be, or says what is wrong with it.
func (s *Service) checkOperator(all []mailbox.Key, id mailbox.ID, r mailbox.Restriction) (mailbox.Restriction, error) {
	r.Name, r.Email = strings.TrimSpace(r.Name), strings.ToLower(strings.TrimSpace(r.Email))
	switch {
	case r.Name == "":
		return r, mailbox.InvalidField("name", "An operator has a name.")
	case utf8.RuneCountInString(r.Name) > keyNameMost:
		return r, mailbox.InvalidField("name", "The name is too long: at most %d characters.", keyNameMost)
	case strings.ContainsFunc(r.Name, unicode.IsControl):
		return r, mailbox.InvalidField("name", "The name is one line of text, without control characters.")
	case mailbox.ReservedName(r.Name):
		return r, mailbox.InvalidField("name", "%q is what the audit log calls somebody else, such as who has the "+
			"operator's token: give the operator another name.", r.Name)
	case !r.Role.Known():
		return r, mailbox.InvalidField("role", "There is no role %q; there are view, moderate and admin.",
			mailbox.Clip(string(r.Role), 50))
	case !r.ExpiresAt.IsZero() && !r.ExpiresAt.After(s.now()):
		return r, mailbox.InvalidField("expires_at", "expires_at is in the past.")
	}
	if r.Email != "" {
		if a, err := mail.ParseAddress(r.Email); err != nil || a.Address != r.Email || len(r.Email) > 254 {
			return r, mailbox.InvalidField("email", "That is no address; write alice@example.org.")
		}
	}
	for _, k := range all {
		other := k.Restriction()
		switch {
		case k.ID == id || other.Session || k.Retired() || k.Expired(s.now()):
		case strings.EqualFold(other.Name, r.Name):
			return r, mailbox.Errorf(mailbox.Conflict, "operator_taken", "There is an operator %s already.", other.Name)
		case r.Email != "" && other.Email == r.Email:
			return r, mailbox.Errorf(mailbox.Conflict, "operator_taken", "The operator %s has that address already.",
				other.Name)
		}
	}
	return r, nil
}

// Operators lists the named operators, oldest first.
func (s *Service) Operators(ctx context.Context, _ Access) (list []ListedOperator, err error) {
	all, err := s.operatorKeys(ctx)
	for _, k := range all {
		if k.Restriction().Session {
			continue
		}
		listed := ListedOperator{Key: k}
		for _, o := range all {
			if o.Restriction().Session && string(o.Restriction().Maker) == string(k.Digest[:]) {
				listed.Sessions++
			}
		}
		list = append(list, listed)
	}
	return list, err
}

// operatorKeys lists the keys of operators and their sessions that have not ended.
func (s *Service) operatorKeys(ctx context.Context) (all []mailbox.Key, err error) {
	if err := s.flush(ctx); err != nil && mailbox.KindOf(err) != mailbox.DiskFull {
		return nil, err
	}
	err = s.view(ctx, func(r store.Reader) (err error) {
		all, err = r.Keys(ctx, noBox)
		return err
	})
	now := s.now()
	return slices.DeleteFunc(all, func(k mailbox.Key) bool { return k.Expired(now) || k.Retired() }), err
}

// UpdateOperator changes a named operator. Its next request finds it so, and so do its sessions.
func (s *Service) UpdateOperator(ctx context.Context, in Access, id mailbox.ID,
	c OperatorChange) (out ListedOperator, err error) {
	err = s.changeOperator(ctx, id, func(tx store.Tx, all []mailbox.Key, k mailbox.Key) error {
		r, names := c.apply(k.Restriction())
		if len(names) == 0 {
			return mailbox.Errorf(mailbox.Invalid, "invalid_body", "There is nothing to change: give a member.")
		}
		if was := k.Restriction(); c.Role != nil && r.Subject != "" && r.Email == "" && *c.Role != was.Role {
			return mailbox.InvalidField("role", "The provider's claims give this operator the role (oidc_roles). An "+
				"operator with an address (email) has the role that is set here.")
		}
		r, err := s.checkOperator(all, id, r)
		if err != nil {
			return err
		}
		moved := r.Email != k.Restriction().Email
		k.Bind(r)
		k.ExpiresAt = r.ExpiresAt
		out = ListedOperator{Key: k}
		if err := tx.UpdateKey(ctx, k); err != nil {
			return err
		}
		err = eachMade(ctx, tx, k, func(session mailbox.Key) error {
			if moved { // whoever signed in may be somebody else
				return tx.DeleteKey(ctx, session.ID)
			}
			out.Sessions++
			of := session.Restriction()
			of.Name, of.Role = r.Name, r.Role
			if !r.ExpiresAt.IsZero() && r.ExpiresAt.Before(of.ExpiresAt) {
				of.ExpiresAt = r.ExpiresAt
			}
			session.Bind(of)
			session.ExpiresAt = of.ExpiresAt
			return tx.UpdateKey(ctx, session)
		})
		if err != nil {
			return err
		}
		return tx.AppendAudit(ctx, s.audited(in, "", id.String()+" "+r.Name+": "+strings.Join(names, ", ")))
	})
	return out, err
}

// apply changes what an operator is, and names what changes.
func (c OperatorChange) apply(r mailbox.Restriction) (mailbox.Restriction, []string) {
	var names []string
	if c.Name != nil {
		r.Name, names = *c.Name, append(names, "name")
	}
	if c.Role != nil {
		r.Role, names = *c.Role, append(names, "role "+string(*c.Role))
	}
	if c.Email != nil {
		r.Email, r.Subject, names = *c.Email, "", append(names, "email") // of whoever signs in with it first
	}
	if c.ExpiresAt != nil {
		r.ExpiresAt, names = *c.ExpiresAt, append(names, "expires_at")
	}
	return r, names
}

// changeOperator calls fn with a named operator that has not ended, in an update, and has streams look again.
func (s *Service) changeOperator(ctx context.Context, id mailbox.ID,
	fn func(tx store.Tx, all []mailbox.Key, k mailbox.Key) error) error {
	err := s.update(ctx, func(tx store.Tx) error {
		all, err := tx.Keys(ctx, noBox)
		if err != nil {
			return err
		}
		i := slices.IndexFunc(all, func(k mailbox.Key) bool { return k.ID == id && !k.Restriction().Session })
		if i < 0 || all[i].Expired(s.now()) || all[i].Retired() {
			return errNoOperator
		}
		return fn(tx, all, all[i])
	})
	s.wakeOperators()
	return err
}

// wakeOperators has every stream look again whether its caller still may see the mailbox.
func (s *Service) wakeOperators() {
	s.wake(wake.Changed, noBox)
	s.wake(wake.Mail, noBox)
}

// DeleteOperator ends a named operator with all sessions, at once.
func (s *Service) DeleteOperator(ctx context.Context, in Access, id mailbox.ID) error {
	return s.changeOperator(ctx, id, func(tx store.Tx, _ []mailbox.Key, k mailbox.Key) error {
		return s.removeOperator(ctx, tx, in, k)
	})
}

func (s *Service) removeOperator(ctx context.Context, tx store.Tx, in Access, k mailbox.Key) error {
	err := eachMade(ctx, tx, k, func(session mailbox.Key) error { return tx.DeleteKey(ctx, session.ID) })
	if err == nil {
		err = tx.DeleteKey(ctx, k.ID)
	}
	if err != nil {
		return err
	}
	return tx.AppendAudit(ctx, s.audited(in, "", k.ID.String()+" "+k.Restriction().Name))
}
