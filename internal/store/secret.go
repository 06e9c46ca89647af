package store

import (
	"context"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// SecretReader tells which secrets the deployment has.
type SecretReader interface {
	// Secrets lists all that are or were in use, by name, oldest first. In an Update nobody else changes them until it
	// ends.
	Secrets(ctx context.Context) ([]mailbox.KnownSecret, error)
}

// SecretWriter notes what becomes of them.
type SecretWriter interface {
	// PutSecret stores a secret in place of what was known of it by its name and digest.
	PutSecret(ctx context.Context, k mailbox.KnownSecret) error
}
