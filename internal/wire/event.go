package wire

import (
	"strconv"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// AppendEvent writes an event of the mailbox of that address on one line (SPEC 6.2, API 9). Of a message that was
// deleted since only the id is left: the rest is empty, and "deleted" says why.
func AppendEvent(dst []byte, e *mailbox.Event, address string) []byte {
	m, at := e.Mail, e.At
	if m == nil {
		m = new(mailbox.Message)
	} else {
		at = m.ReceivedAt
	}
	dst = appendMember(dst, `{"event":`, string(e.Kind))
	dst = append(dst, `,"email_id":`...)
	dst = appendID(dst, e.Message)
	dst = appendMember(dst, `,"mailbox":`, address)
	dst = appendMember(dst, `,"from":`, m.From.Address)
	dst = appendMember(dst, `,"subject":`, m.Subject)
	dst = append(dst, `,"received_at":`...)
	dst = appendTime(dst, at)
	dst = append(dst, `,"thread_id":`...)
	if e.Mail == nil {
		dst = append(dst, `""`...)
	} else {
		dst = appendID(dst, m.Thread)
	}
	dst = append(dst, `,"labels":`...)
	dst = appendStrings(dst, m.Labels)
	dst = append(dst, `,"has_attachments":`...)
	dst = strconv.AppendBool(dst, m.Attachments > 0)
	dst = append(dst, `,"message_id":`...)
	dst = appendMessageID(dst, m.MessageID)
	dst = append(dst, `,"attachment_count":`...)
	dst = strconv.AppendInt(dst, int64(m.Attachments), 10)
	dst = append(dst, `,"code":`...)
	dst = appendOrNull(dst, m.Code)
	if e.Mail == nil {
		dst = append(dst, `,"deleted":true`...)
	}
	return append(dst, '}')
}
