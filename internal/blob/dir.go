package blob

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// draftFolder cannot meet a shard: those have two characters.
const draftFolder = "tmp"

// Dir is a Store in a folder. The object 12345/abc is the file 45/12345/abc; drafts are in tmp. Keys of one object are
// hard links, of which the file system may limit the number (ext4: 65,000). A folder belongs to one Dir at a time:
// the one that opens it sees to that.
type Dir struct {
	root    string
	disk    disk
	folders folders
	// Seals has the keys of mailboxes; nil: nothing is sealed. It is set before the first use.
	Seals Sealer
}

var _ Store = (*Dir)(nil)

// OpenDir makes the folder if need be and opens the store in it.
func OpenDir(dir string) (*Dir, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("open blob folder: %w", err)
	}
	d := newDir(dir, osDisk{})
	if err := d.prepare(); err != nil {
		return nil, fmt.Errorf("open blob folder: %w", err)
	}
	return d, nil
}

// prepare makes the folder and the one for drafts, durably. Only at the first start: later the parent may not be ours
// to read.
func (d *Dir) prepare() error {
	drafts := filepath.Join(d.root, draftFolder)
	if st, err := os.Stat(drafts); err == nil && st.IsDir() {
		return nil
	}
	if err := os.MkdirAll(drafts, 0o700); err != nil {
		return err
	}
	return errors.Join(d.disk.syncFolder(d.root), d.disk.syncFolder(filepath.Dir(d.root)))
}

func newDir(root string, d disk) *Dir {
	return &Dir{root: root, disk: d, folders: folders{root: root, disk: d, fresh: map[string]int{}}}
}

func (d *Dir) Create(ctx context.Context) (Draft, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	w := newDraft(d)
	var err error
	w.pack.seal, err = sealerOf(d.Seals)
	return w, err
}

func (d *Dir) Open(ctx context.Context, key string) (Object, error) {
	path, err := d.path(key)
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	o, err := openPath(path, func(keys []byte) (*frameSeal, error) { return openSeal(ctx, d.Seals, key, keys) })
	if errors.Is(err, fs.ErrNotExist) {
		err = ErrNotFound
	}
	if err != nil {
		return nil, fmt.Errorf("open blob %s: %w", key, err)
	}
	return o, nil
}

func openPath(path string, key func([]byte) (*frameSeal, error)) (*object, error) {
	f, err := openFile(path, unix.O_RDONLY)
	if err != nil {
		return nil, err
	}
	st, err := f.Stat()
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return openObject(f, st.Size(), key)
}

// Ping writes a file and removes it.
func (d *Dir) Ping(context.Context) error {
	name := d.draftName()
	f, err := d.disk.create(name)
	if err != nil {
		return fmt.Errorf("ping blob folder: %w", err)
	}
	_, err = f.Write([]byte("ping"))
	if err = errors.Join(err, f.Close(), d.disk.remove(name)); err != nil {
		return fmt.Errorf("ping blob folder: %w", err)
	}
	return nil
}

func (d *Dir) Free() (free, total uint64, err error) { return FreeOn(d.root) }

// FreeOn tells how many bytes are free on the disk of a folder, and how many it has.
func FreeOn(folder string) (free, total uint64, err error) {
	var st unix.Statfs_t
	if err := unix.Statfs(folder, &st); err != nil {
		return 0, 0, fmt.Errorf("free space of %s: %w", folder, err)
	}
	size := uint64(st.Bsize)
	return uint64(st.Bavail) * size, uint64(st.Blocks) * size, nil
}

// Close has nothing to do: a Dir holds no files.
func (d *Dir) Close() error { return nil }

// path is the file of a key.
func (d *Dir) path(key string) (string, error) {
	name, err := Path(key)
	return d.root + "/" + name, err
}

func (d *Dir) paths(keys []string) ([]string, error) {
	names := make([]string, len(keys))
	for i, key := range keys {
		name, err := d.path(key)
		if err != nil {
			return nil, err
		}
		names[i] = name
	}
	return names, nil
}

func (d *Dir) boxFolder(box string) string { return d.root + "/" + shard(box) + "/" + box }

func (d *Dir) draftName() string { return d.root + "/" + draftFolder + "/" + rand.Text() }
