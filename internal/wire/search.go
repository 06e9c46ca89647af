package wire

import (
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/search"
)

// SearchResult is the answer to a search (API 5).
type SearchResult struct {
	Emails     []FoundMessage `json:"emails"`
	SearchMode string         `json:"search_mode"`
	Vectors    string         `json:"vectors,omitempty"` // "partial": some messages have none yet
	Next       Cursor         `json:"next_cursor"`
}

// FoundMessage is a message as a list shows it, with how well it fits and why.
type FoundMessage struct {
	Message
	Score      float64     `json:"score"`
	Highlights []Highlight `json:"highlights"`
}

// Highlight is a piece of a message's text, plain and on one line, with where in it stands what was searched for: from and to
// which character.
type Highlight struct {
	Field string   `json:"field"`
	Text  string   `json:"text"`
	Spans [][2]int `json:"spans"`
}

// NewFoundMessage gives a message that was found in the mailbox of that address.
func NewFoundMessage(m mailbox.Message, address string, score float64) FoundMessage {
	return FoundMessage{Message: NewMessage(m, address), Score: score, Highlights: []Highlight{}}
}

// NewHighlight gives a piece of a message.
func NewHighlight(field string, s search.Snippet) Highlight {
	h := Highlight{Field: field, Text: s.Text, Spans: [][2]int{}}
	for _, span := range s.RuneSpans() {
		h.Spans = append(h.Spans, [2]int{span.Start, span.End})
	}
	return h
}
