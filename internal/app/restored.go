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

	"github.com/mailkin/mailkin/internal/backup"
	"github.com/mailkin/mailkin/internal/config"
	"github.com/mailkin/mailkin/internal/datadir"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/seal"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/store/sealed"
	"github.com/mailkin/mailkin/internal/store/sqlite"
)

// CheckRestored looks in a folder that a restore has filled for the secrets and keys that a server needs there. The
// master key is in no backup: it is the one of the settings.
func CheckRestored(ctx context.Context, cfg config.Config, folder string) (found backup.Findings, err error) {
	if cfg.MasterKey == "" {
		cfg.MasterKey = filepath.Join(cfg.DataDir, datadir.MasterKey)
	}
	cfg.DataDir = folder
	snapshot, err := sqlite.OpenCopy(filepath.Join(folder, datadir.Database))
	if err != nil {
		return found, err
	}
	defer func() { err = errors.Join(err, snapshot.Close()) }()
	r := snapshot.Reader()
	known, err := r.Secrets(ctx)
	if err != nil {
		return found, err
	}
	found.Missing = missingSecrets(cfg, known)
	err = checkRestoredKeys(ctx, cfg, r, known, &found)
	for i, text := range found.Missing { // the folder is not the one that the server will have
		found.Missing[i] = strings.ReplaceAll(text, folder+string(filepath.Separator), "")
	}
	return found, err
}

// missingSecrets lists secrets that the deployment had and that are neither in its folder nor in the settings. Without
// its token it gets another one, and goes on.
func missingSecrets(cfg config.Config, known []mailbox.KnownSecret) (list []string) {
	for _, k := range keptSecrets(cfg) {
		k.read(cfg)
		had := k.name != mailbox.SecretToken && slices.ContainsFunc(known, func(one mailbox.KnownSecret) bool {
			return one.Name == k.name
		})
		switch {
		case k.err != nil:
			list = append(list, k.err.Error())
		case k.value == "" && had:
			list = append(list, fmt.Sprintf("the %s secret is neither in the file %s nor in the settings (%s)", k.name,
				k.path, secretSettings[k.name]))
		}
	}
	return list
}

// keysAgain is what helps where a repository has lost keys.
const keysAgain = "as long as the data folder has them, the next \"mailkin backup run\" puts them into the repository again"

func checkRestoredKeys(ctx context.Context, cfg config.Config, r store.Reader, known []mailbox.KnownSecret,
	found *backup.Findings) error {
	keys, root := filepath.Join(cfg.DataDir, datadir.Keys), filepath.Join(cfg.DataDir, datadir.RootKey)
	at := slices.IndexFunc(known, func(k mailbox.KnownSecret) bool { return k.Name == rootKey })
	_, err := os.Stat(keys)
	_, rootErr := os.Stat(root)
	switch err := errors.Join(err, rootErr); {
	case errors.Is(err, fs.ErrNotExist) && at < 0:
		return nil // nothing was ever sealed
	case errors.Is(err, fs.ErrNotExist):
		found.Missing = append(found.Missing, "mail is encrypted, and "+
			"the backup does not have the wrapped keys of mailboxes, or not their root key: "+keysAgain)
		return nil
	case err != nil:
		return err
	}
	table, err := seal.OpenFile(keys, root)
	if err != nil {
		return err
	}
	defer func() { _ = table.Close() }() // only read from
	options := seal.Options{Master: (&App{cfg: cfg}).master}
	if at >= 0 {
		options.Digest = known[at].Digest[:]
	}
	where := cfg.MasterKey
	if cfg.MasterKeyURL != "" {
		where = "master_key_url"
	}
	var ring *seal.Ring
	if _, absent := os.Stat(cfg.MasterKey); absent != nil && cfg.MasterKeyURL == "" {
		err = absent
	} else {
		ring, err = seal.Open(ctx, table, options)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrPermission):
		found.Unchecked = fmt.Sprintf("the master key cannot be read (%v). It was not checked whether it opens the keys of "+
			"mailboxes; the server needs it", err)
	case errors.Is(err, seal.ErrMaster), errors.Is(err, seal.ErrLost):
		found.Missing = append(found.Missing, fmt.Sprintf("%v (%s)", err, where))
	case err != nil:
		found.Unchecked = fmt.Sprintf("the master key was not to be had (%v). It was not checked whether it opens the keys "+
			"of mailboxes", err)
	}
	c, err := sealed.Compare(ctx, r, table)
	if err != nil {
		return err
	}
	none := c.Kept == 0 && len(c.Lost) > 0
	if ring != nil {
		damaged, err := unreadableKeys(ctx, r, table, ring)
		if err != nil {
			return err
		}
		c.Lost = append(c.Lost, damaged...)
	}
	switch p := lostKeys(c); {
	case none:
		found.Missing = append(found.Missing, fmt.Sprintf("the keys of all mailboxes, of which there are %d: %s",
			len(c.Lost), keysAgain))
	case p != nil:
		found.Unreadable = p.Check + ": " + p.Found
	}
	return nil
}

// unreadableKeys lists the addresses of mailboxes whose keys are there and cannot be opened.
func unreadableKeys(ctx context.Context, r store.Reader, table seal.Table, ring *seal.Ring) (list []string, err error) {
	there, _, err := table.Keys(ctx)
	for _, num := range there {
		if _, damaged := ring.HasKey(ctx, num); damaged == nil {
			continue
		} else if !errors.Is(damaged, seal.ErrLost) {
			return nil, damaged
		}
		m, err := r.Mailbox(ctx, num)
		if err == nil {
			list = append(list, m.Address)
		} else if !errors.Is(err, store.ErrNotFound) {
			return nil, err
		}
	}
	return list, err
}
