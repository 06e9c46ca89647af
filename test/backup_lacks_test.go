package test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A rehearsal fails where the mail could not be read after a restore, or a server could not start, and says what is
// missing. Without the master key it says that this was not looked at.
func TestBackupLacksKeys(t *testing.T) {
	t.Parallel()
	embedded(t)
	repository := filepath.Join(t.TempDir(), "repository")
	srv := start(t, "MAILKIN_ENCRYPTION=on", "MAILKIN_BACKUP_TO="+repository)
	first, second := srv.mailbox(t, "first"), srv.mailbox(t, "second")
	first.mark(t, "zebrafirst")
	second.mark(t, "zebrasecond")
	srv.stop(t)
	backUp := func() {
		t.Helper()
		if status, stdout, stderr := run(t, srv.environ, "backup", "run"); status != 0 {
			t.Fatalf("status %d: %s%s", status, stdout, stderr)
		}
	}
	verify := func(status int, words ...string) {
		t.Helper()
		got, stdout, stderr := run(t, srv.environ, "backup", "verify")
		for _, word := range words {
			if got != status || !strings.Contains(stdout+stderr, word) {
				t.Errorf("status %d without %q: %s%s", got, word, stdout, stderr)
			}
		}
	}
	backUp()
	verify(0, "can be restored")
	for name, word := range map[string]string{"keys/00000000": "keys of all mailboxes", "keys/root": "root key"} {
		if err := os.Remove(filepath.Join(repository, name)); err != nil {
			t.Fatal(err)
		}
		verify(1, "cannot be restored", word, "mailkin backup run")
		to := newServer(t, "MAILKIN_MASTER_KEY_FILE="+filepath.Join(srv.dir, "master-key"),
			"MAILKIN_BACKUP_KEY_FILE="+filepath.Join(srv.dir, "backup-key"))
		if status, stdout, stderr := run(t, to.environ, "restore", repository); status != 1 ||
			!strings.Contains(stderr, word) || !strings.Contains(stderr, "do not start") {
			t.Errorf("restore without %s: %d, %s%s", name, status, stdout, stderr)
		}
		backUp()
		verify(0, "can be restored")
	}
	master := filepath.Join(srv.dir, "master-key")
	whole, err := os.ReadFile(master)
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]struct {
		status int
		words  string
	}{
		"":                      {1, "is empty"},
		"short":                 {1, "too short"},
		strings.Repeat("x", 52): {1, "is not the one"},
		string(whole):           {0, "can be restored"},
	} {
		if err := os.WriteFile(master, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		verify(want.status, want.words)
	}
	if err := os.Remove(master); err != nil {
		t.Fatal(err)
	}
	verify(0, "can be restored", "not checked", "master-key")
	elsewhere := append(srv.environ, "MAILKIN_MASTER_KEY_URL=http://:token@127.0.0.1:1/transit/mailkin")
	if status, _, stderr := run(t, elsewhere, "backup", "verify"); status != 0 ||
		!strings.Contains(stderr, "not checked") {
		t.Errorf("a service of keys that does not answer: %d, %s", status, stderr)
	}
	if err := os.WriteFile(master, whole, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(repository, repository+"-away"); err != nil {
		t.Fatal(err)
	}
	srv.loseKey(t, 1)
	if status, stdout, stderr := run(t, srv.environ, "backup", "run", "--init"); status != 0 {
		t.Fatalf("status %d: %s%s", status, stdout, stderr)
	}
	verify(1, "cannot be restored", second.address)
}

// A secret that the deployment had, and that neither the backup nor the settings have, is named.
func TestBackupLacksSecrets(t *testing.T) {
	t.Parallel()
	embedded(t)
	srv := start(t)
	srv.mailbox(t, "secrets")
	srv.stop(t)
	for _, name := range []string{"secret", "webhook-secret"} {
		for text, word := range map[string]string{"": "is empty", "short": "has 5", "gone": "neither"} {
			from := filepath.Join(t.TempDir(), "copy")
			if status, _, stderr := run(t, srv.environ, "backup", from); status != 0 {
				t.Fatalf("status %d: %s", status, stderr)
			}
			path := filepath.Join(from, name)
			err := os.Remove(path)
			if err == nil && text != "gone" {
				err = os.WriteFile(path, []byte(text), 0o600)
			}
			if err != nil {
				t.Fatal(err)
			}
			to := newServer(t)
			for _, args := range [][]string{{"backup", "verify", from}, {"restore", from}} {
				status, stdout, stderr := run(t, to.environ, args...)
				if status != 1 || !strings.Contains(stderr, name) || !strings.Contains(stderr, word) ||
					strings.Contains(stderr, "restoring/") {
					t.Errorf("%v, %q in %s: %d, %s%s", args, text, name, status, stdout, stderr)
				}
			}
		}
	}
}
