package mailbox

import "time"

// SecretName names a secret of the deployment.
type SecretName string

const (
	SecretToken   SecretName = "token"   // the operator's
	SecretRoot    SecretName = "root"    // of what is derived, and of what lies encrypted in the store
	SecretWebhook SecretName = "webhook" // signs events that are posted (SPEC 6.1)
	// SecretHooks is what the secrets of mailboxes' webhooks are derived from. Only the store has it, encrypted.
	SecretHooks SecretName = "mailbox-webhooks"
)

// SecretNames lists them, in the order in which they are shown.
func SecretNames() []SecretName {
	return []SecretName{SecretToken, SecretRoot, SecretWebhook, SecretHooks}
}

// KnownSecret is what the store knows of a secret of the deployment. There is one row for each that is or was in use,
// so that one that was replaced is not taken again after a restart with old settings.
type KnownSecret struct {
	Name   SecretName
	Digest [32]byte
	MadeAt time.Time // when it was made, or first seen in the settings
	EndsAt time.Time // until when it is taken; zero: it is in force
	Sealed []byte    // the secret, encrypted, while one takes the place of another; empty: it is not kept
}

// InForce tells whether it is the one that is used for what is made now.
func (k KnownSecret) InForce() bool { return k.EndsAt.IsZero() }

// Taken tells whether what was made with it counts at a time.
func (k KnownSecret) Taken(at time.Time) bool { return k.InForce() || at.Before(k.EndsAt) }
