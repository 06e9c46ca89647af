package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/mailkin/mailkin/internal/backup"
	"github.com/mailkin/mailkin/internal/blob"
	"github.com/mailkin/mailkin/internal/config"
	"github.com/mailkin/mailkin/internal/datadir"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/seal"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/store/sealed"
)

// encrypt puts the keys of mailboxes between the service and what was opened, where mail is encrypted or ever was. Keys
// that are lost are told as the setting that is to blame: a start that is tried again does not find them.
func (a *App) encrypt(ctx context.Context) error {
	err := a.openKeys(ctx)
	if key := keySetting(a.cfg, err); key != "" && !errors.As(err, new(*config.SettingError)) {
		err = &config.SettingError{Key: key, Err: err}
	}
	return err
}

// keySetting is the setting that says where keys are that are not there; empty: something else is wrong.
func keySetting(cfg config.Config, err error) string {
	switch {
	case errors.Is(err, seal.ErrMaster) && cfg.MasterKeyURL != "":
		return "master_key_url"
	case errors.Is(err, seal.ErrMaster):
		return "master_key_file"
	case errors.Is(err, seal.ErrLost) && cfg.Database.URL != "":
		return "database_url"
	case errors.Is(err, seal.ErrLost):
		return "data_dir"
	}
	return ""
}

func (a *App) openKeys(ctx context.Context) error {
	known, err := a.knownKeys(ctx)
	if err != nil {
		return err
	}
	table, err := a.keyTable(ctx, known != nil)
	if err != nil || table == nil {
		return err
	}
	var stray *service.Problem
	err = a.storage.db.Ask(ctx, func(r store.Reader) (err error) {
		stray, err = strayKeys(ctx, r, table, known != nil)
		return err
	})
	if err == nil {
		err = refusal(a.cfg, stray)
	}
	if err != nil {
		return errors.Join(err, table.Close())
	}
	options := seal.Options{Master: a.master, On: a.cfg.Encryption}
	if known != nil {
		options.Digest = known.Digest[:]
	}
	ring, err := seal.Open(ctx, table, options)
	if err != nil || ring == nil {
		return errors.Join(err, table.Close())
	}
	a.closers = append(a.closers, ring.Close)
	there, destroyed, err := table.Keys(ctx)
	if err == nil && len(there)+len(destroyed) == 0 {
		err = noKeys(ctx, a.storage.db, table)
	}
	if err == nil && known == nil {
		err = a.noteKeys(ctx, ring.Digest())
	}
	newest := max(newestOf(there), newestOf(destroyed))
	if err == nil {
		err = a.skipNumbers(ctx, newest)
	}
	if err != nil {
		return err
	}
	if a.cfg.Backup.To != "" && !a.several() {
		wiper := backup.NewWiper(a.cfg, a.log)
		ring.Shredded = wiper.Wipe
		a.closers = append(a.closers, wiper.Close)
		wiper.Resume()
		a.wiper = wiper
	}
	switch b := a.storage.blobs.(type) {
	case *blob.Dir:
		b.Seals = sealed.Blobs{Ring: ring}
	case *blob.Bucket:
		b.Seals = sealed.Blobs{Ring: ring}
	}
	ctx, stop := context.WithCancel(context.WithoutCancel(ctx))
	c := comparison{in: a.storage.db, table: table, ring: ring, newest: newest}
	ring.Missed = func(num mailbox.Num) { a.comparing.Go(func() { a.missKey(ctx, c.in, num) }) }
	a.comparing.Go(func() { a.compareKeys(ctx, c) })
	a.closers = append(a.closers, func() error { stop(); a.comparing.Wait(); return nil })
	db := sealed.New(c.in, ring)
	a.storage.db, a.storage.index = db, db.NewIndex(a.storage.index)
	return nil
}

// rootKey is the name of the key that wraps those of mailboxes, among the secrets that the store knows. It is noted
// with the mail and not with the keys, so that a start notices when they are lost or are others.
const rootKey mailbox.SecretName = "mail keys"

// knownKeys returns what is known of the root key that mail was sealed with; nil: nothing.
func (a *App) knownKeys(ctx context.Context) (known *mailbox.KnownSecret, err error) {
	err = a.storage.db.Ask(ctx, func(r store.Reader) error {
		all, err := r.Secrets(ctx)
		for _, k := range all {
			if k.Name == rootKey {
				known = &k
			}
		}
		return err
	})
	return known, err
}

// noteKeys notes the root key. Of nodes that do so at once, all opened the same.
func (a *App) noteKeys(ctx context.Context, digest [32]byte) error {
	k := mailbox.KnownSecret{Name: rootKey, Digest: digest, MadeAt: time.Now()}
	return a.storage.db.Update(ctx, func(tx store.Tx) error { return tx.PutSecret(ctx, k) })
}

// keyTable opens the table of keys; nil: there is none, and none is needed.
func (a *App) keyTable(ctx context.Context, known bool) (seal.Table, error) {
	if a.several() {
		return a.storage.shared.Keys(ctx, a.cfg.Encryption)
	}
	path := filepath.Join(a.cfg.DataDir, datadir.Keys)
	_, err := os.Stat(path)
	_, rootErr := os.Stat(filepath.Join(a.cfg.DataDir, datadir.RootKey))
	switch {
	case errors.Is(err, fs.ErrNotExist) && (known || rootErr == nil):
		return nil, fmt.Errorf("%w: %s is not there", seal.ErrLost, path)
	case errors.Is(err, fs.ErrNotExist) && !a.cfg.Encryption:
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
	return seal.FileMaster(path, mayMake)
}
