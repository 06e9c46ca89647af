// Command mailkin is the whole of Mailkin: "mailkin serve" takes mail and serves the API; the commands for mail and
// mailboxes are clients of it, over HTTP and nothing else. One file a command.
//
// Commands print data on stdout and everything else on stderr. On a terminal they are written for people, in a pipe for
// programs (screen.go), and what comes from mail is never obeyed by a terminal (clean.go). Errors become one line with
// what to do next, and one of the statuses in exit.go.
//
// Only this file touches the process: its arguments, its environment, its signals and its exit status. Everything else
// works on a program value, so that tests run commands the way main does.
package main

import (
	"os"
	"os/signal"
	"syscall"
)

func main() {
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	p := program{
		args:    os.Args[1:],
		environ: os.Environ(),
		stdin:   os.Stdin,
		stdout:  os.Stdout,
		stderr:  os.Stderr,
		signals: signals,
	}
	p.onHangup = func() (<-chan os.Signal, func()) {
		hangups := make(chan os.Signal, 1)
		signal.Notify(hangups, syscall.SIGHUP)
		return hangups, func() { signal.Reset(syscall.SIGHUP) }
	}
	os.Exit(p.run())
}
