package store

import (
	"context"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// DeliveryReader finds messages on their way out.
type DeliveryReader interface {
	// Deliveries lists the deliveries of a message in the order of its recipients.
	Deliveries(ctx context.Context, m mailbox.Message) ([]mailbox.Delivery, error)
	// Delivery finds the delivery to one recipient of the message with that Seq.
	Delivery(ctx context.Context, num mailbox.Num, seq int64, n int) (mailbox.Delivery, error)
	// Destinations lists where deliveries that are still to be tried go, each with when its next one is due. It costs as much as
	// there are destinations, however much waits for one of them.
	Destinations(ctx context.Context) ([]Destination, error)
	// DueDeliveries lists up to limit deliveries for a destination that are due at a time, that of the moment included, the
	// longest due first.
	DueDeliveries(ctx context.Context, destination string, at time.Time, limit int) ([]mailbox.Delivery, error)
	// OldDeliveries lists up to limit deliveries that were first due before a time, are still to be tried, and are not leased.
	OldDeliveries(ctx context.Context, before time.Time, limit int) ([]mailbox.Delivery, error)
	// DeliveryByProvider lists the deliveries that a provider knows by this id.
	DeliveryByProvider(ctx context.Context, provider string) ([]mailbox.Delivery, error)
	// Waiting counts the deliveries that are still to be tried.
	Waiting(ctx context.Context) (int64, error)
}

// Destination is where deliveries go that are still to be tried.
type Destination struct {
	Name string
	Next time.Time // when the next one is due, or the next lease ends
}

// DeliveryWriter changes deliveries. They go with their message.
type DeliveryWriter interface {
	InsertDelivery(ctx context.Context, d mailbox.Delivery) error
	// UpdateDelivery stores everything but what names the delivery. ErrNotFound if it is gone.
	UpdateDelivery(ctx context.Context, d mailbox.Delivery) error
	// RenewDelivery puts off the end of the lease that d has, if it still has it. It waits for nobody who is changing the delivery.
	RenewDelivery(ctx context.Context, d mailbox.Delivery, until time.Time) error
	// ReleaseDeliveries makes due at a time what a process had leased that is no more.
	ReleaseDeliveries(ctx context.Context, at time.Time) error
	// HastenDeliveries makes due at a time what a mailbox has waiting for later, unless that is not due before, and takes the time
	// that the mailbox was paused for as not waited.
	HastenDeliveries(ctx context.Context, num mailbox.Num, at time.Time, paused time.Duration) error
}

// SendReader reads what binds sending: what was used of the limits, what was sent under a key, where not to send.
type SendReader interface {
	// Tally is how often something was done in a slot of time. The mailbox 0 is the deployment as a whole.
	Tally(ctx context.Context, num mailbox.Num, what string, slot int64) (int64, error)
	// Idempotent finds the send that a mailbox made with a key.
	Idempotent(ctx context.Context, num mailbox.Num, key [32]byte) (mailbox.Idempotent, error)
	// Suppression finds an address that a mailbox does not send to.
	Suppression(ctx context.Context, num mailbox.Num, address string) (mailbox.Suppression, error)
	// Suppressions lists them, newest first, with a lower number than before if that is not 0.
	Suppressions(ctx context.Context, num mailbox.Num, f SuppressionFilter) ([]mailbox.Suppression, error)
	CountSuppressions(ctx context.Context, num mailbox.Num) (int64, error)
}

// SuppressionFilter narrows a list of suppressions.
type SuppressionFilter struct {
	Before int64
	Offset int
	Limit  int
}

// SendWriter changes what binds sending.
type SendWriter interface {
	// Count adds one to a tally. It is kept until a time.
	Count(ctx context.Context, num mailbox.Num, what string, slot int64, until time.Time) error
	InsertIdempotent(ctx context.Context, i mailbox.Idempotent) error
	// InsertSuppression adds an address, if it is not there already.
	InsertSuppression(ctx context.Context, s mailbox.Suppression) error
	// DeleteSuppression takes an address off the list. ErrNotFound if it is not on it.
	DeleteSuppression(ctx context.Context, num mailbox.Num, address string) error
	// TrimSends forgets up to limit tallies whose time was over at a moment, and as many keys of sends before another. more says
	// that there may be further ones.
	TrimSends(ctx context.Context, tallies, keys time.Time, limit int) (more bool, err error)
}

// DomainReader finds domains that mailboxes brought.
type DomainReader interface {
	Domain(ctx context.Context, id mailbox.ID) (mailbox.Domain, error)
	// DomainNamed finds the domain of that name that is in use: verified and not lapsed, or the deployment's own, which belongs
	// to mailbox 0.
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
