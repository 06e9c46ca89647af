package service

import (
	"context"
	"fmt"
	"net/netip"
	"slices"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

// Origin is where a person signs in from.
type Origin struct {
	Client  netip.Addr
	Request string // for the audit log
}

// sessionsMost is how many sessions one operator has at a time. The oldest ends when another one begins.
const sessionsMost = 20

var errNoRole = mailbox.Errorf(mailbox.Denied, "not_mapped", "The provider knows you, and you are no operator here.")

// SignIn begins a session for a person who has signed in at the provider: of the operator with that address, or of one
// that the settings give a role, who is made at the first sign-in. Nobody else gets in, and of somebody who has lost
// the role every session ends.
func (s *Service) SignIn(ctx context.Context, id mailbox.Identity, from Origin) (CreatedKey, error) {
	made := CreatedKey{Secret: mailbox.NewSecret()}
	made.Key = s.newOperatorKey(made.Secret)
	var by mailbox.Key
	var allowed bool
	err := s.update(ctx, func(tx store.Tx) error {
		all, err := tx.Keys(ctx, noBox)
		if err != nil {
			return err
		}
		in := Access{Act: Act{Verb: "sign-in", Client: from.Client, Request: from.Request}}
		grant, role := s.opt.SignIns.Grant(id.Values)
		if by, allowed, err = s.signedIn(ctx, tx, in, all, id, role); err != nil || !allowed {
			return err
		}
		who := by.Restriction()
		if who.Email != "" {
			grant = ""
		}
		if err := s.roomForSession(ctx, tx, by, len(all)); err != nil {
			return err
		}
		end := s.now().Add(s.opt.SignIns.Lasts)
		if !who.ExpiresAt.IsZero() && who.ExpiresAt.Before(end) {
			end = who.ExpiresAt
		}
		made.Bind(mailbox.Restriction{Name: who.Name, Role: who.Role, Session: true, Maker: by.Digest[:],
			ExpiresAt: end, Client: from.Client.String(), Issuer: id.Issuer, Grant: grant})
		made.ExpiresAt = end
		if err := tx.InsertKey(ctx, made.Key); err != nil {
			return err
		}
		in.Caller = mailbox.Caller{Scope: mailbox.Operator, Named: made.Key}
		note := id.Who()
		if id.Email != "" {
			note += " " + id.Email
		}
		return tx.AppendAudit(ctx, s.audited(in, "", note))
	})
	if err == nil && !allowed {
		s.wakeOperators()
		err = errNoRole
	}
	if err != nil {
		return CreatedKey{}, err
	}
	s.ledger.touch(by, s.now())
	return made, nil
}

// signedIn finds or makes the operator that an identity is; false: it is none. An operator who was added by hand stays
// the person who signed in first with the address: somebody else may be given the address at the provider later.
func (s *Service) signedIn(ctx context.Context, tx store.Tx, in Access, all []mailbox.Key, id mailbox.Identity,
	role mailbox.Role) (mailbox.Key, bool, error) {
	now := s.now()
	all = slices.DeleteFunc(slices.Clone(all), func(k mailbox.Key) bool {
		return k.Restriction().Session || k.Expired(now) || k.Retired()
	})
	var mapped *mailbox.Key
	for i, k := range all {
		r := k.Restriction()
		switch {
		case r.Subject == id.Who() && r.Email != "":
			return k, true, nil
		case r.Subject == id.Who():
			mapped = &all[i]
		}
	}
	for _, k := range all {
		if r := k.Restriction(); id.Email != "" && r.Email == id.Email && r.Subject == "" {
			r.Subject = id.Who()
			k.Bind(r)
			return k, true, tx.UpdateKey(ctx, k)
		}
	}
	switch {
	case mapped != nil && !role.Known():
		in.Caller = mailbox.Caller{Scope: mailbox.Operator, Named: *mapped}
		return *mapped, false, s.removeOperator(ctx, tx, in, *mapped)
	case mapped != nil:
		r := mapped.Restriction()
		r.Role = role
		mapped.Bind(r)
		err := eachMade(ctx, tx, *mapped, func(session mailbox.Key) error { // what other groups gave ends
			if session.Restriction().Role == role {
				return nil
			}
			return tx.DeleteKey(ctx, session.ID)
		})
		if err == nil {
			err = tx.UpdateKey(ctx, *mapped)
		}
		return *mapped, true, err
	case !role.Known():
		return mailbox.Key{}, false, nil
	}
	k, err := s.mapped(ctx, tx, all, id, role)
	return k, true, err
}

// mapped makes the operator of an identity that the settings give a role.
func (s *Service) mapped(ctx context.Context, tx store.Tx, all []mailbox.Key, id mailbox.Identity,
	role mailbox.Role) (mailbox.Key, error) {
	k := s.newOperatorKey(mailbox.NewSecret()) // which nobody is told
	k.Hint = ""
	r := mailbox.Restriction{Name: id.Called(keyNameMost), Role: role, Subject: id.Who()}
	for n := 2; ; n++ {
		checked, err := s.checkOperator(all, k.ID, r)
		if err == nil {
			k.Bind(checked)
			return k, tx.InsertKey(ctx, k)
		}
		if mailbox.KindOf(err) != mailbox.Conflict {
			return k, err
		}
		r.Name = fmt.Sprintf("%s (%d)", id.Called(keyNameMost-10), n)
	}
}

// roomForSession ends the oldest sessions of an operator who has too many, and fails where the deployment has.
func (s *Service) roomForSession(ctx context.Context, tx store.Tx, by mailbox.Key, all int) error {
	var own []mailbox.Key
	err := eachMade(ctx, tx, by, func(session mailbox.Key) error {
		own = append(own, session)
		return nil
	})
	if err == nil && all-max(0, len(own)-sessionsMost+1) >= operatorsMost {
		err = errTooManyOperators
	}
	slices.SortFunc(own, func(a, b mailbox.Key) int { return a.CreatedAt.Compare(b.CreatedAt) })
	for i := 0; err == nil && i <= len(own)-sessionsMost; i++ {
		err = tx.DeleteKey(ctx, own[i].ID)
	}
	return err
}

// SignInFailed notes that somebody could not sign in at the provider, and why. An error says that it was too often.
func (s *Service) SignInFailed(client netip.Addr, reason string) error {
	return s.failedLogin(EdgeConsole, client, reason, "")
}

// ListedSession is a session that is open, and whose it is.
type ListedSession struct {
	mailbox.Key
	Operator mailbox.Key
}

// Sessions lists the sessions that are open, oldest first.
func (s *Service) Sessions(ctx context.Context, _ Access) (list []ListedSession, err error) {
	all, err := s.operatorKeys(ctx)
	by := map[string]mailbox.Key{}
	for _, k := range all {
		by[string(k.Digest[:])] = k
	}
	for _, k := range all {
		if r := k.Restriction(); r.Session && s.opt.SignIns.Hold(r) {
			list = append(list, ListedSession{k, by[string(r.Maker)]})
		}
	}
	return list, err
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

// EndSessions ends all sessions of an operator, at once, and tells how many there were.
func (s *Service) EndSessions(ctx context.Context, in Access, id mailbox.ID) (ended int, err error) {
	err = s.changeOperator(ctx, id, func(tx store.Tx, _ []mailbox.Key, k mailbox.Key) error {
		ended = 0
		err := eachMade(ctx, tx, k, func(session mailbox.Key) error {
			ended++
			return tx.DeleteKey(ctx, session.ID)
		})
		if err != nil {
			return err
		}
		return tx.AppendAudit(ctx, s.audited(in, "", id.String()+" "+k.Restriction().Name))
	})
	return ended, err
}
