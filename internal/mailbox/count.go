package mailbox

import "time"

// SpanCount is how much mail of one kind a mailbox has of a day, or of another span of time.
type SpanCount struct {
	At        time.Time // its beginning, in UTC
	Direction Direction
	Status    string
	Messages  int64
	Bytes     int64 // raw size of them all
}

// Holding is what a mailbox holds.
type Holding struct {
	Counters
	LastAt time.Time // when its newest message came or went; zero: it has none
}

// Happening is an event of any mailbox, without anything that its message says.
type Happening struct {
	Address string // of the mailbox
	Kind    EventKind
	Message ID
	At      time.Time
}
