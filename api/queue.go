package api

// QueuedDelivery is a message on its way to one recipient that has not come to an end.
type QueuedDelivery struct {
	ID          string `json:"id"`
	EmailID     string `json:"email_id"`
	Mailbox     string `json:"mailbox"`
	Destination string `json:"destination"` // the recipient's domain
	State       string `json:"state"`       // waiting, sending, scheduled or on_hold
	QueuedAt    Time   `json:"queued_at"`   // when it came into the queue, also where it is scheduled for later
	TriedAt     Time   `json:"tried_at"`    // null: it was not
	Delivery
}

// Queue is a page of the queue.
type Queue struct {
	Deliveries []QueuedDelivery `json:"deliveries"`
	Next       NullString       `json:"next_cursor"`
}

// QueueDestination is what waits for a destination.
type QueueDestination struct {
	Destination string  `json:"destination"`
	Deliveries  int64   `json:"deliveries"`
	OnHold      int64   `json:"on_hold"`   // of them
	OldestAt    Time    `json:"oldest_at"` // when the first of them came into the queue
	TriedAt     Time    `json:"tried_at"`  // the last attempt; null: there was none
	LastCode    NullInt `json:"last_code"` // of that attempt
	LastText    string  `json:"last_text"`
}

// QueueDestinations are those for which most waits.
type QueueDestinations struct {
	Destinations []QueueDestination `json:"destinations"`
}

// QueueChange says which deliveries are to be retried, canceled, held or released: those with ids, those that have all
// of the rest in common, or all.
type QueueChange struct {
	IDs         []string `json:"ids,omitempty"` // of deliveries, or of emails
	Mailbox     string   `json:"mailbox,omitempty"`
	Destination string   `json:"destination,omitempty"`
	State       string   `json:"state,omitempty"`
	Before      Time     `json:"queued_before,omitzero"`
	Error       string   `json:"error,omitempty"` // a part of the last answer; 4xx, 5xx or none
	All         bool     `json:"all,omitempty"`
	Cursor      string   `json:"cursor,omitempty"` // from where to go on
}

// QueueChanged is what became of that.
type QueueChanged struct {
	Changed   int        `json:"changed"`
	Unchanged int        `json:"unchanged"`   // they were being sent, or there was nothing to do
	Next      NullString `json:"next_cursor"` // where to go on; null: that was all
}
