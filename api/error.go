package api

// Error is what a caller is told when a request fails.
type Error struct {
	Error     string   `json:"error"` // a sentence for people
	Code      string   `json:"code"`  // a word for programs, such as daily_send_limit
	Field     string   `json:"field,omitempty"`
	Upgrade   *Upgrade `json:"upgrade,omitempty"`
	Limit     *int64   `json:"limit,omitempty"`
	Used      *int64   `json:"used,omitempty"`
	ResetsAt  Time     `json:"resets_at,omitzero"`
	Version   *int64   `json:"version,omitempty"` // of a draft that was changed meanwhile
	RequestID string   `json:"request_id,omitempty"`
}

// Done is the answer to a request that has nothing else to tell.
type Done struct {
	OK bool `json:"ok"`
}

// Deleted is the answer to deleting something by its name or its id.
type Deleted struct {
	OK      bool   `json:"ok"`
	Deleted string `json:"deleted"`
}
