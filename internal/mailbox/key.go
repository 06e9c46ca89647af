package mailbox

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"log/slog"
	"strings"
	"time"
)

// Secret is a credential as the caller sends it. It never prints itself.
type Secret string

// Bearer reads the key in the values of an HTTP header Authorization, empty if there is none.
func Bearer(values []string) Secret {
	if len(values) != 1 {
		return ""
	}
	scheme, token, _ := strings.Cut(values[0], " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return Secret(strings.TrimSpace(token))
}

const (
	keyPrefix = "mk_"
	keyLength = 67 // SPEC 2.1
)

// NewSecret makes an API key: mk_ and 64 hexadecimal characters.
func NewSecret() Secret {
	var b [32]byte
	_, _ = rand.Read(b[:]) // never fails since Go 1.24
	return SecretOf(b)
}

// SecretOf is the API key that these bytes are.
func SecretOf(b [32]byte) Secret { return Secret(keyPrefix + hex.EncodeToString(b[:])) }

// WellFormed tells whether s can be an API key at all.
func (s Secret) WellFormed() bool {
	if len(s) != keyLength || s[:3] != keyPrefix {
		return false
	}
	for i := 3; i < len(s); i++ {
		c := s[i]
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}

// Digest is all that is stored of a key.
func (s Secret) Digest() [32]byte { return sha256.Sum256([]byte(s)) }

// Hint is enough of a key for people to tell their keys apart, and for nothing else.
func (s Secret) Hint() string {
	if len(s) < 16 {
		return "…"
	}
	return string(s[:7]) + "…"
}

func (s Secret) String() string       { return s.Hint() }
func (s Secret) GoString() string     { return s.Hint() }
func (s Secret) LogValue() slog.Value { return slog.StringValue(s.Hint()) }

// Key is what the deployment knows of an API key.
type Key struct {
	ID         ID
	Mailbox    Num
	Scope      Scope
	Digest     [32]byte
	Hint       string
	CreatedAt  time.Time
	ExpiresAt  time.Time // zero: until revoked
	LastUsedAt time.Time // zero: never; stored to the minute

	Bound *Restriction // nil: no restriction; a pointer, because each request copies its key several times
}

// Expired tells whether the key's time is over.
func (k Key) Expired(now time.Time) bool { return !k.ExpiresAt.IsZero() && !now.Before(k.ExpiresAt) }

// Retired tells whether the key was replaced by another one and ends soon.
func (k Key) Retired() bool {
	return !k.ExpiresAt.IsZero() && !k.ExpiresAt.Equal(k.Restriction().ExpiresAt)
}

// Restriction is what the key is bound to.
func (k Key) Restriction() Restriction {
	return valueOf(k.Bound)
}

// Bind binds the key.
func (k *Key) Bind(r Restriction) {
	if k.Bound = &r; r.Encode() == "" {
		k.Bound = nil
	}
}
