package store

import (
	"context"
	"errors"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// MailboxFilter narrows a list of mailboxes. They come in order of creation, newest first.
type MailboxFilter struct {
	Status mailbox.Status // empty: any
	Query  string         // part of the address
	Key    mailbox.ID     // only those that this key opens: its own, and those beside it; zero: all
	Before mailbox.Num    // only older ones; 0: from the newest
	After  mailbox.Num    // only newer ones
	Oldest bool           // the oldest come first
	Offset int
	Limit  int
}

// DomainCount is how many mailboxes are on a domain and were made for the same owner of it.
type DomainCount struct {
	Domain    string
	Owner     mailbox.Num // who had the domain when they were made; 0: the deployment
	Mailboxes int64
	Used      int64       // of them, that have a key or mail
	First     mailbox.Num // the oldest of them
}

// Census is which domains there are, who owns them, and how many mailboxes are on which.
type Census struct {
	Domains []mailbox.Domain
	Owners  map[mailbox.Num]string // the addresses of the mailboxes that brought domains
	Boxes   []DomainCount
	Spared  []string // addresses of mailboxes without a limit because they held more than the default when it came
	Full    []string // addresses of permanent mailboxes that have no room for mail
}

// TakeCensus reads a census of a deployment with these limits.
func TakeCensus(ctx context.Context, r interface {
	Domains(ctx context.Context, box mailbox.Num) ([]mailbox.Domain, error)
	Mailbox(ctx context.Context, num mailbox.Num) (mailbox.Mailbox, error)
	MailboxDomains(ctx context.Context) ([]DomainCount, error)
	Controlled(ctx context.Context, after mailbox.Num, limit int) ([]mailbox.Mailbox, error)
	Above(ctx context.Context, u mailbox.Use, after mailbox.Num, limit int) ([]mailbox.Num, error)
	Use(ctx context.Context, num mailbox.Num) (mailbox.Use, error)
}, limits mailbox.Limits) (c Census, err error) {
	if c.Domains, err = r.Domains(ctx, 0); err != nil {
		return c, err
	}
	c.Owners = make(map[mailbox.Num]string)
	for _, d := range c.Domains {
		if d.Mailbox == 0 || c.Owners[d.Mailbox] != "" {
			continue
		}
		box, err := r.Mailbox(ctx, d.Mailbox)
		if err != nil && !errors.Is(err, ErrNotFound) {
			return c, err
		}
		c.Owners[d.Mailbox] = box.Address
	}
	if c.Boxes, err = r.MailboxDomains(ctx); err != nil {
		return c, err
	}
	isFull := func(box mailbox.Mailbox) error {
		used, err := r.Use(ctx, box.Num)
		if err == nil && box.Scope != mailbox.Provisional && !limits.Allowance(box).Fits(used, 0) {
			c.Full = append(c.Full, box.Address)
		}
		return err
	}
	const page = 1000
	for last, more := mailbox.Num(0), limits.Bounded(); more; {
		nums, err := r.Above(ctx, limits.MailboxUse(), last, page)
		if err != nil {
			return c, err
		}
		for _, num := range nums {
			box, err := r.Mailbox(ctx, num)
			if last = num; err == nil && box.Control().Limits == nil { // the others follow
				err = isFull(box)
			}
			if err != nil && !errors.Is(err, ErrNotFound) {
				return c, err
			}
		}
		more = len(nums) == page
	}
	for last, more := mailbox.Num(0), true; more; {
		boxes, err := r.Controlled(ctx, last, page)
		if err != nil {
			return c, err
		}
		for _, box := range boxes {
			l := box.Control().Limits
			if l != nil && l.Spared {
				c.Spared = append(c.Spared, box.Address)
			}
			if l != nil {
				if err := isFull(box); err != nil && !errors.Is(err, ErrNotFound) {
					return c, err
				}
			}
			last = box.Num
		}
		more = len(boxes) == page
	}
	return c, nil
}

// MailboxReader finds mailboxes. Addresses are canonical.
type MailboxReader interface {
	// MailboxAt finds the mailbox that an address or alias belongs to.
	MailboxAt(ctx context.Context, address string) (mailbox.Mailbox, error)
	Mailbox(ctx context.Context, num mailbox.Num) (mailbox.Mailbox, error)
	// MailboxOf finds a mailbox by its Profile.Client.
	MailboxOf(ctx context.Context, client string) (mailbox.Mailbox, error)
	Mailboxes(ctx context.Context, f MailboxFilter) ([]mailbox.Mailbox, error)
	Counters(ctx context.Context, num mailbox.Num) (mailbox.Counters, error)
	// Use is what a mailbox holds of what its limits count. In an update that inserts a message into it afterwards it
	// costs nothing: inserting reads the same row.
	Use(ctx context.Context, num mailbox.Num) (mailbox.Use, error)
	// Above lists up to limit permanent mailboxes with a number above after that hold this much or more, of bytes or of
	// messages, by their numbers.
	Above(ctx context.Context, u mailbox.Use, after mailbox.Num, limit int) ([]mailbox.Num, error)
	// Controlled lists up to limit mailboxes about which something was decided, with numbers above after, by their
	// numbers.
	Controlled(ctx context.Context, after mailbox.Num, limit int) ([]mailbox.Mailbox, error)
	// Expired lists up to limit mailboxes whose time was over at a moment, that of the moment included, the oldest end
	// first.
	Expired(ctx context.Context, at time.Time, limit int) ([]mailbox.Mailbox, error)
	// MailboxDomains counts the mailboxes by the domain of their address and who had it when they were made, most
	// first.
	MailboxDomains(ctx context.Context) ([]DomainCount, error)
	// Purging lists mailboxes that were removed and whose mail is not yet gone.
	Purging(ctx context.Context) ([]mailbox.Num, error)
	// KeyNoted tells whether a mailbox that is there was noted as one that has a key of its own.
	KeyNoted(ctx context.Context, num mailbox.Num) (bool, error)
	// KeysNotNoted lists up to limit mailboxes that were not, with numbers above after, by their numbers.
	KeysNotNoted(ctx context.Context, after mailbox.Num, limit int) ([]mailbox.Num, error)
}

// MailboxWriter changes mailboxes.
type MailboxWriter interface {
	// InsertMailbox stores a new mailbox with its aliases and gives it its number. ErrTaken if one of the addresses
	// is somebody's.
	InsertMailbox(ctx context.Context, m mailbox.Mailbox) (mailbox.Num, error)
	// SkipMailboxes has new mailboxes get numbers above num. given is the highest that was given out before; where that
	// is num or more, nothing changes.
	SkipMailboxes(ctx context.Context, num mailbox.Num) (given mailbox.Num, err error)
	// UpdateMailbox stores the scope, status, pause, expiry, webhook, control and profile of a mailbox; not its
	// address, nor whether it has routes, nor its maker's name for it.
	UpdateMailbox(ctx context.Context, m mailbox.Mailbox) error
	// NoteKey notes that a mailbox has a key of its own. Of one that is not there it notes nothing.
	NoteKey(ctx context.Context, num mailbox.Num) error
	// RenameMailbox gives a mailbox another address; the old one becomes its last alias. ErrTaken if the new one is
	// somebody's, ErrNotFound if the mailbox is gone; its own address changes nothing. An alias of its own that it is
	// named after is an alias no longer.
	RenameMailbox(ctx context.Context, num mailbox.Num, address string) error
	// DropAlias takes an alias from a mailbox; it is nobody's then. ErrNotFound if the mailbox is gone or has no such
	// alias.
	DropAlias(ctx context.Context, num mailbox.Num, alias string) error
	// RemoveMailbox takes the mailbox, its addresses, its keys, claims and bootstraps, and the refusals of its mail
	// away at once and notes that its mail must go.
	RemoveMailbox(ctx context.Context, num mailbox.Num) error
	// Purge deletes up to limit messages of a removed mailbox and what belongs to them. removed is how many
	// rows went, and done that nothing is left of it: always where none went.
	Purge(ctx context.Context, num mailbox.Num, limit int) (removed int, done bool, err error)
}
