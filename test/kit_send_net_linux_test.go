package test

import (
	"os"
	"os/exec"
	"syscall"
	"testing"
)

// insideVariable tells a test that it runs in a network of its own.
const insideVariable = "MAILKIN_TEST_OWN_NETWORK"

// ownNetwork runs the test that calls it in a network of its own, in which these addresses are this machine's, so that
// a client can be somewhere else than on loopback: what SPF says about those nobody asks. It tells whether the caller
// is in there and may go on; outside it waits for the end.
func ownNetwork(t *testing.T, addrs ...string) (inside bool) {
	t.Helper()
	if os.Getenv(insideVariable) == t.Name() {
		for _, args := range append([][]string{{"link", "set", "lo", "up"}}, added(addrs)...) {
			if out, ok := execute(t, "ip", args...); !ok {
				t.Fatalf("ip %v: %s", args, out)
			}
		}
		return true
	}
	if os.Getuid() != 0 {
		t.Skip("only root can make a network")
	}
	cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v", "-test.timeout=2m")
	// A database server that was named is outside of that network: the test brings its own.
	cmd.Env = append(os.Environ(), insideVariable+"="+t.Name(), "MAILKIN_TEST_BINARY="+binary(t),
		"MAILKIN_TEST_POSTGRES=")
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNET}
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		t.Skipf("a network cannot be made here: %v", err)
	}
	t.Logf("in a network of its own:\n%s", out)
	if err != nil {
		t.Error(err)
	}
	return false
}

// added are commands that give the machine addresses. Whoever calls one of them comes from the one before it, and not,
// as on one machine it would, from the same.
func added(addrs []string) (commands [][]string) {
	for _, a := range addrs {
		commands = append(commands, []string{"addr", "add", a + "/32", "dev", "lo"})
	}
	for i, a := range addrs {
		before := addrs[(i+len(addrs)-1)%len(addrs)]
		commands = append(commands, []string{"route", "replace", "local", a, "dev", "lo", "table", "local", "src",
			before})
	}
	return commands
}
