package sqlite

import (
	"bytes"
	"compress/flate"
	_ "embed"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
)

// empty is the file of an empty store, as the migrations make it, compressed. Running all of them takes a hundred times
// as long as writing what comes of it. A test compares the two and writes this file.
//
//go:embed empty.db.flate
var empty []byte

// emptyMost is more than such a file has, so that nothing is copied while it grows.
const emptyMost = 512 << 10

// versionAt is where a file has the number that user_version is.
const versionAt = 60

// makeEmpty puts the file of an empty store in place, whole and synced, where there is none. If this program knows a
// migration that the file does not have, nothing is done: the migrations then make the store.
func makeEmpty(path string) error {
	if info, err := os.Lstat(path); err == nil && (info.Size() > 0 || !info.Mode().IsRegular()) {
		return nil
	}
	if _, err := os.Lstat(path + "-wal"); err == nil {
		return nil
	}
	var unpacked bytes.Buffer
	unpacked.Grow(emptyMost)
	_, err := unpacked.ReadFrom(flate.NewReader(bytes.NewReader(empty)))
	b := unpacked.Bytes()
	if err != nil || len(b) < pageSize || int(binary.BigEndian.Uint32(b[versionAt:])) != Known() {
		return err
	}
	f, err := os.OpenFile(path+".new", os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(b)
	if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return syncFolder(filepath.Dir(path))
}

func syncFolder(path string) error {
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}
