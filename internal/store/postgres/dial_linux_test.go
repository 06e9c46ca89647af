package postgres

import (
	"context"
	"net"
	"syscall"
	"testing"
)

// Connections to the database are given up in time.
func TestDial(t *testing.T) {
	db := newStore(t, Options{})
	conn, err := db.pool.Acquire(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Release()
	raw, err := conn.Conn().PgConn().Conn().(*net.TCPConn).SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ option, want int }{
		"without an answer": {tcpUserTimeout, 10_000}, "without a word": {syscall.TCP_KEEPIDLE, 5},
	} {
		got := 0
		err = raw.Control(func(fd uintptr) { got, _ = syscall.GetsockoptInt(int(fd), syscall.IPPROTO_TCP, c.option) })
		if err != nil || got != c.want {
			t.Errorf("%s: %d, want %d (%v)", name, got, c.want, err)
		}
	}
}
