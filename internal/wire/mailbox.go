package wire

import (
	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/internal/mailbox"
)

// NewMailbox returns a mailbox as lists show it.
func NewMailbox(m mailbox.Mailbox) api.Mailbox {
	about := m.Profile()
	if about.Metadata == nil {
		about.Metadata = map[string]any{}
	}
	return api.Mailbox{
		DisplayName: about.DisplayName, Metadata: about.Metadata, ClientID: about.ClientID,
		Mailbox: m.Address, Aliases: listed(m.Aliases), Status: string(m.Status), Scope: string(m.Scope),
		CreatedAt: at(m.CreatedAt), ExpiresAt: at(m.ExpiresAt), WebhookURL: null(m.Webhook.URL),
		Webhook: api.WebhookState{
			Status: m.Webhook.Status(), ConsecutiveFailures: m.Webhook.ConsecutiveFailures,
			LastAttemptAt: at(m.Webhook.LastAttemptAt), LastError: m.Webhook.LastError,
		},
		PausedBy: string(m.PausedBy), Reason: m.PauseReason, PausedAt: at(m.PausedAt),
		SendingPaused: NewSendingPause(m.Control().SendingPaused),
	}
}

// NewSendingPause returns why a mailbox sends nothing; nil: it is not stopped.
func NewSendingPause(p *mailbox.SendingPause) *api.SendingPause {
	if p == nil {
		return nil
	}
	return &api.SendingPause{Reason: p.Reason, At: at(p.At), Measure: string(p.Measure)}
}

// NewListedMailbox returns a mailbox with what it holds.
func NewListedMailbox(m mailbox.Mailbox, h mailbox.Holding) api.Mailbox {
	out := NewMailbox(m)
	out.Holds = &api.Holding{TotalEmails: h.Inbound + h.Outbound, Unseen: h.Unseen, StorageBytes: h.Bytes,
		LastEmailAt: at(h.LastAt)}
	return out
}

// NewMailboxes returns a list of mailboxes and where it goes on.
func NewMailboxes(list []api.Mailbox, next string) api.Mailboxes {
	return api.Mailboxes{Mailboxes: listed(list), Next: null(next)}
}

// NewPaused returns a paused mailbox.
func NewPaused(m mailbox.Mailbox) api.PausedMailbox {
	return api.PausedMailbox{
		Mailbox: m.Address, Status: string(m.Status),
		PausedBy: string(m.PausedBy), Reason: m.PauseReason, PausedAt: at(m.PausedAt),
	}
}

// NewCreatedMailbox returns a new mailbox with its key.
func NewCreatedMailbox(m mailbox.Mailbox, key mailbox.Secret, replayed bool) api.CreatedMailbox {
	return api.CreatedMailbox{Mailbox: m.Address, APIKey: string(key), Scope: string(m.Scope),
		CreatedAt: at(m.CreatedAt), Replayed: replayed}
}
