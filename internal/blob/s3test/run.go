package s3test

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// run is one process of a server.
type run struct {
	cmd  *exec.Cmd
	done chan struct{} // closed when the process has ended
}

// start returns when the server answers.
func (s *Server) start() error {
	log := filepath.Join(s.dir, "log")
	out, err := os.Create(log)
	if err != nil {
		return fmt.Errorf("start the S3 server: %w", err)
	}
	defer out.Close()
	cmd := exec.Command(s.program, "--port", s.addr, "--access", AccessKey, "--secret", SecretKey, "--region", Region,
		"--health", "/health", "--keep-alive", "--quiet", "posix", s.objects())
	cmd.Stdout, cmd.Stderr = out, out
	cmd.Env = []string{"HOME=" + s.dir, "TMPDIR=" + s.dir}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // an interrupt at the terminal is for the tests
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("start the S3 server: %w", err)
	}
	s.guard.watch(cmd.Process.Pid)
	s.run = &run{cmd: cmd, done: make(chan struct{})}
	go s.run.wait()
	if err := s.answers(); err != nil {
		said, _ := os.ReadFile(log)
		return fmt.Errorf("start the S3 server: %w\nits log:\n%s", err, said)
	}
	return nil
}

func (r *run) wait() {
	defer close(r.done)
	_ = r.cmd.Wait()
}

// answers waits until the server does.
func (s *Server) answers() error {
	client := http.Client{Timeout: patience, Transport: &http.Transport{DisableKeepAlives: true}}
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); {
		if resp, err := client.Get(s.Endpoint() + "/health"); err == nil {
			_ = resp.Body.Close()
			return nil
		}
		select {
		case <-s.run.done:
			return errors.New("it has ended")
		case <-time.After(10 * time.Millisecond):
		}
	}
	return errors.New("it does not answer")
}

// Stop ends the server at once, as a crash would. It may be stopped already.
func (s *Server) Stop() {
	if s.run == nil {
		return
	}
	_ = s.run.cmd.Process.Kill()
	<-s.run.done
	s.guard.watch(0)
	s.run = nil
}

// Restart stops the server if it runs, and starts it with the objects it had.
func (s *Server) Restart(t testing.TB) {
	t.Helper()
	s.Stop()
	if err := s.start(); err != nil {
		t.Fatal(err)
	}
}

// Pause freezes the server: connections stay open and new ones are taken by the system, but nobody answers. The
// function it returns lets the server go on. It needs Linux.
func (s *Server) Pause(t testing.TB) (resume func()) {
	t.Helper()
	process := s.run.cmd.Process
	if err := process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatalf("freeze the S3 server: %v", err)
	}
	for deadline := time.Now().Add(patience); !frozen(process.Pid); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the S3 server does not freeze")
		}
	}
	return func() { _ = process.Signal(syscall.SIGCONT) } // one that has ended needs none
}

// frozen tells whether every thread of the process has stopped, which takes a moment. It needs Linux.
func frozen(pid int) bool {
	stats, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/stat", pid))
	for _, name := range stats {
		// "<number> (<program>) <state> …", and the program's name may hold anything.
		stat, err := os.ReadFile(name)
		if err == nil && !bytes.HasPrefix(stat[bytes.LastIndexByte(stat, ')')+1:], []byte(" T ")) {
			return false
		}
	}
	return len(stats) > 0
}

// end stops the server and has the guard remove its folder.
func (s *Server) end() {
	s.Stop()
	s.guard.end()
}
