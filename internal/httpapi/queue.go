package httpapi

import (
	"context"
	"net/http"

	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/wire"
)

// queues holds the verbs about the queue of deliveries.
type queues interface {
	Queue(ctx context.Context, in service.Access, q service.QueueQuery) (service.List[service.QueuedDelivery], error)
	QueuedDelivery(ctx context.Context, in service.Access, id mailbox.ID) (service.QueuedDelivery, error)
	QueueSums(ctx context.Context, in service.Access) ([]mailbox.QueueSum, error)
	ChangeQueue(ctx context.Context, in service.Access, c service.QueueChange) (service.QueueChanged, error)
}

func newQueued(d service.QueuedDelivery) api.QueuedDelivery {
	return wire.NewQueuedDelivery(d.Delivery, d.Address)
}

func (a *API) queue(c *call) error {
	return answerTo(a, c, func() (q service.QueueQuery, err error) {
		var state string
		err = c.params.texts(named{"destination", &q.Destination}, named{"state", &state}, named{"error", &q.Error})
		if err != nil {
			return q, err
		}
		q.State = mailbox.QueueState(state)
		if q.Mailbox, err = c.params.mailbox(); err != nil {
			return q, err
		}
		if q.Before, err = c.params.moment("queued_before"); err == nil {
			q.Page, err = c.params.page()
		}
		return q, err
	}, a.svc.Queue, func(l service.List[service.QueuedDelivery]) api.Queue {
		out := api.Queue{Deliveries: make([]api.QueuedDelivery, len(l.Items)), Next: api.NullString(l.Next)}
		for i, d := range l.Items {
			out.Deliveries[i] = newQueued(d)
		}
		return out
	})
}

func (a *API) queued(c *call) error {
	return answerTo(a, c, func() (mailbox.ID, error) { return parseID("Delivery", c.value) }, a.svc.QueuedDelivery,
		newQueued)
}

func (a *API) queueDestinations(c *call) error {
	sums, err := a.svc.QueueSums(c.Context(), c.in)
	if err != nil {
		return err
	}
	return a.answer(c, http.StatusOK, wire.NewQueueDestinations(sums))
}

func (a *API) retryQueued(c *call) error   { return a.changeQueue(c, mailbox.QueueRetry) }
func (a *API) cancelQueued(c *call) error  { return a.changeQueue(c, mailbox.QueueCancel) }
func (a *API) holdQueued(c *call) error    { return a.changeQueue(c, mailbox.QueueHold) }
func (a *API) releaseQueued(c *call) error { return a.changeQueue(c, mailbox.QueueRelease) }

var queueMembers = []string{"ids", "mailbox", "destination", "state", "queued_before", "error", "all", "cursor"}

// queueChange reads which deliveries are meant. A member that is not known may be a filter that was misspelt, without
// which more would be meant.
func (f fields) queueChange() (q service.QueueChange, err error) {
	if err := f.among(queueMembers, "There is no filter %q; there are %s."); err != nil {
		return q, err
	}
	if q.IDs, err = f.ids(); err != nil {
		return q, err
	}
	var state string
	for name, into := range map[string]*string{"mailbox": &q.Match.Mailbox, "destination": &q.Match.Destination,
		"state": &state, "error": &q.Match.Error, "cursor": &q.Match.Cursor} {
		if *into, err = f.word(name); err != nil {
			return q, err
		}
	}
	q.Match.State = mailbox.QueueState(state)
	if q.Match.Before, err = f.moment("queued_before"); err != nil {
		return q, err
	}
	all, err := f.flag("all")
	q.All = all != nil && *all
	return q, err
}

func (a *API) changeQueue(c *call, action mailbox.QueueAction) error {
	return answerTo(a, c, func() (service.QueueChange, error) {
		q, err := c.fields.queueChange()
		q.Action = action
		return q, err
	}, a.svc.ChangeQueue, func(done service.QueueChanged) api.QueueChanged {
		return api.QueueChanged{Changed: done.Changed, Unchanged: done.Unchanged, Next: api.NullString(done.Next)}
	})
}
