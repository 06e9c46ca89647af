package backup

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mailkin/mailkin/internal/blob"
	"github.com/mailkin/mailkin/internal/config"
	"github.com/mailkin/mailkin/internal/datadir"
	"github.com/mailkin/mailkin/internal/datadir/datadirtest"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/store/sqlite"
)

// deployment is a data folder with some mail in it, open as a server has it.
type deployment struct{ *datadirtest.Folder }

func newDeployment(t *testing.T) deployment { return deployment{datadirtest.New(t)} }

// small stores a message with its bytes in the database.
func (d deployment) small(id byte) {
	d.T.Helper()
	d.insert(d.Box, id, store.Content{Packed: blob.Compress(nil, []byte("small"))})
}

// large stores a message in the blob store, for both mailboxes: one file with two names.
func (d deployment) large(id byte) (keys []string) {
	d.T.Helper()
	draft, err := d.Blobs.Create(d.T.Context())
	d.Must(err)
	_, err = draft.Write(bytes.Repeat([]byte{id, 'x', '\n'}, 100_000))
	d.Must(err)
	keys = []string{d.key(d.Box, id), d.key(d.Other, id)}
	d.Must(draft.Commit(d.T.Context(), keys...))
	d.insert(d.Box, id, store.Content{Blob: keys[0]})
	d.insert(d.Other, id+100, store.Content{Blob: keys[1]})
	return keys
}

func (d deployment) key(box mailbox.Num, id byte) string {
	return string([]byte{'0' + byte(box), '/', 'm', 'a' + id})
}

func (d deployment) insert(box mailbox.Num, id byte, c store.Content) {
	d.T.Helper()
	m := mailbox.Message{ID: mailbox.ID{id}, Mailbox: box, Subject: "message"}
	d.Must(d.DB.Update(d.T.Context(), func(tx store.Tx) error { return tx.InsertMessage(d.T.Context(), &m, c) }))
}

var quietly = RestoreOptions{Report: func(Copied) {}}

func options() Options { return Options{Log: slog.New(slog.DiscardHandler), Report: func(Copied) {}} }

func (d deployment) backup(to string) (Copied, error) {
	return Make(d.T.Context(), d.Config, to, options())
}

// restoreTo restores into a folder.
func restoreTo(t *testing.T, dir, from string) (Copied, error) {
	cfg := config.Default()
	cfg.DataDir = dir
	return Restore(t.Context(), cfg, Source{Path: from}, quietly)
}

// files lists a folder's files, without those of the lock.
func files(t *testing.T, dir string) (names []string) {
	t.Helper()
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() && !strings.HasSuffix(name, ".lock") {
			names = append(names, name)
			if info, err := e.Info(); err != nil || info.Mode().Perm() != 0o600 {
				t.Errorf("%s: mode %v, %v", name, info.Mode(), err)
			}
		}
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return names
}

func TestBackupAndRestore(t *testing.T) {
	d := newDeployment(t)
	d.small(1)
	d.large(2)
	d.large(3)
	want := []string{"blobs/01/1/mc", "blobs/01/1/md", "blobs/02/2/mc", "blobs/02/2/md",
		"certificates/certificates/ca/mx.example/mx.example.key", "mailkin.db", "secret", "tls-key.pem", "token"}
	for _, name := range []string{"folder", "file.tar"} {
		t.Run(name, func(t *testing.T) {
			to := filepath.Join(t.TempDir(), name)
			done, err := d.backup(to)
			if err != nil {
				t.Fatal(err)
			}
			if done.Messages != 5 || done.Blobs != 4 || done.Bytes != done.Total || done.Lost != nil {
				t.Errorf("backed up %+v", done)
			}
			if left := files(t, filepath.Join(d.Config.DataDir, stageFolder)); left != nil {
				t.Errorf("left behind: %v", left)
			}
			if got, _ := filepath.Glob(to + "?*"); got != nil {
				t.Errorf("left behind: %v", got)
			}
			dir := filepath.Join(t.TempDir(), "new", "data")
			done, err = restoreTo(t, dir, to)
			if err != nil {
				t.Fatal(err)
			}
			if done.Messages != 5 || done.Blobs != 4 {
				t.Errorf("restored %+v", done)
			}
			if got := files(t, dir); !slices.Equal(got, want) {
				t.Errorf("got %v\nwant %v", got, want)
			}
			sharing(t, dir, "blobs/01/1/mc", "blobs/02/2/mc", name == "file.tar")
			if _, err := d.backup(to); err == nil {
				t.Error("backed up over a backup")
			}
			if _, err := restoreTo(t, dir, to); err == nil || !strings.Contains(err.Error(), "not empty") {
				t.Errorf("restored over a deployment: %v", err)
			}
		})
	}
}

