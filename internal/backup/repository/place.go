package repository

import (
	"context"
	"crypto/rand"
	"errors"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/mailkin/mailkin/internal/blob"
	"github.com/mailkin/mailkin/internal/datadir"
)

// place is where the files of a repository are.
type place interface {
	// put writes a file whole or not at all, and replaces what had the name. It is durable after sync.
	put(ctx context.Context, name string, data []byte) error
	// get returns fs.ErrNotExist for a file that is not there.
	get(ctx context.Context, name string) ([]byte, error)
	// list returns the names of all files below a folder.
	list(ctx context.Context, folder string) ([]string, error)
	// remove removes files; missing ones are no error.
	remove(ctx context.Context, names ...string) error
	sync() error
	close() error
}

// IsBucket tells whether a place is named by the URL of a bucket, and not a folder.
func IsBucket(where string) bool { return strings.HasPrefix(where, "s3://") }

// Name is what a place is called in what people read: the URL of a bucket has keys.
func Name(where string) string {
	if IsBucket(where) {
		u, err := url.Parse(where)
		if err != nil {
			return "the bucket"
		}
		u.User = nil
		return u.String()
	}
	if whole, err := filepath.Abs(where); err == nil {
		return whole
	}
	return where
}

// openPlace opens a folder, or a bucket by its URL; fs.ErrNotExist for a folder that is not there.
func openPlace(where string) (place, error) {
	if !IsBucket(where) {
		where = Name(where)
		if info, err := os.Stat(where); err == nil && !info.IsDir() {
			return nil, &fs.PathError{Op: "open", Path: where, Err: syscall.ENOTDIR}
		}
		root, err := os.OpenRoot(where)
		return folder{root}, err
	}
	options, err := blob.ParseBucketURL(where)
	if err != nil {
		return nil, err
	}
	b, err := blob.OpenBucket(options)
	if err != nil {
		return nil, err
	}
	return bucket{b}, nil
}

type bucket struct{ *blob.Bucket }

func (b bucket) put(ctx context.Context, name string, data []byte) error {
	return b.PutFile(ctx, name, data)
}

func (b bucket) get(ctx context.Context, name string) ([]byte, error) { return b.File(ctx, name) }

func (b bucket) list(ctx context.Context, folder string) ([]string, error) {
	return b.Files(ctx, folder+"/")
}

func (b bucket) remove(ctx context.Context, names ...string) error {
	return b.RemoveFiles(ctx, names...)
}

func (b bucket) sync() error { return nil } // an answer says that it is durable

func (b bucket) close() error { return b.Close() }

// folder is a place on a disk. It is held open, so that nothing is written to what is under its path when the disk is
// unmounted or the folder deleted.
type folder struct{ *os.Root }

const temporary = ".tmp-"

// full has an error name the whole path: those of a Root begin there.
func (f folder) full(err error) error {
	var file *fs.PathError
	if errors.As(err, &file) && !filepath.IsAbs(file.Path) {
		file.Path = filepath.Join(f.Name(), file.Path)
	}
	return err
}

func (f folder) put(_ context.Context, name string, data []byte) error {
	dir := path.Dir(name)
	if err := f.makeFolders(dir); err != nil {
		return f.full(err)
	}
	draft := path.Join(dir, temporary+rand.Text())
	file, err := f.OpenFile(draft, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return f.full(err)
	}
	_, err = file.Write(data)
	if err = errors.Join(err, datadir.Give(file, f.Name()), file.Close()); err == nil {
		err = f.Rename(draft, name)
	}
	if err != nil {
		_ = f.Remove(draft) // what was wrong is told
	}
	var failed *fs.PathError
	if errors.As(err, &failed) {
		failed.Path = filepath.Join(f.Name(), name) // and not the draft's
	}
	return err
}

// makeFolders makes a folder with those above it, for the owner of the place.
func (f folder) makeFolders(dir string) error {
	if _, err := f.Stat(dir); err == nil || dir == "." {
		return err
	}
	if err := f.makeFolders(path.Dir(dir)); err != nil {
		return err
	}
	if err := f.Mkdir(dir, 0o700); errors.Is(err, fs.ErrExist) {
		return nil // made meanwhile
	} else if err != nil {
		return err
	}
	made, err := f.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(datadir.Give(made, f.Name()), made.Close())
}

func (f folder) get(_ context.Context, name string) ([]byte, error) {
	b, err := f.ReadFile(name)
	return b, f.full(err)
}

func (f folder) list(ctx context.Context, below string) (names []string, err error) {
	err = fs.WalkDir(f.FS(), below, func(name string, e fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err == nil {
			err = ctx.Err()
		}
		if err == nil && e.Type().IsRegular() {
			names = append(names, name)
		}
		return err
	})
	return names, f.full(err)
}

func (f folder) remove(_ context.Context, names ...string) error {
	for _, name := range names {
		if err := f.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return f.full(err)
		}
	}
	return nil
}

func (f folder) sync() error { return datadir.SyncTree(f.Name()) }

func (f folder) close() error { return f.Root.Close() }
