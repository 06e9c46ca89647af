package wire

import (
	"strings"

	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/internal/mailbox"
)

func newCandidate(c mailbox.CodeCandidate) api.CodeCandidate {
	return api.CodeCandidate{Code: c.Code, Score: c.Score, Reason: strings.Join(c.Why, "; "), Confidence: c.Score,
		Why: listed(c.Why)}
}

// NoCode is the answer when none came in time.
const NoCode = `{"code":null}`

// NewCode returns the code of a message.
func NewCode(m mailbox.Message, d mailbox.Detail) api.Code {
	return api.Code{
		ID: m.ID.String(), Code: m.Code, From: m.From.Address, Subject: m.Subject,
		ReceivedAt: at(m.ReceivedAt), Links: NewLinks(d.Links), Candidates: each(d.CodeCandidates, newCandidate),
	}
}
