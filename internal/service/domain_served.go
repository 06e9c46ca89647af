package service

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

// served remembers which domains are served besides those of the settings: the verified ones that mailboxes brought.
type served struct {
	names   atomic.Pointer[map[string]servedDomain]
	loading sync.Mutex // from reading to storing: of two that read, the later state stays
}

// servedDomain is a verified domain.
type servedDomain struct {
	owner     mailbox.Num
	operators bool      // the owner is the configured mailbox
	lapsed    time.Time // zero: not
}

// maker is what mailboxes that are made on the domain now note as the owner of their domain.
func (d servedDomain) maker() mailbox.Num {
	if d.operators {
		return 0
	}
	return d.owner
}

// displaces tells whether mailboxes that were made for an owner of the domain are not the present owner's.
func (d servedDomain) displaces(owner mailbox.Num) bool {
	return owner != d.owner && owner != d.maker()
}

// ours tells whether a domain is one of the settings.
func (s *Service) ours(domain string) bool { return slices.Contains(s.opt.Domains, domain) }

// serves tells whether mail for a domain is taken here.
func (s *Service) serves(domain string) bool {
	if s.ours(domain) {
		return true
	}
	d, ok := s.served.find(domain)
	return ok && d.lapsed.IsZero()
}

func (s *served) find(domain string) (d servedDomain, ok bool) {
	if names := s.names.Load(); names != nil {
		d, ok = (*names)[domain]
	}
	return d, ok
}

// lapsedSince is when a domain lapsed that nobody has verified since.
func (s *Service) lapsedSince(domain string) (time.Time, bool) {
	d, ok := s.served.find(domain)
	return d.lapsed, ok && !d.lapsed.IsZero()
}

// LapsedDomains counts the domains that have lapsed.
func (s *Service) LapsedDomains() (n int) {
	if names := s.served.names.Load(); names != nil {
		for _, d := range *names {
			if !d.lapsed.IsZero() {
				n++
			}
		}
	}
	return n
}

// displaced tells whether the domain of a mailbox's address belongs to another owner now than when the mailbox was
// made: it gets no mail for that address and sends none from it. The present owner may have the address.
func (s *Service) displaced(box mailbox.Mailbox, address string) bool {
	_, domain := split(address)
	if s.ours(domain) {
		return false
	}
	d, ok := s.served.find(domain)
	return ok && d.lapsed.IsZero() && d.owner != box.Num && d.displaces(box.DomainOwner)
}

// forgetDomains stops serving the domains of a mailbox that was removed, and tells whether it had any.
func (s *Service) forgetDomains(num mailbox.Num) bool {
	s.served.loading.Lock()
	defer s.served.loading.Unlock()
	names := s.served.names.Load()
	if names == nil {
		return false
	}
	left := maps.Clone(*names)
	maps.DeleteFunc(left, func(_ string, d servedDomain) bool { return d.owner == num })
	if len(left) == len(*names) {
		return false
	}
	s.served.names.Store(&left)
	s.signers.Clear()
	return true
}

// loadDomains reads which domains are served. It is called at the start, after each change, and now and then for
// changes that another node made.
func (s *Service) loadDomains(ctx context.Context) error {
	s.served.loading.Lock()
	defer s.served.loading.Unlock()
	var list []mailbox.Domain
	var operator mailbox.Mailbox
	err := s.view(ctx, func(r store.Reader) (err error) {
		if operator, err = r.MailboxAt(ctx, s.opt.Configured); err != nil && !errors.Is(err, store.ErrNotFound) {
			return err
		}
		list, err = r.Domains(ctx, 0)
		return err
	})
	if err == nil {
		names := servedDomains(list, operator.Num)
		s.served.names.Store(&names)
	}
	return err
}

// servedDomains returns the verified ones of these domains by their names.
func servedDomains(list []mailbox.Domain, operator mailbox.Num) map[string]servedDomain {
	names := make(map[string]servedDomain)
	for _, d := range list {
		known, ok := names[d.Name]
		// Several mailboxes may have had a domain one after the other; at most one of them has it now.
		if d.InUse() || !d.VerifiedAt.IsZero() && (!ok || known.lapsed.Before(d.LapsedAt) && !known.lapsed.IsZero()) {
			names[d.Name] = servedDomain{d.Mailbox, d.Mailbox == operator, d.LapsedAt}
		}
	}
	return names
}

// newlyServed looks for a domain that is not known to be served, before mail for it is refused for good: another node
// may have just verified it. Mail for one that has just lapsed is put off.
func (s *Service) newlyServed(ctx context.Context, domain string) error {
	if since, ok := s.lapsedSince(domain); ok && s.now().Before(since.Add(mailbox.LapseTime)) {
		return mailbox.Errorf(mailbox.Lapsed, "domain_lapsed", "The domain is not verified here at present; try "+
			"again later.")
	}
	if s.opt.Alone {
		return errNoRecipient
	}
	err := s.view(ctx, func(r store.Reader) error {
		d, err := r.DomainNamed(ctx, canonical(domain))
		if err == nil && !d.InUse() {
			err = store.ErrNotFound
		}
		return err
	})
	if errors.Is(err, store.ErrNotFound) {
		return errNoRecipient
	}
	if err == nil {
		err = s.loadDomains(ctx) // whose mailboxes are on it is known from here on
	}
	return err
}
