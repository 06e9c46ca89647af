package postgres

import (
	"net"
	"time"
)

// lostTime is after how long a connection whose other end has fallen silent is given up: otherwise each would be found
// out only by its user, after updateTime. It is the system that answers for the other end, however busy the
// database is.
const lostTime = 10 * time.Second

// dialer makes connections that are given up when the other end has fallen silent.
func dialer(timeout time.Duration) *net.Dialer {
	return &net.Dialer{
		Timeout: timeout,
		// while nothing is on its way
		KeepAliveConfig: net.KeepAliveConfig{Enable: true, Idle: lostTime / 2, Interval: lostTime / 4, Count: 2},
		// while something is
		Control: giveUp,
	}
}
