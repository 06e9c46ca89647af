package store

import (
	"context"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// Contact is what a mailbox has had to do with an address. The zero value: nothing.
type Contact struct {
	Known         bool // mail came from it, or went to it
	Correspondent bool // authentic mail came from it, or a person approved mail to it
}

// ContactReader tells whom a mailbox has had mail from. Addresses are canonical.
type ContactReader interface {
	// Contact tells what the mailbox has had to do with an address.
	Contact(ctx context.Context, num mailbox.Num, address string) (Contact, error)
	// ContactDomains lists domains of the mailbox's contacts, each once, in order, at most limit. Of very many contacts
	// it looks at some.
	ContactDomains(ctx context.Context, num mailbox.Num, limit int) ([]string, error)
}

// ContactWriter adds contacts.
type ContactWriter interface {
	// InsertContact makes an address one of the mailbox's contacts, if it is not one already, and notes that it is a
	// correspondent; that stays.
	InsertContact(ctx context.Context, num mailbox.Num, address string, correspondent bool) error
}
