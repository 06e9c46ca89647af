package mailbox

import (
	"encoding/json"
	"strconv"
	"time"
)

// Profile is what a mailbox's owner says about it. Nothing is decided by it.
type Profile struct {
	DisplayName string         // the name in From; empty: none
	Metadata    map[string]any // strings, numbers and truths
	ClientID    string         // the name under which its maker asks for it again; empty: none
	Maker       Num            // the mailbox of the key that it was made with; 0: the operator
	UpdatedAt   time.Time      // when something of this was changed; zero: never
	// Webhook is nothing that the owner says: it is how often the secret of the mailbox's webhook was replaced.
	Webhook SecretTurns
}

// SecretTurns is how often a webhook's secret was replaced, and until when the one before signs too.
type SecretTurns struct {
	Rotations int
	OldUntil  time.Time
}

// Client is the maker's name for the mailbox together with the maker, for whom it is unique; empty: it has none.
func (p Profile) Client() string {
	if p.ClientID == "" {
		return ""
	}
	return strconv.FormatInt(int64(p.Maker), 10) + " " + p.ClientID
}

// Encode gives it as one text, for a store. The zero value is empty.
func (p Profile) Encode() string {
	if len(p.Metadata) == 0 {
		p.Metadata = nil
	}
	return encode(p)
}

// DecodeProfile reads what Encode wrote.
func DecodeProfile(text string) (p Profile) {
	_ = json.Unmarshal([]byte(text), &p) // what cannot be read was not said
	return p
}

// Profile is what its owner says about the mailbox.
func (m Mailbox) Profile() Profile {
	return valueOf(m.About)
}

// SetProfile says something about the mailbox.
func (m *Mailbox) SetProfile(p Profile) {
	if m.About = &p; p.Encode() == "" {
		m.About = nil
	}
}
