// Package datadirtest makes data folders for tests.
package datadirtest

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/mailkin/mailkin/internal/blob"
	"github.com/mailkin/mailkin/internal/config"
	"github.com/mailkin/mailkin/internal/datadir"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/store/sqlite"
)

// Folder is a data folder with two mailboxes, open as a server has it.
type Folder struct {
	T          testing.TB
	Config     config.Config
	DB         *sqlite.DB
	Blobs      *blob.Dir
	Box, Other mailbox.Num
}

// New makes one, with secrets and certificates.
func New(t testing.TB) *Folder {
	t.Helper()
	cfg := config.Default()
	cfg.DataDir = filepath.Join(t.TempDir(), "data")
	d := &Folder{T: t, Config: cfg}
	d.Must(os.Mkdir(cfg.DataDir, 0o700))
	var err error
	d.DB, err = sqlite.Open(filepath.Join(cfg.DataDir, datadir.Database))
	d.Must(err)
	t.Cleanup(func() { _ = d.DB.Close() })
	d.Blobs, err = blob.OpenDir(filepath.Join(cfg.DataDir, datadir.Blobs))
	d.Must(err)
	d.Must(d.DB.Update(t.Context(), func(tx store.Tx) (err error) {
		if d.Box, err = tx.InsertMailbox(t.Context(), mailbox.Mailbox{Address: "a@x.org"}); err == nil {
			d.Other, err = tx.InsertMailbox(t.Context(), mailbox.Mailbox{Address: "b@x.org"})
		}
		return err
	}))
	for name, text := range map[string]string{"token": "the token", "secret": "the root", "tls-key.pem": "a key",
		"index.db":               "derived",
		"mailkin.db.before-0002": "old", "certificates/certificates/ca/mx.example/mx.example.key": "another key",
		"certificates/locks/x.lock": "locked"} {
		d.Must(os.MkdirAll(filepath.Dir(filepath.Join(cfg.DataDir, name)), 0o700))
		d.Must(os.WriteFile(filepath.Join(cfg.DataDir, name), []byte(text), 0o600))
	}
	return d
}

// Must ends the test at an error.
func (d *Folder) Must(err error) {
	d.T.Helper()
	if err != nil {
		d.T.Fatal(err)
	}
}
