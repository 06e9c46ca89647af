package proxyproto

import (
	"errors"
	"net"
	"net/netip"
	"time"
)

// headerTimeout is for the whole header, which a proxy sends with the first packet.
const headerTimeout = 5 * time.Second

// conn is a connection with the client that its header named.
type conn struct {
	net.Conn
	rest   []byte // what came along with the header
	client net.Addr
}

func (c *conn) RemoteAddr() net.Addr { return c.client }

// Read belongs to one goroutine at a time, as reads of a protocol do.
func (c *conn) Read(p []byte) (int, error) {
	if len(c.rest) == 0 {
		return c.Conn.Read(p)
	}
	n := copy(p, c.rest)
	if c.rest = c.rest[n:]; len(c.rest) == 0 {
		c.rest = nil
	}
	return n, nil
}

// CloseWrite ends our side, where the connection can do that.
func (c *conn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return errors.ErrUnsupported
}

// open reads the header of a connection from a trusted network.
func open(c net.Conn) (net.Conn, error) {
	if err := c.SetReadDeadline(time.Now().Add(headerTimeout)); err != nil {
		return nil, err
	}
	client, rest, err := readHeader(c)
	if err != nil {
		return nil, err
	}
	if err := c.SetReadDeadline(time.Time{}); err != nil {
		return nil, err
	}
	out := &conn{Conn: c, rest: rest, client: c.RemoteAddr()}
	switch peer := peerAddr(c); {
	case believable(client.Addr(), peer):
		out.client = net.TCPAddrFromAddrPort(client)
	case peer.IsLoopback():
		out.client = net.TCPAddrFromAddrPort(unnamed)
	}
	return out, nil
}

// unnamed is the client where a proxy on this machine names none: it is not taken to be on this machine, which would be
// free of limits.
var unnamed = netip.AddrPortFrom(netip.IPv4Unspecified(), 0)

// readHeader reads as far as it must, and a little further.
func readHeader(c net.Conn) (client netip.AddrPort, rest []byte, err error) {
	buf := make([]byte, 0, 256)
	for {
		if len(buf) == cap(buf) { // parse has refused what needs more than this
			buf = append(make([]byte, 0, fixed+maxBody), buf...)
		}
		n, err := c.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		client, size, parseErr := parse(buf)
		switch {
		case n > 0 && parseErr == nil:
			return client, buf[size:], nil
		case n > 0 && !errors.Is(parseErr, errMore):
			return client, nil, parseErr
		case err != nil:
			return client, nil, err
		}
	}
}

// believable tells whether client can be an address on the other side of a proxy that is at peer.
func believable(client, peer netip.Addr) bool {
	switch {
	case !client.IsValid(), client.IsUnspecified(), client.IsMulticast():
		return false
	case client.IsLoopback():
		return peer.IsLoopback()
	}
	return true
}

// peerAddr is the other end of a connection; the zero Addr where it has none.
func peerAddr(c net.Conn) netip.Addr {
	tcp, ok := c.RemoteAddr().(*net.TCPAddr)
	if !ok {
		return netip.Addr{}
	}
	return tcp.AddrPort().Addr().Unmap().WithZone("")
}
