package service

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/wake"
	"github.com/mailkin/mailkin/internal/zone"
)

// inFlight is how long mail that was signed with keys that were replaced may still be on its way, in our queue and in
// those of others.
const inFlight = 7 * 24 * time.Hour

// RenewDomainKeys makes new keys for a domain, under a new selector. Where mail is signed now, that goes on with the
// keys in use until the records of the new ones are published; otherwise, or where at once is asked for, they are
// replaced at once. That is also the way back where the old keys cannot be opened any more.
func (s *Service) RenewDomainKeys(ctx context.Context, in Access, id mailbox.ID, atOnce bool) (DomainRecord, error) {
	var d mailbox.Domain
	err := s.update(ctx, func(tx store.Tx) (err error) {
		if d, err = s.domain(ctx, tx, in, id); err != nil {
			return err
		}
		if err := s.mayMakeKeys(ctx, tx, in.Box.Num); err != nil {
			return err
		}
		return s.countKeys(ctx, tx, in.Box.Num)
	})
	if err != nil {
		return DomainRecord{}, err
	}
	used, err := s.published(ctx, d)
	if err != nil && !errors.Is(err, ErrSealed) {
		return DomainRecord{}, err
	}
	atOnce = atOnce || len(used) == 0
	signed := len(used) > 0 || err != nil
	var unused []string // selectors that are given up before they signed anything
	keys, err := s.newKeys(ctx, id)
	if err != nil {
		return DomainRecord{}, err
	}
	err = s.update(ctx, func(tx store.Tx) (err error) {
		if d, err = s.domain(ctx, tx, in, id); err != nil {
			return err
		}
		unused = nil
		if d.NextSelector != "" {
			unused = append(unused, d.NextSelector)
		}
		made := newSelector(s.now())
		d.NextSelector, d.NextKeys, d.NextAt = made, keys, s.now()
		if atOnce {
			if d.Signed = signed || d.Signed || d.DKIM; !d.Signed {
				unused = append(unused, d.Selector)
			}
			d = d.Replaced(s.now(), inFlight)
			d.DKIM = false
		}
		if err := tx.SetDomainKeys(ctx, d); err != nil {
			return err
		}
		return s.auditKeys(ctx, tx, d, "domain keys made", made)
	})
	if err != nil {
		return DomainRecord{}, err
	}
	s.keysChanged(d)
	out, err := s.domainRecord(d)
	if len(unused) > 0 {
		out.Instructions = fmt.Sprintf("The keys of the selector %s are given up and signed nothing: where their records "+
			"were published, remove them.", strings.Join(unused, " and of ")) + "\n\n" + out.Instructions
	}
	return out, err
}

// auditKeys notes a step of the rotation of a domain's keys for the operator.
func (s *Service) auditKeys(ctx context.Context, tx store.Tx, d mailbox.Domain, action, selector string) error {
	address := s.opt.Configured
	if d.Mailbox != 0 {
		box, err := tx.Mailbox(ctx, d.Mailbox)
		if err != nil {
			return err
		}
		address = box.Address
	}
	return tx.AppendAudit(ctx, mailbox.Audit{At: s.now(), Action: action, Mailbox: address,
		Note: d.Name + ", selector " + selector})
}

func (s *Service) keysChanged(d mailbox.Domain) {
	s.signers.Delete(d.Name)
	s.wake(wake.Changed, 0)
}

// withNext is the domain as it will be when the keys that are to follow are in use.
func withNext(d mailbox.Domain) mailbox.Domain {
	d.Selector, d.Keys = d.NextSelector, d.NextKeys
	return d
}

