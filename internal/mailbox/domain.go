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
}

// Status is the domain's state as the interface shows it.
func (d Domain) Status() string {
	if d.VerifiedAt.IsZero() {
		return "pending"
	}
	return "dns_verified"
}
