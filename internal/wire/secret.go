package wire

import (
	"time"

	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/internal/mailbox"
)

// SecretOverlap is what still holds of a secret that was replaced.
type SecretOverlap struct {
	Until       time.Time
	Overdue     bool
	SettingsOld bool
}

// NewSecret returns a secret of the deployment, without what it is.
func NewSecret(name mailbox.SecretName, inFile bool, made time.Time, o SecretOverlap) api.Secret {
	source := "settings"
	switch {
	case name == mailbox.SecretHooks:
		source = "database"
	case inFile:
		source = "file"
	}
	return api.Secret{Name: string(name), Source: source, CreatedAt: at(made), PreviousUntil: at(o.Until),
		Overdue: o.Overdue, SettingsOld: o.SettingsOld}
}

// NewWebhookSecret returns what a mailbox's owner verifies its events with.
func NewWebhookSecret(value mailbox.Secret, previousUntil time.Time) api.WebhookSecret {
	return api.WebhookSecret{Secret: string(value), PreviousUntil: at(previousUntil)}
}
