package wire

import (
	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/internal/mailbox"
)

// NewStoredDraft returns a draft of the mailbox with an address.
func NewStoredDraft(d mailbox.StoredDraft, address string) api.StoredDraft {
	return api.StoredDraft{DraftSummary: NewDraftSummary(d, address), Text: null(d.Text), HTML: null(d.HTML)}
}

// NewDraftSummary returns a draft as lists show it.
func NewDraftSummary(d mailbox.StoredDraft, address string) api.DraftSummary {
	out := api.DraftSummary{ID: d.ID.String(), Version: d.Version, Status: "draft", Mailbox: address, From: d.From,
		To: listed(d.To), Cc: listed(d.Cc), Bcc: listed(d.Bcc), ReplyTo: listed(d.ReplyTo), Subject: d.Subject,
		Snippet: d.Snippet, Headers: make(map[string]string, len(d.Headers)), SendAt: at(d.SendAt),
		Tags: listed(d.Tags), InReplyTo: d.InReplyTo, EmailID: null(d.EmailID), Reply: d.Reply, Forward: d.Forward,
		All: d.All, Force: d.Force, Attachments: each(d.Files, func(f mailbox.DraftFile) api.StoredFile {
			return api.StoredFile{N: f.N, Filename: f.Filename, ContentType: f.ContentType, ContentID: f.ContentID,
				SizeBytes: f.Size}
		}), SizeBytes: d.Size, CreatedAt: at(d.CreatedAt), UpdatedAt: at(d.UpdatedAt)}
	for _, f := range d.Headers {
		out.Headers[f.Name] = f.Value
	}
	if s := d.Sent; s != nil {
		out.Status = "sent"
		out.Sent = &api.SentDraft{ID: s.Message.String(), MessageID: messageID(s.MessageID),
			ThreadID: s.Thread.String(), SentAt: at(s.At)}
	}
	return out
}
