package wire

import (
	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/internal/mailbox"
)

// NewLinks returns the links of a message.
func NewLinks(list []mailbox.Link) []api.Link {
	return each(list, func(l mailbox.Link) api.Link {
		return api.Link{URL: l.URL, Text: l.Text, Kind: l.Kind, Mismatch: l.Mismatch}
	})
}
