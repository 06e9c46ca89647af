package api

// Thread is a conversation as lists show it.
type Thread struct {
	ThreadID       string     `json:"thread_id"`
	LatestEmailID  string     `json:"latest_email_id"`
	Subject        string     `json:"subject"`
	FromAddress    string     `json:"from_address"`
	FromName       string     `json:"from_name"`
	ReceivedAt     Time       `json:"received_at"`
	MessageCount   int        `json:"message_count"`
	HasAttachments bool       `json:"has_attachments"`
	Code           NullString `json:"code"` // of the newest message
	Participants   []Address  `json:"participants"`
	Labels         []string   `json:"labels"`
}

// Threads is a page of conversations.
type Threads struct {
	Threads []Thread   `json:"threads"`
	Next    NullString `json:"next_cursor"`
}

// Conversation is a page of a thread's messages.
type Conversation struct {
	ThreadID string     `json:"thread_id"`
	Emails   []Email    `json:"emails"`
	Next     NullString `json:"next_cursor"`
}
