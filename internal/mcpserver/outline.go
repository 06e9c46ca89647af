package mcpserver

import (
	"time"
	"unicode/utf8"

	"github.com/mailkin/mailkin/api"
)

// outlineChars is how many characters of JSON the outline of a message or a conversation takes: twenty in a list, with
// what stands around them, are within 6,000.
const outlineChars = 280

// shortest is how much of a sender and of a subject is always shown.
const shortest = 12

// outline is a message as lists have it: enough to choose which to read, and nothing of its text. What is usual is left
// out: a message that was received, is not seen, has no code and no attachments.
func outline(m api.Message) fields {
	f := fields{"email_id": m.ID, "thread_id": m.ThreadID, "received_at": second(m.ReceivedAt.Time)}
	who, name := "from_address", m.FromAddress
	if m.Direction == "outbound" {
		f["direction"], f["status"] = m.Direction, m.Status
		who, name = "to_address", m.ToAddress
	} else {
		f["trust"] = m.Trust.Level
	}
	addCode(f, string(m.Code))
	if m.Seen {
		f["seen"] = true
	}
	if m.AttachmentCount > 0 {
		f["attachment_count"] = m.AttachmentCount
	}
	squeeze(f, who, name, m.Subject)
	if labels := brief(m.Labels, wordsBudget); len(labels) > 0 {
		addIfFits(f, "labels", labels)
	}
	if m.FromName != "" && who == "from_address" {
		addIfFits(f, "from_name", oneLine(m.FromName))
	}
	return f
}

// threadOutline is a conversation as lists have it.
func threadOutline(t api.Thread) fields {
	f := fields{
		"thread_id": t.ThreadID, "latest_email_id": t.LatestEmailID, "received_at": second(t.ReceivedAt.Time),
		"message_count": t.MessageCount,
	}
	addCode(f, string(t.Code))
	if t.HasAttachments {
		f["has_attachments"] = true
	}
	squeeze(f, "from_address", t.FromAddress, t.Subject)
	if labels := brief(t.Labels, wordsBudget); len(labels) > 0 {
		addIfFits(f, "labels", labels)
	}
	return f
}

// longestCode is that of a code in an outline. Codes are never cut: a longer one is in the message.
const longestCode = 24

func addCode(f fields, code string) {
	if code = oneLine(code); code != "" && sizeOf(code)-2 <= longestCode {
		f["code"] = code
	}
}

// squeeze adds sender and subject, cut so that all of it fits.
func squeeze(f fields, who, name, subject string) {
	f[who], f["subject"] = "", ""
	room := outlineChars - sizeOf(f)
	f[who] = cutTo(oneLine(name), max(shortest, room*2/5, room-sizeOf(oneLine(subject))))
	f["subject"] = cutTo(oneLine(subject), max(shortest, outlineChars-sizeOf(f)))
}

func addIfFits(f fields, name string, value any) {
	if f[name] = value; sizeOf(f) > outlineChars {
		delete(f, name)
	}
}

// sizeOf is how many characters of JSON a value takes.
func sizeOf(v any) int {
	s, err := encode(v)
	if err != nil {
		return outlineChars
	}
	return utf8.RuneCountInString(s)
}

// cutTo is the beginning of a text that takes at most a given number of characters inside a JSON text.
func cutTo(s string, most int) string {
	runes := []rune(s)
	for n := min(len(runes), most); ; n-- {
		out := string(runes[:n])
		if n < len(runes) {
			out += "…"
		}
		if n == 0 || sizeOf(out)-2 <= most {
			return out
		}
	}
}

// second is a time to the second, or null.
func second(at time.Time) any {
	if at.IsZero() {
		return nil
	}
	return at.UTC().Format(time.RFC3339)
}
