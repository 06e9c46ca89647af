package wire

import "github.com/mailkin/mailkin/internal/mailbox"

// Link is a link of a message and what it is for (API 5).
type Link struct {
	URL      string `json:"url"`
	Text     string `json:"text"`
	Kind     string `json:"kind"`
	Mismatch bool   `json:"mismatch,omitempty"` // the visible text names another domain
}

func links(list []mailbox.Link) []Link {
	return each(list, func(l mailbox.Link) Link {
		return Link{URL: l.URL, Text: l.Text, Kind: l.Kind, Mismatch: l.Mismatch}
	})
}
