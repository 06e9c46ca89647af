package connlimit

import (
	"container/list"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"sync"
	"time"
)

// Options are the bounds. 0: none.
type Options struct {
	Max       int            // connections
	PerClient int            // connections of one client, and requests for it through proxies
	Trusted   []netip.Prefix // proxies
}

// Limiter counts the connections of any number of servers.
type Limiter struct {
	opt Options

	mu      sync.Mutex
	conns   map[net.Conn]*entry
	clients map[netip.Prefix]int
	idle    *list.List // of *entry, the one that is idle for longest first
	stats   Stats
}

// Stats are counts since the start, except Open.
type Stats struct {
	Open    int64 // connections now
	Closed  int64 // idle connections that made room for new ones
	Refused int64 // connections and requests
}

// entry is a connection.
type entry struct {
	conn   net.Conn
	client netip.Prefix  // zero: it counts for nobody
	place  *list.Element // in idle; nil: it is at work
}

// New makes a limiter.
func New(opt Options) *Limiter {
	return &Limiter{opt: opt, conns: map[net.Conn]*entry{}, clients: map[netip.Prefix]int{}, idle: list.New()}
}

// Stats reads the counters.
func (l *Limiter) Stats() Stats {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := l.stats
	s.Open = int64(len(l.conns))
	return s
}

// enter counts a new connection. It returns the connection that has to be closed for it, if there is one.
func (l *Limiter) enter(c net.Conn) (evicted net.Conn, ok bool) {
	e := &entry{conn: c, client: l.network(peer(c.RemoteAddr().String()))}
	l.mu.Lock()
	defer l.mu.Unlock()
	var old *entry
	switch {
	case l.fullLocked(e.client):
		old = l.longestIdleLocked(func(o *entry) bool { return o.client == e.client })
	case l.opt.Max > 0 && len(l.conns) >= l.opt.Max:
		old = l.longestIdleLocked(func(*entry) bool { return true })
	default:
		l.addLocked(e)
		return nil, true
	}
	if old == nil {
		l.stats.Refused++
		return nil, false
	}
	l.stats.Closed++
	l.removeLocked(old)
	l.addLocked(e)
	return old.conn, true
}

func (l *Limiter) fullLocked(client netip.Prefix) bool {
	return l.opt.PerClient > 0 && client.IsValid() && l.clients[client] >= l.opt.PerClient
}

func (l *Limiter) longestIdleLocked(fits func(*entry) bool) *entry {
	for place := l.idle.Front(); place != nil; place = place.Next() {
		if e := place.Value.(*entry); fits(e) {
			return e
		}
	}
	return nil
}

func (l *Limiter) addLocked(e *entry) {
	l.conns[e.conn] = e
	e.place = l.idle.PushBack(e)
	l.countLocked(e.client, 1)
}

func (l *Limiter) removeLocked(e *entry) {
	delete(l.conns, e.conn)
	l.workLocked(e)
	l.countLocked(e.client, -1)
}

func (l *Limiter) workLocked(e *entry) {
	if e.place != nil {
		l.idle.Remove(e.place)
		e.place = nil
	}
}

func (l *Limiter) countLocked(client netip.Prefix, n int) {
	if !client.IsValid() {
		return
	}
	if l.clients[client] += n; l.clients[client] == 0 {
		delete(l.clients, client)
	}
}

// below is the connection that was counted, of one that is around it, as TLS is.
func below(c net.Conn) net.Conn {
	if outer, ok := c.(interface{ NetConn() net.Conn }); ok {
		return outer.NetConn()
	}
	return c
}

// Keep goes on to count a connection that was taken from its server. Whoever has it tells State what becomes of it.
func (l *Limiter) Keep(c net.Conn) {
	c = below(c)
	e := &entry{conn: c, client: l.network(peer(c.RemoteAddr().String()))}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.conns[c] == nil {
		l.addLocked(e)
		l.workLocked(e)
	}
}

