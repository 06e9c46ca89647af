package store

import (
	"context"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// MailboxFilter narrows a list of mailboxes. They come in order of creation, newest first.
type MailboxFilter struct {
	Status mailbox.Status // empty: any
	Query  string         // part of the address
	Before mailbox.Num    // only older ones; 0: from the newest
	Offset int
	Limit  int
}

// DomainCount is how many mailboxes are on a domain.
type DomainCount struct {
	Domain    string
	Mailboxes int64
}

// MailboxReader finds mailboxes. Addresses are canonical.
type MailboxReader interface {
	// MailboxAt finds the mailbox that an address or alias belongs to.
	MailboxAt(ctx context.Context, address string) (mailbox.Mailbox, error)
	Mailbox(ctx context.Context, num mailbox.Num) (mailbox.Mailbox, error)
	Mailboxes(ctx context.Context, f MailboxFilter) ([]mailbox.Mailbox, error)
	Counters(ctx context.Context, num mailbox.Num) (mailbox.Counters, error)
	// Expired lists up to limit mailboxes whose time was over at a moment, that of the moment included, the oldest end first.
	Expired(ctx context.Context, at time.Time, limit int) ([]mailbox.Mailbox, error)
	// MailboxDomains counts the mailboxes by the domain of their address, most first.
	MailboxDomains(ctx context.Context) ([]DomainCount, error)
	// Purging lists mailboxes that were removed and whose mail is not yet gone.
	Purging(ctx context.Context) ([]mailbox.Num, error)
}

// MailboxWriter changes mailboxes.
type MailboxWriter interface {
	// InsertMailbox stores a new mailbox with its aliases and gives it its number. ErrTaken if one of the addresses
	// is somebody's.
	InsertMailbox(ctx context.Context, m mailbox.Mailbox) (mailbox.Num, error)
	// UpdateMailbox stores the scope, status, pause, expiry and webhook of a mailbox; not its address, nor whether it has routes.
	UpdateMailbox(ctx context.Context, m mailbox.Mailbox) error
	// RenameMailbox gives a mailbox another address; the old one becomes its last alias. ErrTaken if the new one is
	// somebody's, ErrNotFound if the mailbox is gone; its own address changes nothing. An alias of its own that it is named after is an alias no longer.
	RenameMailbox(ctx context.Context, num mailbox.Num, address string) error
	// RemoveMailbox takes the mailbox, its addresses, its keys, claims and bootstraps, and the refusals of its mail away at once and
	// notes that its mail must go.
	RemoveMailbox(ctx context.Context, num mailbox.Num) error
	// Purge deletes up to limit messages of a removed mailbox and what belongs to them. done says that nothing is
	// left of it.
	Purge(ctx context.Context, num mailbox.Num, limit int) (done bool, err error)
}
