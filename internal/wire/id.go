package wire

import "github.com/mailkin/mailkin/internal/mailbox"

func appendID(dst []byte, id mailbox.ID) []byte { return append(id.Append(append(dst, '"')), '"') }

// idOf writes the id of a message; empty: there is none.
func idOf(id mailbox.ID) string {
	if id.IsZero() {
		return ""
	}
	return id.String()
}

// messageID writes a Message-ID as its header does (SPEC 2.4); the nouns hold it without the angle brackets.
func messageID(id string) string {
	if id == "" {
		return ""
	}
	return "<" + id + ">"
}
