package test

import (
	"io"
	"math/rand/v2"
	"net"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/blob/s3test"
	"github.com/mailkin/mailkin/internal/store/postgres/pgtest"
)

// deployment is several nodes on one database and one bucket. Each node reaches both by a wire of its own, which can be
// cut.
type deployment struct {
	t     *testing.T
	pg    *pgtest.Server
	s3    *s3test.Server
	nodes []*server
	wires []*tcpWire // of a node: to the database and to the bucket

	database, bucket string // URLs, as they are without a wire

	mu sync.Mutex
	at []place // where each node is; its zero value while it is down
}

// place is where a node listens.
type place struct{ http, smtp string }

// deploy starts nodes.
func deploy(t *testing.T, n int, settings ...string) *deployment {
	t.Helper()
	d := &deployment{t: t, pg: pgtest.Start(t, pgtest.Durable()...), s3: s3test.Start(t)}
	d.database, d.bucket = d.pg.URL(t), d.s3.URLWithKeys()
	for range n {
		toPG, toS3 := newTCPWire(t, "127.0.0.1", d.pg.Addr()), newTCPWire(t, "127.0.0.1", d.s3.Addr())
		d.wires = append(d.wires, toPG, toS3)
		d.add(toPG.addr, toS3.addr, settings...)
		d.start(len(d.nodes) - 1)
	}
	return d
}

// add adds a node, which is not started yet, that finds the database and the bucket at these addresses.
func (d *deployment) add(database, bucket string, settings ...string) *server {
	environ := append(secrets(),
		"MAILKIN_DATABASE_URL="+strings.Replace(d.database, d.pg.Addr(), database, 1),
		"MAILKIN_BLOB_URL="+strings.Replace(d.bucket, url.QueryEscape(d.s3.Addr()), url.QueryEscape(bucket), 1))
	node := newNode(d.t, append(environ, settings...)...)
	node.expectErrors = true // what it stands on fails now and then
	d.nodes, d.at = append(d.nodes, node), append(d.at, place{})
	return node
}

// start starts a node, for the first time or again.
func (d *deployment) start(i int) {
	d.nodes[i].start(d.t)
	d.move(i, place{d.nodes[i].http, d.nodes[i].smtp})
}

// kill ends a node the way a crash does.
func (d *deployment) kill(i int) {
	d.move(i, place{})
	d.nodes[i].kill(d.t)
}

func (d *deployment) move(i int, to place) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.at[i] = to
}

// any gives one of the nodes that are up.
func (d *deployment) any() place {
	for {
		d.mu.Lock()
		p := d.at[rand.IntN(len(d.at))]
		d.mu.Unlock()
		if p != (place{}) {
			return p
		}
	}
}

// cut lets nothing through between a node and what it stands on, and closes nothing, as a network that fails.
func (d *deployment) cut(i int, cut bool) {
	for _, w := range d.wires[2*i : 2*i+2] {
		w.cut(cut)
	}
}

// tcpWire passes connections on.
type tcpWire struct {
	addr, to string

	mu      sync.Mutex
	severed chan struct{} // nil: it works; closed when it works again
	conns   map[net.Conn]bool
	open    sync.WaitGroup
}

// newTCPWire makes a wire that begins on any port of a host.
func newTCPWire(t testing.TB, host, to string) *tcpWire {
	t.Helper()
	l, err := net.Listen("tcp", host+":0")
	if err != nil {
		t.Fatal(err)
	}
	w := &tcpWire{addr: l.Addr().String(), to: to, conns: map[net.Conn]bool{}}
	w.open.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			w.open.Go(func() { w.pass(conn) })
		}
	})
	t.Cleanup(func() {
		l.Close()
		w.cut(false)
		w.mu.Lock()
		for conn := range w.conns {
			conn.Close()
		}
		w.mu.Unlock()
		w.open.Wait()
	})
	return w
}

// pass passes one connection on, both ways, until either side ends it.
func (w *tcpWire) pass(near net.Conn) {
	w.wait()
	far, err := net.DialTimeout("tcp", w.to, patience)
	if err != nil {
		near.Close()
		return
	}
	w.mu.Lock()
	w.conns[near], w.conns[far] = true, true
	w.mu.Unlock()
	var both sync.WaitGroup
	for _, way := range [][2]net.Conn{{near, far}, {far, near}} {
		both.Go(func() {
			_, _ = io.Copy(wired{way[0], w}, way[1])
			near.Close()
			far.Close()
		})
	}
	both.Wait()
	w.mu.Lock()
	delete(w.conns, near)
	delete(w.conns, far)
	w.mu.Unlock()
}

// wired writes while the wire works, and waits while it does not.
type wired struct {
	net.Conn
	w *tcpWire
}

func (c wired) Write(b []byte) (int, error) {
	c.w.wait()
	return c.Conn.Write(b)
}

func (w *tcpWire) wait() {
	w.mu.Lock()
	severed := w.severed
	w.mu.Unlock()
	if severed != nil {
		<-severed
	}
}

// cut breaks the wire, or repairs it: what was on it is lost with its connections then, as after a time-out.
func (w *tcpWire) cut(cut bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case cut && w.severed == nil:
		w.severed = make(chan struct{})
	case !cut && w.severed != nil:
		for conn := range w.conns {
			conn.Close()
		}
		close(w.severed)
		w.severed = nil
	}
}

// settlesWithin waits for a condition, at most so long.
func settlesWithin(t testing.TB, most time.Duration, check func() error) {
	t.Helper()
	began := time.Now()
	for {
		err := check()
		if err == nil {
			t.Logf("settled after %v", time.Since(began).Round(100*time.Millisecond))
			return
		}
		if time.Since(began) > most {
			t.Fatalf("after %v: %v", most, err)
		}
		time.Sleep(100 * time.Millisecond)
	}
}
