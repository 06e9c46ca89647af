package service

import (
	"sync"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// directory remembers for a moment which mailbox an address means, so that a busy sender's RCPT costs no look at the
// store. What it says may be a second old: the transaction that stores a message looks again.
type directory struct {
	mu    sync.RWMutex
	boxes map[string]listing
}

type listing struct {
	box   mailbox.Mailbox
	until time.Time
}

const (
	directoryTime = time.Second
	directorySize = 4096
)

func (d *directory) find(address string, now time.Time) (mailbox.Mailbox, bool) {
	d.mu.RLock()
	defer d.mu.RUnlock()
	l, ok := d.boxes[address]
	return l.box, ok && now.Before(l.until)
}

func (d *directory) remember(address string, box mailbox.Mailbox, now time.Time) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.boxes == nil || len(d.boxes) >= directorySize {
		d.boxes = make(map[string]listing)
	}
	d.boxes[address] = listing{box, now.Add(directoryTime)}
}

// forget is called when a mailbox has changed, so that the one who changed it sees that at the next RCPT.
func (d *directory) forget() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.boxes = nil
}
