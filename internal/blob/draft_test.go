package blob

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// scriptedDisk does everything on the real disk, records it, and calls before ahead of each step; an error from before
// takes the step's place. Steps read like "link 01/1/a".
type scriptedDisk struct {
	osDisk
	root   string
	before func(step string) error
	mu     sync.Mutex
	steps  []string
}

// script puts a scriptedDisk under a new store.
func script(t *testing.T, before func(step string) error) (*Dir, *scriptedDisk) {
	t.Helper()
	root := openDir(t).root
	s := &scriptedDisk{root: root, before: before}
	return newDir(root, s), s
}

func (s *scriptedDisk) step(op, name string) error {
	rel, _ := filepath.Rel(s.root, name)
	if strings.HasPrefix(rel, draftFolder) {
		rel = "draft"
	}
	step := op + " " + rel
	s.mu.Lock()
	s.steps = append(s.steps, step)
	s.mu.Unlock()
	if s.before == nil {
		return nil
	}
	return s.before(step)
}

func (s *scriptedDisk) create(name string) (draftFile, error) {
	if err := s.step("create", name); err != nil {
		return nil, err
	}
	f, err := s.osDisk.create(name)
	return scriptedFile{f, s, name}, err
}

func (s *scriptedDisk) link(name, key string) error {
	return errOr(s.step("link", key), func() error { return s.osDisk.link(name, key) })
}

func (s *scriptedDisk) remove(name string) error {
	return errOr(s.step("remove", name), func() error { return s.osDisk.remove(name) })
}

func (s *scriptedDisk) mkdir(name string) error {
	return errOr(s.step("mkdir", name), func() error { return s.osDisk.mkdir(name) })
}

func (s *scriptedDisk) syncFolder(name string) error {
	return errOr(s.step("sync", name), func() error { return s.osDisk.syncFolder(name) })
}

type scriptedFile struct {
	draftFile
	disk *scriptedDisk
	name string
}

// Write writes half when it is to fail, as a full disk does.
func (f scriptedFile) Write(b []byte) (int, error) {
	if err := f.disk.step("write", f.name); err != nil {
		n, _ := f.draftFile.Write(b[:len(b)/2])
		return n, err
	}
	return f.draftFile.Write(b)
}

func (f scriptedFile) syncData() error {
	return errOr(f.disk.step("sync", f.name), f.draftFile.syncData)
}

func errOr(err error, do func() error) error {
	if err != nil {
		return err
	}
	return do()
}

func TestCommitOrder(t *testing.T) {
	d, s := script(t, nil)
	put(t, d, []byte("x"), "1/a")
	want := []string{
		"create draft", "write draft", "sync draft",
		"link 01/1/a", "mkdir 01/1", "mkdir 01", "mkdir 01/1", "link 01/1/a",
		"remove draft", "sync 01/1", "sync 01", "sync .",
	}
	if diff := cmp.Diff(want, s.steps); diff != "" {
		t.Errorf("first mail (-want +got):\n%s", diff)
	}
	s.steps = nil
	put(t, d, randomBytes(2<<20+1), "1/b", "1/c", "101/b")
	want = []string{
		"create draft", "write draft", "write draft", "write draft", "sync draft",
		"link 01/1/b", "link 01/1/c", "link 01/101/b", "mkdir 01/101", "link 01/101/b",
		"remove draft", "sync 01/1", "sync 01/101", "sync 01",
	}
	if diff := cmp.Diff(want, s.steps); diff != "" {
		t.Errorf("large mail to two mailboxes (-want +got):\n%s", diff)
	}
	if len(d.folders.fresh) != 0 {
		t.Errorf("still fresh: %v", d.folders.fresh)
	}
}

// Every step on the way to durability fails once, with every error a full or broken disk gives.
func TestCommitFailures(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	raw := randomBytes(2<<20 + 1)
	for _, cause := range []syscall.Errno{syscall.ENOSPC, syscall.EDQUOT, syscall.EIO, syscall.EROFS} {
		for failAt, done := 1, false; !done; failAt++ {
			steps, failed := 0, ""
			d, _ := script(t, func(step string) error {
				if steps++; steps == failAt && !strings.HasPrefix(step, "remove") {
					failed = step
					return &fs.PathError{Op: "scripted", Path: step, Err: cause}
				}
				return nil
			})
			w := newDraft(d)
			_, err := w.Write(raw)
			if err == nil {
				err = w.Commit(t.Context(), "1/a", "2/b", "2/c")
			}
			done = steps < failAt
			if failed == "" {
				if err != nil {
					t.Fatalf("nothing failed: %v", err)
				}
				continue
			}
			if !errors.Is(err, cause) {
				t.Errorf("%q fails: %v, want %v", failed, err, cause)
			}
			wantFiles(t, d)
			if _, err := w.Write(raw); err == nil {
				t.Errorf("%q failed and the draft goes on", failed)
			}
		}
	}
}

func TestDraftMemory(t *testing.T) {
	d := openDir(t)
	for name, n := range map[string]int{"100 KB": 100_000, "200 KB": 200_000, "10 MB": 10<<20 - 1} {
		t.Run(name, func(t *testing.T) {
			w := newDraft(d)
			defer w.Abort()
			for raw := range slices.Chunk(randomBytes(n), 32<<10) {
				if _, err := w.Write(raw); err != nil {
					t.Fatal(err)
				}
			}
			if got, most := cap(w.pack.raw.b), min(2*n, frameSize)+bufferSlack; got > most {
				t.Errorf("holds %d bytes, want at most %d", got, most)
			}
		})
	}
}

// The mailbox is deleted, or its last mail is, just when its folder was made for a new one.
func TestCommitRacesFolderRemoval(t *testing.T) {
	var d *Dir
	links := 0
	d, _ = script(t, func(step string) error {
		if step == "link 01/1/a" {
			if links++; links == 2 {
				return errors.Join(d.Delete(t.Context(), "1/missing"), d.disk.rmdir(d.root+"/01"))
			}
		}
		return nil
	})
	put(t, d, []byte("x"), "1/a")
	if links != 3 {
		t.Errorf("%d links, want 3", links)
	}
	wantObject(t, d, "1/a", []byte("x"))
}

// The mailbox is deleted between link and sync: the commit counts as done before that, for the sake of its other keys.
func TestCommitRacesDeletePrefix(t *testing.T) {
	var d *Dir
	d, _ = script(t, func(step string) error {
		if step != "sync 01/1" {
			return nil
		}
		n, err := d.DeletePrefix(t.Context(), "1")
		if n != 1 {
			t.Errorf("deleted %d", n)
		}
		return err
	})
	put(t, d, []byte("x"), "1/a", "2/b")
	wantFiles(t, d, "02/2/b")
}

// A second mail comes for a mailbox whose folder the first one has made and not yet made durable: it must not rely on
// it.
func TestCommitSyncsFolderMadeByAnother(t *testing.T) {
	var d *Dir
	var s *scriptedDisk
	var inner []string
	nested := false
	d, s = script(t, func(step string) error {
		if step == "sync 01/1" && !nested {
			nested = true
			before := len(s.steps)
			put(t, d, []byte("y"), "1/b")
			inner = slices.Clone(s.steps[before:])
		}
		return nil
	})
	put(t, d, []byte("x"), "1/a")
	want := []string{
		"create draft", "write draft", "sync draft", "link 01/1/b", "remove draft", "sync 01/1", "sync 01", "sync .",
	}
	if diff := cmp.Diff(want, inner); diff != "" {
		t.Errorf("second mail (-want +got):\n%s", diff)
	}
}
