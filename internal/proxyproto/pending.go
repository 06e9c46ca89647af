package proxyproto

import (
	"container/list"
	"errors"
	"net"
	"sync"
)

// Pending bounds the connections from trusted networks whose header has not been read, of any number of listeners
// together: nobody knows yet whose they are, so no other bound counts them. Proxies send their header at once. Where
// there are too many, the one that has been silent for longest is closed for the next.
type Pending struct {
	max int

	mu    sync.Mutex
	conns *list.List // of *pending, the oldest first
}

// pending is one of these connections.
type pending struct {
	conn    net.Conn
	place   *list.Element
	evicted bool // it was closed for another
}

// NewPending makes a bound of at least one connection.
func NewPending(max int) *Pending { return &Pending{max: max, conns: list.New()} }

var errEvicted = errors.New("too many connections have not sent their header, and this one for longest")

// add counts a connection.
func (p *Pending) add(c net.Conn) *pending {
	p.mu.Lock()
	defer p.mu.Unlock()
	if oldest := p.conns.Front(); oldest != nil && p.conns.Len() >= p.max {
		old := p.conns.Remove(oldest).(*pending)
		old.evicted = true
		_ = old.conn.Close()
	}
	n := &pending{conn: c}
	n.place = p.conns.PushBack(n)
	return n
}

// remove stops counting a connection, and says whether it was closed for another.
func (p *Pending) remove(n *pending) (evicted bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !n.evicted {
		p.conns.Remove(n.place)
	}
	return n.evicted
}
