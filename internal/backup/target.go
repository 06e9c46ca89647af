package backup

import (
	"archive/tar"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/mailkin/mailkin/internal/datadir"
	"github.com/mailkin/mailkin/internal/store/sqlite"
)

// target is where a backup goes.
type target interface {
	// addDatabase takes a state of the database into the backup, and reports how many bytes it has copied.
	addDatabase(ctx context.Context, snap *sqlite.Snapshot, report func(int64)) (digest, error)
	// add takes the file at from into the backup under a name.
	add(ctx context.Context, name, from string) error
	// finish makes the backup whole and durable.
	finish(ctx context.Context, m manifest) error
	// abandon removes what there is of it.
	abandon() error
}

// newTarget begins a backup: in a folder that is empty or not there, or in a new file.
func newTarget(to string) (target, error) {
	if strings.HasSuffix(to, ".tar") {
		return newTarTarget(to)
	}
	return newFolderTarget(to)
}

// unfinished marks a folder in which a backup was begun, so that the next one may start over there.
const unfinished = "backup-unfinished"

// folderTarget is a backup as a folder. Blobs are linked where that is possible: nothing ever changes their bytes.
type folderTarget struct{ dir string }

func newFolderTarget(dir string) (*folderTarget, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	mark := filepath.Join(dir, unfinished)
	_, begun := os.Stat(mark)
	for _, e := range entries {
		switch {
		case e.Name() == "lost+found":
		case begun != nil:
			return nil, fmt.Errorf("%s is not empty: name a new folder", dir)
		case e.Name() != unfinished:
			if err := os.RemoveAll(filepath.Join(dir, e.Name())); err != nil {
				return nil, err
			}
		}
	}
	return &folderTarget{dir}, os.WriteFile(mark, nil, 0o600)
}

func (f *folderTarget) addDatabase(ctx context.Context, snap *sqlite.Snapshot, report func(int64)) (digest, error) {
	path := filepath.Join(f.dir, datadir.Database)
	if err := snap.CopyTo(ctx, path, report); err != nil {
		return digest{}, err
	}
	return hashFile(path)
}

func (f *folderTarget) add(_ context.Context, name, from string) error {
	to := filepath.Join(f.dir, name)
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return err
	}
	if strings.HasPrefix(name, datadir.Blobs+"/") {
		return linkOrCopy(from, to)
	}
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	return writeNew(to, in)
}

func (f *folderTarget) finish(_ context.Context, m manifest) error {
	if err := datadir.SyncTree(f.dir); err != nil {
		return fmt.Errorf("sync the backup: %w", err)
	}
	if err := datadir.WriteFile(filepath.Join(f.dir, manifestFile), m.bytes()); err != nil {
		return err
	}
	return os.Remove(filepath.Join(f.dir, unfinished))
}

func (f *folderTarget) abandon() error {
	entries, err := os.ReadDir(f.dir)
	for _, e := range entries {
		if e.Name() != "lost+found" {
			err = errors.Join(err, os.RemoveAll(filepath.Join(f.dir, e.Name())))
		}
	}
	return err
}

// tarTarget is a backup as one file. Until it is whole it has another name.
type tarTarget struct {
	path  string
	file  *os.File
	out   *tar.Writer
	names map[uint64]string // of files with several names: the first one, by inode
}

func newTarTarget(path string) (*tarTarget, error) {
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		return nil, errors.Join(fmt.Errorf("%s is there already: name a new file", path), err)
	}
	if err := removeMissing(path + ".partial"); err != nil { // it may be a link that somebody laid to another file
		return nil, err
	}
	f, err := os.OpenFile(path+".partial", os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	t := &tarTarget{path: path, file: f, out: tar.NewWriter(f), names: map[uint64]string{}}
	return t, removeMissing(t.scratch())
}

// scratch is where the database is copied to before it is part of the file.
func (t *tarTarget) scratch() string { return t.path + ".partial-" + datadir.Database }

func (t *tarTarget) addDatabase(ctx context.Context, snap *sqlite.Snapshot, report func(int64)) (digest, error) {
	if err := snap.CopyTo(ctx, t.scratch(), report); err != nil {
		return digest{}, err
	}
	sum, err := hashFile(t.scratch())
	if err == nil {
		err = t.add(ctx, datadir.Database, t.scratch())
	}
	return sum, errors.Join(err, os.Remove(t.scratch()))
}

func (t *tarTarget) add(_ context.Context, name, from string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return err
	}
	head := &tar.Header{Name: name, Mode: 0o600, Size: info.Size(), ModTime: info.ModTime(), Format: tar.FormatPAX}
	if first, ok := t.again(name, info); ok {
		head.Typeflag, head.Linkname, head.Size = tar.TypeLink, first, 0
		return t.out.WriteHeader(head)
	}
	if err := t.out.WriteHeader(head); err != nil {
		return err
	}
	_, err = io.Copy(t.out, in)
	return err
}

// again tells under which name the same bytes are in the file already. Two names, a blob's own and the staged one, are
// one recipient's.
func (t *tarTarget) again(name string, info fs.FileInfo) (string, bool) {
	sys, ok := info.Sys().(*syscall.Stat_t)
	if !ok || sys.Nlink <= 2 {
		return "", false
	}
	first, found := t.names[sys.Ino]
	if !found {
		t.names[sys.Ino] = name
	}
	return first, found
}

func (t *tarTarget) finish(_ context.Context, m manifest) error {
	b := m.bytes()
	err := t.out.WriteHeader(&tar.Header{Name: manifestFile, Mode: 0o600, Size: int64(len(b)),
		ModTime: m.made.Truncate(time.Second), Format: tar.FormatPAX})
	if err == nil {
		_, err = t.out.Write(b)
	}
	if err = errors.Join(err, t.out.Close()); err == nil {
		err = t.file.Sync()
	}
	if err = errors.Join(err, t.file.Close()); err == nil {
		err = os.Rename(t.file.Name(), t.path)
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", t.path, err)
	}
	return datadir.SyncTree(filepath.Dir(t.path))
}

func (t *tarTarget) abandon() error {
	_ = t.file.Close() // finish may have done so
	return errors.Join(removeMissing(t.file.Name()), removeMissing(t.scratch()))
}

// removeMissing removes a file, which may be gone already.
func removeMissing(path string) error {
	if err := os.Remove(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
