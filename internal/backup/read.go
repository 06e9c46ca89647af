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

	"github.com/mailkin/mailkin/internal/backup/repository"
	"github.com/mailkin/mailkin/internal/config"
	"github.com/mailkin/mailkin/internal/datadir"
)

// Source is a backup: a folder, a .tar file, or a generation of a repository.
type Source struct {
	Path       string // or the URL of a bucket
	Generation string // of a repository; empty: the newest
}

func (s Source) String() string {
	where := s.Path
	if repository.IsBucket(where) {
		where = "the bucket" // its URL has keys
	}
	if s.Generation != "" {
		where += ", generation " + s.Generation
	}
	return where
}

// source returns every file of a backup to r.
type source interface {
	giveTo(ctx context.Context, r *restore) error
	close() error
}

func (s Source) open(ctx context.Context, cfg config.Config) (source, error) {
	if !repository.IsBucket(s.Path) {
		if err := apart(cfg.DataDir, s.Path); err != nil {
			return nil, err
		}
		if _, err := os.Stat(s.Path); err != nil {
			return nil, err
		}
	}
	if !strings.HasSuffix(s.Path, ".tar") {
		found, err := repository.Exists(ctx, s.Path)
		if err != nil {
			return nil, err
		}
		if found {
			return openGeneration(ctx, cfg, s)
		}
	}
	if repository.IsBucket(s.Path) {
		return nil, errManifest
	}
	return path(s.Path), nil
}

// path is a folder or a file.
type path string

func (p path) close() error { return nil }

func (p path) giveTo(ctx context.Context, r *restore) error {
	info, err := os.Stat(string(p))
	if err != nil {
		return err
	}
	if info.IsDir() {
		return readFolder(ctx, string(p), r)
	}
	return readTar(ctx, string(p), r)
}

// readFolder reads a backup that is a folder, the manifest first.
func readFolder(ctx context.Context, dir string, r *restore) error {
	if err := giveFile(dir, manifestFile, r); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return errManifest
		}
		return err
	}
	root := os.DirFS(dir)
	size, err := treeSize(root)
	if err != nil {
		return err
	}
	r.done.Total = size
	return fs.WalkDir(root, ".", func(name string, e fs.DirEntry, err error) error {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil || !e.Type().IsRegular() || name == manifestFile || !knownFile(name) {
			return err
		}
		return giveFile(dir, name, r)
	})
}

// treeSize is how much there is to copy.
func treeSize(root fs.FS) (size int64, err error) {
	return size, fs.WalkDir(root, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		info, err := e.Info()
		if err == nil {
			size += info.Size()
		}
		return err
	})
}

func giveFile(dir, name string, r *restore) error {
	f, err := os.Open(filepath.Join(dir, name))
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	return r.take(name, info.Size(), f)
}

// readTar reads a backup that is a file. Its names are somebody else's to choose until they are found to be ours.
func readTar(ctx context.Context, path string, r *restore) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil {
		r.done.Total = info.Size()
	}
	in := tar.NewReader(f)
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		head, err := in.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("%w: %w", errManifest, err)
		}
		err = r.entry(head, in)
		if errors.Is(err, io.ErrUnexpectedEOF) {
			return fmt.Errorf("the file is not whole: it ends within %s: %w", head.Name, err)
		}
		if err != nil {
			return err
		}
	}
}

func (r *restore) entry(head *tar.Header, in io.Reader) error {
	switch {
	case !knownFile(head.Name):
		return fmt.Errorf("%w: it has a file %q", errManifest, head.Name)
	case isSparse(head):
		return fmt.Errorf("%w: %q is sparse", errManifest, head.Name)
	case head.Typeflag == tar.TypeReg:
		return r.take(head.Name, head.Size, in)
	case head.Typeflag == tar.TypeLink && knownFile(head.Linkname) && strings.HasPrefix(head.Name, datadir.Blobs+"/") &&
		strings.HasPrefix(head.Linkname, datadir.Blobs+"/"):
		return r.link(head.Name, head.Linkname)
	}
	return fmt.Errorf("%w: %q is not a file", errManifest, head.Name)
}

// isSparse tells of a file with holes: a few bytes of a tar that fill a disk. No backup of ours has one.
func isSparse(head *tar.Header) bool {
	for name := range head.PAXRecords {
		if strings.HasPrefix(name, "GNU.sparse.") {
			return true
		}
	}
	return head.Typeflag == tar.TypeGNUSparse
}
