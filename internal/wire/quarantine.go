package wire

import (
	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/internal/mailbox"
)

// NewQuarantined returns mail in quarantine.
func NewQuarantined(m mailbox.Quarantined) api.Quarantined {
	out := api.Quarantined{Message: NewMessage(m.Message, m.Address), SizeBytes: m.Size,
		Auth: newAuthentication(m.Verdict.Auth), List: string(m.Refusal.List), ListScope: "mailbox",
		ExpiresAt: at(m.ExpiresAt)}
	out.Status = "quarantined"
	if m.Refusal.Deployment {
		out.ListScope = "deployment"
	}
	return out
}

// NewQuarantine returns a page of mail in quarantine and where it goes on.
func NewQuarantine(list []mailbox.Quarantined, next string) api.Quarantine {
	return api.Quarantine{Next: null(next), Emails: each(list, NewQuarantined)}
}