// sharing wants two names to have, or not to have, the same bytes on the disk.
func sharing(t *testing.T, dir, one, two string, want bool) {
	t.Helper()
	a, err := os.Stat(filepath.Join(dir, one))
	b, err2 := os.Stat(filepath.Join(dir, two))
	if err != nil || err2 != nil || os.SameFile(a, b) != want {
		t.Errorf("%s and %s: the same file: %v, %v, %v", one, two, !want, err, err2)
	}
}

// Blobs that go while a backup looks for them: the copy names none that it does not have.
func TestBackupBesideDeletions(t *testing.T) {
	d := newDeployment(t)
	d.large(2)
	gone := d.large(3)
	b := &backup{data: d.Config.DataDir, Options: options(), lost: map[string]bool{}}
	defer b.close()
	d.Must(b.begin())
	// Nothing is staged yet, the state is fixed, and the message goes: row first, then blob.
	snap, err := sqlite.OpenSnapshot(filepath.Join(d.Config.DataDir, datadir.Database))
	d.Must(err)
	b.snap = snap
	for i, box := range []mailbox.Num{d.Box, d.Other} {
		d.Must(d.DB.Update(t.Context(), func(tx store.Tx) error {
			m, err := tx.Message(t.Context(), box, mailbox.ID{3 + byte(i)*100})
			if err == nil {
				err = tx.DeleteMessage(t.Context(), m, nil)
			}
			return err
		}))
		d.Must(d.Blobs.Delete(t.Context(), gone[i]))
	}
	d.Must(b.linkNamed(t.Context()))
	if len(b.keys) != 2 || len(b.done.Lost) != 0 {
		t.Errorf("keys %v, lost %v", b.keys, b.done.Lost)
	}
}

// What is staged stays, however late it is copied; a mailbox that is being deleted has no blobs to copy.
func TestBackupKeepsWhatIsStaged(t *testing.T) {
	d := newDeployment(t)
	keys := d.large(2)
	b := &backup{data: d.Config.DataDir, Options: options(), lost: map[string]bool{}}
	d.Must(b.stage(t.Context()))
	d.Must(d.DB.Update(t.Context(), func(tx store.Tx) error { return tx.RemoveMailbox(t.Context(), d.Other) }))
	d.Must(d.Blobs.Delete(t.Context(), keys...))
	to := filepath.Join(t.TempDir(), "b")
	target, err := newTarget(to)
	d.Must(err)
	d.Must(b.copy(t.Context(), target))
	d.Must(b.close())
	if done, err := restoreTo(t, filepath.Join(t.TempDir(), "data"), to); err != nil || done.Blobs != 2 {
		t.Errorf("restored %+v, %v", done, err)
	}
	d.Must(d.DB.Update(t.Context(), func(tx store.Tx) error { return tx.RemoveMailbox(t.Context(), d.Box) }))
	if done, err := d.backup(filepath.Join(t.TempDir(), "c")); err != nil || done.Blobs != 0 {
		t.Errorf("backed up %+v, %v", done, err)
	}
}

// One message whose bytes are lost does not keep all others from being backed up; both commands say so.
func TestBackupOfADamagedDeployment(t *testing.T) {
	d := newDeployment(t)
	d.large(2)
	d.Must(d.Blobs.Delete(t.Context(), d.large(3)[0]))
	to := filepath.Join(t.TempDir(), "b")
	done, err := d.backup(to)
	if err != nil || done.Blobs != 3 || !slices.Equal(done.Lost, []string{d.key(d.Box, 3)}) {
		t.Fatalf("%+v, %v", done, err)
	}
	if done, err := restoreTo(t, filepath.Join(t.TempDir(), "data"), to); err != nil || done.Blobs != 3 ||
		len(done.Lost) != 1 {
		t.Errorf("restored %+v, %v", done, err)
	}
}

