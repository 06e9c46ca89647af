package mailbox

import "time"

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

	Problem string // why its keys cannot be used, which the service finds and no store keeps; empty: they can
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
