package client

import (
	"context"
	"iter"
	"net/url"
	"time"
)

// Message is a message as lists show it.
type Message struct {
	ID              string     `json:"id"`
	Mailbox         string     `json:"mailbox"`
	FromAddress     string     `json:"from_address"`
	FromName        string     `json:"from_name"`
	ToAddress       string     `json:"to_address"`
	Subject         string     `json:"subject"`
	Snippet         string     `json:"snippet"`
	Code            NullString `json:"code"`      // the verification code in it
	Direction       string     `json:"direction"` // inbound or outbound
	Status          string     `json:"status"`    // received; of one that was sent: queued, sent, delivered, captured, bounced, …
	ReceivedAt      Time       `json:"received_at"`
	HasAttachments  bool       `json:"has_attachments"`
	AttachmentCount int        `json:"attachment_count"`
	MessageID       string     `json:"message_id"`
	ThreadID        string     `json:"thread_id"`
	Labels          []string   `json:"labels"`
	Seen            bool       `json:"seen"`
	Trust           Trust      `json:"trust"`
}

// Trust is how far the sender can be believed, and why.
type Trust struct {
	Level   string   `json:"level"` // verified, unverified or suspicious
	Reasons []string `json:"reasons"`
}

// InboxQuery says which messages are asked for. What is empty does not bind.
type InboxQuery struct {
	Query     string    // words and operators: from:kim has:attachment "order confirmed" -draft after:7d
	Mode      string    // keyword, semantic or hybrid; empty: keyword in Inbox, hybrid in Search
	Direction string    // inbound or outbound
	Label     string    // newsletter, notification, code, personal, … or one of your own
	Seen      *bool     // new(false): only those that were not yet seen
	Since     time.Time // received then or later
	Until     time.Time
	ThreadID  string
	Page
}

func (q InboxQuery) query() url.Values {
	v := values{}
	v.text("query", q.Query)
	v.text("mode", q.Mode)
	v.text("direction", q.Direction)
	v.text("label", q.Label)
	v.choice("seen", q.Seen)
	v.moment("since", q.Since)
	v.moment("until", q.Until)
	v.text("thread_id", q.ThreadID)
	q.values(v)
	return url.Values(v)
}

// Inbox is a page of messages.
type Inbox struct {
	Emails     []Message  `json:"emails"`
	SearchMode string     `json:"search_mode"`
	Vectors    string     `json:"vectors,omitempty"` // "partial": not all messages can be found by their meaning yet
	Next       NullString `json:"next_cursor"`
}

// Inbox lists messages, newest first.
func (c *Client) Inbox(ctx context.Context, q InboxQuery) (*Inbox, error) {
	return fetch[Inbox](ctx, c, get("/v1/inbox", q.query()))
}

// InboxAll walks over all of them.
func (c *Client) InboxAll(ctx context.Context, q InboxQuery) iter.Seq2[Message, error] {
	return all(q.Page, func(p Page) ([]Message, NullString, error) {
		q.Page = p
		list, err := c.Inbox(ctx, q)
		if err != nil {
			return nil, "", err
		}
		return list.Emails, list.Next, nil
	})
}

// Found is a message that was found, with how well it fits and why.
type Found struct {
	Message
	Score      float64     `json:"score"`
	Highlights []Highlight `json:"highlights"`
}

// Highlight is a piece of a message's text, with where in it stands what was searched for: from and to which character
// (not byte).
type Highlight struct {
	Field string   `json:"field"`
	Text  string   `json:"text"`
	Spans [][2]int `json:"spans"`
}

// SearchResult is a page of what was found.
type SearchResult struct {
	Emails     []Found    `json:"emails"`
	SearchMode string     `json:"search_mode"`
	Next       NullString `json:"next_cursor"`
}

// Search finds messages, the best first. The query is needed, the rest narrows it.
func (c *Client) Search(ctx context.Context, q InboxQuery) (*SearchResult, error) {
	return fetch[SearchResult](ctx, c, get("/v1/search", q.query()))
}

// SearchAll walks over everything that was found.
func (c *Client) SearchAll(ctx context.Context, q InboxQuery) iter.Seq2[Found, error] {
	return all(q.Page, func(p Page) ([]Found, NullString, error) {
		q.Page = p
		list, err := c.Search(ctx, q)
		if err != nil {
			return nil, "", err
		}
		return list.Emails, list.Next, nil
	})
}
