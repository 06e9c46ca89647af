package service

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/wake"
	"github.com/mailkin/mailkin/internal/zone"
)

// A domain is verified when all its records are there. From then on it is the record of ownership that counts: as long
// as the DNS has it, the domain is served. When the DNS says that it is gone, the domain has lapsed: another mailbox
// may verify it, nothing is sent from it, and mail for it is put off for a week and refused after that. A DNS that does
// not answer changes nothing.

// VerifyDomain looks the records of a domain up now. When all that is needed is there, the domain is served from then
// on.
func (s *Service) VerifyDomain(ctx context.Context, in Access, id mailbox.ID) (DomainCheck, error) {
	found, err := s.Domain(ctx, in, id)
	if err != nil {
		return DomainCheck{}, err
	}
	if s.opt.Zones == nil {
		return DomainCheck{}, mailbox.Errorf(mailbox.Unimplemented, "dns_unavailable",
			"This service does not ask the DNS (setting dns), so no domain can be verified.")
	}
	p, err := s.plan(found.Domain)
	if err != nil && !errors.Is(err, ErrSealed) {
		return DomainCheck{}, err
	}
	resolver := s.opt.Zones()
	var was mailbox.Domain
	out := DomainCheck{Findings: p.Check(ctx, resolver)}
	if out.Findings.Complete(p) {
		if err := s.recheckOwner(ctx, found.Domain, resolver); err != nil {
			return DomainCheck{}, err
		}
	}
	err = s.update(ctx, func(tx store.Tx) error {
		if was, err = s.domain(ctx, tx, in, id); err != nil {
			return err
		}
		if out.Domain, err = s.judgeDomain(ctx, tx, was, p, out.Findings); err != nil {
			return err
		}
		out.Former, err = s.storeChecked(ctx, tx, was, out.Domain)
		return err
	})
	if err != nil {
		return out, err
	}
	s.logLapse(was, out.Domain)
	s.signers.Delete(out.Name) // its keys may be published now
	if out.Domain, err = s.turnKeys(ctx, out.Domain, resolver); err != nil {
		return out, err
	}
	err = s.domainsChanged(ctx)
	out.Message = strings.TrimLeft(found.Problem+" ", " ") + out.Findings.Message(p, out.InUse(),
		s.lapseMessage(out.Domain)) + formerMessage(out.Former)
	if keys := s.keysMessage(out.Domain); keys != "" {
		out.Message += " " + keys
	}
	return out, err
}

// storeChecked stores a domain whose records were looked up. Where its mailbox has just got it, it tells how many
// mailboxes on it were made for another owner.
func (s *Service) storeChecked(ctx context.Context, tx store.Tx, was, d mailbox.Domain) (former int64, err error) {
	if err := tx.UpdateDomain(ctx, d); err != nil {
		return 0, err
	}
	if !d.LapsedAt.Equal(was.LapsedAt) {
		err = s.auditLapse(ctx, tx, d)
	}
	if err != nil || was.InUse() || !d.InUse() || d.Mailbox == 0 {
		return 0, err
	}
	return s.countFormer(ctx, tx, d)
}

// countFormer counts the mailboxes that another owner of the domain had made, and notes them for the operator.
func (s *Service) countFormer(ctx context.Context, tx store.Tx, d mailbox.Domain) (former int64, err error) {
	box, err := tx.Mailbox(ctx, d.Mailbox)
	if err != nil {
		return 0, err
	}
	counts, err := tx.MailboxDomains(ctx)
	if err != nil {
		return 0, err
	}
	now := servedDomain{owner: d.Mailbox, operators: box.Address == s.opt.Configured}
	for _, c := range counts {
		if c.Domain == d.Name && now.displaces(c.Owner) {
			former += c.Mailboxes
		}
	}
	if former == 0 {
		return 0, nil
	}
	return former, tx.AppendAudit(ctx, mailbox.Audit{At: s.now(), Action: "domain changed hands", Mailbox: box.Address,
		Note: fmt.Sprintf("%s; mailboxes of its former owner on it: %d", d.Name, former)})
}

