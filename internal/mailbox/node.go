package mailbox

import "time"

// Node is a process that works on the store, alone or among others.
type Node struct {
	Name, Version string
	Started, Seen time.Time // Seen: when it last said that it is there
}
