package draft

import (
	"crypto/sha256"
	"io"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// Kind is what a draft is for. It decides which fields there are.
type Kind uint8

const (
	Send    Kind = iota // a message of its own
	Reply               // an answer to email_id
	Forward             // email_id, sent on
	stored              // any of these, kept to be sent later
)

// Bounds of what is small, in bytes with KB = 1,000 (API 7), where the limits of the deployment say nothing.
const (
	nameBytes     = 32      // the names of members: a longer one is none of ours
	wordBytes     = 4_000   // from, email_id, in_reply_to
	labelBytes    = 1_000   // filename, content_type, content_id
	timeBytes     = 100     // send_at
	subjectBytes  = 64_000  // whatever is the most that may be sent
	listBytes     = 256_000 // all of to, or cc, or bcc, or reply_to
	listEntries   = 1_000
	headerBytes   = 32_000 // names and values
	headerEntries = 100
	tagBytes      = 4_000
	tagEntries    = 50
	files         = 100 // attachments
	skipDepth     = 64  // how deep what is not known may be nested
)

// Read reads a body to its end. The attachments of the draft live in sp until sp.Close, which is also to be called
// after an error.
func Read(body io.Reader, kind Kind, lim mailbox.Limits, sp *Spool) (mailbox.Draft, error) {
	r := newReader(body, kind, lim, sp)
	defer r.giveBack(r.borrow())
	defer sp.freeBuffer()
	if err := r.whole(r.member); err != nil {
		return mailbox.Draft{}, err
	}
	r.sum.Sum(r.draft.Body[:0])
	return r.draft, nil
}

// reader is a draft in the making.
type reader struct {
	scanner
	kind  Kind
	lim   mailbox.Limits
	sp    *Spool
	start mark // of the spool, without attachments
	draft mailbox.Draft
	edit  mailbox.DraftEdit // of a stored one
}

func newReader(body io.Reader, kind Kind, lim mailbox.Limits, sp *Spool) *reader {
	return &reader{scanner: scanner{from: body, sum: sha256.New()}, kind: kind, lim: lim, sp: sp, start: sp.mark()}
}

// whole reads the body's members with a function that reads the value of one.
func (r *reader) whole(member func(name []byte) error) error {
	c, err := r.token()
	if err != nil {
		return err
	}
	if c != '{' {
		return notObject()
	}
	if err := r.object(nameBytes, member); err != nil {
		return err
	}
	switch _, err := r.space(); {
	case err == io.EOF:
		return nil
	case err != nil:
		return err
	}
	return notObject() // something after it
}

// member reads a member of the body, whose value is next.
func (r *reader) member(name []byte) error {
	d := &r.draft
	switch string(name) {
	case "from":
		return r.word("from", wordBytes, &d.From)
	case "to":
		return r.list("to", &d.To)
	case "cc":
		return r.list("cc", &d.Cc)
	case "bcc":
		return r.list("bcc", &d.Bcc)
	case "reply_to", "replyTo": // QUIRK: replyTo, clients written for other mail services
		return r.list("reply_to", &d.ReplyTo)
	case "subject":
		return r.word("subject", subjectBytes, &d.Subject)
	case "text":
		return r.body("text", r.lim.TextBytes, &d.Text, &d.HasText)
	case "html":
		return r.body("html", r.lim.HTMLBytes, &d.HTML, &d.HasHTML)
	case "headers":
		return r.headers()
	case "attachments":
		return r.attachments()
	case "send_at":
		return r.moment("send_at", &d.SendAt)
	case "tags":
		return r.tags()
	case "dry_run":
		return r.flag("dry_run", &d.DryRun)
	}
	return r.relation(name)
}

// relation reads a member that says how the draft relates to another message, which differs by kind.
func (r *reader) relation(name []byte) error {
	d := &r.draft
	isReply, isSend := r.kind == Reply || r.kind == stored, r.kind == Send
	switch field := string(name); {
	case field == "unsubscribe" && isSend:
		return r.flag("unsubscribe", &d.Unsubscribe)
	case field == "in_reply_to" && (isSend || r.kind == stored):
		return r.word("in_reply_to", wordBytes, &d.InReplyTo)
	case field == "email_id" && !isSend:
		return r.word("email_id", wordBytes, &d.EmailID)
	case field == "all" && isReply:
		return r.flag("all", &d.All)
	case field == "force" && isReply:
		return r.flag("force", &d.Force)
	}
	return r.skip(skipDepth)
}

// size is how much the draft has so far of what the limit of a message counts.
func (r *reader) size() int64 {
	n := int64(len(r.draft.Text) + len(r.draft.HTML))
	for _, a := range r.draft.Attachments {
		n += a.Size
	}
	return n
}
