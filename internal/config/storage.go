package config

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/url"
	"strings"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// databaseURL is where PostgreSQL is. It may hold a password, and no error repeats it.
type databaseURL struct{ to *Database }

func (d databaseURL) Set(s string) error {
	if s != "" {
		u, err := url.Parse(s)
		if err != nil || u.Scheme != "postgres" && u.Scheme != "postgresql" {
			return errors.New("it is not postgres://user:password@host:5432/database")
		}
		if strings.Trim(u.Path, "/") == "" {
			return errors.New("it names no database: postgres://user:password@host:5432/database")
		}
	}
	d.to.URL = mailbox.Secret(s)
	return nil
}

func (d databaseURL) String() string { return secret{to: &d.to.URL}.String() }

// blobURL is where the bucket for large messages is. It may hold a key.
type blobURL struct{ to *mailbox.Secret }

func (b blobURL) Set(s string) error {
	if s != "" {
		u, err := url.Parse(s)
		if err != nil || u.Scheme != "s3" || u.Host == "" {
			return errors.New("it is not s3://key:secret@bucket?endpoint=https://host&region=name")
		}
	}
	*b.to = mailbox.Secret(s)
	return nil
}

func (b blobURL) String() string { return secret{to: b.to}.String() }

// several checks that there are the secrets that several nodes share. That of webhooks can be made from another.
func (c *Config) several() (string, error) {
	switch {
	case c.Database.URL == "":
		return "", nil
	case c.Secret == "":
		return "secret", errors.New("with PostgreSQL all nodes must share it: set MAILKIN_SECRET to the same 32 " +
			"characters or more on each, such as from \"openssl rand -hex 32\"")
	case c.AuthToken == "":
		return "auth_token", errors.New("with PostgreSQL all nodes must share it: set AUTH_TOKEN to the same 16 " +
			"characters or more on each")
	}
	if c.WebhookSecret == "" {
		mac := hmac.New(sha256.New, []byte(c.Secret))
		mac.Write([]byte("webhook secret of the deployment"))
		c.WebhookSecret = mailbox.Secret(hex.EncodeToString(mac.Sum(nil)))
	}
	return "", nil
}
