package blob

import (
	"errors"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// A real full disk, where the test may mount one.
func TestFullDisk(t *testing.T) {
	root := t.TempDir()
	if err := unix.Mount("tmpfs", root, "tmpfs", 0, "size=3m"); err != nil {
		t.Skipf("cannot mount a small disk: %v", err)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(root, 0); err != nil {
			t.Error(err)
		}
	})
	d, err := OpenDir(root)
	if err != nil {
		t.Fatal(err)
	}
	put(t, d, randomBytes(1<<20), "1/a")
	w := newDraft(d)
	_, err = w.Write(randomBytes(4 << 20))
	if !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("Write: %v, want ENOSPC", err)
	}
	if err := w.Commit(t.Context(), "1/b"); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("Commit: %v, want ENOSPC", err)
	}
	wantFiles(t, d, "01/1/a")
	if free, _, err := d.Free(); err != nil || free < 1<<20 {
		t.Errorf("the draft's space is not free: %d, %v", free, err)
	}
	wantObject(t, d, "1/a", randomBytes(1<<20))
}
