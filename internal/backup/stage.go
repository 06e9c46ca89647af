package backup

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mailkin/mailkin/internal/blob"
	"github.com/mailkin/mailkin/internal/datadir"
	"github.com/mailkin/mailkin/internal/store/sqlite"
)

const (
	stageTries = 100 // states of the database that are tried; each takes a moment
	lostAfter  = 3   // states that name a blob which is not there, before it counts as lost
)

// stage returns every blob that the backup needs a name that nobody else removes, and fixes the state that needs them.
func (b *backup) stage(ctx context.Context) error {
	if err := b.begin(); err != nil {
		return err
	}
	if err := b.linkAll(ctx); err != nil {
		return fmt.Errorf("link blobs: %w", err)
	}
	var err error
	if b.snap, err = sqlite.OpenSnapshot(filepath.Join(b.data, datadir.Database)); err != nil {
		return err
	}
	return b.linkNamed(ctx)
}

// begin makes an empty place for the links.
func (b *backup) begin() (err error) {
	if b.lock, err = lockStage(b.data); err != nil {
		return err
	}
	stage := filepath.Join(b.data, stageFolder)
	if err := os.RemoveAll(stage); err != nil { // of a backup that was killed
		return err
	}
	return datadir.MakeFolders(stage)
}

// linkAll returns a second name to whatever is there.
func (b *backup) linkAll(ctx context.Context) error {
	root := filepath.Join(b.data, datadir.Blobs)
	return filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // deleted just now
		}
		if err == nil {
			err = ctx.Err()
		}
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		name, err := filepath.Rel(root, path)
		if err != nil || !knownFile(filepath.Join(datadir.Blobs, name)) { // drafts, and what others put there
			return err
		}
		_, err = b.link(name)
		return err
	})
}

// linkNamed sees to it that every blob that the snapshot names is staged, and goes on to newer states until that is so.
func (b *backup) linkNamed(ctx context.Context) error {
	missed := map[string]int{}
	for range stageTries {
		if err := ctx.Err(); err != nil {
			return err
		}
		missing, err := b.linkState()
		if err != nil {
			return err
		}
		if len(missing) == 0 {
			return nil
		}
		for _, key := range missing {
			if missed[key]++; missed[key] == lostAfter {
				b.lost[key] = true
				b.Log.Warn("the bytes of a large message are not in the data folder", "blob", key)
			}
		}
		if err := b.snap.Renew(); err != nil {
			return err
		}
	}
	return errors.New("mail was deleted so fast that no state of the database could be fixed: try again")
}

// linkState stages what one state names, and returns the keys of blobs that are not there.
func (b *backup) linkState() (missing []string, err error) {
	b.keys, b.size, b.done.Lost = nil, 0, nil
	err = b.snap.Blobs(func(key string) error {
		if b.lost[key] {
			b.done.Lost = append(b.done.Lost, key)
			return nil
		}
		name, err := blob.Path(key)
		if err != nil {
			return err
		}
		size, err := b.link(name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			missing = append(missing, key)
			return nil
		case err != nil:
			return err
		}
		b.keys, b.size = append(b.keys, key), b.size+size
		return nil
	})
	return missing, err
}

// link stages one file, and returns its size. Where it has as many names as the file system allows, it is copied.
func (b *backup) link(name string) (int64, error) {
	to := filepath.Join(b.data, stageFolder, name)
	if info, err := os.Stat(to); err == nil {
		return info.Size(), nil
	}
	from := filepath.Join(b.data, datadir.Blobs, name)
	if err := datadir.MakeFolders(filepath.Dir(to)); err != nil {
		return 0, err
	}
	if err := linkOrCopy(from, to); err != nil {
		return 0, err
	}
	info, err := os.Stat(to)
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

// linkOrCopy gives a file a second name, or the copy of it.
func linkOrCopy(from, to string) error {
	err := os.Link(from, to)
	if err == nil || errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrExist) {
		return err
	}
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	return writeNew(to, in)
}

// writeNew makes a file that nobody else can read.
func writeNew(path string, from io.Reader) error {
	out, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, from)
	return errors.Join(err, out.Close())
}

// knownFile tells whether a path within a data folder is one that a backup has, and nothing that leads out of it.
func knownFile(name string) bool {
	if name == datadir.Database || name == manifestFile || slices.Contains(secretFiles, name) {
		return true
	}
	folder, file, _ := strings.Cut(name, "/")
	if folder != datadir.Blobs {
		return datadir.IsCertificate(name)
	}
	_, key, _ := strings.Cut(file, "/")
	known, err := blob.Path(key)
	return err == nil && file == known
}
