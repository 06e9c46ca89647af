package app

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
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

// loadSecrets finds or makes all secrets, at the first start, so that a backup of the folder has them from the
// beginning.
func loadSecrets(cfg config.Config) (secrets, error) {
	s := secrets{token: cfg.AuthToken, tokenSource: "AUTH_TOKEN", root: cfg.Secret, webhook: cfg.WebhookSecret,
		files: map[mailbox.SecretName]string{}}
	if s.token == "" {
		s.tokenSource = cfg.TokenFile()
	}
	var kept sync.WaitGroup
	var errs [3]error
	for i, k := range []struct {
		name  mailbox.SecretName
		value *mailbox.Secret
		path  string
	}{
		{mailbox.SecretToken, &s.token, cfg.TokenFile()},
		{mailbox.SecretRoot, &s.root, cfg.SecretFile()},
		{mailbox.SecretWebhook, &s.webhook, cfg.WebhookSecretFile()},
	} {
		if *k.value == "" { // each new file waits for the disk: they wait together
			s.files[k.name] = k.path
			kept.Go(func() { *k.value, errs[i] = keepSecret(k.path) })
		}
	}
	kept.Wait()
	if err := errors.Join(errs[:]...); err != nil {
		return s, err
	}
	if len(s.token) < 16 {
		return s, &config.SettingError{Key: "auth_token", Err: fmt.Errorf("the token from %s is too short: it needs "+
			"16 characters or more", s.tokenSource)}
	}
	return s, nil
}

// write puts a secret that has replaced another into its file.
func (s secrets) write(name mailbox.SecretName, value mailbox.Secret) error {
	return datadir.WriteFile(s.files[name], []byte(string(value)+"\n"))
}

// keepSecret reads a secret from its file, and makes it where there is none.
func keepSecret(path string) (mailbox.Secret, error) {
	kept, err := datadir.Secret(path)
	if err != nil || kept != "" {
		return kept, err
	}
	var random [32]byte
	_, _ = rand.Read(random[:]) // never fails since Go 1.24
	value := hex.EncodeToString(random[:])
	return mailbox.Secret(value), datadir.WriteFile(path, []byte(value+"\n"))
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
