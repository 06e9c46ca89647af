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
	Undelivered    []string       `json:"undelivered"`     // mailboxes with mail that was not delivered, some of them
}

// OverviewSpan is what is stored of an hour or a day.
type OverviewSpan struct {
	At       Time             `json:"at"` // its beginning
	Received int64            `json:"received"`
	Sent     int64            `json:"sent"`
	Bytes    int64            `json:"bytes"`
	Outcomes map[string]int64 `json:"outcomes"` // of those sent: how many have which status
}

// Screenings is what screening found in the mail that all mailboxes received in the last hours or days.
type Screenings struct {
	Each      string            `json:"each"`      // hour or day
	Volume    []ScreenedSpan    `json:"volume"`    // the oldest first
	Mailboxes []ScreenedMailbox `json:"mailboxes"` // with mail that is not clean, the most dangerous first, some of them
	Complete  bool              `json:"complete"`  // all messages of this time were looked at
	More      bool              `json:"more"`      // another request reads more of them
}

// ScreenedSpan counts what was received in an hour or a day.
type ScreenedSpan struct {
	At        Time  `json:"at"` // its beginning
	Clean     int64 `json:"clean"`
	Flagged   int64 `json:"flagged"`
	Dangerous int64 `json:"dangerous"`
	Unknown   int64 `json:"unknown"` // not screened yet, or too large for it
}

// ScreenedMailbox counts what a mailbox received.
type ScreenedMailbox struct {
	Mailbox   string `json:"mailbox"`
	Clean     int64  `json:"clean"`
	Flagged   int64  `json:"flagged"`
	Dangerous int64  `json:"dangerous"`
	Unknown   int64  `json:"unknown"` // not screened yet, or too large for it
}

// Nodes are the processes that work on the store.
type Nodes struct {
	Nodes []Node `json:"nodes"` // that which answers comes first
}

// Node is one of them.
type Node struct {
	Name      string `json:"name"`
	Version   string `json:"version"`
	StartedAt Time   `json:"started_at"`
	SeenAt    Time   `json:"seen_at"` // when it last said that it is there
	Here      bool   `json:"here"`    // it is the one that answers
	Status    string `json:"status"`  // running or silent
}
