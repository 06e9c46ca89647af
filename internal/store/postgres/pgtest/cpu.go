package pgtest

import (
	"fmt"
	"strconv"
	"testing"
	"time"
)

// CPU is how long the server has worked, with all processes that it has started. It needs Linux.
func (s *Server) CPU(t testing.TB) (sum time.Duration) {
	t.Helper()
	first, err := s.cluster.pid()
	if err != nil {
		t.Fatal(err)
	}
	children, err := childrenOf(first)
	if err != nil {
		t.Fatal(err)
	}
	for _, pid := range append(children, first) {
		fields := statusOf(fmt.Sprintf("/proc/%d/stat", pid))
		if len(fields) < 15 {
			continue // it has ended, and is counted with its parent
		}
		for _, ticks := range fields[11:15] { // its own and those of its children that have ended
			n, _ := strconv.ParseInt(ticks, 10, 64)
			sum += time.Duration(n) * (time.Second / 100)
		}
	}
	return sum
}
