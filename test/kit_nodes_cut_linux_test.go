package test

import (
	"fmt"
	"os/exec"
	"strconv"
	"syscall"
	"testing"
)

// The two ends of the cable to a node that has a network of its own.
const (
	hereAddr  = "10.77.0.1"
	thereAddr = "10.77.0.2"
)

// cable leads to a network of its own that a node is in. It can be pulled out: then nothing comes through in either
// direction, and nobody is told.
type cable struct {
	t   *testing.T
	pid string // of what keeps the network
}

// newCable makes a network and the cable to it. The caller is in a network of its own (ownNetwork).
func newCable(t *testing.T) *cable {
	t.Helper()
	keeper := exec.Command("sleep", "infinity")
	keeper.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNET, Pdeathsig: syscall.SIGKILL}
	if err := keeper.Start(); err != nil {
		t.Skipf("a network cannot be made here: %v", err)
	}
	t.Cleanup(func() {
		_ = keeper.Process.Kill()
		_ = keeper.Wait()
	})
	c := &cable{t: t, pid: strconv.Itoa(keeper.Process.Pid)}
	if out, ok := execute(t, "ip", "link", "add", "here", "type", "veth", "peer", "name", "there", "netns",
		c.pid); !ok {
		t.Skipf("a link cannot be made here: %s", out)
	}
	c.must("ip", "addr", "add", hereAddr+"/24", "dev", "here")
	c.pull(false)
	for _, args := range [][]string{{"addr", "add", thereAddr + "/24", "dev", "there"}, {"link", "set", "there", "up"},
		{"link", "set", "lo", "up"}} {
		c.must("nsenter", append(append(c.wrap()[1:], "ip"), args...)...)
	}
	return c
}

// wrap starts a program at the other end.
func (c *cable) wrap() []string { return []string{"nsenter", "-t", c.pid, "-n", "--"} }

// pull pulls the cable out, or puts it back.
func (c *cable) pull(out bool) {
	state := "up"
	if out {
		state = "down"
	}
	c.must("ip", "link", "set", "here", state)
}

func (c *cable) must(name string, args ...string) {
	c.t.Helper()
	if out, ok := execute(c.t, name, args...); !ok {
		c.t.Fatal(fmt.Sprint(name, args, ": ", out))
	}
}
