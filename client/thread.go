package client

import (
	"context"
	"iter"
)

// Thread is a conversation as lists show it.
type Thread struct {
	ThreadID       string     `json:"thread_id"`
	LatestEmailID  string     `json:"latest_email_id"`
	Subject        string     `json:"subject"`
	FromAddress    string     `json:"from_address"`
	FromName       string     `json:"from_name"`
	ReceivedAt     Time       `json:"received_at"`
	MessageCount   int        `json:"message_count"`
	HasAttachments bool       `json:"has_attachments"`
	Code           NullString `json:"code"` // of the newest message
	Participants   []Address  `json:"participants"`
	Labels         []string   `json:"labels"`
}

// Threads is a page of conversations.
type Threads struct {
	Threads []Thread   `json:"threads"`
	Next    NullString `json:"next_cursor"`
}

// Threads lists conversations, by their newest message.
func (c *Client) Threads(ctx context.Context, p Page) (*Threads, error) {
	return fetch[Threads](ctx, c, get("/v1/threads", p.query()))
}

// ThreadsAll walks over all of them.
func (c *Client) ThreadsAll(ctx context.Context, p Page) iter.Seq2[Thread, error] {
	return all(p, func(p Page) ([]Thread, NullString, error) {
		list, err := c.Threads(ctx, p)
		if err != nil {
			return nil, "", err
		}
		return list.Threads, list.Next, nil
	})
}

// Conversation is a page of a thread's messages.
type Conversation struct {
	ThreadID string     `json:"thread_id"`
	Emails   []Email    `json:"emails"`
	Next     NullString `json:"next_cursor"`
}

// Thread gives the messages of a conversation, oldest first.
func (c *Client) Thread(ctx context.Context, id string, p Page) (*Conversation, error) {
	r := get("/v1/thread", p.query())
	r.query.Set("id", id)
	r.limit = wholeLimit
	return fetch[Conversation](ctx, c, r)
}

// ThreadAll walks over all of them.
func (c *Client) ThreadAll(ctx context.Context, id string, p Page) iter.Seq2[Email, error] {
	return all(p, func(p Page) ([]Email, NullString, error) {
		list, err := c.Thread(ctx, id, p)
		if err != nil {
			return nil, "", err
		}
		return list.Emails, list.Next, nil
	})
}
