package service

import (
	"context"
	"fmt"
	"net/netip"
	"slices"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

// Identity is a person as the provider knows them, who has just signed in there.
type Identity struct {
	Issuer, Subject string       // together the person's name that never changes
	Email           string       // that the provider has verified; empty: none
	Name            string       // for people
	Role            mailbox.Role // that the settings give to the person's claims; empty: none
	Client          netip.Addr   // where the person comes from
	Request         string       // for the audit log
}

// who is how an operator is told apart that was made by the claims of an identity.
func (id Identity) who() string { return id.Issuer + " " + id.Subject }

var errNoRole = mailbox.Errorf(mailbox.Denied, "not_mapped", "The provider knows you, and you are no operator here.")

// SignIn begins a session for a person who has signed in at the provider: of the operator with that address, or of one
// that the settings give a role, who is made at the first sign-in. Nobody else gets in.
func (s *Service) SignIn(ctx context.Context, id Identity, lasts time.Duration) (CreatedKey, error) {
	made := CreatedKey{Secret: mailbox.NewSecret()}
	made.Key = s.newOperatorKey(made.Secret)
	var by mailbox.Key
	err := s.update(ctx, func(tx store.Tx) error {
		all, err := tx.Keys(ctx, noBox)
		if err != nil {
			return err
		}
		if by, err = s.signedIn(ctx, tx, all, id); err != nil {
			return err
		}
		who := by.Restriction()
		end := s.now().Add(lasts)
		if !who.ExpiresAt.IsZero() && who.ExpiresAt.Before(end) {
			end = who.ExpiresAt
		}
		made.Bind(mailbox.Restriction{Name: who.Name, Role: who.Role, Session: true, Maker: by.Digest[:],
			ExpiresAt: end, Client: id.Client.String()})
		made.ExpiresAt = end
		if err := tx.InsertKey(ctx, made.Key); err != nil {
			return err
		}
		in := Access{Act: Act{Verb: "sign-in", Client: id.Client, Request: id.Request},
			Caller: mailbox.Caller{Scope: mailbox.Operator, Named: made.Key}}
		return tx.AppendAudit(ctx, s.audited(in, "", id.who()))
	})
	if err != nil {
		return CreatedKey{}, err
	}
	s.ledger.touch(by, s.now())
	return made, nil
}

// signedIn finds or makes the operator that an identity is.
func (s *Service) signedIn(ctx context.Context, tx store.Tx, all []mailbox.Key, id Identity) (mailbox.Key, error) {
	now := s.now()
	all = slices.DeleteFunc(all, func(k mailbox.Key) bool {
		return k.Restriction().Session || k.Expired(now) || k.Retired()
	})
	for _, k := range all {
		if r := k.Restriction(); id.Email != "" && r.Email == id.Email {
			return k, nil
		}
	}
	if !id.Role.Known() {
		return mailbox.Key{}, errNoRole
	}
	for _, k := range all {
		r := k.Restriction()
		if r.Subject != id.who() {
			continue
		}
		r.Role = id.Role
		k.Bind(r)
		err := eachMade(ctx, tx, k, func(session mailbox.Key) error {
			of := session.Restriction()
			of.Role = id.Role
			session.Bind(of)
			return tx.UpdateKey(ctx, session)
		})
		if err == nil {
			err = tx.UpdateKey(ctx, k)
		}
		return k, err
	}
	k := s.newOperatorKey(mailbox.NewSecret()) // which nobody is told
	k.Hint = ""
	r := mailbox.Restriction{Name: mailbox.Clip(id.Name, keyNameMost), Role: id.Role, Subject: id.who()}
	for n := 2; ; n++ {
		checked, err := s.checkOperator(all, k.ID, r)
		if err == nil {
			k.Bind(checked)
			return k, tx.InsertKey(ctx, k)
		}
		if mailbox.KindOf(err) != mailbox.Conflict {
			return k, err
		}
		r.Name = fmt.Sprintf("%s (%d)", mailbox.Clip(id.Name, keyNameMost-10), n)
	}
}

// SignInFailed notes that somebody could not sign in at the provider, and why. An error says that it was too often.
func (s *Service) SignInFailed(client netip.Addr, reason string) error {
	return s.failedLogin(EdgeConsole, client, reason, "")
}

// Sessions lists the sessions that are open, oldest first.
func (s *Service) Sessions(ctx context.Context, _ Access) ([]mailbox.Key, error) {
	all, err := s.operatorKeys(ctx)
	return slices.DeleteFunc(all, func(k mailbox.Key) bool { return !k.Restriction().Session }), err
}

// EndSession ends any session, at once.
func (s *Service) EndSession(ctx context.Context, in Access, id mailbox.ID) error {
	return s.endSession(ctx, in, func(k mailbox.Key) bool { return k.ID == id })
}

// SignOut ends the caller's own session.
func (s *Service) SignOut(ctx context.Context, in Access) error {
	return s.endSession(ctx, in, func(k mailbox.Key) bool { return k.ID == in.Caller.Named.ID })
}

func (s *Service) endSession(ctx context.Context, in Access, meant func(mailbox.Key) bool) error {
	err := s.update(ctx, func(tx store.Tx) error {
		all, err := tx.Keys(ctx, noBox)
		if err != nil {
			return err
		}
		i := slices.IndexFunc(all, func(k mailbox.Key) bool { return k.Restriction().Session && meant(k) })
		if i < 0 {
			return errNoSession
		}
		if err := tx.DeleteKey(ctx, all[i].ID); err != nil {
			return err
		}
		return tx.AppendAudit(ctx, s.audited(in, "", all[i].ID.String()+" "+all[i].Restriction().Name))
	})
	s.wakeOperators()
	return err
}
