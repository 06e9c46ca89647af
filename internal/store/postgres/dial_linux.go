package postgres

import (
	"strings"
	"syscall"
)

// tcpUserTimeout is TCP_USER_TIMEOUT, which the standard library has no name for.
const tcpUserTimeout = 18

// giveUp has the system close a connection when what was sent is not acknowledged in time.
func giveUp(network, _ string, c syscall.RawConn) (err error) {
	if !strings.HasPrefix(network, "tcp") {
		return nil
	}
	e := c.Control(func(fd uintptr) {
		err = syscall.SetsockoptInt(int(fd), syscall.IPPROTO_TCP, tcpUserTimeout, int(lostTime.Milliseconds()))
	})
	if e != nil {
		return e
	}
	return err
}
