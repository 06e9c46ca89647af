package client

import (
	"context"
	"iter"
	"net/url"
	"time"

	"github.com/mailkin/mailkin/api"
)

// The queue of deliveries over all mailboxes, for operators.

const queuePath = "/v1/queue"

// QueueQuery says which deliveries are listed: those that have all of this in common. What is empty does not matter.
type QueueQuery struct {
	Mailbox     string
	Destination string    // the recipients' domain
	State       string    // waiting, sending, scheduled or on_hold
	Before      time.Time // queued before
	Error       string    // a part of the last answer; 4xx, 5xx or none
	Page
}

// Queue lists deliveries that are still in the queue, oldest first. A page may have fewer entries
// than were asked for, or none, and still a next one.
func (c *Client) Queue(ctx context.Context, q QueueQuery) (*api.Queue, error) {
	v := values{}
	v.text("mailbox", q.Mailbox)
	v.text("destination", q.Destination)
	v.text("state", q.State)
	v.moment("queued_before", q.Before)
	v.text("error", q.Error)
	q.values(v)
	return fetch[api.Queue](ctx, c, get(queuePath, url.Values(v)))
}

// QueueAll walks over all of them.
func (c *Client) QueueAll(ctx context.Context, q QueueQuery) iter.Seq2[api.QueuedDelivery, error] {
	page := func(ctx context.Context, p Page) (*api.Queue, error) {
		q.Page = p
		return c.Queue(ctx, q)
	}
	return all(ctx, q.Page, page, func(l *api.Queue) ([]api.QueuedDelivery, api.NullString) {
		return l.Deliveries, l.Next
	})
}

// QueuedDelivery reads a delivery in the queue.
func (c *Client) QueuedDelivery(ctx context.Context, id string) (*api.QueuedDelivery, error) {
	return fetch[api.QueuedDelivery](ctx, c, get(queuePath+"/"+url.PathEscape(id), nil))
}

// QueueDestinations says what waits for each destination, up to a hundred, those with most first.
func (c *Client) QueueDestinations(ctx context.Context) (*api.QueueDestinations, error) {
	return fetch[api.QueueDestinations](ctx, c, get(queuePath+"/destinations", nil))
}

// RetryQueued has deliveries tried now. One call does at most a thousand of those that match; where the answer says
// where to go on, the next call with that Cursor does the rest. So do the other three.
func (c *Client) RetryQueued(ctx context.Context, q api.QueueChange) (*api.QueueChanged, error) {
	return c.changeQueue(ctx, "retry", q)
}

// CancelQueued ends deliveries without sending them, unless they are being sent.
func (c *Client) CancelQueued(ctx context.Context, q api.QueueChange) (*api.QueueChanged, error) {
	return c.changeQueue(ctx, "cancel", q)
}

// HoldQueued keeps deliveries in the queue until they are released.
func (c *Client) HoldQueued(ctx context.Context, q api.QueueChange) (*api.QueueChanged, error) {
	return c.changeQueue(ctx, "hold", q)
}

// ReleaseQueued lets deliveries go on that were kept.
func (c *Client) ReleaseQueued(ctx context.Context, q api.QueueChange) (*api.QueueChanged, error) {
	return c.changeQueue(ctx, "release", q)
}

func (c *Client) changeQueue(ctx context.Context, action string, q api.QueueChange) (*api.QueueChanged, error) {
	r := post(queuePath+"/"+action, q)
	r.again = ifUnknown // twice is once
	return fetch[api.QueueChanged](ctx, c, r)
}