// judgeDomain gives a domain as it is after its records were looked up.
func (s *Service) judgeDomain(ctx context.Context, tx store.Tx, d mailbox.Domain, p zone.Plan,
	f zone.Findings) (mailbox.Domain, error) {
	for kind, mark := range map[string]*bool{zone.KindMX: &d.MX, zone.KindSPF: &d.SPF, zone.KindDKIM: &d.DKIM,
		zone.KindDMARC: &d.DMARC} {
		if f.Knows(kind) {
			*mark = f.Holds(kind)
		}
	}
	if d.VerifiedAt.IsZero() && f.Complete(p) {
		d.Owned, d.VerifiedAt = !p.Own, s.now()
		return d, s.unclaimed(ctx, tx, d)
	}
	for _, one := range f {
		if one.Record.Kind == zone.KindOwnership && one.Err == nil {
			return s.owned(ctx, tx, d, one.Verified)
		}
	}
	return d, nil
}

// owned returns a domain as it is after the DNS said whether the record of ownership is there.
func (s *Service) owned(ctx context.Context, tx store.Tx, d mailbox.Domain, yes bool) (mailbox.Domain, error) {
	d.Owned = yes
	switch {
	case d.VerifiedAt.IsZero():
	case !yes && d.LapsedAt.IsZero():
		d.LapsedAt = s.now()
	case yes && !d.LapsedAt.IsZero():
		d.LapsedAt = time.Time{}
		return d, s.unclaimed(ctx, tx, d)
	}
	return d, nil
}

// unclaimed refuses a domain that another mailbox has verified.
func (s *Service) unclaimed(ctx context.Context, tx store.Tx, d mailbox.Domain) error {
	used, err := tx.DomainNamed(ctx, d.Name)
	if errors.Is(err, store.ErrNotFound) || err == nil && used.ID == d.ID {
		return nil
	}
	if err == nil {
		err = takenDomain(d.Name)
	}
	return err
}

// lapseMessage tells the owner of a lapsed domain what that means now. Empty: it has not lapsed.
func (s *Service) lapseMessage(d mailbox.Domain) string {
	if d.VerifiedAt.IsZero() || d.LapsedAt.IsZero() {
		return ""
	}
	text := "The domain has lapsed: the record that shows who owns it was found to be gone from the DNS at " +
		d.LapsedAt.Format(time.RFC3339) + ". "
	refused := d.LapsedAt.Add(mailbox.LapseTime)
	switch {
	case s.serves(d.Name):
		return text + "Another mailbox has verified it since, and gets its mail."
	case s.now().Before(refused):
		text += "Mail for it is put off until " + refused.Format(time.RFC3339) + " and refused from then on"
	default:
		text += "Mail for it is refused since " + refused.Format(time.RFC3339)
	}
	return text + ", and nothing can be sent from it. When the record is published again, it is served again."
}

// formerMessage tells who has just got a domain of the mailboxes that another owner had on it.
func formerMessage(former int64) string {
	if former == 0 {
		return ""
	}
	return fmt.Sprintf(" Mailboxes on it that were made for its former owner: %d. They get no mail for it any more "+
		"and send none from it; "+
		"their addresses are free for new mailboxes.", former)
}

// domainsChanged lets this node and the others see at once that another domain is served, or none.
func (s *Service) domainsChanged(ctx context.Context) error {
	err := s.loadDomains(ctx)
	s.wake(wake.Changed, 0)
	return err
}

// recheckOwner looks whether a domain that somebody else has verified is still theirs, before it is given to whoever
// has just shown that it is his.
func (s *Service) recheckOwner(ctx context.Context, d mailbox.Domain, resolver zone.Resolver) error {
	var used mailbox.Domain
	err := s.view(ctx, func(r store.Reader) (err error) {
		used, err = r.DomainNamed(ctx, d.Name)
		return err
	})
	if errors.Is(err, store.ErrNotFound) || err == nil && (used.ID == d.ID || used.Mailbox == 0) {
		return nil
	}
	if err == nil {
		_, err = s.recheck(ctx, used, resolver)
	}
	return err
}

const (
	ownerChecked  = 24 * time.Hour // how often the owner of a domain is looked up
	checkParallel = 8
)

// checks remembers when the owners of domains were looked up. Only who does the chores needs it: a node that begins
// with them looks all of them up once.
type checks struct {
	mu   sync.Mutex
	done map[mailbox.ID]time.Time
}

