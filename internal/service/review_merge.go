package service

import (
	"bufio"
	"bytes"
	"io"
	"slices"
	"strings"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// An edit changes what it gives and nothing else. The message keeps its header, but for the fields of the members that
// are given, and its body to the byte, unless that is given: then it is composed again, which is done only of a message
// of a shape that is composed here, so that nothing of it is lost.

var errNotEditable = mailbox.Errorf(mailbox.Conflict, "review_not_editable", "Of this message only the subject, the "+
	"recipients and other fields of its header can be changed: its body has parts that would be lost. Reject it, and "+
	"ask for another.")

var errPartlySent = mailbox.Errorf(mailbox.Conflict, "review_not_editable", "Some of the recipients have this "+
	"message already, or are being sent it, so it cannot be changed for the others.")

// body tells whether an edit changes the body.
func (e *reviewEdit) body() bool {
	return e.changes.Gives("text") || e.changes.Gives("html") || e.changes.Gives("attachments")
}

// kept are the attachments that the message is composed again with; none where its body stays.
func (e *reviewEdit) kept() []mailbox.Part {
	if !e.body() || e.changes.Gives("attachments") {
		return nil
	}
	return e.detail.Parts
}

// composed tells whether the message, composed again of its text, its HTML and its attachments, is what it was. Of what
// was handed in by SMTP only a single text is.
func (e *reviewEdit) composed() bool {
	if slices.ContainsFunc(e.detail.Parts, func(p mailbox.Part) bool {
		return strings.HasPrefix(p.ContentType, "message/") || p.ContentType == "text/calendar"
	}) {
		return false
	}
	if e.detail.Envelope.Proto == "HTTP" {
		return true
	}
	media := "text/plain"
	for _, f := range e.head {
		if f.name == "content-type" {
			media, _, _ = strings.Cut(strings.ToLower(f.value()), ";")
		}
	}
	media = strings.TrimSpace(media)
	return len(e.detail.Parts) == 0 && (media == "text/plain" || media == "text/html")
}

// replaces tells whether a field of the header, named in lower case, is written again.
func (e *reviewEdit) replaces(name string) bool {
	switch name {
	case "from", "subject", "cc":
		return e.changes.Gives(name)
	case "to": // which says that nobody is named, where nobody is
		return e.changes.Gives("to") || e.changes.Gives("cc") && len(e.detail.To) == 0
	case "reply-to":
		return e.changes.Gives("reply_to") || e.sets(name)
	case "in-reply-to":
		return e.sets(name)
	case "references":
		return e.sets(name) || e.sets("in-reply-to")
	case "dkim-signature": // which does not hold any more
		return true
	}
	return settable(name) && e.changes.Gives("headers") ||
		(name == "mime-version" || strings.HasPrefix(name, "content-")) && e.body()
}

// sets tells whether the member headers has a field.
func (e *reviewEdit) sets(name string) bool {
	return e.changes.Gives("headers") && slices.ContainsFunc(e.changes.Headers, func(f mailbox.Field) bool {
		return strings.EqualFold(f.Name, name)
	})
}

// merge returns the bytes of the edited message, which are read once, of those of one that was composed as the edit
// says, and of the body as it was.
func (e *reviewEdit) merge(composed io.Reader, body io.Reader) (func() io.ReadCloser, error) {
	from := bufio.NewReader(composed)
	added, err := readHead(from)
	if err != nil {
		return nil, err
	}
	merged := slices.DeleteFunc(slices.Clone(e.head), func(f headField) bool { return e.replaces(f.name) })
	for _, f := range added {
		if e.replaces(f.name) {
			merged = append(merged, f)
		}
	}
	if e.body() {
		body = from
	}
	return func() io.ReadCloser {
		return io.NopCloser(io.MultiReader(bytes.NewReader(merged.bytes(nil)), body))
	}, nil
}
