package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/mailkin/mailkin/internal/backup"
	"github.com/mailkin/mailkin/internal/blob"
	"github.com/mailkin/mailkin/internal/config"
	"github.com/mailkin/mailkin/internal/datadir"
	"github.com/mailkin/mailkin/internal/seal"
	"github.com/mailkin/mailkin/internal/store/sealed"
)

// encrypt puts the keys of mailboxes between the service and what was opened, where mail is encrypted or ever was.
func (a *App) encrypt(ctx context.Context) error {
	table, err := a.keyTable(ctx)
	if err != nil || table == nil {
		return err
	}
	ring, err := seal.Open(ctx, table, a.master, a.cfg.Encryption)
	if err != nil || ring == nil {
		return errors.Join(err, table.Close())
	}
	a.closers = append(a.closers, ring.Close)
	if a.cfg.Backup.To != "" && !a.several() {
		wiper := backup.NewWiper(a.cfg, a.log)
		ring.Shredded = wiper.Wipe
		a.closers = append(a.closers, wiper.Close)
	}
	switch b := a.storage.blobs.(type) {
	case *blob.Dir:
		b.Seals = sealed.Blobs{Ring: ring}
	case *blob.Bucket:
		b.Seals = sealed.Blobs{Ring: ring}
	}
	a.storage.db, a.storage.index = sealed.New(a.storage.db, ring), sealed.NewIndex(a.storage.index, ring)
	return nil
}

// keyTable opens the table of keys; nil: there is none, and none is needed.
func (a *App) keyTable(ctx context.Context) (seal.Table, error) {
	if a.several() {
		return a.storage.shared.Keys(ctx, a.cfg.Encryption)
	}
	path := filepath.Join(a.cfg.DataDir, datadir.Keys)
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) && !a.cfg.Encryption {
		return nil, nil
	}
	return seal.OpenFile(path, filepath.Join(a.cfg.DataDir, datadir.RootKey))
}

// master is the key that the settings name. One is made in the data folder where nothing is sealed yet.
func (a *App) master() (seal.Master, error) {
	if url := a.cfg.MasterKeyURL; url != "" {
		m, err := seal.VaultMaster(string(url))
		if err != nil {
			return nil, &config.SettingError{Key: "master_key_url", Err: err}
		}
		return m, nil
	}
	path := a.cfg.MasterKey
	if path == "" {
		path = filepath.Join(a.cfg.DataDir, datadir.MasterKey)
	}
	_, sealedBefore := os.Stat(filepath.Join(a.cfg.DataDir, datadir.RootKey))
	mayMake := a.cfg.MasterKey == "" && !a.several() && sealedBefore != nil
	m, err := seal.FileMaster(path, mayMake)
	if err != nil {
		return nil, fmt.Errorf("master key: %w", err)
	}
	return m, nil
}
