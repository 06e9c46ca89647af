package dns

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"net/netip"
	"sync/atomic"
	"time"
)

// errSilent is what asking returns when no server said anything.
var errSilent = errors.New("no DNS server answered")

// tries is how often a question is sent, to one server after the other.
const tries = 3

// client asks DNS servers. It is a stub: following the tree is the servers' work (RFC 1034 5.3.1).
type client struct {
	servers  func() []string // host:port, never empty
	dial     func(ctx context.Context, network, address string) (net.Conn, error)
	patience time.Duration // with one server
	trustAD  bool          // of servers on other machines
	good     atomic.Uint32 // the server that answered last
}

func newClient(servers func() []string, timeout time.Duration, trustAD bool) *client {
	return &client{servers: servers, dial: new(net.Dialer).DialContext, patience: timeout / tries, trustAD: trustAD}
}

// Ask returns the answer of the first server that has one. A server that says that it failed has answered, too: the
// question is at fault, or the servers behind it.
func (c *client) Ask(ctx context.Context, q Question) (Answer, error) {
	servers := c.servers()
	first := int(c.good.Load())
	heard := false
	for i := range tries {
		if ctx.Err() != nil || heard && i >= len(servers) {
			break
		}
		n := (first + i) % len(servers)
		a, err := c.exchange(ctx, servers[n], q)
		if err != nil {
			continue
		}
		c.good.Store(uint32(n))
		if a.Outcome != Failed {
			return a, nil
		}
		heard = true
	}
	if heard {
		return Answer{}, nil
	}
	return Answer{}, errSilent
}

// exchange asks one server, over TCP what does not fit in a packet (RFC 7766).
func (c *client) exchange(ctx context.Context, server string, q Question) (Answer, error) {
	ctx, cancel := context.WithTimeout(ctx, c.patience)
	defer cancel()
	a, cut, err := c.over(ctx, "udp", server, q)
	if err == nil && cut {
		a, cut, err = c.over(ctx, "tcp", server, q)
	}
	if cut {
		a = Answer{}
	}
	a.Authentic = a.Authentic && (c.trustAD || isLocal(server))
	return a, err
}

// isLocal says whether a server is on this machine, so that nobody on the way can have set the AD bit.
func isLocal(server string) bool {
	addr, err := netip.ParseAddrPort(server)
	return err == nil && addr.Addr().Unmap().IsLoopback()
}

func (c *client) over(ctx context.Context, network, server string, q Question) (a Answer, cut bool, err error) {
	// A socket of its own for each question has a port of its own, which a forger must guess with the id (RFC 5452
	// 4.5).
	conn, err := c.dial(ctx, network, server)
	if err != nil {
		return Answer{}, false, err
	}
	defer conn.Close()
	stop := context.AfterFunc(ctx, func() { _ = conn.SetDeadline(time.Unix(1, 0)) })
	defer stop()
	id := uint16(rand.Uint32())
	msg, err := q.Pack(id)
	if err != nil {
		return Answer{}, false, err
	}
	if network == "tcp" {
		return overStream(conn, q, id, msg)
	}
	return overPackets(conn, q, id, msg)
}

func overPackets(conn net.Conn, q Question, id uint16, msg []byte) (a Answer, cut bool, err error) {
	if _, err := conn.Write(msg); err != nil {
		return Answer{}, false, err
	}
	buf := make([]byte, 2*maxPacket)
	for {
		n, err := conn.Read(buf)
		if err != nil {
			return Answer{}, false, err
		}
		if a, cut, ok := q.Unpack(buf[:n], id); ok {
			return a, cut, nil
		}
	}
}

func overStream(conn net.Conn, q Question, id uint16, msg []byte) (a Answer, cut bool, err error) {
	framed := binary.BigEndian.AppendUint16(nil, uint16(len(msg)))
	if _, err := conn.Write(append(framed, msg...)); err != nil {
		return Answer{}, false, err
	}
	var size [2]byte
	if _, err := io.ReadFull(conn, size[:]); err != nil {
		return Answer{}, false, err
	}
	buf := make([]byte, binary.BigEndian.Uint16(size[:]))
	if _, err := io.ReadFull(conn, buf); err != nil {
		return Answer{}, false, err
	}
	a, cut, ok := q.Unpack(buf, id)
	if !ok {
		return Answer{}, false, errSilent
	}
	return a, cut, nil
}
