package mailbox

import "time"

// Backlog is what waits to leave, over all mailboxes.
type Backlog struct {
	Deliveries     int64     // still to be tried
	OnHold         int64     // kept in the queue by an operator
	OldestDelivery time.Time // when the oldest of them was first due; zero: there is none
	Hooks          int64     // events still to be posted to webhooks
	OldestHook     time.Time // when the oldest of them happened; zero: there is none
}
