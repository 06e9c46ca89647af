package backup

import (
	"archive/tar"
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mailkin/mailkin/internal/datadir"
)

// A backup that is not what it was is refused, and leaves the data folder as it was.
func TestRestoreRefuses(t *testing.T) {
	d := newDeployment(t)
	d.small(1)
	d.large(2)
	flip := func(name string) func(string) error {
		return func(dir string) error {
			path := filepath.Join(dir, name)
			b, err := os.ReadFile(path)
			if err == nil {
				b[len(b)/2] ^= 1
				err = errors.Join(os.Remove(path), os.WriteFile(path, b, 0o600)) // not the same file as the original
			}
			return err
		}
	}
	edit := func(old, new string) func(string) error {
		return func(dir string) error {
			path := filepath.Join(dir, manifestFile)
			b, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			return os.WriteFile(path, bytes.Replace(b, []byte(old), []byte(new), 1), 0o600)
		}
	}
	for name, spoil := range map[string]func(dir string) error{
		"no manifest":          func(dir string) error { return os.Remove(filepath.Join(dir, manifestFile)) },
		"half a manifest":      edit("complete\n", ""),
		"another format":       edit("mailkin backup 1", "mailkin backup 2"),
		"a wrong number":       edit("blobs 2", "blobs many"),
		"no database":          func(dir string) error { return os.Remove(filepath.Join(dir, datadir.Database)) },
		"a changed database":   flip(datadir.Database),
		"a changed blob":       flip("blobs/01/1/mc"),
		"a missing blob":       func(dir string) error { return os.Remove(filepath.Join(dir, "blobs/02/2/mc")) },
		"nothing in it at all": func(dir string) error { return errors.Join(os.RemoveAll(dir), os.Mkdir(dir, 0o700)) },
	} {
		t.Run(name, func(t *testing.T) {
			to := filepath.Join(t.TempDir(), "b")
			if _, err := d.backup(to); err != nil {
				t.Fatal(err)
			}
			d.Must(spoil(to))
			dir := filepath.Join(t.TempDir(), "data")
			if _, err := restoreTo(t, dir, to); err == nil {
				t.Error("restored")
			}
			if got := files(t, dir); got != nil {
				t.Errorf("left: %v", got)
			}
		})
	}
	if _, err := restoreTo(t, filepath.Join(t.TempDir(), "data"), filepath.Join(t.TempDir(), "none")); !errors.Is(err,
		fs.ErrNotExist) {
		t.Errorf("from nowhere: %v", err)
	}
	if got, err := restoreTo(t, d.Config.DataDir, t.TempDir()); err == nil || !strings.Contains(err.Error(),
		"another process") {
		t.Errorf("beside a server: %+v, %v", got, err)
	}
}

// Keys are in no backup: they are in the data folder before a restore, and stay.
func TestRestoreBesideKeys(t *testing.T) {
	d := newDeployment(t)
	d.small(1)
	to, cfg := filepath.Join(t.TempDir(), "repository"), d.Config
	d.add(to)
	key, err := os.ReadFile(keyFile(d.Config))
	d.Must(err)
	cfg.DataDir = t.TempDir()
	master := filepath.Join(cfg.DataDir, datadir.MasterKey)
	d.Must(errors.Join(os.WriteFile(keyFile(cfg), key, 0o600), os.WriteFile(master, []byte("master"), 0o600)))
	if got, err := Restore(t.Context(), cfg, Source{Path: to}, quietly); err != nil || got.Messages != 1 {
		t.Errorf("%+v, %v", got, err)
	}
	if left, err := os.ReadFile(master); err != nil || string(left) != "master" {
		t.Errorf("master key %q, %v", left, err)
	}
	if again, err := Add(t.Context(), cfg, to, options()); err != nil || again.Messages != 1 {
		t.Errorf("the next backup: %+v, %v", again, err)
	}
}

