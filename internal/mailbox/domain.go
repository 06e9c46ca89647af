package mailbox

import (
	"encoding/json"
	"time"
)

// Domain is a domain that a mailbox's owner brought: when its records are published, mail for it is taken here and mail
// from it is signed with its keys (API 10).
type Domain struct {
	ID       ID
	Mailbox  Num
	Name     string // ASCII form, lower case
	Token    string // proves who owns it
	Selector string // of the RSA key; the Ed25519 key's has a letter more
	Keys     []byte // private keys, encrypted

	MX, SPF, DKIM, DMARC, Owned bool // as last looked up

	CreatedAt  time.Time
	VerifiedAt time.Time // zero: never
	LapsedAt   time.Time // when the record that shows who owns it was found to be gone; zero: it is there

	KeyRotation

	// What the service finds and no store keeps:
	Problem      string // why its keys cannot be used; empty: they can
	OldRemovable bool   // the records of the earlier keys can be removed
}

// LapseTime is how long mail for a lapsed domain is put off, so that its owner can publish the record again. After it
// mail is refused.
const LapseTime = 7 * 24 * time.Hour

// InUse tells whether the domain is served.
func (d Domain) InUse() bool { return !d.VerifiedAt.IsZero() && d.LapsedAt.IsZero() }

// Status is the domain's state as the interface shows it.
func (d Domain) Status() string {
	switch {
	case d.VerifiedAt.IsZero():
		return "pending"
	case !d.LapsedAt.IsZero():
		return "lapsed"
	}
	return "dns_verified"
}

// KeyRotation is how a domain comes to new keys. New ones are made beside those in use and take their place when their
// records are published. The records of the earlier ones stay until mail that was signed with them has arrived.
type KeyRotation struct {
	MadeAt time.Time // when the keys in use were made; zero: when the domain was added

	NextSelector string // of the next keys; empty: there are none
	NextKeys     []byte // encrypted
	NextAt       time.Time

	OldSelector string    // of the earlier keys, whose records are still published; empty: there are none
	OldUntil    time.Time // until when they are published
}

// Encode gives it as one text, for a store.
func (r KeyRotation) Encode() string { return encode(r) }

// DecodeKeyRotation reads what Encode wrote.
func DecodeKeyRotation(text string) (r KeyRotation) {
	if text != "" && json.Unmarshal([]byte(text), &r) != nil {
		return KeyRotation{}
	}
	return r
}

// KeysMadeAt is when the keys in use were made.
func (d Domain) KeysMadeAt() time.Time {
	if d.MadeAt.IsZero() {
		return d.CreatedAt
	}
	return d.MadeAt
}

// Replaced returns the domain with its next keys in use. The records of the earlier ones stay published for a while,
// because mail in flight may need them.
func (d Domain) Replaced(now time.Time, inFlight time.Duration) Domain {
	was, next := d.Selector, d.KeyRotation
	d.Selector, d.Keys, d.DKIM = next.NextSelector, next.NextKeys, true
	d.KeyRotation = KeyRotation{MadeAt: next.NextAt, OldSelector: was, OldUntil: now.Add(inFlight)}
	return d
}

// OldKeyHosts are the names of the records of the earlier keys.
func (d Domain) OldKeyHosts() []string {
	return []string{KeyHost(d.OldSelector, d.Name), KeyHost(d.OldSelector+"e", d.Name)}
}

// KeyHost is the name of a key's record (RFC 6376 3.6.2.1).
func KeyHost(selector, domain string) string { return selector + "._domainkey." + domain }
