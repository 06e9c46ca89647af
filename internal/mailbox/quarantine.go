package mailbox

import "time"

// ReceiveAction is what is done with mail that the receiving lists do not let in.
type ReceiveAction string

const (
	RefuseMail     ReceiveAction = "refuse"     // in the SMTP session
	QuarantineMail ReceiveAction = "quarantine" // it is kept apart from the mailbox, until a person releases it
)

// ReceiveActions are all of them.
func ReceiveActions() []ReceiveAction { return []ReceiveAction{RefuseMail, QuarantineMail} }

// Refusal is which list keeps mail out. The zero value is none.
type Refusal struct {
	List       List
	Deployment bool // it is the deployment's, and not the mailbox's
}

// Quarantined is mail in quarantine as people see it. ReceivedAt is when it arrived.
type Quarantined struct {
	Message
	Address   string // of its mailbox
	Refusal   Refusal
	ExpiresAt time.Time
}
