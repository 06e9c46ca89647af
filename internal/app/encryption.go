package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
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
	options := seal.Options{Master: a.master, On: a.cfg.Encryption}
	if known != nil {
		options.Digest = known.Digest[:]
	}
	ring, err := seal.Open(ctx, table, options)
	if err != nil || ring == nil {
		return errors.Join(err, table.Close())
	}
	a.closers = append(a.closers, ring.Close)
	if err := noKeys(ctx, a.storage.db, ring); err != nil {
		return err
	}
	if known == nil {
		if err := a.noteKeys(ctx, ring.Digest()); err != nil {
			return err
		}
	}
	if a.cfg.Backup.To != "" && !a.several() {
		wiper := backup.NewWiper(a.cfg, a.log)
		ring.Shredded = wiper.Wipe
		a.closers = append(a.closers, wiper.Close)
		wiper.Resume()
	}
	switch b := a.storage.blobs.(type) {
	case *blob.Dir:
		b.Seals = sealed.Blobs{Ring: ring}
	case *blob.Bucket:
		b.Seals = sealed.Blobs{Ring: ring}
	}
	ctx, stop := context.WithCancel(context.WithoutCancel(ctx))
	in := a.storage.db
	a.comparing.Go(func() { a.compareKeys(ctx, in, ring) })
	a.closers = append(a.closers, func() error { stop(); a.comparing.Wait(); return nil })
	db := sealed.New(in, ring)
	a.storage.db, a.storage.index = db, db.NewIndex(a.storage.index)
	return nil
}

// noKeys refuses a start without a single key where there is mail that was sealed with one.
func noKeys(ctx context.Context, in store.Store, keys sealed.Keys) error {
	there, destroyed, err := keys.Keys(ctx)
	if err != nil || len(there)+len(destroyed) > 0 {
		return err
	}
	return in.View(ctx, func(r store.Reader) error {
		c, err := sealed.Compare(ctx, r, keys)
		if err == nil && len(c.Lost) > 0 {
			err = fmt.Errorf("%w: those of all mailboxes, %d of them with mail", seal.ErrLost, len(c.Lost))
		}
		return err
	})
}

// keyTime is for how long at most another node makes a mailbox whose key is there already.
const keyTime = time.Minute

// compareKeys compares keys and mailboxes after a start. Keys of mailboxes that were deleted come back with an old copy
// of the keys: they are destroyed again.
func (a *App) compareKeys(ctx context.Context, in store.Store, ring *seal.Ring) {
	var c sealed.Compared
	err := in.View(ctx, func(r store.Reader) (err error) {
		c, err = sealed.Compare(ctx, r, ring)
		return err
	})
	if p := lostKeys(c.Lost); p != nil && err == nil {
		a.log.Error(p.Check+": "+p.Found, "next", p.Next)
		a.lostKeys.Store(p)
	}
	if a.several() && len(c.Left) > 0 {
		select {
		case <-time.After(keyTime):
		case <-ctx.Done():
			return
		}
	}
	destroyed := 0
	for _, num := range c.Left {
		if err != nil {
			break
		}
		err = in.Update(ctx, func(tx store.Tx) error { // none is being made meanwhile
			if _, err := tx.Mailbox(ctx, num); !errors.Is(err, store.ErrNotFound) {
				return err
			}
			destroyed++
			return ring.Shred(ctx, num)
		})
	}
	if destroyed > 0 {
		a.log.Warn("keys of deleted mailboxes were there again, and are destroyed", "mailboxes", destroyed)
	}
	if err != nil && ctx.Err() == nil {
		a.log.Error("the keys of mailboxes could not be compared with the mailboxes", "error", err)
	}
}

// lostKeys is what is wrong where mailboxes have no key; nil: nothing.
func lostKeys(addresses []string) *service.Problem {
	const most = 10
	if len(addresses) == 0 {
		return nil
	}
	return &service.Problem{Check: "keys of mailboxes", Severe: true, Found: fmt.Sprintf("%d are lost: mail for these "+
		"mailboxes is put off, and what they have cannot be read: %s", len(addresses),
		strings.Join(addresses[:min(len(addresses), most)], ", ")),
		Next: "Stop the server and put the keys back: a restore of the newest backup into another folder has them."}
}

// storedKeys looks for lost keys of a deployment that does not run.
func storedKeys(ctx context.Context, cfg config.Config, r store.Reader) (*service.Problem, error) {
	all, err := r.Secrets(ctx)
	if err != nil || !slices.ContainsFunc(all, func(k mailbox.KnownSecret) bool { return k.Name == rootKey }) {
		return nil, err // nothing was ever sealed
	}
	keys, root := filepath.Join(cfg.DataDir, datadir.Keys), filepath.Join(cfg.DataDir, datadir.RootKey)
	for _, path := range []string{keys, root} {
		if _, err := os.Stat(path); err != nil {
			p := lostKeys([]string{"all"})
			p.Found = "the server does not start without them: " + err.Error()
			return p, nil
		}
	}
	table, err := seal.OpenFile(keys, root)
	if err != nil {
		return nil, err
	}
	c, err := sealed.Compare(ctx, r, table)
	return lostKeys(c.Lost), errors.Join(err, table.Close())
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
