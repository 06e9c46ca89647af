package wire

import (
	"encoding/hex"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// ID writes itself as a lower-case UUID.
type ID mailbox.ID

// MarshalJSON implements json.Marshaler.
func (id ID) MarshalJSON() ([]byte, error) {
	return appendID(make([]byte, 0, 38), mailbox.ID(id)), nil
}

func appendID(dst []byte, id mailbox.ID) []byte {
	dst = append(dst, '"')
	dst = hex.AppendEncode(dst, id[0:4])
	dst = append(dst, '-')
	dst = hex.AppendEncode(dst, id[4:6])
	dst = append(dst, '-')
	dst = hex.AppendEncode(dst, id[6:8])
	dst = append(dst, '-')
	dst = hex.AppendEncode(dst, id[8:10])
	dst = append(dst, '-')
	dst = hex.AppendEncode(dst, id[10:16])
	return append(dst, '"')
}

// messageID writes a Message-ID as its header does (SPEC 2.4); the nouns hold it without the angle brackets.
func messageID(id string) string {
	if id == "" {
		return ""
	}
	return "<" + id + ">"
}

func messageIDs(ids []string) []string {
	out := make([]string, len(ids))
	for i, id := range ids {
		out[i] = messageID(id)
	}
	return out
}