// turnKeys takes the next step of the rotation of a domain's keys, as far as the DNS is ready for it: new keys whose
// records are published are used from now on, and records of old ones that nobody needs are forgotten when they are
// gone.
func (s *Service) turnKeys(ctx context.Context, d mailbox.Domain, resolver zone.Resolver) (mailbox.Domain, error) {
	var gone []string // selectors whose records nobody needs and nobody finds
	switch {
	case d.NextSelector != "":
		p, err := s.plan(withNext(d))
		if errors.Is(err, ErrSealed) {
			return d, nil // another problem tells of it
		}
		if err != nil || !p.Check(ctx, resolver).Holds(zone.KindDKIM) {
			return d, err
		}
	default:
		if gone = s.goneKeys(ctx, d, resolver); gone == nil {
			return d, nil
		}
	}
	turned := false
	next := d
	err := s.update(ctx, func(tx store.Tx) error {
		now, err := tx.Domain(ctx, d.ID)
		if err != nil || now.NextSelector != d.NextSelector || now.Selector != d.Selector {
			turned = false
			return err // another node was first
		}
		turned, next = true, now
		action, selector := "domain keys replaced", now.NextSelector
		if selector != "" {
			now.Signed = true // the next keys only wait where those in use are published
			next = now.Replaced(s.now(), inFlight)
		} else {
			next.Old = slices.DeleteFunc(slices.Clone(now.Old), func(k mailbox.OldKeys) bool {
				return slices.Contains(gone, k.Selector)
			})
			action, selector = "domain records removed", strings.Join(gone, ", ")
		}
		if err := tx.SetDomainKeys(ctx, next); err != nil {
			return err
		}
		return s.auditKeys(ctx, tx, next, action, selector)
	})
	if errors.Is(err, store.ErrNotFound) {
		return d, nil
	}
	if err != nil || !turned {
		return d, err
	}
	if d.NextSelector != "" {
		s.log.Info("mail of a domain is signed with new keys", "domain", d.Name, "selector", next.Selector,
			"keep_old_records_until", next.Old[0].Until)
	}
	s.keysChanged(next)
	return next, nil
}

// unneeded tells whether nobody needs the records of earlier keys any more.
func (s *Service) unneeded(k mailbox.OldKeys) bool { return !s.now().Before(k.Until) }

// goneKeys lists the selectors whose records nobody needs and whose removal the DNS shows.
func (s *Service) goneKeys(ctx context.Context, d mailbox.Domain, resolver zone.Resolver) (gone []string) {
	for _, k := range d.Old {
		if !s.unneeded(k) {
			continue
		}
		texts, err := resolver.TXT(ctx, k.Hosts(d.Name)[0])
		if len(texts) == 0 && (err == nil || errors.Is(err, zone.ErrNone)) {
			gone = append(gone, k.Selector)
		}
	}
	return gone
}

// turnDomainKeys takes the next step for every domain whose keys are being replaced. It waits for the DNS.
func (s *Service) turnDomainKeys(ctx context.Context) error {
	all, err := s.allDomains(ctx)
	for _, d := range all {
		if d.NextSelector != "" || slices.ContainsFunc(d.Old, s.unneeded) {
			_, turnErr := s.turnKeys(ctx, d, s.opt.Zones())
			err = errors.Join(err, turnErr)
		}
	}
	return err
}

// keysMessage tells the owner of a domain what its keys wait for; empty: for nothing.
func (s *Service) keysMessage(d mailbox.Domain) string {
	var said, keep, hosts []string
	if d.NextSelector != "" {
		said = append(said, fmt.Sprintf("New keys were made on %s: publish the records of the selector %s beside those "+
			"of %s. Mail is signed with them from when they are found, which is looked for every hour and by \"mailkin "+
			"domain verify %s\".", d.NextAt.Format(time.DateOnly), d.NextSelector, d.Selector, d.Name))
	}
	for _, k := range d.Old {
		if s.unneeded(k) {
			hosts = append(hosts, k.Hosts(d.Name)...)
		} else {
			keep = append(keep, k.Selector+" until "+k.Until.Format(time.RFC3339))
		}
	}
	if len(keep) > 0 {
		said = append(said, fmt.Sprintf("Keep the records of the former selector %s: mail that was signed with it may be "+
			"on its way.", strings.Join(keep, ", and of ")))
	}
	if len(hosts) > 0 {
		said = append(said, fmt.Sprintf("The records of former selectors can be removed from the DNS now: %s.",
			strings.Join(hosts, ", ")))
	}
	return strings.Join(said, " ")
}

// nextRecords are the records of the keys that are to follow.
func (s *Service) nextRecords(d mailbox.Domain) (list []zone.Record, err error) {
	if d.NextSelector == "" {
		return nil, nil
	}
	p, err := s.plan(withNext(d))
	for _, r := range p.Records() {
		if r.Kind == zone.KindDKIM || r.Kind == zone.KindDKIMEd25519 {
			list = append(list, r)
		}
	}
	if errors.Is(err, ErrSealed) {
		err = nil
	}
	return list, err
}
