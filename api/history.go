package api

// History is everything that happened to a message, the oldest first.
type History struct {
	EmailID   string         `json:"email_id"`
	Mailbox   string         `json:"mailbox"`
	History   []HistoryEntry `json:"history"`
	Truncated bool           `json:"truncated"` // there was more: the oldest is missing
}

// HistoryEntry is one thing that happened to a message. Which members it has depends on its kind.
type HistoryEntry struct {
	At   Time   `json:"at"`
	Kind string `json:"kind"`
	Text string `json:"text"` // a sentence for people

	Actor     string `json:"actor,omitempty"`    // operator, or the id of a key
	KeyName   string `json:"key_name,omitempty"` // of the actor
	Recipient string `json:"recipient,omitempty"`
	Status    string `json:"status,omitempty"`
	Reason    string `json:"reason,omitempty"`

	// Of a delivery attempt, and of one to post to a webhook.
	Attempt    int    `json:"attempt,omitempty"`
	Code       int    `json:"code,omitempty"`
	Answer     string `json:"answer,omitempty"`
	Server     string `json:"server,omitempty"`
	TLS        string `json:"tls,omitempty"`
	Event      string `json:"event,omitempty"`
	WebhookURL string `json:"webhook_url,omitempty"`

	// Of how it came.
	RemoteAddr   string `json:"remote_addr,omitempty"`
	Helo         string `json:"helo,omitempty"`
	Protocol     string `json:"protocol,omitempty"`
	EnvelopeFrom string `json:"envelope_from,omitempty"`

	// Of the checks of its sender.
	Auth  *Authentication `json:"auth,omitempty"`
	Trust *Trust          `json:"trust,omitempty"`

	AddedLabels   []string `json:"added_labels,omitempty"`
	RemovedLabels []string `json:"removed_labels,omitempty"`
	DraftID       string   `json:"draft_id,omitempty"`
	Version       int64    `json:"version,omitempty"` // of the draft, or of the message that was decided on
	SendAt        Time     `json:"send_at,omitzero"`  // when it is to be sent
}
