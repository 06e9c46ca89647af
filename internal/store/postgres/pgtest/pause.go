package pgtest

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Pause freezes the server: connections stay open and new ones are taken by the system, but nobody answers. The
// function it returns lets the server go on; so do Stop, Kill, Restart and the end of the test. It needs Linux.
func (s *Server) Pause(t testing.TB) (resume func()) {
	t.Helper()
	if err := s.pause(); err != nil {
		s.resume()
		t.Fatal(err)
	}
	return s.resume
}

// pause stops the first process before it looks for the others: then there will be no more of them.
func (s *Server) pause() error {
	first, err := s.cluster.pid()
	if err != nil {
		return err
	}
	if err := s.freeze(first); err != nil {
		return err
	}
	children, err := childrenOf(first)
	if err != nil {
		return err
	}
	for _, pid := range children {
		if err := s.freeze(pid); err != nil && !errors.Is(err, os.ErrProcessDone) {
			return err
		}
	}
	return nil
}

func (s *Server) freeze(pid int) error {
	p, err := os.FindProcess(pid)
	if err != nil {
		return fmt.Errorf("find process %d: %w", pid, err)
	}
	if err := p.Signal(syscall.SIGSTOP); err != nil {
		return fmt.Errorf("freeze process %d: %w", pid, err)
	}
	s.paused = append(s.paused, p)
	// It takes a moment.
	for deadline := time.Now().Add(patience); stateOf(pid) != "T"; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			return fmt.Errorf("process %d does not freeze", pid)
		}
	}
	return nil
}

// stateOf returns the letter of what a process is doing: T if it is stopped, and also if it has gone.
func stateOf(pid int) string {
	fields := statusOf(fmt.Sprintf("/proc/%d/stat", pid))
	if len(fields) == 0 || fields[0] == "Z" {
		return "T"
	}
	return fields[0]
}

// statusOf reads "<pid> (<program>) <state> <parent> …" from the state on; the program's name may hold anything. It is
// empty if the process has gone.
func statusOf(name string) []string {
	stat, err := os.ReadFile(name)
	if err != nil {
		return nil
	}
	return strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
}

func (s *Server) resume() {
	for _, p := range s.paused {
		_ = p.Signal(syscall.SIGCONT) // one that has gone needs none
		_ = p.Release()
	}
	s.paused = nil
}

// childrenOf lists the processes that the process has started.
func childrenOf(parent int) ([]int, error) {
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil || len(stats) == 0 {
		return nil, fmt.Errorf("no processes in /proc: freezing a server needs Linux")
	}
	var children []int
	for _, name := range stats {
		fields := statusOf(name)
		if len(fields) > 1 && fields[1] == strconv.Itoa(parent) && fields[0] != "Z" {
			pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(name)))
			children = append(children, pid)
		}
	}
	return children, nil
}
