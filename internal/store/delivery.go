package store

import (
	"cmp"
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
	// Destinations lists where deliveries that are still to be tried go, each with when its next one is due. It costs
	// as much as there are destinations, however much waits for one of them.
	Destinations(ctx context.Context) ([]Destination, error)
	// DueDeliveries lists up to limit deliveries for a destination that are due at a time, that of the moment included,
	// the longest due first.
	DueDeliveries(ctx context.Context, destination string, at time.Time, limit int) ([]mailbox.Delivery, error)
	// OldDeliveries lists up to limit deliveries that were first due before a time, are still to be tried, and are not
	// leased.
	OldDeliveries(ctx context.Context, before time.Time, limit int) ([]mailbox.Delivery, error)
	// DeliveryByProvider lists the deliveries that a provider knows by this id.
	DeliveryByProvider(ctx context.Context, provider string) ([]mailbox.Delivery, error)
	// Queue lists deliveries that are still to be tried or kept by an operator, oldest first. It
	// locks nothing.
	Queue(ctx context.Context, f QueueFilter) ([]mailbox.Delivery, error)
	// QueueSums says what waits for each destination, those with most first. It reads the whole queue.
	QueueSums(ctx context.Context, limit int) ([]mailbox.QueueSum, error)
}

// QueueFilter narrows the queue.
type QueueFilter struct {
	Mailbox     mailbox.Num // 0: of all
	Destination string      // empty: for any
	After       QueuePlace  // zero: from the front
	Limit       int
}

// QueuePlace is a delivery's place in the queue: what comes after it is greater.
type QueuePlace struct {
	EnteredAt time.Time
	Mailbox   mailbox.Num
	Seq       int64
	N         int
}

// PlaceInQueue is the place of a delivery.
func PlaceInQueue(d mailbox.Delivery) QueuePlace {
	return QueuePlace{d.EnteredAt, d.Mailbox, d.Seq, d.N}
}

// Compare tells which of two places is nearer to the front.
func (p QueuePlace) Compare(o QueuePlace) int {
	return cmp.Or(p.EnteredAt.Compare(o.EnteredAt), cmp.Compare(p.Mailbox, o.Mailbox), cmp.Compare(p.Seq, o.Seq),
		cmp.Compare(p.N, o.N))
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
	// RenewDelivery puts off the end of the lease that d has, if it still has it. It waits for nobody who is changing
	// the delivery.
	RenewDelivery(ctx context.Context, d mailbox.Delivery, until time.Time) error
	// ReleaseDeliveries makes due at a time what a process had leased that is no more.
	ReleaseDeliveries(ctx context.Context, at time.Time) error
	// HastenDeliveries makes due at a time what a mailbox has waiting for later, unless that is not due before, and
	// takes the time that the mailbox was paused for as not waited.
	HastenDeliveries(ctx context.Context, num mailbox.Num, at time.Time, paused time.Duration) error
}
