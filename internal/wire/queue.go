package wire

import (
	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/internal/mailbox"
)

// NewQueuedDelivery returns a delivery in the queue.
func NewQueuedDelivery(d mailbox.Delivery, address string) api.QueuedDelivery {
	return api.QueuedDelivery{ID: d.ID().String(), EmailID: d.Message.String(), Mailbox: address,
		Destination: d.Destination, State: string(d.QueueState()), QueuedAt: at(d.EnteredAt), TriedAt: at(d.TriedAt),
		Delivery: newDelivery(d)}
}

// NewQueueDestinations returns what waits for each destination.
func NewQueueDestinations(sums []mailbox.QueueSum) api.QueueDestinations {
	return api.QueueDestinations{Destinations: each(sums, func(s mailbox.QueueSum) api.QueueDestination {
		return api.QueueDestination{Destination: s.Destination, Deliveries: s.Deliveries, OnHold: s.OnHold,
			OldestAt: at(s.OldestAt), TriedAt: at(s.Last.TriedAt), LastCode: api.NullInt(s.Last.Code),
			LastText: s.Last.Text}
	})}
}
