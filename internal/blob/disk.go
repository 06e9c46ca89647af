package blob

import (
	"errors"
	"io"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

// disk is what a Dir does to change the file system, one system call or two each. It is an interface so that tests can
// record the order of the calls and let each of them fail.
type disk interface {
	create(name string) (draftFile, error)
	link(name, key string) error
	remove(name string) error
	rmdir(name string) error
	mkdir(name string) error
	syncFolder(name string) error
}

type draftFile interface {
	io.WriteCloser
	syncData() error
}

type osDisk struct{}

type osFile struct{ *os.File }

func (f osFile) syncData() error { return syncData(f.File) }

func (osDisk) create(name string) (draftFile, error) {
	f, err := openFile(name, unix.O_WRONLY|unix.O_CREAT|unix.O_EXCL)
	if err != nil {
		return nil, err
	}
	return osFile{f}, nil
}

func (osDisk) link(name, key string) error { return os.Link(name, key) }

// remove and rmdir are not os.Remove, which tries both: a missing file or a full folder is common here and would cost
// two calls.
func (osDisk) remove(name string) error { return pathError("unlink", name, unix.Unlink(name)) }

func (osDisk) rmdir(name string) error { return pathError("rmdir", name, unix.Rmdir(name)) }

func (osDisk) mkdir(name string) error { return os.Mkdir(name, 0o700) }

func (osDisk) syncFolder(name string) error {
	f, err := openFile(name, unix.O_RDONLY|unix.O_DIRECTORY)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// openFile is os.OpenFile without its attempt to poll the file: five system calls, in vain for files on disk.
func openFile(name string, flags int) (*os.File, error) {
	for {
		fd, err := unix.Open(name, flags|unix.O_CLOEXEC, 0o600)
		if err == nil {
			return os.NewFile(uintptr(fd), name), nil
		}
		if err != unix.EINTR {
			return nil, pathError("open", name, err)
		}
	}
}

func pathError(op, name string, err error) error {
	if err == nil {
		return nil
	}
	return &fs.PathError{Op: op, Path: name, Err: err}
}

// ignoreMissing makes it no error that a file is not there.
func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
