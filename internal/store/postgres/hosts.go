package postgres

import (
	"context"
	"errors"
	"maps"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// Where a database's URL names several hosts, one of which is the primary, the others are there for the moment at which
// it falls silent. Then each connection would wait for it before it tries the next host, and what was sent to it would
// wait for an answer until its time is over. So each host has a short time of its own, a host that has not answered is
// passed over until it does, and a connection that is owed an answer is closed when its host does not even say that it
// is there.

const (
	hostTime   = 2 * time.Second // how long one of several hosts may take to connect
	probeTime  = 1500 * time.Millisecond
	owedTime   = 2 * time.Second // how long an answer may take before the host is probed
	hostsLook  = time.Second
	silentTime = 10 * time.Second // how long a host is passed over without having been probed again
	hostsSpare = time.Second      // besides the times of all hosts
)

var errSilent = errors.New("the host does not answer")

// hosts are those of one URL.
type hosts struct {
	dialer *net.Dialer
	many   int

	mu       sync.Mutex
	silent   map[string]time.Time // when that was found
	suspects map[string]string    // networks of those that somebody gave up on
	conns    map[*hostConn]struct{}
}

// hostsOf readies the settings of a connection for as many hosts as they name.
func hostsOf(c *pgx.ConnConfig) *hosts {
	most := connectTime
	h := &hosts{many: countHosts(c), silent: make(map[string]time.Time), suspects: make(map[string]string),
		conns: make(map[*hostConn]struct{})}
	if h.many > 1 {
		most = hostTime
		if c.ValidateConnect == nil { // target_session_attrs: of no use to us is a standby
			c.ValidateConnect = pgconn.ValidateConnectTargetSessionAttrsReadWrite
		}
	}
	if c.ConnectTimeout == 0 || c.ConnectTimeout > most {
		c.ConnectTimeout = most
	}
	h.dialer = dialer(c.ConnectTimeout)
	c.DialFunc = h.dial
	return h
}

// countHosts counts the hosts; one that is tried with and without TLS is one.
func countHosts(c *pgx.ConnConfig) int {
	type host struct {
		name string
		port uint16
	}
	all := map[host]bool{{c.Host, c.Port}: true}
	for _, f := range c.Fallbacks {
		all[host{f.Host, f.Port}] = true
	}
	return len(all)
}

// connectWithin is how long it may take to make a connection to whichever host it is.
func connectWithin(c *pgx.ConnConfig) time.Duration {
	return time.Duration(countHosts(c))*c.ConnectTimeout + hostsSpare
}

func (h *hosts) dial(ctx context.Context, network, addr string) (net.Conn, error) {
	if h.many < 2 {
		return h.dialer.DialContext(ctx, network, addr)
	}
	if h.isSilent(addr) {
		return nil, errSilent
	}
	c, err := h.dialer.DialContext(ctx, network, addr)
	if err != nil {
		if timeout := net.Error(nil); errors.As(err, &timeout) && timeout.Timeout() {
			h.note(addr, true)
		}
		return nil, err
	}
	hc := &hostConn{Conn: c, hosts: h, network: network, addr: addr}
	h.mu.Lock()
	h.conns[hc] = struct{}{}
	h.mu.Unlock()
	return hc, nil
}

func (h *hosts) isSilent(addr string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	at, ok := h.silent[addr]
	return ok && time.Since(at) < silentTime
}

func (h *hosts) note(addr string, silent bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.suspects, addr)
	if silent {
		h.silent[addr] = time.Now()
	} else {
		delete(h.silent, addr)
	}
}

// watching begins to look after the hosts, and returns what ends it.
func (h *hosts) watching() (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { h.watch(ctx) })
	return func() { cancel(); running.Wait() }
}

// watch looks after the hosts until ctx ends. One has nobody to be passed over for.
func (h *hosts) watch(ctx context.Context) {
	if h.many < 2 {
		return
	}
	tick := time.NewTicker(hostsLook)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		h.look(ctx)
	}
}

// look probes hosts that owe an answer, and those that were silent.
func (h *hosts) look(ctx context.Context) {
	var probing sync.WaitGroup
	for addr, network := range h.suspected() {
		probing.Go(func() {
			answers := h.probe(ctx, network, addr)
			if ctx.Err() != nil {
				return
			}
			if h.note(addr, !answers); !answers {
				h.cut(addr)
			}
		})
	}
	probing.Wait()
}

// suspected lists hosts, by their addresses, with their networks.
func (h *hosts) suspected() map[string]string {
	h.mu.Lock()
	defer h.mu.Unlock()
	list := maps.Clone(h.suspects)
	for addr := range h.silent {
		list[addr] = "tcp"
	}
	for c := range h.conns {
		if c.owed() > owedTime {
			list[c.addr] = c.network
		}
	}
	return list
}

// sslRequest is what every server of PostgreSQL, and every pooler, answers with one byte before anything else.
var sslRequest = []byte{0, 0, 0, 8, 4, 210, 22, 47}

// probe tells whether there is a server at an address.
func (h *hosts) probe(ctx context.Context, network, addr string) bool {
	ctx, cancel := context.WithTimeout(ctx, probeTime)
	defer cancel()
	c, err := h.dialer.DialContext(ctx, network, addr)
	if err != nil {
		return false
	}
	defer c.Close()
	end, _ := ctx.Deadline()
	_ = c.SetDeadline(end) // if it cannot be set, the system gives up some time
	if _, err := c.Write(sslRequest); err != nil {
		return false
	}
	_, err = c.Read(make([]byte, 1))
	return err == nil
}

// cut closes the connections to a host.
func (h *hosts) cut(addr string) {
	h.mu.Lock()
	var list []*hostConn
	for c := range h.conns {
		if c.addr == addr {
			list = append(list, c)
		}
	}
	h.mu.Unlock()
	for _, c := range list {
		_ = c.Close() // its reader is told
	}
}

// hostConn is a connection that knows whether it is owed an answer.
type hostConn struct {
	net.Conn
	hosts         *hosts
	network, addr string
	heard         atomic.Bool
	asked         atomic.Int64 // when the first question was sent that is not answered, in nanoseconds; 0: all are
}

func (c *hostConn) Write(p []byte) (int, error) {
	c.asked.CompareAndSwap(0, time.Now().UnixNano())
	return c.Conn.Write(p)
}

func (c *hostConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if n > 0 {
		c.heard.Store(true)
		c.asked.Store(0)
	}
	return n, err
}

// owed is how long it waits for an answer.
func (c *hostConn) owed() time.Duration {
	asked := c.asked.Load()
	if asked == 0 {
		return 0
	}
	return time.Since(time.Unix(0, asked))
}

func (c *hostConn) Close() error {
	late := c.owed() > probeTime // somebody gave up on it
	if late && !c.heard.Load() {
		c.hosts.note(c.addr, true)
	}
	c.hosts.mu.Lock()
	delete(c.hosts.conns, c)
	if late && c.heard.Load() {
		c.hosts.suspects[c.addr] = c.network
	}
	c.hosts.mu.Unlock()
	return c.Conn.Close()
}
