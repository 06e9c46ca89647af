package datadir

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// Give has a file that root has made in a folder belong to that folder's owner, so that the server's user can use it.
// For any other user it does nothing. The owner of the folder can put other names there, so it is an open file, and
// none that has a name elsewhere.
func Give(f *os.File, folder string) error {
	if os.Geteuid() != 0 {
		return nil
	}
	owner, err := status(os.Stat(folder))
	if err != nil {
		return err
	}
	own, err := status(f.Stat())
	if err != nil || owner.Uid == 0 || own.Uid != 0 || own.Mode&syscall.S_IFMT == syscall.S_IFREG && own.Nlink > 1 {
		return err
	}
	return f.Chown(int(owner.Uid), int(owner.Gid))
}

func status(info fs.FileInfo, err error) (*syscall.Stat_t, error) {
	if err != nil {
		return nil, err
	}
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return nil, errors.ErrUnsupported
	}
	return s, nil
}

// MakeFolders makes a folder with those above it, where they are missing. Each belongs to the owner of the one above.
func MakeFolders(path string) error {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return nil
	}
	above := filepath.Dir(path)
	if above != path {
		if err := MakeFolders(above); err != nil {
			return err
		}
	}
	if err := os.Mkdir(path, 0o700); err != nil {
		if errors.Is(err, fs.ErrExist) { // made meanwhile, or a file
			return os.MkdirAll(path, 0o700)
		}
		return err
	}
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NOFOLLOW, 0)
	if err != nil {
		return err
	}
	return errors.Join(Give(f, above), f.Close())
}
