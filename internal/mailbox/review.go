package mailbox

import (
	"slices"
	"time"
)

// SendPolicy is which of a mailbox's messages a person has to approve before they are sent.
type SendPolicy string

const (
	SendOpen      SendPolicy = "open"           // none; also the empty one
	ReviewAll     SendPolicy = "review_all"     // all
	ReviewNew     SendPolicy = "review_new"     // those to an address that never wrote here, nor was approved
	ReviewOutside SendPolicy = "review_outside" // those to an address outside of the list that sending is allowed to
)

// Known tells whether there is such a policy.
func (p SendPolicy) Known() bool {
	return slices.Contains([]SendPolicy{SendOpen, ReviewAll, ReviewNew, ReviewOutside}, p)
}

// Effective returns the policy in force; one that was never set is open.
func (p SendPolicy) Effective() SendPolicy {
	if p == "" {
		return SendOpen
	}
	return p
}

// ReviewStatus is what was decided about a message that needs approval.
type ReviewStatus string

const (
	ReviewHeld     ReviewStatus = "held" // nothing yet
	ReviewApproved ReviewStatus = "approved"
	ReviewRejected ReviewStatus = "rejected"
	ReviewExpired  ReviewStatus = "expired"  // nobody decided in time
	ReviewCanceled ReviewStatus = "canceled" // it was called back before anybody decided
)

// Known tells whether there is such a status.
func (s ReviewStatus) Known() bool {
	return slices.Contains([]ReviewStatus{ReviewHeld, ReviewApproved, ReviewRejected, ReviewExpired, ReviewCanceled}, s)
}

// Review is the decision about a message that a person has to approve before it is sent. It has the message's id: a
// message is decided on once.
type Review struct {
	Number    int64 // its place in the list of all
	Mailbox   Num
	Message   ID
	Version   int64 // one more with every edit of the message
	About     ID    // the message that it answers or sends on; zero: none that is known
	Status    ReviewStatus
	Reasons   []string // why it was held, for people
	Note      string   // what the one who decided says about it
	By        string   // who decided, as the audit log has it
	CreatedAt time.Time
	ExpiresAt time.Time
	DecidedAt time.Time
	Unnoticed bool // the reviewers have not been told by mail yet
	Due       bool // it was held only when it was due; it was reported as sent and counted before
}

// MaxReviewers is how many addresses a mailbox can have that are told of messages which wait for a decision.
const MaxReviewers = 10
