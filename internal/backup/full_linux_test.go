package backup

import (
	"crypto/rand"
	"errors"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

// A full disk is told as such, and not as a bad backup; a run leaves no chunks that nothing names on it.
func TestFullDisk(t *testing.T) {
	disk := t.TempDir()
	if err := unix.Mount("tmpfs", disk, "tmpfs", 0, "size=1m"); err != nil {
		t.Skipf("cannot mount a small disk: %v", err)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(disk, 0); err != nil {
			t.Error(err)
		}
	})
	d, to := newDeployment(t), filepath.Join(t.TempDir(), "repository")
	random := make([]byte, 2<<20)
	_, _ = rand.Read(random) // it never fails
	d.Must(d.DB.Update(t.Context(), func(tx store.Tx) error {
		m := mailbox.Message{ID: mailbox.ID{1}, Mailbox: d.Box, Subject: "message"}
		return tx.InsertMessage(t.Context(), &m, store.Content{Packed: random})
	}))
	d.add(to)
	_, err := Verify(t.Context(), d.Config, Source{Path: to}, disk, quietly)
	if err == nil || !strings.Contains(err.Error(), "--temp") || strings.Contains(err.Error(), "cannot be restored") {
		t.Errorf("a rehearsal: %v", err)
	}
	if left := files(t, disk); left != nil {
		t.Errorf("left: %v", left)
	}
	if _, err := Add(t.Context(), d.Config, disk, options()); !errors.Is(err, syscall.ENOSPC) ||
		strings.Count(err.Error(), "no space") != 1 {
		t.Errorf("a backup: %v", err)
	}
	if left := files(t, disk); len(left) != 1 {
		t.Errorf("left: %v", left)
	}
}
