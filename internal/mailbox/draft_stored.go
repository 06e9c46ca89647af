package mailbox

import (
	"slices"
	"time"
)

// StoredDraft is a draft that is kept until somebody sends or deletes it.
type StoredDraft struct {
	Draft
	ID                   ID
	Mailbox              Num
	Version              int64 // one more with every change
	Reply, Forward       bool  // what it does with the message that EmailID names
	Files                []DraftFile
	ClientID             string // the caller's own name for it: asked for twice, it is made once; empty: none
	LastFile             int    // the highest number that one of Files has had
	Snippet              string // how its text begins
	Size                 int64  // bytes that it takes
	CreatedAt, UpdatedAt time.Time
	Sent                 *SentDraft // nil: it was not
}

// DraftFile is an attachment of a stored draft. Its number is never given to another one of the same draft.
type DraftFile struct {
	N                                int
	Filename, ContentType, ContentID string
	Inline                           bool
	Size                             int64
	Blob                             string // its key in the blob store; empty: it is in a row of its own
}

// SentDraft is what became of a draft.
type SentDraft struct {
	Message, Thread ID
	MessageID       string
	At              time.Time
}

// DraftRef names a stored draft as it is in one of its versions.
type DraftRef struct {
	ID      ID
	Version int64
}

// DraftEdit is what somebody wants a draft to be: the members that are given, and what they say.
type DraftEdit struct {
	Draft
	Reply, Forward bool
	ClientID       string   // of a new one
	Given          []string // names of members, as the interface has them
	Version        int64    // that the edit is based on; 0: it does not say
}

// Gives reports whether the edit names a member.
func (e DraftEdit) Gives(member string) bool { return slices.Contains(e.Given, member) }

// Apply changes a draft as an edit says. Attachments are left to the caller.
func (d *StoredDraft) Apply(e DraftEdit) {
	for member, apply := range map[string]func(){
		"from":        func() { d.From = e.From },
		"to":          func() { d.To = e.To },
		"cc":          func() { d.Cc = e.Cc },
		"bcc":         func() { d.Bcc = e.Bcc },
		"reply_to":    func() { d.ReplyTo = e.ReplyTo },
		"subject":     func() { d.Subject = e.Subject },
		"text":        func() { d.Text, d.HasText = e.Text, e.HasText },
		"html":        func() { d.HTML, d.HasHTML = e.HTML, e.HTML != "" },
		"headers":     func() { d.Headers = e.Headers },
		"send_at":     func() { d.SendAt = e.SendAt },
		"tags":        func() { d.Tags = e.Tags },
		"in_reply_to": func() { d.InReplyTo = e.InReplyTo },
		"all":         func() { d.All = e.All },
		"force":       func() { d.Force = e.Force },
	} {
		if e.Gives(member) {
			apply()
		}
	}
	d.relate(e)
}

// relate changes how a draft relates to another message. Reply and forward exclude each other, so setting one clears
// the other; without a message there is neither.
func (d *StoredDraft) relate(e DraftEdit) {
	if e.Gives("email_id") {
		d.EmailID = e.EmailID
	}
	reply, forward := e.Gives("reply"), e.Gives("forward")
	if reply {
		d.Reply = e.Reply
		d.Forward = d.Forward && !(e.Reply && !forward)
	}
	if forward {
		d.Forward = e.Forward
		d.Reply = d.Reply && !(e.Forward && !reply)
	}
	if d.EmailID == "" && e.Gives("email_id") {
		d.Reply, d.Forward = reply && e.Reply, forward && e.Forward
	}
}

// Check says what is wrong with how a draft relates to another message. Everything else may be unfinished until it is
// sent.
func (d *StoredDraft) Check() error {
	switch {
	case d.Reply && d.Forward:
		return InvalidField("reply", "A draft is a reply or a forward, not both.")
	case (d.Reply || d.Forward) && d.EmailID == "":
		return InvalidField("email_id", "email_id is needed: the id of the message that this is about.")
	case d.EmailID != "" && !d.Reply && !d.Forward:
		return InvalidField("reply", "Say with reply or forward: true what the draft does with the message of email_id.")
	case d.EmailID != "" && d.InReplyTo != "":
		return InvalidField("in_reply_to", "in_reply_to is for drafts without email_id.")
	}
	return nil
}

// Bytes is the size of a draft as the limit of a message counts it.
func (d *StoredDraft) Bytes() int64 {
	n := int64(len(d.Text) + len(d.HTML))
	for _, f := range d.Files {
		n += f.Size
	}
	return n
}
