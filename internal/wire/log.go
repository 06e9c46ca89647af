package wire

import (
	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/internal/mailbox"
)

// NewRejects returns a list of refused mail and where it goes on.
func NewRejects(list []mailbox.Reject, next string) api.Rejects {
	return api.Rejects{Next: null(next), Rejects: each(list, func(r mailbox.Reject) api.Reject {
		return api.Reject{At: at(r.At), Stage: r.Stage, From: r.Sender, To: r.Recipient, Remote: r.Remote,
			Reply: r.Reply}
	})}
}

// NewActivity returns what happened last.
func NewActivity(list []mailbox.Happening) api.Activity {
	return api.Activity{Activity: each(list, func(h mailbox.Happening) api.Happening {
		return api.Happening{Event: string(h.Kind), Mailbox: h.Address, EmailID: idOf(h.Message), At: at(h.At)}
	})}
}

// NewAudits returns a list of the operator's log and where it goes on.
func NewAudits(list []mailbox.Audit, next string) api.Audit {
	return api.Audit{Next: null(next), Audit: each(list, func(a mailbox.Audit) api.AuditEntry {
		return api.AuditEntry{At: at(a.At), Action: a.Action, Mailbox: a.Mailbox, Note: a.Note, Actor: a.Actor}
	})}
}
