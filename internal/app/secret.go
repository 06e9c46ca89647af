package app

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/mailkin/mailkin/internal/config"
	"github.com/mailkin/mailkin/internal/mailbox"
)

// secrets are the deployment's credentials: from the settings, or kept in the data folder and made at the first start.
type secrets struct {
	token       mailbox.Secret // the operator's
	tokenSource string
	root        mailbox.Secret // of what is derived
	webhook     mailbox.Secret // signs events that are posted
}

// loadSecrets finds or makes all secrets, at the first start, so that a backup of the folder has them from the beginning.
func loadSecrets(cfg config.Config) (secrets, error) {
	s := secrets{token: cfg.AuthToken, tokenSource: "AUTH_TOKEN", root: cfg.Secret, webhook: cfg.WebhookSecret}
	var err error
	if s.token == "" {
		s.tokenSource = cfg.TokenFile()
		if s.token, err = keepSecret(cfg.TokenFile()); err != nil {
			return s, err
		}
	}
	if len(s.token) < 16 {
		return s, fmt.Errorf("the operator token from %s is too short: it needs 16 characters or more", s.tokenSource)
	}
	if s.root == "" {
		if s.root, err = keepSecret(cfg.SecretFile()); err != nil {
			return s, err
		}
	}
	if s.webhook == "" {
		if s.webhook, err = keepSecret(cfg.WebhookSecretFile()); err != nil {
			return s, err
		}
	}
	return s, nil
}

// keepSecret reads a secret from its file, and makes it where there is none.
func keepSecret(path string) (mailbox.Secret, error) {
	b, err := os.ReadFile(path)
	if err == nil && len(bytes.TrimSpace(b)) > 0 {
		return mailbox.Secret(bytes.TrimSpace(b)), nil
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	var random [32]byte
	_, _ = rand.Read(random[:]) // never fails since Go 1.24
	value := hex.EncodeToString(random[:])
	return mailbox.Secret(value), writeFile(path, []byte(value+"\n"))
}

// writeFile puts a file in place whole and synced, or not at all.
func writeFile(path string, b []byte) error {
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
