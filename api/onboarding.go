package api

// Bootstrapped is a temporary mailbox with its key.
type Bootstrapped struct {
	Mailbox      string   `json:"mailbox"`
	APIKey       string   `json:"api_key"`
	Scope        string   `json:"scope"`
	ExpiresAt    Time     `json:"expires_at"`
	Replayed     bool     `json:"replayed"` // there was one under this Idempotency-Key
	Capabilities []string `json:"capabilities"`
	Upgrade      Upgrade  `json:"upgrade"`
	EventID      string   `json:"event_id"` // of its newest event: wait after it for what comes from now on
}

// Upgrade says how a temporary mailbox becomes a permanent one.
type Upgrade struct {
	Command string `json:"command"`
	URL     string `json:"url"` // a page for people
}

// StartedClaim is a claim that waits for a person.
type StartedClaim struct {
	SessionID string `json:"session_id"`
	Name      string `json:"name"`
	Mailbox   string `json:"mailbox"` // that it will be
	URL       string `json:"url"`     // of the page on which the person confirms
	ExpiresIn int    `json:"expires_in"`
}

// Claim is how far a claim has come: pending, complete or expired. When it is complete, it has the mailbox and its key.
type Claim struct {
	Status  string `json:"status"`
	Mailbox string `json:"mailbox,omitempty"`
	APIKey  string `json:"api_key,omitempty"`
}

// ConfirmedClaim is a claim that was confirmed.
type ConfirmedClaim struct {
	Status  string `json:"status"`
	Mailbox string `json:"mailbox"`
	Already bool   `json:"already_confirmed"`
	APIKey  string `json:"api_key,omitempty"` // only where anyone may confirm, to the session that began the claim
}

// PendingClaim is a claim that waits for a person, as the operator sees it.
type PendingClaim struct {
	ID        string     `json:"id"`        // it neither confirms the claim by itself nor fetches its key
	Mailbox   string     `json:"mailbox"`   // that it will be
	Temporary NullString `json:"temporary"` // address of the mailbox that is to be kept; null: a new one is made
	Client    string     `json:"client"`    // address that it was started from
	CreatedAt Time       `json:"created_at"`
	ExpiresAt Time       `json:"expires_at"`
	RetiredAt Time       `json:"retired_at"` // when a mailbox of this address was deleted; null: never, or long ago
	Barred    bool       `json:"barred"`     // and therefore nobody can confirm it
}

// PendingClaims are the claims that wait, newest first.
type PendingClaims struct {
	Claims []PendingClaim `json:"claims"`
}

// The states of a claim.
const (
	ClaimPending  = "pending"
	ClaimComplete = "complete"
	ClaimExpired  = "expired"
)
