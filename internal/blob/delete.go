package blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"strings"
)

// readBatch is how many names are read from a folder at a time; a mailbox may have any number.
const readBatch = 1024

func (d *Dir) Delete(ctx context.Context, keys ...string) error {
	names, err := d.paths(keys)
	if err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	err = d.unlink(names)
	touched := map[string]bool{}
	for _, name := range names {
		touched[path.Dir(name)] = true
	}
	for folder := range touched {
		d.removeEmpty(folder)
	}
	return err
}

// unlink removes what it can; missing ones are no error.
func (d *Dir) unlink(names []string) error {
	var errs []error
	for _, name := range names {
		if err := ignoreMissing(d.disk.remove(name)); err != nil {
			errs = append(errs, fmt.Errorf("delete blob: %w", err))
		}
	}
	return errors.Join(errs...)
}

func (d *Dir) DeletePrefix(ctx context.Context, prefix string) (int, error) {
	box := strings.TrimSuffix(prefix, "/")
	if !validPart(box) {
		return 0, fmt.Errorf("invalid blob prefix %q", prefix)
	}
	folder := d.boxFolder(box)
	total := 0
	// Again until a pass finds nothing: not every file system lists all names when some go meanwhile.
	for {
		n, err := d.deleteAll(ctx, folder)
		total += n
		if err != nil {
			return total, fmt.Errorf("delete blobs of %s: %w", box, err)
		}
		if n == 0 {
			d.removeEmpty(folder)
			return total, nil
		}
	}
}

func (d *Dir) deleteAll(ctx context.Context, folder string) (int, error) {
	n := 0
	err := eachEntry(ctx, folder, func(e os.DirEntry) error {
		if err := ignoreMissing(d.disk.remove(folder + "/" + e.Name())); err != nil {
			return err
		}
		n++
		return nil
	})
	return n, err
}

// removeEmpty removes the folder unless something is in it, in which case the system refuses. Nothing depends on it: an
// empty folder only takes space.
func (d *Dir) removeEmpty(folder string) { _ = d.disk.rmdir(folder) }

// eachEntry calls fn for every entry of the folder, which may be missing.
func eachEntry(ctx context.Context, folder string, fn func(os.DirEntry) error) error {
	f, err := os.Open(folder)
	if err != nil {
		return ignoreMissing(err)
	}
	defer f.Close()
	for {
		entries, err := f.ReadDir(readBatch)
		for _, e := range entries {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := fn(e); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return ignoreMissing(err) // it was removed while it was read
		}
	}
}
