package service

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

// served remembers which domains are served beside those of the settings: the verified ones that mailboxes brought.
type served struct {
	names   atomic.Pointer[map[string]mailbox.Num]
	loading sync.Mutex // from reading to storing: of two that read, the later state stays
}

// ours tells whether a domain is one of the settings.
func (s *Service) ours(domain string) bool { return slices.Contains(s.opt.Domains, domain) }

// serves tells whether mail for a domain is taken here.
func (s *Service) serves(domain string) bool {
	if s.ours(domain) {
		return true
	}
	names := s.served.names.Load()
	if names == nil {
		return false
	}
	_, ok := (*names)[domain]
	return ok
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
	maps.DeleteFunc(left, func(_ string, owner mailbox.Num) bool { return owner == num })
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
	names := make(map[string]mailbox.Num)
	err := s.view(ctx, func(r store.Reader) error {
		list, err := r.Domains(ctx, 0)
		for _, d := range list {
			if !d.VerifiedAt.IsZero() {
				names[d.Name] = d.Mailbox
			}
		}
		return err
	})
	if err == nil {
		s.served.names.Store(&names)
	}
	return err
}

// newlyServed looks for a domain that is not known to be served, before mail for it is refused for good: another node may have just verified it.
func (s *Service) newlyServed(ctx context.Context, domain string) error {
	if s.opt.Alone {
		return errNoRecipient
	}
	err := s.view(ctx, func(r store.Reader) error {
		d, err := r.DomainNamed(ctx, canonical(domain))
		if err == nil && d.VerifiedAt.IsZero() {
			err = store.ErrNotFound
		}
		return err
	})
	if errors.Is(err, store.ErrNotFound) {
		return errNoRecipient
	}
	return err
}
