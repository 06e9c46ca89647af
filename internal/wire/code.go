package wire

import "github.com/mailkin/mailkin/internal/mailbox"

// Candidate is something that could be a message's verification code.
type Candidate struct {
	Code   string  `json:"code"`
	Score  float64 `json:"score"`
	Reason string  `json:"reason"`
}

func newCandidate(c mailbox.CodeCandidate) Candidate {
	return Candidate{Code: c.Code, Score: c.Score, Reason: c.Reason}
}

// Code is a verification code that was waited for (API 6).
type Code struct {
	ID         ID     `json:"id"`
	Code       string `json:"code"`
	From       string `json:"from"`
	Subject    string `json:"subject"`
	ReceivedAt Time   `json:"received_at"`
	Links      []Link `json:"links"`
}

// NoCode is the answer when none came in time.
const NoCode = `{"code":null}`

// NewCode gives the code of a message.
func NewCode(m mailbox.Message, d mailbox.Detail) Code {
	return Code{
		ID: ID(m.ID), Code: m.Code, From: m.From.Address, Subject: m.Subject,
		ReceivedAt: Time(m.ReceivedAt), Links: links(d.Links),
	}
}

// Waited is a message that was waited for.
type Waited struct {
	Email *Email `json:"email"` // null: none came in time
}
