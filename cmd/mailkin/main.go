// Command mailkin is the whole of Mailkin: "mailkin serve" takes mail and serves the API, the other commands look at
// its settings and secrets. One file a command.
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
		stdout:  os.Stdout,
		stderr:  os.Stderr,
		signals: signals,
	}
	os.Exit(p.run())
}
