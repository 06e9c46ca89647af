package mailbox

import (
	"io"
	"time"
)

// Draft is a message that is to be sent, as its sender describes it. Addresses are as they were written and may hold a
// name next to them.
type Draft struct {
	From             string // empty: the mailbox
	To, Cc, Bcc      []string
	Subject          string
	Text, HTML       string
	HasText, HasHTML bool
	ReplyTo          []string
	InReplyTo        string // a Message-ID, or the id of a message of the mailbox
	Headers          []Field
	Attachments      []Attachment
	SendAt           time.Time // zero: now
	Tags             []string
	DryRun           bool // only say what would be done
	Unsubscribe      bool // it has a link with which its one recipient gets no more mail of the mailbox

	EmailID string // of a reply or forward: the message that it is about
	All     bool   // reply to everybody
	Force   bool   // reply to automated mail all the same

	AnyHeader bool // Headers may have any field that does not say who sent the message, or how
	// SkipSuppressed leaves recipients on the suppression list out, and notes it, instead of refusing the message.
	SkipSuppressed bool

	Stored DraftRef // the stored draft that this sends; zero: none

	IdempotencyKey string   // empty: none
	NotTwice       bool     // refuse a request whose key belongs to one under way, rather than wait for it
	Body           [32]byte // digest of the request, which the same key must come with
}

// Attachment is a file that goes with a draft.
type Attachment struct {
	Filename, ContentType, ContentID string
	Inline                           bool // it is to be shown with the text, also where the HTML does not name it
	Size                             int64
	Open                             func() (io.ReadCloser, error) // its bytes; may be called more than once
}

// Idempotent is a send that was accepted, remembered under the caller's Idempotency-Key.
type Idempotent struct {
	Mailbox   Num
	Key       [32]byte // digest of the caller's key
	Body      [32]byte // digest of the request
	Message   ID
	Thread    ID
	MessageID string
	At        time.Time
}
