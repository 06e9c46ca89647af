package api

// Review is the decision about a message that a person has to approve before it is sent. It has the message's id.
type Review struct {
	ID        string   `json:"id"`
	Status    string   `json:"status"`  // held, approved, rejected, expired or canceled
	Version   int64    `json:"version"` // one more with every edit
	Reasons   []string `json:"reasons"` // why it was held
	Reason    string   `json:"reason"`  // why it was rejected
	CreatedAt Time     `json:"created_at"`
	ExpiresAt Time     `json:"expires_at"` // when it ends without a decision
	DecidedAt Time     `json:"decided_at"` // null: nobody has decided
}

// ReviewSummary is a review as lists show it.
type ReviewSummary struct {
	Review
	Mailbox   string  `json:"mailbox"`
	DecidedBy string  `json:"decided_by"` // operator, or the id of a key
	Email     Message `json:"email"`
	SendAt    Time    `json:"send_at"` // null: when it is approved
}

// Reviews is a page of them.
type Reviews struct {
	Reviews []ReviewSummary `json:"reviews"`
	Next    NullString      `json:"next_cursor"`
}

// ReviewPage is what a person sees who has to decide: the message as its recipients would get it, and what is known of
// the one that it answers or sends on.
type ReviewPage struct {
	Review
	Mailbox   string         `json:"mailbox"`
	DecidedBy string         `json:"decided_by"`
	Email     Email          `json:"email"`
	Bodies    Bodies         `json:"bodies"`
	Answers   *AnsweredEmail `json:"answers"` // nil: there is none here
	SendAt    Time           `json:"send_at"` // null: when it is approved
}

// Bodies are the forms of a message's body. Mail programs show the HTML part.
type Bodies struct {
	Text       *string `json:"text"`        // the text part; nil: there is none
	HTMLText   *string `json:"html_text"`   // what is seen of the HTML part, as text; nil: there is none
	HiddenText string  `json:"hidden_text"` // what the HTML part says and mail programs do not show
	Differ     bool    `json:"differ"`      // the parts do not say the same
	Links      []Link  `json:"links"`       // also those that are not of the web
	MoreLinks  bool    `json:"more_links"`  // there are more
}

// AnsweredEmail is a message that one which is held answers or sends on, and how far it can be believed.
type AnsweredEmail struct {
	Message
	Auth      Authentication `json:"auth"`
	Screening *Screening     `json:"screening"` // nil: it was not screened
}

// ReviewDecision is a decision about one version of a message; 0: about whichever it has.
type ReviewDecision struct {
	Version int64  `json:"version,omitempty"`
	Reason  string `json:"reason,omitempty"` // of a rejection; the mailbox can read it
}

// Approvals are what became of messages that were to be approved at once.
type Approvals struct {
	Reviews []Approval `json:"reviews"`
}

// Approval is what became of one of them.
type Approval struct {
	ID     string `json:"id"`
	Status string `json:"status,omitempty"` // approved; empty: see Code
	Code   string `json:"code,omitempty"`   // why it is not approved
	Error  string `json:"error,omitempty"`  // the same for people
}
