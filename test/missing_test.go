package test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Without its database a server does not start on what is left of it: it would delete large mail and keys as those of
// no mailbox. The doctor says the same.
func TestMissingDatabase(t *testing.T) {
	t.Parallel()
	embedded(t)
	for _, encryption := range []string{"off", "on"} {
		srv := start(t, "MAILKIN_ENCRYPTION="+encryption)
		b := srv.mailbox(t, "agent1")
		b.mark(t, "zebra")
		srv.stop(t)
		database := filepath.Join(srv.dir, "mailkin.db")
		if err := os.Rename(database, database+"-away"); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			status, _, stderr := run(t, srv.environ, "serve")
			if status != 2 || !strings.Contains(stderr, "mailkin.db is not in "+srv.dir) ||
				!strings.Contains(stderr, "restore a backup") {
				t.Errorf("encryption %s: status %d: %s", encryption, status, stderr)
			}
		}
		status, stdout, _ := run(t, srv.environ, "doctor", "--probe", "", "--ntp", "")
		if status != 1 || !strings.Contains(stdout, "mailkin.db is not in "+srv.dir) {
			t.Errorf("encryption %s: the doctor: status %d: %s", encryption, status, stdout)
		}
		if err := os.Rename(database+"-away", database); err != nil {
			t.Fatal(err)
		}
		srv.start(t)
		for _, e := range b.inbox(t) {
			if !strings.Contains(string(b.raw(t, e.ID)), "zebra") {
				t.Errorf("encryption %s: the mail %s", encryption, e.ID)
			}
		}
	}
}
