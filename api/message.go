package api

// Message is a message as lists show it.
type Message struct {
	ID              string     `json:"id"`
	Mailbox         string     `json:"mailbox"`
	FromAddress     string     `json:"from_address"`
	FromName        string     `json:"from_name"`
	ToAddress       string     `json:"to_address"`
	Subject         string     `json:"subject"`
	Snippet         string     `json:"snippet"`
	Code            NullString `json:"code"`      // the verification code in it
	Direction       string     `json:"direction"` // inbound or outbound
	Status          string     `json:"status"`    // received; sent mail: queued, sent, delivered, …
	ReceivedAt      Time       `json:"received_at"`
	HasAttachments  bool       `json:"has_attachments"`
	AttachmentCount int        `json:"attachment_count"`
	MessageID       string     `json:"message_id"`
	ThreadID        string     `json:"thread_id"`
	Labels          []string   `json:"labels"`
	Seen            bool       `json:"seen"`
	Trust           Trust      `json:"trust"`

	ScreeningVerdict string `json:"screening_verdict,omitempty"` // of a list that was asked for it: clean, flagged or dangerous
}

// Trust is how far the sender can be believed, and why.
type Trust struct {
	Level   string   `json:"level"` // verified, unverified or suspicious
	Reasons []string `json:"reasons"`
}

// Inbox is a page of messages.
type Inbox struct {
	Emails     []Message  `json:"emails"`
	SearchMode string     `json:"search_mode"`
	Next       NullString `json:"next_cursor"`
}

// Found is a message that was found, with how well it fits and why.
type Found struct {
	Message
	Score      float64     `json:"score"`
	Highlights []Highlight `json:"highlights"`
}

// Highlight is a piece of a message's text, with where in it stands what was searched for: from and to which character
// (not byte).
type Highlight struct {
	Field string   `json:"field"`
	Text  string   `json:"text"`
	Spans [][2]int `json:"spans"`
}

// SearchResult is a page of what was found.
type SearchResult struct {
	Emails     []Found    `json:"emails"`
	SearchMode string     `json:"search_mode"`
	Vectors    string     `json:"vectors,omitempty"` // "partial": not all messages can be found by their meaning yet
	Next       NullString `json:"next_cursor"`
}

// Exported is a line of the index in a zip of GET /v1/export: a message, and where it is. The last line has Next alone
// where there are more messages than the zip has.
type Exported struct {
	File      string `json:"file"`
	Cursor    string `json:"cursor"` // to go on after this message
	SizeBytes int64  `json:"size_bytes"`
	Message
	Next string `json:"next,omitempty"`
}