// A file that somebody else has made cannot write outside of the data folder.
func TestRestoreHostileFile(t *testing.T) {
	for name, head := range map[string]*tar.Header{
		"above":            {Name: "../evil", Typeflag: tar.TypeReg},
		"deep above":       {Name: "blobs/01/../../../evil", Typeflag: tar.TypeReg},
		"absolute":         {Name: "/tmp/evil", Typeflag: tar.TypeReg},
		"unknown":          {Name: "evil", Typeflag: tar.TypeReg},
		"another shard":    {Name: "blobs/99/1/ma", Typeflag: tar.TypeReg},
		"a symbolic link":  {Name: "token", Typeflag: tar.TypeSymlink, Linkname: "/etc/passwd"},
		"a link outside":   {Name: "blobs/01/1/ma", Typeflag: tar.TypeLink, Linkname: "../../etc/passwd"},
		"a link to secret": {Name: "blobs/01/1/ma", Typeflag: tar.TypeLink, Linkname: "secret"},
		"a folder":         {Name: "blobs/01/1/ma", Typeflag: tar.TypeDir},
		"a device":         {Name: "token", Typeflag: tar.TypeChar},
	} {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			w := tar.NewWriter(&b)
			if err := errors.Join(w.WriteHeader(head), w.Close()); err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			from := filepath.Join(dir, "evil.tar")
			if err := os.WriteFile(from, b.Bytes(), 0o600); err != nil {
				t.Fatal(err)
			}
			if _, err := restoreTo(t, filepath.Join(dir, "data"), from); !errors.Is(err, errManifest) {
				t.Errorf("restored: %v", err)
			}
			if got := files(t, dir); !slices.Equal(got, []string{"evil.tar"}) {
				t.Errorf("left: %v", got)
			}
		})
	}
}

// A file with holes is a few bytes of a tar, and may be any number in the data folder.
func TestRestoreRefusesHoles(t *testing.T) {
	for name, row := range map[string]struct {
		head *tar.Header
		want string
	}{
		"of PAX": {&tar.Header{Name: "token", Typeflag: tar.TypeReg,
			PAXRecords: map[string]string{"GNU.sparse.major": "1", "GNU.sparse.minor": "0"}}, "is sparse"},
		"of GNU": {&tar.Header{Name: "token", Typeflag: tar.TypeGNUSparse}, "is sparse"},
		"none":   {&tar.Header{Name: "token", Typeflag: tar.TypeFifo}, "is not a file"},
	} {
		t.Run(name, func(t *testing.T) {
			if err := new(restore).entry(row.head, strings.NewReader("")); !errors.Is(err, errManifest) ||
				!strings.HasSuffix(err.Error(), row.want) {
				t.Errorf("%v", err)
			}
		})
	}
}

// A restore that was killed keeps the server from starting, and is started over.
func TestRestoreAfterAKill(t *testing.T) {
	d := newDeployment(t)
	d.large(2)
	from := filepath.Join(t.TempDir(), "b.tar")
	if _, err := d.backup(from); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "data")
	r := &restore{data: dir, stage: filepath.Join(dir, restoreFolder), report: func(Copied) {}}
	d.Must(os.Mkdir(dir, 0o700))
	d.Must(r.prepare())
	d.Must(path(from).giveTo(t.Context(), r))
	// killed while it put things in place
	d.Must(os.Rename(filepath.Join(r.stage, "token"), filepath.Join(dir, "token")))
	if err := Tidy(dir); err == nil || !strings.Contains(err.Error(), "interrupted") {
		t.Errorf("a start: %v", err)
	}
	if _, err := restoreTo(t, dir, from); err != nil {
		t.Fatal(err)
	}
	d.Must(os.Mkdir(filepath.Join(dir, restoreFolder), 0o700)) // killed at the very end
	d.Must(Tidy(dir))
	if left := files(t, filepath.Join(dir, restoreFolder)); left != nil {
		t.Errorf("left: %v", left)
	}
}

func FuzzManifest(f *testing.F) {
	f.Add([]byte(manifestHead + "\nmade 2026-01-02T03:04:05Z\nby v1\ntables 5\nmessages 1\nblobs 1\ndatabase 4096 " +
		strings.Repeat("ab", 32) + "\nlost 1/a\ncomplete\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		m, err := readManifest(bytes.NewReader(text))
		if err != nil {
			return
		}
		again, err := readManifest(bytes.NewReader(m.bytes()))
		if err != nil || !slices.Equal(again.lost, m.lost) || again.database != m.database || again.tables != m.tables {
			t.Errorf("%+v became %+v, %v", m, again, err)
		}
	})
}

// A file that was cut is called that.
func TestRestoreCutFile(t *testing.T) {
	d := newDeployment(t)
	d.small(1)
	to := filepath.Join(t.TempDir(), "b.tar")
	if _, err := d.backup(to); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(to)
	d.Must(err)
	d.Must(os.Truncate(to, info.Size()/2))
	if _, err := restoreTo(t, filepath.Join(t.TempDir(), "data"), to); err == nil ||
		!strings.Contains(err.Error(), "not whole") {
		t.Errorf("half of it: %v", err)
	}
}
