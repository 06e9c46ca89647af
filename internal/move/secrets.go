package move

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/mailkin/mailkin/internal/acme"
	"github.com/mailkin/mailkin/internal/config"
	"github.com/mailkin/mailkin/internal/datadir"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store/postgres"
)

// Secret is a secret of the deployment that its nodes must have as well.
type Secret struct {
	Variable string
	File     string // that has it; empty: the settings of the source have it
	Same     bool   // the settings here have the same
}

// Secrets says which variables nodes need, and where their values are.
func Secrets(cfg config.Config, from string) ([]Secret, error) {
	at := config.Config{DataDir: from}
	var list []Secret
	for _, s := range []struct {
		variable, file string
		have           mailbox.Secret
	}{
		{"MAILKIN_SECRET", at.SecretFile(), cfg.Secret},
		{"AUTH_TOKEN", at.TokenFile(), cfg.AuthToken},
		{"WEBHOOK_SECRET", at.WebhookSecretFile(), cfg.WebhookSecret},
	} {
		kept, err := datadir.Secret(s.file)
		if err != nil {
			return nil, err
		}
		m := Secret{Variable: s.variable, File: s.file, Same: kept == s.have}
		if kept == "" {
			m.File, m.Same = "", false
		}
		list = append(list, m)
	}
	return list, nil
}

// CheckSecret refuses settings whose root secret is not that of the data folder: keys that are derived from it would be
// others, and what is encrypted with it lost.
func CheckSecret(cfg config.Config, from string) error {
	file := config.Config{DataDir: from}.SecretFile()
	kept, err := datadir.Secret(file)
	switch {
	case err != nil:
		return err
	case cfg.Secret == "" && kept != "":
		return fmt.Errorf("MAILKIN_SECRET is not set: nodes need the one that is in %s, such as by "+
			"MAILKIN_SECRET_FILE=%s", file, file)
	case cfg.Secret == "":
		return fmt.Errorf("MAILKIN_SECRET is not set, and %s is not there: set the one that the folder was served with",
			file)
	case kept != "" && kept != cfg.Secret:
		return fmt.Errorf("MAILKIN_SECRET is not the one in %s: keys that are derived from it would no longer work, "+
			"and domains could no longer sign", file)
	}
	return nil
}

// moveCerts copies the certificates of an authority, with their keys and the account.
func (m *move) moveCerts(ctx context.Context) error {
	to := acme.Shared(postgres.NewCerts(m.to.Pool()), func() [][]byte { return [][]byte{[]byte(m.cfg.Secret)} }, m.log)
	root := os.DirFS(m.from)
	return fs.WalkDir(root, datadir.Certificates, func(name string, e fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) && name == datadir.Certificates {
			return nil // there are none
		}
		if err != nil || !e.Type().IsRegular() || !datadir.IsCertificate(name) {
			return err
		}
		value, err := os.ReadFile(filepath.Join(m.from, name))
		if err == nil {
			err = to.Store(ctx, strings.TrimPrefix(name, datadir.Certificates+"/"), value)
		}
		if err != nil {
			return fmt.Errorf("copy a certificate: %w", err)
		}
		m.done.Certs++
		return nil
	})
}
