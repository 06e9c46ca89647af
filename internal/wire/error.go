package wire

// Error is what a caller is told when a request fails (API 1).
type Error struct {
	Error     string   `json:"error"`
	Code      string   `json:"code"`
	Field     string   `json:"field,omitempty"`
	Upgrade   *Upgrade `json:"upgrade,omitempty"`
	Limit     *int64   `json:"limit,omitempty"`
	Used      *int64   `json:"used,omitempty"`
	ResetsAt  Time     `json:"resets_at,omitzero"`
	RequestID string   `json:"request_id,omitempty"`
}

// The bodies that SPEC 7 gives whole. They are exact: nothing may be added.
const (
	Unauthorized  = `{"error":"Unauthorized"}`
	Forbidden     = `{"error":"forbidden","message":"Key not authorized for this mailbox"}`
	MailboxPaused = `{"error":"Mailbox is paused"}`
)
