// Package datadir names what a deployment's data folder consists of, and puts single files there.
package datadir

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// Names in a data folder. The index of words is derived from the messages; everything else is part of a backup, but the
// last three.
const (
	Database     = "mailkin.db"
	Index        = "index.db"
	Blobs        = "blobs"
	Certificates = "certificates"
	// Keys has the wrapped keys of mailboxes, and RootKey the wrapped key that wraps them. They are backed up apart.
	Keys    = "keys"
	RootKey = "keys-root"
	// LastBackup is a note of the last backup, as JSON: "at" is its time in UTC.
	LastBackup = "last-backup"
	// BackupKey is the secret of the repository of backups, where settings name no other file. It is in no backup.
	BackupKey = "backup-key"
	// MasterKey wraps the root key, where settings name no other file. It is in no backup.
	MasterKey = "master-key"
)

// IsCertificate tells whether a path within the data folder is a file of the certificates that is worth a copy.
func IsCertificate(name string) bool {
	parts := strings.Split(name, "/")
	return fs.ValidPath(name) && parts[0] == Certificates && len(parts) > 2 && len(parts) < 8 && parts[1] != "locks"
}

// ErrEmpty is a file of a secret that has nothing in it.
var ErrEmpty = errors.New("it is empty: put back the secret that it had, such as from a backup; where there never was " +
	"one, delete the file")

// Secret reads a secret from its file; empty: there is none. A file that has lost its secret is not the same as none:
// another secret in its place would be a mistake that nobody sees.
func Secret(path string) (mailbox.Secret, error) {
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	secret := strings.TrimSpace(string(b))
	if err == nil && secret == "" {
		err = fmt.Errorf("the file %s has no secret: %w", path, ErrEmpty)
	}
	return mailbox.Secret(secret), err
}

// Exposed lists what other users of the machine can get at, with modes: the folder, and files in it that they can read.
// What Mailkin makes itself is never among it.
func Exposed(dir string) (list []string, err error) {
	const others = 0o077
	info, err := os.Stat(dir)
	if err != nil || info.Mode().Perm()&others == 0 { // then nobody gets at the files
		return nil, err
	}
	list = append(list, fmt.Sprintf("%s (%04o)", dir, info.Mode().Perm()))
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() && info.Mode().Perm()&others != 0 {
			list = append(list, fmt.Sprintf("%s (%04o)", e.Name(), info.Mode().Perm()))
		}
	}
	return list, err
}

// WriteFile puts a file in place whole and synced, or not at all. Nobody else can read it.
func WriteFile(path string, b []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*") // mode 0600
	if err != nil {
		return err
	}
	_, err = f.Write(b)
	err = errors.Join(err, Give(f, filepath.Dir(path)), f.Sync(), f.Close())
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