// State is for http.Server.ConnState.
func (l *Limiter) State(c net.Conn, state http.ConnState) {
	l.mu.Lock()
	defer l.mu.Unlock()
	e := l.conns[below(c)]
	if e == nil { // it was closed for another
		return
	}
	switch state {
	case http.StateNew: // also when it comes back to its server, perhaps with the beginning of a request
		if e.place == nil {
			e.place = l.idle.PushBack(e)
		}
	case http.StateActive:
		l.workLocked(e)
	case http.StateIdle:
		l.workLocked(e)
		e.place = l.idle.PushBack(e)
	case http.StateClosed, http.StateHijacked:
		l.removeLocked(e)
	}
}

// CloseIdle closes the connections on which no request is being answered: also those on which one has begun to come and
// is not complete.
func (l *Limiter) CloseIdle() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for place := l.idle.Front(); place != nil; place = place.Next() {
		_ = place.Value.(*entry).conn.Close() // whoever serves it notices, and it is forgotten in State
	}
}

// Listen wraps a listener. Clients that are refused are told so if it is plain.
func (l *Limiter) Listen(inner net.Listener, plain bool) net.Listener {
	return &listener{Listener: inner, limiter: l, plain: plain}
}

type listener struct {
	net.Listener
	limiter *Limiter
	plain   bool
}

func (l *listener) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		old, ok := l.limiter.enter(c)
		if old != nil {
			_ = old.Close()
		}
		if ok {
			return c, nil
		}
		l.refuse(c)
	}
}

const refusal = `{"error":"Too many connections; close some or try again in a moment.","code":"too_many_connections"}`

var refusalHead = "HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\nRetry-After: " +
	"5\r\nConnection: close\r\n\r\n"

// refuse answers a connection that is one too many. The send buffer of a new connection is empty, so this does not hold
// up the accept loop; the deadline is for connections that are not what they seem.
func (l *listener) refuse(c net.Conn) {
	if l.plain {
		_ = c.SetWriteDeadline(time.Now().Add(50 * time.Millisecond))
		_, _ = c.Write([]byte(refusalHead + refusal))
	}
	_ = c.Close()
}

// Handler counts requests that come through proxies. client says whose a request is.
func (l *Limiter) Handler(h http.Handler, client func(*http.Request) netip.Addr) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		from := client(r)
		if from == peer(r.RemoteAddr) { // its connection is counted
			h.ServeHTTP(w, r)
			return
		}
		network := l.network(from)
		if !l.begin(network) {
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Retry-After", "5")
			w.WriteHeader(http.StatusServiceUnavailable)
			_, _ = w.Write([]byte(refusal))
			return
		}
		defer l.end(network)
		h.ServeHTTP(w, r)
	})
}

func (l *Limiter) begin(client netip.Prefix) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.fullLocked(client) {
		l.stats.Refused++
		return false
	}
	l.countLocked(client, 1)
	return true
}

func (l *Limiter) end(client netip.Prefix) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.countLocked(client, -1)
}

// network is what the connections of one client have in common; zero for programs on this machine, for proxies (also
// for those that name no client), and for what is not TCP.
func (l *Limiter) network(addr netip.Addr) netip.Prefix {
	trusted := func(p netip.Prefix) bool { return p.Contains(addr) || p.Contains(netip.AddrFrom16(addr.As16())) }
	if !addr.IsValid() || addr.IsLoopback() || addr.IsUnspecified() || slices.ContainsFunc(l.opt.Trusted, trusted) {
		return netip.Prefix{}
	}
	bits := 32
	if addr.Is6() {
		bits = 64
	}
	p, _ := addr.Prefix(bits) // never fails
	return p
}

// peer reads the address of the other end.
func peer(address string) netip.Addr {
	a, err := netip.ParseAddrPort(address)
	if err != nil {
		return netip.Addr{}
	}
	return a.Addr().Unmap().WithZone("")
}
