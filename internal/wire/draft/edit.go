package draft

import (
	"io"
	"slices"
	"strconv"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// versionDigits is how long the number of a version may be.
const versionDigits = 18

// editable are the members of a stored draft.
var editable = []string{"from", "to", "cc", "bcc", "reply_to", "subject", "text", "html", "headers", "attachments",
	"send_at", "tags", "in_reply_to", "email_id", "reply", "forward", "all", "force"}

// ReadEdit reads the body of a request that makes or changes a stored draft (API 7). It says which members the body
// has: one that is null is given, and empty.
func ReadEdit(body io.Reader, lim mailbox.Limits, sp *Spool) (mailbox.DraftEdit, error) {
	r := newReader(body, stored, lim, sp)
	defer r.giveBack(r.borrow())
	defer sp.freeBuffer()
	if err := r.whole(r.edited); err != nil {
		return mailbox.DraftEdit{}, err
	}
	r.edit.Draft = r.draft
	return r.edit, nil
}

// edited reads a member, and notes that it is there.
func (r *reader) edited(name []byte) error {
	member := string(name)
	if member == "replyTo" {
		member = "reply_to"
	}
	if slices.Contains(editable, member) && !r.edit.Gives(member) {
		r.edit.Given = append(r.edit.Given, member)
	}
	switch member {
	case "reply":
		return r.flag("reply", &r.edit.Reply)
	case "forward":
		return r.flag("forward", &r.edit.Forward)
	case "version":
		return r.version(&r.edit.Version)
	}
	return r.member(name)
}

// version reads the number of a version.
func (r *reader) version(into *int64) error {
	*into = 0
	if none, err := r.null(); none || err != nil {
		return err
	}
	const want = "a number from 1"
	if _, err := r.next("version", "123456789", want); err != nil {
		return err
	}
	var digits []byte
	for {
		c, err := r.peek()
		switch {
		case err != nil:
			return err
		case c == '.' || c == 'e' || c == 'E' || len(digits) > versionDigits:
			return wrongType("version", want)
		case c < '0' || c > '9':
			*into, err = strconv.ParseInt(string(digits), 10, 64)
			return err
		}
		digits = append(digits, c)
		r.pos++
	}
}

// ReadAttachment reads a body that is one attachment, with the members that one of a send has.
func ReadAttachment(body io.Reader, lim mailbox.Limits, sp *Spool) (mailbox.Attachment, error) {
	r := newReader(body, stored, lim, sp)
	defer r.giveBack(r.borrow())
	defer sp.freeBuffer()
	var a mailbox.Attachment
	err := r.whole(r.attachmentMember("", &a))
	if err == nil && a.Open == nil {
		err = invalid("content", "The field %q is missing.", "content")
	}
	return a, err
}

// Keep reads a file that comes as it is into the spool.
func (s *Spool) Keep(from io.Reader, lim mailbox.Limits) (a mailbox.Attachment, err error) {
	defer s.freeBuffer()
	s.begin()
	for ended := false; !ended; {
		if err := s.makeRoom(); err != nil {
			return a, err
		}
		n, err := from.Read(s.buf[len(s.buf):cap(s.buf)])
		s.buf = s.buf[:len(s.buf)+n]
		switch {
		case err == io.EOF:
			ended = true
		case err != nil:
			return a, err
		}
		if s.written() > lim.AttachmentBytes {
			return a, tooLarge("content", "attachment_too_large", lim.AttachmentBytes)
		}
	}
	a.Size, a.Open, err = s.finish()
	return a, err
}
