package store

import (
	"context"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// DomainReader finds the domains that mailboxes use, and the deployment's own.
type DomainReader interface {
	Domain(ctx context.Context, id mailbox.ID) (mailbox.Domain, error)
	// DomainNamed finds the domain of that name that is in use: verified and not lapsed, or the deployment's own, which
	// belongs to mailbox 0.
	DomainNamed(ctx context.Context, name string) (mailbox.Domain, error)
	// Domains lists those of a mailbox, or of all if num is 0, oldest first.
	Domains(ctx context.Context, num mailbox.Num) ([]mailbox.Domain, error)
}

// DomainWriter changes domains.
type DomainWriter interface {
	// InsertDomain stores a domain. ErrTaken if one of that name is in use, or if the mailbox has it already.
	InsertDomain(ctx context.Context, d mailbox.Domain) error
	// UpdateDomain stores what was found of its records, and when it was verified and lapsed.
	UpdateDomain(ctx context.Context, d mailbox.Domain) error
	// SetDomainKeys stores its keys, their selector, and whether they were found to be published.
	SetDomainKeys(ctx context.Context, d mailbox.Domain) error
	DeleteDomain(ctx context.Context, id mailbox.ID) error
}
