package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/move"
)

// What is wrong is said before anything is opened, and no secret is in it.
func TestMoveUsage(t *testing.T) {
	dir, empty := t.TempDir(), t.TempDir()
	root := strings.Repeat("root", 10)
	if err := os.WriteFile(filepath.Join(dir, "secret"), []byte(root+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	const token, database = "AUTH_TOKEN=an-operator-token", "postgres://u:hidden@127.0.0.1:1/mail"
	right := "MAILKIN_SECRET=" + root
	for _, tt := range []struct {
		name    string
		environ []string
		args    []string
		status  int
		want    string
	}{
		{"no secret", []string{token}, []string{"--from", "sqlite:" + dir, "--to", database}, exitUsage,
			"MAILKIN_SECRET_FILE=" + filepath.Join(dir, "secret")},
		{"no secret anywhere", []string{token}, []string{"--from", "sqlite:" + empty, "--to", database}, exitUsage,
			"the one that the folder was served with"},
		{"another secret", []string{"MAILKIN_SECRET=" + strings.Repeat("other", 10)},
			[]string{"--from", "sqlite:" + dir, "--to", database}, exitUsage, "is not the one in " + dir},
		{"not SQLite", []string{right}, []string{"--from", dir, "--to", database}, exitUsage, "--from is sqlite:DIR"},
		{"nowhere to", []string{right, token}, []string{"--from", "sqlite:" + dir}, exitUsage, "say where to"},
		{"not PostgreSQL", []string{right, token}, []string{"--from", "sqlite:" + dir, "--to", "mysql://u:hidden@h/db"},
			exitUsage, "setting database_url"},
		{"no bucket", []string{right, token}, []string{"--from", "sqlite:" + dir, "--to", database, "--blobs",
			"file:hidden"}, exitUsage, "setting blob_url"},
		{"no token", []string{right}, []string{"--from", "sqlite:" + dir, "--to", database}, exitUsage,
			"setting auth_token"},
		{"not a deployment", []string{right, token, "MAILKIN_DATABASE_URL=" + database, "MAILKIN_DATA_DIR=" + dir}, nil,
			exitFailed, "no data folder of a deployment"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := mailkin(t, tt.environ, append([]string{"move"}, tt.args...)...)
			if got.status != tt.status || !strings.Contains(got.stderr, tt.want) ||
				strings.Count(got.stderr, "\n") != 1 {
				t.Errorf("status %d, stderr %q, want %d and one line with %q", got.status, got.stderr, tt.status,
					tt.want)
			}
			if strings.Contains(got.stderr, "hidden") || strings.Contains(got.stderr, root) || got.stdout != "" {
				t.Errorf("stdout %q, stderr %q", got.stdout, got.stderr)
			}
		})
	}
}

// The token of the data folder will do.
func TestMoveTakesToken(t *testing.T) {
	dir, root := t.TempDir(), strings.Repeat("root", 10)
	for name, text := range map[string]string{"secret": root, "token": "an-operator-token"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got := mailkin(t, []string{"MAILKIN_SECRET_FILE=" + filepath.Join(dir, "secret")}, "move", "--from", "sqlite:"+dir,
		"--to", "postgres://127.0.0.1:1/mail")
	if got.status != exitFailed || !strings.Contains(got.stderr, "no data folder of a deployment") {
		t.Errorf("got %+v", got)
	}
}

// A bar on a terminal, lines elsewhere, and no more of them than can be read.
func TestMoveBar(t *testing.T) {
	step := func(b *moveBar, n int64) {
		b.show(move.Progress{Step: move.Copying, Table: "messages", Done: n, Total: 100, Again: true})
	}
	for _, tt := range []struct {
		name    string
		watched bool
		want    string
	}{
		{"a terminal", true, "Going on with a move that was interrupted.\n\r[###############...............] copying " +
			"messages: 50 of 100, "},
		{"a file", false, "Going on with a move that was interrupted.\ncopying messages: 50 of 100, "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var out bytes.Buffer
			b := &moveBar{w: &out, watched: tt.watched, last: time.Now().Add(-time.Hour)}
			step(b, 50)
			for n := range int64(40) {
				step(b, 51+n)
			}
			if got := out.String(); !strings.HasPrefix(got, tt.want) || strings.Contains(got, "51 of") {
				t.Errorf("%q, want %q", got, tt.want)
			}
			out.Reset()
			if b.end(); (out.Len() > 0) != tt.watched {
				t.Errorf("at the end %q", out.String())
			}
		})
	}
}
