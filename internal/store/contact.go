package store

import (
	"context"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// ContactReader tells whom a mailbox has had mail from. Addresses are canonical.
type ContactReader interface {
	// Contact tells whether an address is one of the mailbox's contacts.
	Contact(ctx context.Context, num mailbox.Num, address string) (bool, error)
	// ContactDomains lists domains of the mailbox's contacts, each once, in order, at most limit. Of very many contacts
	// it looks at some.
	ContactDomains(ctx context.Context, num mailbox.Num, limit int) ([]string, error)
}

// ContactWriter adds contacts.
type ContactWriter interface {
	// InsertContact makes an address one of the mailbox's contacts, if it is not one already.
	InsertContact(ctx context.Context, num mailbox.Num, address string) error
}
