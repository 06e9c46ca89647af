// Package datadir names what a deployment's data folder consists of, and puts single files there.
package datadir

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// Names in a data folder. The index of words is derived from the messages; everything else is part of a backup.
const (
	Database     = "mailkin.db"
	Index        = "index.db"
	Blobs        = "blobs"
	Certificates = "certificates"
)

// IsCertificate tells whether a path within the data folder is a file of the certificates that is worth a copy.
func IsCertificate(name string) bool {
	parts := strings.Split(name, "/")
	return fs.ValidPath(name) && parts[0] == Certificates && len(parts) > 2 && len(parts) < 8 && parts[1] != "locks"
}

// Secret reads a secret from its file; empty: there is none.
func Secret(path string) (mailbox.Secret, error) {
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return mailbox.Secret(strings.TrimSpace(string(b))), err
}

// WriteFile puts a file in place whole and synced, or not at all. Nobody else can read it.
func WriteFile(path string, b []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*") // mode 0600
	if err != nil {
		return err
	}
	_, err = f.Write(b)
	err = errors.Join(err, f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	folder, err := os.Open(filepath.Dir(path))
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}
