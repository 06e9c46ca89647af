package repository

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strconv"
)

// Wrapped keys of mailboxes are apart from every generation, once for all of them: a mailbox's key never changes, and
// when it is destroyed it is gone from all. They are slots of the same size, a thousand to a file; one that begins with
// a zero says nothing, and the first byte of a slot only grows: a key that was destroyed does not come back with an old
// copy of the file.

const (
	keysFolder = "keys"
	rootFile   = "keys/root"
	keysInFile = 1024
)

func keysName(file int) string { return path.Join(keysFolder, fmt.Sprintf("%08d", file)) }

// readKeys reads a file of slots; nil where there is none.
func (r *Repository) readKeys(ctx context.Context, file int) ([]byte, error) {
	b, err := r.read(ctx, keysName(file))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return b, err
}

// MergeKeys takes over the slots of a file of keys, also that a key was destroyed.
func (r *Repository) MergeKeys(ctx context.Context, size int, slots io.Reader, root []byte) error {
	have, err := r.checkRoot(ctx, root)
	if err != nil {
		return err
	}
	for file := 0; ; file++ {
		live := make([]byte, keysInFile*size)
		n, err := io.ReadFull(slots, live)
		if n > 0 {
			if err := r.mergeFile(ctx, size, file, live[:n-n%size]); err != nil {
				return err
			}
		}
		switch {
		case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
			if have == nil {
				_, err = r.write(ctx, rootFile, root)
			} else {
				err = nil
			}
			return errors.Join(err, r.at.sync())
		case err != nil:
			return err
		}
	}
}

// checkRoot returns the root key that there is; nil: there is none. It must be the one given.
func (r *Repository) checkRoot(ctx context.Context, root []byte) ([]byte, error) {
	have, err := r.read(ctx, rootFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil && !bytes.Equal(have, root) {
		err = errors.New("the repository has the keys of another deployment")
	}
	return have, err
}

func (r *Repository) mergeFile(ctx context.Context, size int, file int, live []byte) error {
	have, err := r.readKeys(ctx, file)
	if errors.Is(err, ErrDamaged) { // it may have keys that the data folder has not: a person decides
		err = fmt.Errorf("%w: remove that file, and the next backup writes it again with the keys of the data folder",
			err)
	}
	if err != nil {
		return err
	}
	for at := 0; at+size <= len(have) && at+size <= len(live); at += size {
		switch was, now := have[at:at+size], live[at:at+size]; {
		case now[0] < was[0]: // not known there, or from before it was destroyed
			copy(now, was)
		case now[0] == was[0] && !bytes.Equal(now, was): // with that the earlier generations would be lost
			return fmt.Errorf("the repository has another key of mailbox %d: the keys of the data folder are others or "+
				"damaged", file*keysInFile+at/size)
		}
	}
	if len(have) > len(live) {
		live = append(live, have[len(live):]...)
	}
	if string(have) == string(live) {
		return nil
	}
	_, err = r.write(ctx, keysName(file), live)
	return err
}

// WipeKey puts the slot of a key that was destroyed in place of what there is, for all generations of the deployment
// with that root key.
func (r *Repository) WipeKey(ctx context.Context, num int64, slot, root []byte) error {
	if have, err := r.checkRoot(ctx, root); err != nil || have == nil {
		return err
	}
	file, at := int(num/keysInFile), int(num%keysInFile)*len(slot)
	have, err := r.readKeys(ctx, file)
	if err != nil || at+len(slot) > len(have) {
		return err // it was never backed up
	}
	copy(have[at:], slot)
	if _, err = r.write(ctx, keysName(file), have); err != nil {
		return err
	}
	return r.at.sync()
}

// Keys writes the slots to a file as it was, and returns the root key; nil: there are no keys.
func (r *Repository) Keys(ctx context.Context, size int, to io.WriterAt) (root []byte, err error) {
	root, err = r.read(ctx, rootFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	names, err := r.at.list(ctx, keysFolder)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		file, err := strconv.Atoi(path.Base(name))
		if err != nil {
			continue // the root, or what a put that was killed has left
		}
		slots, err := r.readKeys(ctx, file)
		if err == nil {
			_, err = to.WriteAt(slots, int64(file)*keysInFile*int64(size))
		}
		if err != nil {
			return nil, err
		}
	}
	return root, nil
}
