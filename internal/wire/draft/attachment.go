package draft

import (
	"fmt"
	"unicode/utf8"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// attachments reads the list of attachments.
func (r *reader) attachments() error {
	r.draft.Attachments = nil
	r.sp.rewind(r.start) // where there was such a list before
	if none, err := r.null(); none || err != nil {
		return err
	}
	if _, err := r.next("attachments", "[", "a list of objects"); err != nil {
		return err
	}
	return r.array(func(i int) error {
		if i == files {
			return tooMany("attachments", files)
		}
		a, err := r.attachment(fmt.Sprintf("attachments[%d]", i))
		r.draft.Attachments = append(r.draft.Attachments, a)
		return err
	})
}

// attachment reads one of the list. Its members may come in any order.
func (r *reader) attachment(field string) (mailbox.Attachment, error) {
	var a mailbox.Attachment
	if _, err := r.next(field, "{", "an object"); err != nil {
		return a, err
	}
	err := r.object(nameBytes, r.attachmentMember(field+".", &a))
	if err == nil && a.Open == nil {
		err = invalid(field+".content", "The field %q is missing.", field+".content")
	}
	return a, err
}

// attachmentMember reads a member of an attachment, whose name in errors begins with a prefix.
func (r *reader) attachmentMember(prefix string, a *mailbox.Attachment) func(member []byte) error {
	start := r.sp.mark()
	return func(member []byte) error {
		switch string(member) {
		case "filename":
			return r.word(prefix+"filename", labelBytes, &a.Filename)
		case "content_type", "contentType": // QUIRK: contentType, clients written for other mail services
			return r.word(prefix+"content_type", labelBytes, &a.ContentType)
		case "content_id":
			return r.word(prefix+"content_id", labelBytes, &a.ContentID)
		case "content":
			a.Size, a.Open = 0, nil
			r.sp.rewind(start) // where there was one before
			return r.content(prefix+"content", a)
		}
		return r.skip(skipDepth)
	}
}

// content reads the bytes of an attachment into the spool.
func (r *reader) content(field string, a *mailbox.Attachment) error {
	if none, err := r.null(); none || err != nil {
		return err
	}
	if _, err := r.next(field, `"`, "a string of base64"); err != nil {
		return err
	}
	limit, fault := r.lim.AttachmentBytes, func() error {
		return tooLarge(field, "attachment_too_large", r.lim.AttachmentBytes)
	}
	if left := r.lim.MessageBytes - r.size(); left < limit {
		limit, fault = left, func() error { return messageTooLarge(r.lim.MessageBytes) }
	}
	switch over, err := r.decode(field, limit); {
	case err != nil:
		return err
	case over:
		return fault()
	}
	var err error
	a.Size, a.Open, err = r.sp.finish()
	return err
}

// decode reads a string of base64 that is next into the spool, or as much of it as shows that it is over the limit.
func (r *reader) decode(field string, limit int64) (over bool, err error) {
	r.pos++ // the opening quote
	r.sp.begin()
	var d decoder
	for ended := false; !ended; {
		if _, err := r.peek(); err != nil {
			return false, err
		}
		if err := r.sp.makeRoom(); err != nil {
			return false, err
		}
		taken, stuck := r.sp.decode(&d, r.buf[r.pos:r.end])
		r.pos += taken
		switch {
		case r.sp.written() > limit:
			return true, nil
		case !stuck:
			continue
		}
		if ended, err = r.afterBase64(field, &d); err != nil {
			return false, err
		}
	}
	return r.sp.written() > limit, nil
}

// afterBase64 reads what is not plain base64: the end, an escape, or a fault. Some encoders escape the slash, some the
// plus, and line breaks cannot come in another way. A data: URL is refused: it would bring a type of its own, which may
// not be the one in content_type.
func (r *reader) afterBase64(field string, d *decoder) (ended bool, err error) {
	ok := false
	switch c := r.buf[r.pos]; {
	case c == '"':
		r.pos++
		ended, ok = true, r.sp.end(d)
	case c == '\\':
		r.pos++
		char, err := r.escaped()
		if err != nil {
			return false, err
		}
		ok = char == '\n' || char == '\r' || char == '\t' || char < utf8.RuneSelf && r.sp.one(d, byte(char))
	case c < ' ':
		return false, notObject()
	}
	if !ok {
		return false, invalid(field, "The field %q is not valid base64.", field)
	}
	return ended, nil
}
