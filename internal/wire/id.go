package wire

import "github.com/mailkin/mailkin/internal/mailbox"

func appendID(dst []byte, id mailbox.ID) []byte { return append(id.Append(append(dst, '"')), '"') }

// messageID writes a Message-ID as its header does (SPEC 2.4); the nouns hold it without the angle brackets.
func messageID(id string) string {
	if id == "" {
		return ""
	}
	return "<" + id + ">"
}
