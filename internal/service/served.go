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

// served remembers which domains are served beside those of the settings: the verified ones that mailboxes brought.
type served struct {
	names   atomic.Pointer[map[string]servedDomain]
	loading sync.Mutex // from reading to storing: of two that read, the later state stays
}

// servedDomain is a verified domain.
type servedDomain struct {
	owner  mailbox.Num
	lapsed time.Time // zero: not
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

// loadDomains reads which domains are served. It is called at the start, after each change, and now and then for changes that
// another node made.
func (s *Service) loadDomains(ctx context.Context) error {
	s.served.loading.Lock()
	defer s.served.loading.Unlock()
	names := make(map[string]servedDomain)
	err := s.view(ctx, func(r store.Reader) error {
		list, err := r.Domains(ctx, 0)
		for _, d := range list {
			known, ok := names[d.Name]
			// Several mailboxes may have had a domain one after the other; at most one of them has it now.
			if d.InUse() || !d.VerifiedAt.IsZero() && (!ok || known.lapsed.Before(d.LapsedAt) && !known.lapsed.IsZero()) {
				names[d.Name] = servedDomain{d.Mailbox, d.LapsedAt}
			}
		}
		return err
	})
	if err == nil {
		s.served.names.Store(&names)
	}
	return err
}

// newlyServed looks for a domain that is not known to be served, before mail for it is refused for good: another node may have
// just verified it. Mail for one that has just lapsed is put off.
func (s *Service) newlyServed(ctx context.Context, domain string) error {
	if since, ok := s.lapsedSince(domain); ok && s.now().Before(since.Add(mailbox.LapseTime)) {
		return mailbox.Errorf(mailbox.Lapsed, "domain_lapsed", "The domain is not verified here at present; try again later.")
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
	return err
}
