// Package outbound works through the queue of deliveries: it leases what is due, takes it to its next stop, and reports
// what became of it.
//
//	Runner ── lease ──► queue of a destination ── worker, with a connection ──► Carrier ──► finish
//
// Deliveries for one destination form a queue, with a limit on its connections; a connection is used again while there
// is something to send, and for a moment longer. Where a destination does not answer, its queue backs off, longer each
// time, and its deliveries stay in the store: they take no place from others, however many there are.
//
// The queue is the truth and lives in the service. All that is here can be lost at any moment: a lease that nobody
// finishes is due again.
package outbound

import (
	"context"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

// Queue holds the deliveries.
type Queue interface {
	// Listen returns a channel on which it is heard that there may be something to deliver.
	Listen() (heard <-chan struct{}, done func())
	LeaseDeliveries(ctx context.Context, q service.LeaseQuery) (jobs []service.Job, next time.Time, err error)
	// RenewDeliveries keeps the leases of deliveries that are being worked on.
	RenewDeliveries(ctx context.Context, ds []mailbox.Delivery) error
	FinishDelivery(ctx context.Context, d mailbox.Delivery, a mailbox.Attempt) error
	DeliverInside(ctx context.Context, d mailbox.Delivery) mailbox.Attempt
	// HearLater applies news on a delivery that come after it was finished.
	HearLater(ctx context.Context, d mailbox.Delivery, w mailbox.Word) error
}

// Carrier takes mail to its next stop.
type Carrier interface {
	// QueueKey names what deliveries for a destination share: connections, and the limit on them.
	QueueKey(destination string) string
	// Open makes a connection for a delivery; without one it says how the attempt went.
	Open(ctx context.Context, d mailbox.Delivery) (Conn, *mailbox.Attempt)
}

// Conn is a connection to the next stop. It is for one goroutine.
type Conn interface {
	Send(ctx context.Context, job service.Job) mailbox.Attempt
	// Alive tells whether it can be used again.
	Alive() bool
	Close()
}

// afterthought is a connection that has more to say on a delivery when it is finished.
type afterthought interface {
	After(job service.Job) *mailbox.Word
}
