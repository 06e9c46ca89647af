package service

import (
	"context"
	"maps"
	"slices"
	"sync/atomic"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

// served remembers which domains are served beside those of the settings: the verified ones that mailboxes brought.
type served struct {
	names atomic.Pointer[map[string]mailbox.Num]
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

// forgetDomains stops serving the domains of a mailbox that was removed.
func (s *Service) forgetDomains(num mailbox.Num) {
	names := s.served.names.Load()
	if names == nil {
		return
	}
	left := maps.Clone(*names)
	maps.DeleteFunc(left, func(_ string, owner mailbox.Num) bool { return owner == num })
	if len(left) < len(*names) {
		s.served.names.Store(&left)
		s.signers.Clear()
	}
}

// loadDomains reads which domains are served. It is called at the start, after each change, and now and then for changes that
// another node made.
func (s *Service) loadDomains(ctx context.Context) error {
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
