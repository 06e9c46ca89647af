package api

// Code is a verification code that came.
type Code struct {
	ID         string          `json:"id"` // of the message
	Code       string          `json:"code"`
	From       string          `json:"from"`
	Subject    string          `json:"subject"`
	ReceivedAt Time            `json:"received_at"`
	Links      []Link          `json:"links"`
	Candidates []CodeCandidate `json:"candidates"`         // all that could be the code, best first
	EventID    string          `json:"event_id,omitempty"` // where it was waited for after an event
}

// Waited is a message that was waited for.
type Waited struct {
	Email   *Email `json:"email"`              // nil: none came in time
	EventID string `json:"event_id,omitempty"` // where it was waited for after an event
}
