package api

// Quarantined is mail in quarantine. Its id is that of the email that it becomes, received_at is when it arrived, and
// its status is quarantined.
type Quarantined struct {
	Message
	SizeBytes int64          `json:"size_bytes"`
	Auth      Authentication `json:"auth"`
	List      string         `json:"list"`       // the one that keeps it out: receive/allow or receive/block
	ListScope string         `json:"list_scope"` // whose list it is: mailbox or deployment
	ExpiresAt Time           `json:"expires_at"` // when it is deleted
}

// Quarantine is a page of mail in quarantine.
type Quarantine struct {
	Emails []Quarantined `json:"emails"`
	Next   NullString    `json:"next_cursor"`
}

// Released is mail that was released from quarantine.
type Released struct {
	ID        string `json:"id"`
	EmailID   string `json:"email_id"` // its id in the mailbox; another one where the same mail had come already
	Mailbox   string `json:"mailbox"`
	Status    string `json:"status"`    // released
	Duplicate bool   `json:"duplicate"` // the same mail was in the mailbox already: it came another way, too
}
