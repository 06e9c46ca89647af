package test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// smallDisk returns a folder on a disk of its own, or skips the test.
func smallDisk(t *testing.T, megabytes int) string {
	t.Helper()
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, fmt.Sprintf("size=%dm,mode=700", megabytes)); err != nil {
		t.Skipf("a small disk cannot be mounted here: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return dir
}

// filler is a file that takes up a disk.
type filler string

// fill writes until the disk is full, then gives a given number of bytes back.
func (f filler) fill(t *testing.T, leave int64) {
	t.Helper()
	file, err := os.OpenFile(string(f), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	page := make([]byte, 4096)
	for err == nil {
		_, err = file.Write(page)
	}
	if !errors.Is(err, syscall.ENOSPC) {
		t.Fatal(err)
	}
	size, err := file.Seek(0, io.SeekEnd)
	if err == nil {
		err = file.Truncate(max(0, size-leave))
	}
	if err != nil {
		t.Fatal(err)
	}
}

func (f filler) remove(t *testing.T) {
	t.Helper()
	if err := os.Remove(string(f)); err != nil {
		t.Fatal(err)
	}
}

// ledger is what a mailbox must hold: everything acknowledged, by its id.
type ledger struct {
	b    box
	kept map[string][]byte
	next uint64
}

func newLedger(t *testing.T, srv *server, name string) *ledger {
	return &ledger{b: srv.mailbox(t, name), kept: map[string][]byte{}}
}

// send sends a new message with an attachment of a given number of bytes and returns the reply.
func (l *ledger) send(t *testing.T, size int) reply {
	t.Helper()
	l.next++
	message := largeMail("disk", size, l.next)
	c := open(t, l.b.srv.smtp)
	defer c.conn.Close()
	r, err := c.send(envelope{from: "a@example.org", to: []string{l.b.address}}, message, byDATA)
	if err != nil {
		t.Fatal(err)
	}
	if r.code == 250 {
		l.kept[r.lines[0][strings.LastIndexByte(r.lines[0], ' ')+1:]] = message
	}
	return r
}

// sendUntilRefused sends messages of a size until one is refused, and wants 452.
func (l *ledger) sendUntilRefused(t *testing.T, size int) {
	t.Helper()
	for range 5000 {
		switch r := l.send(t, size); {
		case r.code == 452 && strings.HasPrefix(r.lines[0], "4.3.1"):
			return
		case r.code != 250:
			t.Fatalf("got %v, want 452 4.3.1", r)
		}
	}
	t.Fatal("the disk does not fill up")
}

// check reads everything back.
func (l *ledger) check(t *testing.T) {
	t.Helper()
	list := l.b.inbox(t)
	var size int64
	for _, e := range list {
		want, ok := l.kept[e.ID]
		if !ok {
			t.Errorf("the message %s was not acknowledged", e.ID)
			continue
		}
		sameBytes(t, l.b.raw(t, e.ID), want)
		size += int64(len(want))
	}
	if s := l.b.stats(t); len(list) != len(l.kept) || s.Total != len(list) || s.Storage != size {
		t.Errorf("%d messages in the list, %d acknowledged, stats %+v", len(list), len(l.kept), s)
	}
	for name, path := range blobFiles(t, l.b.srv) {
		if l.kept[name] == nil {
			t.Errorf("no message has the file %s", path)
		}
	}
}

// onSmallDisk starts a server whose data is on a small disk.
func onSmallDisk(t *testing.T, megabytes int, settings ...string) (*server, filler) {
	t.Helper()
	disk := smallDisk(t, megabytes)
	srv := newServer(t, settings...)
	srv.dir = filepath.Join(disk, "data")
	srv.environ = append(srv.environ, "MAILKIN_DATA_DIR="+srv.dir)
	srv.expectErrors = true
	srv.start(t)
	return srv, filler(filepath.Join(disk, "filler"))
}

// A disk that is really full: mail is put off, nothing is half stored, reading goes on, and when there is room again
// mail is taken without a restart.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	embedded(t)
	srv, disk := onSmallDisk(t, 64, "MAILKIN_MIN_FREE_DISK=0")
	l := newLedger(t, srv, "full")
	for _, size := range []int{100, 20_000, 300_000, 1_500_000} {
		if r := l.send(t, size); r.code != 250 {
			t.Fatalf("got %v", r)
		}
	}
	for _, leave := range []int64{0, 12 << 10, 60 << 10, 250 << 10, 1200 << 10} {
		t.Run(fmt.Sprintf("%d bytes left", leave), func(t *testing.T) {
			disk.fill(t, leave)
			l.sendUntilRefused(t, 2_500_000)
			l.sendUntilRefused(t, 300_000)
			l.sendUntilRefused(t, 100)
			a := srv.ask(t, request{method: "POST", path: "/v1/ingest?mailbox=" + l.b.address, key: srv.token,
				body: string(largeMail("ingest", 300_000, 1)), kind: "message/rfc822"})
			if a.status != 503 || a.header.Get("Retry-After") == "" {
				t.Errorf("ingest: %d %s", a.status, a.body)
			}
			l.check(t)
			disk.remove(t)
			if r := l.send(t, 100); r.code != 250 {
				t.Errorf("with room again: %v", r)
			}
			if r := l.send(t, 300_000); r.code != 250 {
				t.Errorf("with room again: %v", r)
			}
			l.check(t)
		})
	}
	srv.kill(t)
	srv.start(t)
	l.check(t)
}

// A server can be started on a disk that has next to no room, and what it holds can be read.
func TestStartOnFullDisk(t *testing.T) {
	t.Parallel()
	embedded(t)
	srv, disk := onSmallDisk(t, 32, "MAILKIN_MIN_FREE_DISK=0")
	l := newLedger(t, srv, "start")
	for _, size := range []int{100, 300_000} {
		if r := l.send(t, size); r.code != 250 {
			t.Fatalf("got %v", r)
		}
	}
	srv.stop(t)
	disk.fill(t, 64<<10) // the map of SQLite's log takes 32 KB
	srv.start(t)
	l.sendUntilRefused(t, 300_000)
	l.sendUntilRefused(t, 100)
	l.check(t)
	disk.remove(t)
	if r := l.send(t, 100); r.code != 250 {
		t.Errorf("with room again: %v", r)
	}
	l.check(t)
}

// Mail is put off before the disk is full, as the setting says.
func TestLittleDisk(t *testing.T) {
	t.Parallel()
	embedded(t)
	srv, disk := onSmallDisk(t, 32, "MAILKIN_MIN_FREE_DISK=10MB")
	l := newLedger(t, srv, "little")
	if r := l.send(t, 300_000); r.code != 250 {
		t.Fatalf("got %v", r)
	}
	disk.fill(t, 5_000_000)
	eventually(t, func() error { // the size of the disk is not looked at for every mail
		if r := l.send(t, 100); r.code != 452 || !strings.HasPrefix(r.lines[0], "4.3.1") {
			return fmt.Errorf("got %v, want 452 4.3.1", r)
		}
		return nil
	})
	a := srv.ask(t, request{method: "POST", path: "/v1/ingest?mailbox=" + l.b.address, key: srv.token,
		body: mail("ingest"), kind: "message/rfc822"})
	if a.status != 503 || !strings.Contains(string(a.body), `"code":"disk_full"`) {
		t.Errorf("ingest: %d %s", a.status, a.body)
	}
	for path, status := range map[string]int{"/health": 200, "/ready": 503} {
		if a := srv.ask(t, request{path: path}); a.status != status {
			t.Errorf("%s: %d %s", path, a.status, a.body)
		}
	}
	l.check(t)
	if a := l.b.ask(t, "PATCH", "/email?id="+l.b.inbox(t)[0].ID, `{"seen":true}`); a.status != 200 {
		t.Errorf("what is not mail: %d %s", a.status, a.body)
	}
	disk.remove(t)
	eventually(t, func() error {
		if r := l.send(t, 300_000); r.code != 250 {
			return fmt.Errorf("with room again: %v", r)
		}
		return nil
	})
	l.check(t)
}

// A disk that fails: each kind of system call is made to fail for a while.
func TestDiskErrors(t *testing.T) {
	t.Parallel()
	embedded(t)
	needTrace(t)
	for _, tt := range []struct{ name, calls, errno string }{
		{"sync", "fsync,fdatasync", "EIO"},
		{"write to the database", "pwrite64", "EIO"},
		{"no room for the database", "pwrite64", "ENOSPC"},
		{"link", "linkat", "EROFS"},
		{"everything", "fsync,fdatasync,pwrite64,linkat", "EIO"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			srv := start(t)
			srv.expectErrors = true
			l := newLedger(t, srv, "errors")
			for _, size := range []int{100, 300_000} {
				if r := l.send(t, size); r.code != 250 {
					t.Fatalf("got %v", r)
				}
			}
			mend := srv.breakDisk(t, tt.calls, tt.errno)
			for range 3 {
				if r := l.send(t, 300_000); r.code != 452 {
					t.Errorf("large: got %v, want 452", r)
				}
				if r := l.send(t, 100); r.code != 452 && tt.calls != "linkat" {
					t.Errorf("small: got %v, want 452", r)
				}
			}
			if len(l.b.inbox(t)) != len(l.kept) {
				t.Error("the list has changed")
			}
			mend()
			for _, size := range []int{100, 300_000} {
				if r := l.send(t, size); r.code != 250 {
					t.Errorf("repaired: got %v", r)
				}
			}
			l.check(t)
			srv.kill(t)
			srv.start(t)
			l.check(t)
		})
	}
}

