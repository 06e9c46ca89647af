package wire

import (
	"strconv"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// AppendEvent writes an event of the mailbox of that address on one line (SPEC 6.2, API 9). Of a message that was
// deleted since only the id is left: the rest is empty, and "deleted" says why. An event of the mailbox itself has no
// message at all.
func AppendEvent(dst []byte, e *mailbox.Event, address string) []byte {
	m, at := e.Mail, e.At
	if m == nil {
		m = new(mailbox.Message)
	} else {
		at = m.ReceivedAt
	}
	dst = appendAbout(dst, e, m, address, at)
	dst = appendThread(dst, e, m)
	dst = append(dst, `,"message_id":`...)
	dst = appendMessageID(dst, m.MessageID)
	dst = append(dst, `,"attachment_count":`...)
	dst = strconv.AppendInt(dst, int64(m.Attachments), 10)
	dst = append(dst, `,"code":`...)
	dst = appendOrNull(dst, m.Code)
	dst = appendDeleted(dst, e)
	dst = appendOutcome(dst, e, m)
	return append(dst, '}')
}

// appendDeleted says that a message was deleted.
func appendDeleted(dst []byte, e *mailbox.Event) []byte {
	if e.Mail != nil || e.Message.IsZero() {
		return dst
	}
	return append(dst, `,"deleted":true`...)
}

// appendAbout writes what every event begins with.
func appendAbout(dst []byte, e *mailbox.Event, m *mailbox.Message, address string, at time.Time) []byte {
	dst = appendMember(dst, `{"event":`, string(e.Kind))
	dst = append(dst, `,"email_id":`...)
	if e.Message.IsZero() {
		dst = append(dst, `""`...)
	} else {
		dst = appendID(dst, e.Message)
	}
	dst = appendMember(dst, `,"mailbox":`, address)
	dst = appendMember(dst, `,"from":`, m.From.Address)
	dst = appendMember(dst, `,"subject":`, m.Subject)
	dst = append(dst, `,"received_at":`...)
	return appendTime(dst, at)
}

// appendThread writes the thread, the labels, and whether there are attachments.
func appendThread(dst []byte, e *mailbox.Event, m *mailbox.Message) []byte {
	dst = append(dst, `,"thread_id":`...)
	if e.Mail == nil {
		dst = append(dst, `""`...)
	} else {
		dst = appendID(dst, m.Thread)
	}
	dst = append(dst, `,"labels":`...)
	dst = appendStrings(dst, m.Labels)
	dst = append(dst, `,"has_attachments":`...)
	return strconv.AppendBool(dst, m.Attachments > 0)
}

// appendOutcome writes what an event of a message that was sent says besides the message (API 9), and what one of the
// mailbox says.
func appendOutcome(dst []byte, e *mailbox.Event, m *mailbox.Message) []byte {
	r := e.Result
	switch {
	case e.Kind == mailbox.MessageReceived:
		return dst
	case e.Kind == mailbox.MailboxQuota:
		return appendQuota(dst, e)
	case e.Kind == mailbox.MessageSent:
		r.Status, r.Recipient = string(mailbox.Queued), m.To
	case e.Kind == mailbox.MessageHeld:
		r.Status, r.Recipient = string(mailbox.Held), m.To
	}
	if !e.Message.IsZero() {
		dst = appendMember(dst, `,"status":`, r.Status)
		dst = appendMember(dst, `,"recipient":`, r.Recipient)
	}
	dst = append(dst, `,"timestamp":`...)
	dst = appendTime(dst, e.At)
	if r.Reason != "" {
		dst = appendMember(dst, `,"reason":`, r.Reason)
	}
	if r.Bounce != "" {
		dst = appendMember(dst, `,"bounce_type":`, r.Bounce)
	}
	if r.Simulated {
		dst = append(dst, `,"simulated":true`...)
	}
	return dst
}

// appendQuota writes how much of which limit of the mailbox is used.
func appendQuota(dst []byte, e *mailbox.Event) []byte {
	n := mailbox.NoticeOf(e.Result)
	dst = appendMember(dst, `,"quota":{"of":`, n.What)
	for _, one := range []struct {
		name  string
		value int64
	}{{`,"percent":`, n.Percent}, {`,"used":`, n.Used}, {`,"limit":`, n.Limit}} {
		dst = append(dst, one.name...)
		dst = strconv.AppendInt(dst, one.value, 10)
	}
	dst = append(dst, `},"timestamp":`...)
	return appendTime(dst, e.At)
}
