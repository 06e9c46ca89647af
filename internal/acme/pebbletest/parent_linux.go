package pebbletest

import (
	"os/exec"
	"syscall"
)

// dieWithParent lets the program end when the test is killed, too.
func dieWithParent(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }
