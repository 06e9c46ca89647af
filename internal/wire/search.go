package wire

import (
	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/search"
)

// NewFoundMessage returns a message that was found in the mailbox of that address.
func NewFoundMessage(m mailbox.Message, address string, score float64) api.Found {
	return api.Found{Message: NewMessage(m, address), Score: score, Highlights: []api.Highlight{}}
}

// NewHighlight returns a piece of a message.
func NewHighlight(field string, s search.Snippet) api.Highlight {
	h := api.Highlight{Field: field, Text: s.Text, Spans: [][2]int{}}
	for _, span := range s.RuneSpans() {
		h.Spans = append(h.Spans, [2]int{span.Start, span.End})
	}
	return h
}
