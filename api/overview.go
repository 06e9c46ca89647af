package api

// Overview is how much mail all mailboxes have of the last hours or days, and which of them need somebody's eye.
type Overview struct {
	Each           string         `json:"each"`     // hour or day
	Volume         []OverviewSpan `json:"volume"`   // the oldest first
	Complete       bool           `json:"complete"` // all messages of this time were counted
	Mailboxes      int            `json:"mailboxes"`
	Paused         int            `json:"paused"`
	SendingPaused  []string       `json:"sending_paused"`  // mailboxes that the brakes have stopped, some of them
	FailedWebhooks []string       `json:"failed_webhooks"` // mailboxes with a failed webhook, some of them
}

// OverviewSpan is what is stored of an hour or a day.
type OverviewSpan struct {
	At       Time             `json:"at"` // its beginning
	Received int64            `json:"received"`
	Sent     int64            `json:"sent"`
	Bytes    int64            `json:"bytes"`
	Outcomes map[string]int64 `json:"outcomes"` // of those sent: how many have which status
}