// CheckDomains looks up who owns the verified domains, each once a day, and those that have lapsed at each call. Where
// the DNS does not answer, it is asked again at the next call. Nothing is written while nothing has changed.
func (s *Service) CheckDomains(ctx context.Context) error {
	if s.opt.Zones == nil {
		return nil
	}
	if err := s.turnDomainKeys(ctx); err != nil {
		return err
	}
	due, err := s.uncheckedDomains(ctx)
	if err != nil || len(due) == 0 {
		return err
	}
	resolver := s.opt.Zones()
	var wg sync.WaitGroup
	var mu sync.Mutex
	slots := make(chan struct{}, checkParallel)
	for _, d := range due {
		slots <- struct{}{}
		if ctx.Err() != nil {
			break
		}
		wg.Go(func() {
			defer func() { <-slots }()
			known, e := s.recheck(ctx, d, resolver)
			mu.Lock()
			defer mu.Unlock()
			if err = errors.Join(err, e); known && e == nil {
				s.checks.note(d.ID, s.now())
			}
		})
	}
	wg.Wait()
	return err
}

// uncheckedDomains lists the domains whose owner is to be looked up now.
func (s *Service) uncheckedDomains(ctx context.Context) (due []mailbox.Domain, err error) {
	var all []mailbox.Domain
	err = s.view(ctx, func(r store.Reader) (err error) {
		all, err = r.Domains(ctx, 0)
		return err
	})
	now := s.now()
	s.checks.mu.Lock()
	defer s.checks.mu.Unlock()
	done := make(map[mailbox.ID]time.Time)
	for _, d := range all {
		if d.Mailbox == 0 || d.VerifiedAt.IsZero() {
			continue
		}
		last, ok := s.checks.done[d.ID]
		if ok && d.InUse() && now.Before(last.Add(ownerChecked)) {
			done[d.ID] = last
			continue
		}
		due = append(due, d)
	}
	s.checks.done = done // without domains that are gone
	return due, err
}

func (c *checks) note(id mailbox.ID, at time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.done[id] = at
}

// recheck looks up whether the DNS still has the record of ownership of a domain, and notes it where that has changed.
// known is whether the DNS could say.
func (s *Service) recheck(ctx context.Context, d mailbox.Domain, resolver zone.Resolver) (known bool, err error) {
	f := zone.Plan{Domain: d.Name, Token: d.Token}.Ownership(ctx, resolver)
	if f.Err != nil || f.Verified == d.LapsedAt.IsZero() {
		return f.Err == nil, nil
	}
	var was mailbox.Domain
	err = s.update(ctx, func(tx store.Tx) error {
		was, err = tx.Domain(ctx, d.ID)
		if errors.Is(err, store.ErrNotFound) {
			return nil
		}
		if err == nil {
			d, err = s.owned(ctx, tx, was, f.Verified)
		}
		if err != nil || d.LapsedAt.Equal(was.LapsedAt) {
			return err
		}
		_, err = s.storeChecked(ctx, tx, was, d)
		return err
	})
	switch {
	case mailbox.KindOf(err) == mailbox.Conflict: // another mailbox has verified it meanwhile; it stays lapsed
		return true, nil
	case err != nil:
		return false, err
	case d.LapsedAt.Equal(was.LapsedAt):
		return true, nil
	}
	s.logLapse(was, d)
	s.signers.Delete(d.Name)
	return true, s.domainsChanged(ctx)
}

// auditLapse notes for the operator that a domain has lapsed, or has not any more.
func (s *Service) auditLapse(ctx context.Context, tx store.Tx, d mailbox.Domain) error {
	box, err := tx.Mailbox(ctx, d.Mailbox)
	if err != nil {
		return err
	}
	action := "domain lapsed"
	if d.LapsedAt.IsZero() {
		action = "domain restored"
	}
	return tx.AppendAudit(ctx, mailbox.Audit{At: s.now(), Action: action, Mailbox: box.Address, Note: d.Name})
}

// logLapse says that a domain has lapsed, or has not any more.
func (s *Service) logLapse(was, d mailbox.Domain) {
	switch {
	case d.LapsedAt.Equal(was.LapsedAt):
	case d.LapsedAt.IsZero():
		s.log.Info("a domain that had lapsed is verified again", "domain", d.Name)
	default:
		s.log.Warn("a domain has lapsed: the record that shows who owns it is gone from the DNS; "+
			"mail for it is put off for a week and refused after that", "domain", d.Name, "record", "_mailkin."+d.Name)
	}
}
