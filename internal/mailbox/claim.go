package mailbox

import "time"

// Claim is a request for a permanent mailbox that waits for a person's word (API 3).
type Claim struct {
	Session [32]byte // digest of the id with which the agent fetches the key
	Link    [32]byte // digest of the id in the link with which a person confirms
	Salt    [16]byte // the key is derived from it
	Name    string   // local part, empty: the temporary mailbox keeps its address
	Address string   // what the mailbox will be called
	// the temporary mailbox to be made permanent, or the one that was made; 0: a new one is to be made
	Mailbox   Num
	Client    string // address of the agent
	CreatedAt time.Time
	ExpiresAt time.Time
	DoneAt    time.Time // zero: not confirmed
}

// ID names the claim to the operator. It neither confirms it nor fetches its key.
func (c Claim) ID() ID { return ID(c.Link[:16]) }

// ClaimState is how far a claim has come.
type ClaimState string

const (
	ClaimPending  ClaimState = "pending"
	ClaimComplete ClaimState = "complete"
	ClaimExpired  ClaimState = "expired"
)

// ClaimTime is how long a claim waits to be confirmed, and how long its key can be fetched afterwards (API 3).
const ClaimTime = 10 * time.Minute

// State tells how far the claim has come.
func (c Claim) State(now time.Time) ClaimState {
	switch {
	case !c.DoneAt.IsZero() && now.Before(c.DoneAt.Add(ClaimTime)):
		return ClaimComplete
	case c.DoneAt.IsZero() && now.Before(c.ExpiresAt):
		return ClaimPending
	}
	return ClaimExpired
}

// Bootstrap is a temporary mailbox that was made with an Idempotency-Key, so that the same request finds it again.
type Bootstrap struct {
	Digest  [32]byte // of the key and the client's address
	Mailbox Num
	Salt    [16]byte // the API key is derived from it
}
