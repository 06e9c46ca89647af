package wire

import (
	"encoding/hex"

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
		return NewAudit(a)
	})}
}

// NewAudit returns an entry of the audit log.
func NewAudit(a mailbox.Audit) api.AuditEntry {
	e := api.AuditEntry{At: at(a.At), Action: a.Action, Mailbox: a.Mailbox, Note: a.Note, Who: a.Who(), Deed: a.Deed(),
		Actor: a.Actor, Name: a.Name, Role: string(a.Role), Credential: a.Credential, Client: a.Client,
		RequestID: a.Request, Seq: a.Seq}
	if a.Seq > 0 {
		e.Previous, e.Hash = hex.EncodeToString(a.Previous[:]), hex.EncodeToString(a.Hash[:])
	}
	return e
}

// NewChainedAudit returns an entry with what its hash is made of, and not the words, which later versions may change.
func NewChainedAudit(a mailbox.Audit) api.AuditEntry {
	e := NewAudit(a)
	e.Who, e.Deed = "", ""
	return e
}

// NewAuditReport returns what was found along the chain between its ends.
func NewAuditReport(c mailbox.AuditCheck, head, base mailbox.AuditLink) api.AuditReport {
	link := func(l mailbox.AuditLink) api.AuditLink {
		return api.AuditLink{Seq: l.Seq, Hash: hex.EncodeToString(l.Hash[:])}
	}
	r := api.AuditReport{OK: c.Broken == nil, Entries: c.Entries, Unchained: c.Unchained, Head: link(head),
		Base: link(base)}
	if b := c.Broken; b != nil {
		r.Broken = &api.AuditBreak{Seq: b.Seq, At: at(b.At), Reason: b.Reason}
	}
	return r
}
