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
	Problem string // why its keys cannot be used; empty: they can
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
	Signed bool      // mail was signed with the keys in use

	NextSelector string // of the next keys; empty: there are none
	NextKeys     []byte // encrypted
	NextAt       time.Time

	Old []OldKeys // that signed mail and whose records may still be published, the last first
}

// OldKeys are keys that were replaced.
type OldKeys struct {
	Selector  string
	Until     time.Time // until when mail that was signed with them may be on its way
	Removable bool      // that is over; the service finds it
}

// maxOldKeys is how many earlier keys of a domain are remembered.
const maxOldKeys = 5

// Encode gives it as one text, for a store.
func (r KeyRotation) Encode() string { return encode(r) }

// DecodeKeyRotation reads what Encode wrote.
func DecodeKeyRotation(text string) (r KeyRotation) {
	var stored struct {
		KeyRotation
		OldSelector string // of the only earlier keys that were remembered once
		OldUntil    time.Time
	}
	if text == "" || json.Unmarshal([]byte(text), &stored) != nil {
		return KeyRotation{}
	}
	r = stored.KeyRotation
	if stored.OldSelector != "" && r.Old == nil {
		r.Old = []OldKeys{{Selector: stored.OldSelector, Until: stored.OldUntil}}
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

// Replaced returns the domain with its next keys in use. The records of those that signed stay published for a while,
// because mail in flight may need them.
func (d Domain) Replaced(now time.Time, inFlight time.Duration) Domain {
	next, old := d.KeyRotation, d.Old
	if d.Signed {
		old = append([]OldKeys{{Selector: d.Selector, Until: now.Add(inFlight)}}, old...)
		old = old[:min(len(old), maxOldKeys)]
	}
	d.Selector, d.Keys, d.DKIM = next.NextSelector, next.NextKeys, true
	d.KeyRotation = KeyRotation{MadeAt: next.NextAt, Old: old}
	return d
}

// Hosts are the names of the records of the keys.
func (k OldKeys) Hosts(domain string) []string {
	return []string{KeyHost(k.Selector, domain), KeyHost(k.Selector+"e", domain)}
}

// KeyHost is the name of a key's record (RFC 6376 3.6.2.1).
func KeyHost(selector, domain string) string { return selector + "._domainkey." + domain }
