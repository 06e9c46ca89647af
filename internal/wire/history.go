package wire

import (
	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/internal/mailbox"
)

// NewHistory returns what happened to the message with that id in the mailbox of that address.
func NewHistory(id mailbox.ID, address string, list []mailbox.HistoryEntry, truncated bool) api.History {
	return api.History{EmailID: id.String(), Mailbox: address, History: each(list, newHistoryEntry),
		Truncated: truncated}
}

func newHistoryEntry(e mailbox.HistoryEntry) api.HistoryEntry {
	out := api.HistoryEntry{At: at(e.At), Kind: string(e.Kind), Text: e.Sentence(), Actor: e.Actor, KeyName: e.Name,
		Recipient: e.Recipient, Status: e.Status, Reason: e.Reason, Attempt: e.Attempt, Code: e.Code, Answer: e.Answer,
		Server: e.Server, TLS: e.TLS, Event: e.Event, WebhookURL: e.URL, RemoteAddr: e.Trace.Remote, Helo: e.Trace.Helo,
		Protocol: e.Trace.Proto, EnvelopeFrom: e.Trace.From, AddedLabels: e.Added, RemovedLabels: e.Removed,
		DraftID: e.Draft, Version: e.Version, SendAt: at(e.SendAt)}
	if e.Trace.TLS != "" {
		out.TLS = e.Trace.TLS
	}
	if e.Kind == mailbox.HistoryChecked {
		auth, trust := newAuthentication(e.Verdict.Auth), newTrust(e.Verdict.Trust)
		out.Auth, out.Trust = &auth, &trust
	}
	return out
}
