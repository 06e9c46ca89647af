package test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mailkin/mailkin/internal/blob/s3test"
)

// Backups of encrypted mail to a bucket: nothing there says what mail says, a deletion reaches the keys there, and with
// the two keys in an otherwise empty folder all that is left comes back, and is backed up on.
func TestBackupEncryptedBucket(t *testing.T) {
	t.Parallel()
	embedded(t)
	bucket := s3test.Start(t)
	settings := []string{"MAILKIN_ENCRYPTION=on", "MAILKIN_BACKUP_TO=" + bucket.URLWithKeys()}
	srv := start(t, settings...)
	kept, gone := srv.mailbox(t, "kept"), srv.mailbox(t, "gone")
	kept.mark(t, "zebrakept")
	gone.mark(t, "zebragone")
	mailkin := func(s *server, want string, args ...string) {
		t.Helper()
		status, stdout, stderr := run(t, s.environ, args...)
		if status != 0 || !strings.Contains(stdout, want) || strings.Contains(stdout+stderr, s3test.SecretKey) {
			t.Fatalf("%q: status %d: %s%s", args, status, stdout, stderr)
		}
	}
	mailkin(srv, "Backed up 6 messages, 2 of them large", "backup", "run")
	mailkin(srv, "\t6\t", "backup", "list")
	mailkin(srv, "can be restored: 6 messages", "backup", "verify")
	for _, file := range bucket.Files(t) {
		if b, err := os.ReadFile(bucket.Path(file)); err != nil || strings.Contains(string(b), "zebra") {
			t.Errorf("%s can be read, %v", file, err)
		}
	}
	keys := bucket.Path("keys/00000000")
	before, err := os.ReadFile(keys)
	if err != nil {
		t.Fatal(err)
	}
	srv.do(t, request{method: "DELETE", path: "/v1/mailbox", key: gone.key}, http.StatusOK, nil)
	eventually(t, func() error {
		if now, err := os.ReadFile(keys); err != nil || string(now) == string(before) {
			return fmt.Errorf("the keys in the bucket are as they were, %w", err)
		}
		return nil
	})
	srv.stop(t)

	restored := newServer(t, settings...)
	if err := os.Mkdir(restored.dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"backup-key", "master-key"} {
		if err := os.Rename(filepath.Join(srv.dir, name), filepath.Join(restored.dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	mailkin(restored, "Left out 3 messages of mailboxes that were deleted", "restore", bucket.URLWithKeys())
	restored.start(t)
	again := box{srv: restored, address: kept.address, key: kept.key, prefix: "/v1"}
	list := again.inbox(t)
	for _, e := range list {
		if !strings.Contains(string(again.raw(t, e.ID)), "zebrakept") {
			t.Errorf("the raw bytes of %s", e.ID)
		}
	}
	if len(list) != 3 {
		t.Errorf("%d messages", len(list))
	}
	mailkin(restored, "Backed up 3 messages, 1 of them large", "backup", "run")
	mailkin(restored, "can be restored: 3 messages", "backup", "verify")
}
