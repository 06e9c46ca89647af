package repository

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

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

// openPlace opens a folder, or a bucket by its URL.
func openPlace(where string) (place, error) {
	if !IsBucket(where) {
		return folder(where), nil
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

// folder is a place on a disk.
type folder string

const temporary = ".tmp-"

func (f folder) put(_ context.Context, name string, data []byte) error {
	path := filepath.Join(string(f), name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	file, err := os.CreateTemp(filepath.Dir(path), temporary) // mode 0600
	if err != nil {
		return err
	}
	_, err = file.Write(data)
	if err = errors.Join(err, file.Close()); err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(file.Name()))
	}
	return nil
}

func (f folder) get(_ context.Context, name string) ([]byte, error) {
	return os.ReadFile(filepath.Join(string(f), name))
}

func (f folder) list(ctx context.Context, below string) (names []string, err error) {
	root := os.DirFS(string(f))
	err = fs.WalkDir(root, below, func(name string, e fs.DirEntry, err error) error {
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
	return names, err
}

func (f folder) remove(_ context.Context, names ...string) error {
	for _, name := range names {
		if err := os.Remove(filepath.Join(string(f), name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

func (f folder) sync() error { return datadir.SyncTree(string(f)) }

func (f folder) close() error { return nil }
