package service

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"time"

	"github.com/mailkin/mailkin/internal/blob"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

// draftHead is everything of a draft that lists show, in the form in which it is stored. Names of members are part of
// that form.
type draftHead struct {
	From             string
	To               []string
	Cc               []string
	Bcc              []string
	ReplyTo          []string
	Subject          string
	HasText, HasHTML bool
	Snippet          string
	InReplyTo        string
	Headers          []mailbox.Field
	SendAt           time.Time
	Tags             []string
	EmailID          string
	Reply, Forward   bool
	All, Force       bool
	Files            []mailbox.DraftFile
	LastFile         int
	ClientID         string
}

// packDraft returns a draft as it is stored, and sets its size.
func packDraft(d *mailbox.StoredDraft) store.Draft {
	if d.HasText {
		d.Snippet = snippet(mailbox.Clip(d.Text, 1000))
	} else if d.Sent == nil {
		d.Snippet = ""
	}
	head, err := json.Marshal(draftHead{From: d.From, To: d.To, Cc: d.Cc, Bcc: d.Bcc, ReplyTo: d.ReplyTo,
		Subject: d.Subject, HasText: d.HasText, HasHTML: d.HasHTML, Snippet: d.Snippet, InReplyTo: d.InReplyTo,
		Headers: d.Headers, SendAt: d.SendAt, Tags: d.Tags, EmailID: d.EmailID, Reply: d.Reply, Forward: d.Forward,
		All: d.All, Force: d.Force, Files: d.Files, LastFile: d.LastFile,
		ClientID: d.ClientID})
	if err != nil {
		panic(err) // a time of another era, which no reader gives
	}
	row := store.Draft{ID: d.ID, Mailbox: d.Mailbox, Version: d.Version, CreatedAt: d.CreatedAt, UpdatedAt: d.UpdatedAt,
		Head: head, Body: []byte{}}
	if d.Sent != nil { // its content is the message's now
		row.SentAt, row.Message, row.Thread, row.MessageID = d.Sent.At, d.Sent.Message, d.Sent.Thread, d.Sent.MessageID
		d.Size = 0
		return row
	}
	raw := append(binary.AppendUvarint(nil, uint64(len(d.Text))), d.Text...)
	row.Body = blob.Compress(nil, append(raw, d.HTML...))
	d.Size = int64(len(head)) + d.Bytes()
	row.Size = d.Size
	return row
}

// unpackDraft reads a draft as it is stored; one from a list has no bodies.
func unpackDraft(row store.Draft) (mailbox.StoredDraft, error) {
	var h draftHead
	d := mailbox.StoredDraft{ID: row.ID, Mailbox: row.Mailbox, Version: row.Version, CreatedAt: row.CreatedAt,
		UpdatedAt: row.UpdatedAt, Size: row.Size}
	if err := json.Unmarshal(row.Head, &h); err != nil {
		return d, fmt.Errorf("read draft %s: %w", row.ID, err)
	}
	d.Draft = mailbox.Draft{From: h.From, To: h.To, Cc: h.Cc, Bcc: h.Bcc, ReplyTo: h.ReplyTo, Subject: h.Subject,
		HasText: h.HasText, HasHTML: h.HasHTML, InReplyTo: h.InReplyTo, Headers: h.Headers, SendAt: h.SendAt,
		Tags: h.Tags, EmailID: h.EmailID, All: h.All, Force: h.Force}
	d.Reply, d.Forward, d.Files, d.LastFile, d.Snippet = h.Reply, h.Forward, h.Files, h.LastFile, h.Snippet
	d.ClientID = h.ClientID
	if row.IsSent() {
		d.Sent = &mailbox.SentDraft{Message: row.Message, Thread: row.Thread, MessageID: row.MessageID, At: row.SentAt}
	}
	if len(row.Body) == 0 {
		return d, nil
	}
	raw, err := blob.Decompress(nil, row.Body, 1<<30)
	n, used := binary.Uvarint(raw)
	if err == nil && (used <= 0 || n > uint64(len(raw)-used)) {
		err = blob.ErrCorrupt
	}
	if err != nil {
		return d, fmt.Errorf("read draft %s: %w", row.ID, err)
	}
	d.Text, d.HTML = string(raw[used:][:n]), string(raw[used:][n:])
	return d, nil
}
