package app

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"sync"

	"github.com/mailkin/mailkin/internal/acme"
	"github.com/mailkin/mailkin/internal/config"
	"github.com/mailkin/mailkin/internal/datadir"
	"github.com/mailkin/mailkin/internal/mailbox"
)

// secrets are the deployment's credentials: from the settings, or kept in the data folder and made at the first start.
type secrets struct {
	token       mailbox.Secret // the operator's
	tokenSource string
	root        mailbox.Secret                // of what is derived
	webhook     mailbox.Secret                // signs events that are posted
	files       map[mailbox.SecretName]string // where those are that the data folder keeps
}

// keptSecret is a secret that is kept in the data folder.
type keptSecret struct {
	name  mailbox.SecretName
	path  string
	value mailbox.Secret
	err   error
}

// keptSecrets lists those that the settings do not have.
func keptSecrets(cfg config.Config) (list []*keptSecret) {
	for _, k := range []*keptSecret{
		{mailbox.SecretToken, cfg.TokenFile(), cfg.AuthToken, nil},
		{mailbox.SecretRoot, cfg.SecretFile(), cfg.Secret, nil},
		{mailbox.SecretWebhook, cfg.WebhookSecretFile(), cfg.WebhookSecret, nil},
	} {
		if k.value == "" {
			list = append(list, k)
		}
	}
	return list
}

// loadSecrets finds or makes all secrets, at the first start, so that a backup of the folder has them from the
// beginning.
func loadSecrets(cfg config.Config) (secrets, error) {
	s := secrets{tokenSource: "AUTH_TOKEN", files: map[mailbox.SecretName]string{}}
	values := map[mailbox.SecretName]mailbox.Secret{mailbox.SecretToken: cfg.AuthToken, mailbox.SecretRoot: cfg.Secret,
		mailbox.SecretWebhook: cfg.WebhookSecret}
	if cfg.AuthToken == "" {
		s.tokenSource = cfg.TokenFile()
	}
	var kept sync.WaitGroup
	list := keptSecrets(cfg)
	for _, k := range list {
		kept.Go(func() { k.keep(cfg) }) // each new file waits for the disk: they wait together
	}
	kept.Wait()
	for _, k := range list {
		if k.err != nil {
			return s, k.err
		}
		values[k.name], s.files[k.name] = k.value, k.path
	}
	s.token, s.root, s.webhook = values[mailbox.SecretToken], values[mailbox.SecretRoot], values[mailbox.SecretWebhook]
	return s, nil
}

// write puts a secret that has replaced another into its file.
func (s secrets) write(name mailbox.SecretName, value mailbox.Secret) error {
	return datadir.WriteFile(s.files[name], []byte(string(value)+"\n"))
}

// read reads it; empty: there is none.
func (k *keptSecret) read(cfg config.Config) {
	k.value, k.err = datadir.Secret(k.path)
	switch {
	case errors.Is(k.err, datadir.ErrEmpty):
		k.err = &config.SettingError{Key: secretSettings[k.name], Err: k.err}
	case k.err == nil:
		k.err = cfg.CheckSecret(secretSettings[k.name], k.path, k.value)
	}
}

// keep reads it, and makes it where there is none.
func (k *keptSecret) keep(cfg config.Config) {
	if k.read(cfg); k.err != nil || k.value != "" {
		return
	}
	var random [32]byte
	_, _ = rand.Read(random[:]) // never fails since Go 1.24
	k.value = mailbox.Secret(hex.EncodeToString(random[:]))
	k.err = datadir.WriteFile(k.path, []byte(string(k.value)+"\n"))
}

// secretSettings are the settings that secrets may come from.
var secretSettings = map[mailbox.SecretName]string{mailbox.SecretToken: "auth_token", mailbox.SecretRoot: "secret",
	mailbox.SecretWebhook: "webhook_secret"}

// rootSecrets are those that certificates of all nodes may be encrypted with, the one in force first.
func (a *App) rootSecrets() (list [][]byte) {
	for _, root := range a.svc.Roots() {
		list = append(list, []byte(root))
	}
	return list
}

// reencrypt has the certificates of all nodes encrypted with the root secret in force.
func (a *App) reencrypt(ctx context.Context) error {
	if a.certs.shared == nil {
		return nil
	}
	return acme.Reencrypt(ctx, a.certs.shared)
}