// What could not be synced is not there after a crash either, although it was written.
func TestKilledAfterFailedSync(t *testing.T) {
	t.Parallel()
	embedded(t)
	needTrace(t)
	srv := start(t)
	srv.expectErrors = true
	l := newLedger(t, srv, "unsynced")
	if r := l.send(t, 100); r.code != 250 {
		t.Fatalf("got %v", r)
	}
	mend := srv.breakDisk(t, "fsync,fdatasync", "EIO")
	for _, size := range []int{300_000, 100} {
		if r := l.send(t, size); r.code != 452 {
			t.Errorf("got %v, want 452", r)
		}
	}
	srv.kill(t)
	mend()
	srv.start(t)
	l.check(t)
	for _, size := range []int{300_000, 100} {
		if r := l.send(t, size); r.code != 250 {
			t.Errorf("after the restart: got %v", r)
		}
	}
	l.check(t)
}

// breakDisk lets system calls of the server fail until mend is called.
func (s *server) breakDisk(t *testing.T, calls, errno string) (mend func()) {
	t.Helper()
	said := newTranscript()
	cmd := exec.Command("strace", "-f", "-p", fmt.Sprint(s.cmd.Process.Pid), "-o", os.DevNull, "-e", "trace="+calls,
		"-e", "inject="+calls+":error="+errno)
	cmd.Stderr = said
	gone := begin(t, cmd)
	mend = func() {
		_ = cmd.Process.Signal(os.Interrupt)
		<-gone
	}
	t.Cleanup(mend)
	if !said.await("attached", gone) {
		t.Skipf("strace may not attach here: %s", said)
	}
	return mend
}
