package test

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// load is mail that keeps coming in, some of it large, some of it deleted again.
type load struct {
	box  box
	stop chan struct{}
	wait sync.WaitGroup

	mu    sync.Mutex
	acked map[string][32]byte // by Message-ID
	more  chan struct{}       // one for each message that was acknowledged
}

// startLoad sends until the load is ended.
func startLoad(t *testing.T, b box) *load {
	t.Helper()
	l := &load{box: b, stop: make(chan struct{}), acked: map[string][32]byte{}, more: make(chan struct{}, 1<<16)}
	for i := range 4 {
		s := open(t, b.srv.smtp)
		l.wait.Go(func() {
			for n := i; ; n += 4 {
				select {
				case <-l.stop:
					return
				default:
				}
				if err := l.send(s, n); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	fleeting, s := b.srv.mailbox(t, "fleeting"), open(t, b.srv.smtp)
	l.wait.Go(func() {
		if err := l.deleteSome(s, fleeting); err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(l.end)
	return l
}

func (l *load) send(s *session, n int) error {
	size := 300
	if n%5 == 0 {
		size = 400_000 // more than is kept in the database
	}
	message := largeMail("load", size, uint64(n))
	r, err := s.send(envelope{from: "a@example.org", to: []string{l.box.address}}, message, byDATA)
	if err != nil || r.code != 250 {
		return fmt.Errorf("message %d: %v %w", n, r, err)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.acked[fmt.Sprintf("<load-%d@example.org>", n)] = sha256.Sum256(message)
	select {
	case l.more <- struct{}{}:
	default:
	}
	return nil
}

// deleteSome deletes messages of another mailbox as soon as they are there, so that blobs go all the time.
func (l *load) deleteSome(s *session, other box) error {
	for n := 1_000_000; ; n++ {
		select {
		case <-l.stop:
			return nil
		default:
		}
		r, err := s.send(envelope{from: "a@example.org", to: []string{other.address}},
			largeMail("load", 400_000, uint64(n)), byDATA)
		if err != nil || r.code != 250 {
			return fmt.Errorf("message %d: %v %w", n, r, err)
		}
		a, err := other.srv.try(request{path: "/v1/inbox", key: other.key})
		var list struct{ Emails []struct{ ID string } }
		if err == nil {
			err = json.Unmarshal(a.body, &list)
		}
		if err != nil {
			return fmt.Errorf("list: %w", err)
		}
		for _, e := range list.Emails {
			a, err := other.srv.try(request{method: "DELETE", path: "/v1/email?id=" + e.ID, key: other.key})
			if err != nil || a.status != 200 {
				return fmt.Errorf("delete: %d %s %w", a.status, a.body, err)
			}
		}
	}
}

// known is what was acknowledged up to now.
func (l *load) known() map[string][32]byte {
	l.mu.Lock()
	defer l.mu.Unlock()
	copied := make(map[string][32]byte, len(l.acked))
	for id, sum := range l.acked {
		copied[id] = sum
	}
	return copied
}

// await waits for a given number of further messages.
func (l *load) await(t *testing.T, count int) {
	t.Helper()
	limit := time.NewTimer(patience)
	defer limit.Stop()
	for range count {
		select {
		case <-l.more:
		case <-limit.C:
			t.Fatal("no mail comes in")
		}
	}
}

func (l *load) end() {
	select {
	case <-l.stop:
	default:
		close(l.stop)
	}
	l.wait.Wait()
}

// A backup that is made while mail comes in and goes has everything that was acknowledged before, to the byte, and the
// server does not notice. Both kinds of backup, one after the other under the same load.
func TestBackupUnderLoad(t *testing.T) {
	t.Parallel()
	embedded(t)
	srv := start(t)
	l := startLoad(t, srv.mailbox(t, "backup"))
	type taken struct {
		path   string
		before map[string][32]byte
	}
	var backups []taken
	for _, name := range []string{"folder", "file.tar"} {
		l.await(t, 40)
		b := taken{filepath.Join(t.TempDir(), name), l.known()}
		status, stdout, stderr := run(t, srv.environ, "backup", b.path)
		if status != 0 || !strings.HasPrefix(stdout, "Backed up ") {
			t.Fatalf("status %d: %s%s", status, stdout, stderr)
		}
		backups = append(backups, b)
	}
	l.await(t, 10) // it goes on
	l.end()
	sent := l.known()
	for _, b := range backups {
		restored := newServer(t)
		status, stdout, stderr := run(t, restored.environ, "restore", b.path)
		if status != 0 || !strings.HasPrefix(stdout, "Restored ") {
			t.Fatalf("status %d: %s%s", status, stdout, stderr)
		}
		restored.start(t)
		if restored.token != srv.token {
			t.Error("the token is another")
		}
		checkRestored(t, box{restored, l.box.address, l.box.key, "/v1"}, b.before, sent)
		restored.stop(t)
	}
}

// checkRestored wants a mailbox to have what was there before the backup, and nothing that was never sent.
func checkRestored(t *testing.T, b box, before, sent map[string][32]byte) {
	t.Helper()
	have := map[string]bool{}
	for _, e := range b.inbox(t) {
		if sha256.Sum256(b.raw(t, e.ID)) != sent[e.MessageID] {
			t.Errorf("%s is not what was sent", e.MessageID)
		}
		have[e.MessageID] = true
	}
	for id := range before {
		if !have[id] {
			t.Errorf("%s was acknowledged before the backup and is not in it", id)
		}
	}
	if len(before) < 40 || len(have) > len(sent) {
		t.Errorf("%d messages before, %d in the backup, %d sent", len(before), len(have), len(sent))
	}
}

// A backup that is killed at any moment is either whole or refused.
func TestBackupKilled(t *testing.T) {
	t.Parallel()
	embedded(t)
	srv := start(t)
	b := srv.mailbox(t, "killed")
	const count = 40
	b.pour(t, count, func(n int) []byte { return largeMail("killed", 400_000, uint64(n)) })
	killed := 0
	for round := range 8 {
		to := filepath.Join(t.TempDir(), "backup")
		cmd := exec.Command(binary(t), "backup", to)
		cmd.Env = srv.environ
		ended := begin(t, cmd)
		awaitFiles(t, to, 1+round*5, ended)
		_ = cmd.Process.Signal(syscall.SIGKILL)
		<-ended
		restored := newServer(t)
		_, statErr := os.Stat(filepath.Join(to, "backup.txt"))
		status, stdout, stderr := run(t, restored.environ, "restore", to)
		switch whole := statErr == nil; {
		case whole != (status == 0):
			t.Errorf("round %d: whole %v, status %d: %s%s", round, whole, status, stdout, stderr)
		case !whole:
			killed++
			if _, err := os.Stat(filepath.Join(restored.dir, "mailkin.db")); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("round %d: something was restored: %v", round, err)
			}
		}
	}
	if killed == 0 {
		t.Error("no backup was killed before it was whole")
	}
	// What the killed ones left behind goes with the next one.
	to := filepath.Join(t.TempDir(), "backup")
	if status, stdout, stderr := run(t, srv.environ, "backup", to); status != 0 ||
		!strings.Contains(stdout, fmt.Sprintf("%d messages, %d of them large", count, count)) {
		t.Errorf("status %d: %s%s", status, stdout, stderr)
	}
	if left, _ := filepath.Glob(filepath.Join(srv.dir, "backup-stage")); left != nil {
		t.Errorf("left behind: %v", left)
	}
}

// awaitFiles waits until a folder has a given number of files, or the process that writes them has ended.
func awaitFiles(t *testing.T, dir string, count int, ended <-chan struct{}) {
	t.Helper()
	deadline := time.Now().Add(patience)
	for time.Now().Before(deadline) {
		found := 0
		_ = filepath.WalkDir(dir, func(_ string, e fs.DirEntry, err error) error {
			if err == nil && !e.IsDir() {
				found++
			}
			return nil
		})
		select {
		case <-ended:
			return
		default:
		}
		if found >= count {
			return
		}
	}
	t.Fatal("the backup does not get on")
}

// backUp makes a backup, and returns its path.
func (s *server) backUp(t *testing.T) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), "b.tar")
	if status, stdout, stderr := run(t, s.environ, "backup", to); status != 0 {
		t.Fatalf("status %d: %s%s", status, stdout, stderr)
	}
	return to
}

// restoredFrom starts a server with what is in a backup.
func restoredFrom(t *testing.T, from string) *server {
	t.Helper()
	s := newServer(t)
	if status, stdout, stderr := run(t, s.environ, "restore", from); status != 0 {
		t.Fatalf("status %d: %s%s", status, stdout, stderr)
	}
	s.start(t)
	return s
}

// The data folder may be that of a server that is not running, or was killed; a restore wants none at all.
func TestBackupStopped(t *testing.T) {
	t.Parallel()
	embedded(t)
	srv := start(t)
	b := srv.mailbox(t, "stopped")
	srv.deliver(t, mail("before the crash"), b.address)
	srv.kill(t)
	to := srv.backUp(t)
	if status, _, stderr := run(t, srv.environ, "restore", to); status != 1 || !strings.Contains(stderr, "not empty") {
		t.Errorf("restored over a deployment: %d %s", status, stderr)
	}
	srv.start(t)
	if status, _, stderr := run(t, srv.environ, "restore", to); status != 1 ||
		!strings.Contains(stderr, "another process") {
		t.Errorf("restored beside a server: %d %s", status, stderr)
	}
	restored := restoredFrom(t, to)
	again := box{restored, b.address, b.key, "/v1"}
	sameBytes(t, again.raw(t, again.only(t).ID), []byte(mail("before the crash")))
}

// Numbers of events that were given out after the backup are not given again: who has read them sees everything new,
// once.
func TestBackupEventNumbers(t *testing.T) {
	t.Parallel()
	embedded(t)
	srv := start(t)
	b := srv.mailbox(t, "numbers")
	deliver := func(b box, what string, many int) (subjects []string) {
		for i := range many {
			subjects = append(subjects, fmt.Sprintf("%s %d", what, i))
			b.srv.deliver(t, mail(subjects[i]), b.address)
		}
		return subjects
	}
	deliver(b, "kept", 5)
	to := srv.backUp(t)
	lost := deliver(b, "lost", 10)
	read := b.stream(t, "", nil).until(t, lost[9])
	last := http.Header{"Last-Event-ID": {strconv.FormatInt(read[len(read)-1].Number, 10)}}
	srv.stop(t)
	restored := restoredFrom(t, to)
	again := box{restored, b.address, b.key, "/v1"}
	early := again.stream(t, "", last) // before there is anything new
	fresh := deliver(again, "new", 12)
	for name, stream := range map[string]*call{"opened before": early, "opened after": again.stream(t, "", last)} {
		var subjects []string
		for _, e := range stream.until(t, fresh[11]) {
			subjects = append(subjects, e.Subject)
		}
		if !slices.Equal(subjects, fresh) {
			t.Errorf("%s: %q, want %q", name, subjects, fresh)
		}
	}
	all := again.stream(t, "", http.Header{"Last-Event-ID": {"1"}}).until(t, fresh[11])
	if len(all) != 17 || all[4].Number != read[4].Number || all[5].Number >= 1<<53 {
		t.Errorf("%d events in all, the fifth has the number %d, want %d", len(all), all[4].Number, read[4].Number)
	}
}

// A backup of a repository that is killed at any moment leaves the earlier generations whole; the next one is complete.
func TestBackupGenerationsKilled(t *testing.T) {
	t.Parallel()
	embedded(t)
	srv := start(t)
	b := srv.mailbox(t, "generations")
	const count = 12
	to := filepath.Join(t.TempDir(), "repository")
	backUp := func() {
		t.Helper()
		if status, stdout, stderr := run(t, srv.environ, "backup", "run", to); status != 0 {
			t.Fatalf("status %d: %s%s", status, stdout, stderr)
		}
	}
	b.pour(t, count, func(n int) []byte { return largeMail("generations", 400_000, uint64(n)) })
	backUp()
	generations, _ := filepath.Glob(filepath.Join(to, "generations", "*"))
	b.pour(t, count, func(n int) []byte { return largeMail("later", 400_000, uint64(n+count)) })
	for round := range 3 {
		cmd := exec.Command(binary(t), "backup", "run", to)
		cmd.Env = srv.environ
		ended := begin(t, cmd)
		chunks, _ := filepath.Glob(filepath.Join(to, "chunks", "*", "*"))
		awaitFiles(t, filepath.Join(to, "chunks"), len(chunks)+1+round*3, ended)
		_ = cmd.Process.Signal(syscall.SIGKILL)
		<-ended
		if status, stdout, stderr := run(t, srv.environ, "backup", "verify", "--generation",
			filepath.Base(generations[0]), to); status != 0 ||
			!strings.Contains(stdout, fmt.Sprintf("%d messages", count)) {
			t.Errorf("round %d: status %d: %s%s", round, status, stdout, stderr)
		}
	}
	backUp()
	restored := newServer(t)
	restored.environ = append(restored.environ, "MAILKIN_BACKUP_KEY_FILE="+filepath.Join(srv.dir, "backup-key"))
	if status, stdout, stderr := run(t, restored.environ, "restore", to); status != 0 ||
		!strings.Contains(stdout, fmt.Sprintf("%d messages", 2*count)) {
		t.Errorf("status %d: %s%s", status, stdout, stderr)
	}
}
