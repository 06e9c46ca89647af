package smtpd

import (
	"context"
	"log/slog"
	"net"
	"net/netip"
	"time"
)

// admit starts a session for conn, or turns it away if there are too many.
func (s *Server) admit(conn net.Conn) {
	addr := remoteAddr(conn)
	ctx, cancel := context.WithCancel(context.Background())
	sess := newSession(s, conn, addr)
	if no, ok := s.enter(sess, cancel); !ok {
		cancel()
		s.count.turnedAway.Add(1)
		sess.log.LogAttrs(ctx, slog.LevelInfo, "connection refused", slog.String("listener", s.listener()),
			slog.String("reply", no.String()))
		turnAway(conn, no)
		return
	}
	go func() {
		defer s.leave(sess, cancel)
		sess.run(ctx)
	}()
}

// turnAway answers a connection that gets no session. The send buffer of a new connection is empty, so this does not
// hold up the accept loop; the deadline is for connections that are not what they seem.
func turnAway(conn net.Conn, no reply) {
	_ = conn.SetWriteDeadline(time.Now().Add(50 * time.Millisecond))
	_, _ = conn.Write(no.appendTo(nil))
	_ = conn.Close()
}

func (s *Server) enter(sess *session, cancel context.CancelFunc) (no reply, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch key, counted := countKey(sess.addr); {
	case s.isStopping():
		return replyStopping.with(s.cfg.Hostname), false
	case s.cfg.MaxConns > 0 && len(s.sessions) >= s.cfg.MaxConns:
		return replyTooManyConns.with(s.cfg.Hostname), false
	case counted && s.cfg.MaxConnsPerAddr > 0 && s.perAddr[key] >= s.cfg.MaxConnsPerAddr:
		return replyTooManyFromYou.with(s.cfg.Hostname), false
	case counted:
		s.perAddr[key]++
	}
	s.sessions[sess] = cancel
	s.count.open.Add(1)
	s.count.total.Add(1)
	return reply{}, true
}

func (s *Server) leave(sess *session, cancel context.CancelFunc) {
	cancel()
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.sessions, sess)
	s.count.open.Add(-1)
	if key, counted := countKey(sess.addr); counted {
		s.perAddr[key]--
		if s.perAddr[key] == 0 {
			delete(s.perAddr, key)
		}
	}
	if len(s.sessions) == 0 && s.isStopping() {
		close(s.drained)
	}
}

// countKey is what the connections of one client have in common. An IPv6 host has a whole /64 to call from. Programs
// on this machine, and what is not TCP, are not counted apart.
func countKey(addr netip.Addr) (netip.Prefix, bool) {
	if !addr.IsValid() || addr.IsLoopback() {
		return netip.Prefix{}, false
	}
	bits := 32
	if addr.Is6() {
		bits = 64
	}
	p, err := addr.Prefix(bits)
	return p, err == nil
}

// remoteAddr is the client's address; the zero Addr where it has none, as on a Unix socket.
func remoteAddr(conn net.Conn) netip.Addr {
	tcp, ok := conn.RemoteAddr().(*net.TCPAddr)
	if !ok {
		return netip.Addr{}
	}
	return tcp.AddrPort().Addr().Unmap().WithZone("")
}