func TestBackupRefuses(t *testing.T) {
	d := newDeployment(t)
	full := t.TempDir()
	d.Must(os.WriteFile(filepath.Join(full, "mine.txt"), nil, 0o600))
	link := filepath.Join(t.TempDir(), "link")
	d.Must(os.Symlink(d.Config.DataDir, link))
	for name, to := range map[string]string{
		"the data folder": d.Config.DataDir, "within it": filepath.Join(d.Config.DataDir, "backup"),
		"a file within it": filepath.Join(d.Config.DataDir, "b.tar"),
		"above it":         filepath.Dir(d.Config.DataDir), "by a link": filepath.Join(link, "x"),
		"a folder that is not empty": full,
		"a folder that cannot be":    filepath.Join(full, "mine.txt", "x"), "a file that cannot be": filepath.Join(full,
			"none", "x.tar"),
	} {
		if _, err := d.backup(to); err == nil {
			t.Errorf("%s: backed up", name)
		}
	}
	if got := files(t, full); !slices.Equal(got, []string{"mine.txt"}) {
		t.Errorf("left: %v", got)
	}
	lock, err := lockStage(d.Config.DataDir)
	d.Must(err)
	if _, err := d.backup(filepath.Join(t.TempDir(), "x")); err == nil || !strings.Contains(err.Error(),
		"another backup") {
		t.Errorf("beside another: %v", err)
	}
	d.Must(lock.Close())
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, name := range []string{"x", "x.tar"} {
		to := filepath.Join(t.TempDir(), name)
		if _, err := Make(ctx, d.Config, to, options()); !errors.Is(err, context.Canceled) {
			t.Errorf("given up: %v", err)
		}
		if left, _ := filepath.Glob(to + "*/*"); left != nil {
			t.Errorf("left: %v", left)
		}
	}
	for name, cfg := range map[string]config.Config{
		"nothing there": {DataDir: filepath.Join(t.TempDir(), "none")}, "PostgreSQL": {DataDir: d.Config.DataDir,
			Database: config.Database{URL: "postgres://x/y"}},
	} {
		if _, err := Make(t.Context(), cfg, filepath.Join(t.TempDir(), "y"), options()); err == nil {
			t.Errorf("%s: backed up", name)
		}
	}
}

// A link that lies where a backup is written does not lead it into another file.
func TestBackupFollowsNoLink(t *testing.T) {
	d := newDeployment(t)
	dir := t.TempDir()
	other, to := filepath.Join(dir, "other"), filepath.Join(dir, "b.tar")
	d.Must(os.WriteFile(other, []byte("precious"), 0o644))
	d.Must(os.Symlink(other, to+".partial"))
	if _, err := d.backup(to); err != nil {
		t.Fatal(err)
	}
	if kept, err := os.ReadFile(other); err != nil || string(kept) != "precious" {
		t.Errorf("%d bytes, %v", len(kept), err)
	}
	if info, err := os.Lstat(to); err != nil || info.Mode() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
}

// Where a backup was killed, the next one may start over in the same place.
func TestBackupAfterAKill(t *testing.T) {
	d := newDeployment(t)
	d.large(2)
	to := filepath.Join(t.TempDir(), "b")
	killed, err := newTarget(to)
	d.Must(err)
	b := &backup{data: d.Config.DataDir, Options: options(), lost: map[string]bool{}}
	d.Must(b.stage(t.Context()))
	_, err = killed.addDatabase(t.Context(), b.snap, func(int64) {})
	d.Must(err)
	d.Must(b.copyBlob(t.Context(), killed, b.keys[0], 0))
	d.Must(errors.Join(b.snap.Close(), b.lock.Close()))
	if _, err := restoreTo(t, filepath.Join(t.TempDir(), "data"), to); !errors.Is(err, errManifest) {
		t.Errorf("half a backup: %v", err)
	}
	d.Must(Tidy(d.Config.DataDir))
	if left := files(t, filepath.Join(d.Config.DataDir, stageFolder)); left != nil {
		t.Errorf("a start leaves %v", left)
	}
	if _, err := d.backup(to); err != nil {
		t.Fatal(err)
	}
	if _, err := restoreTo(t, filepath.Join(t.TempDir(), "data"), to); err != nil {
		t.Error(err)
	}
}
