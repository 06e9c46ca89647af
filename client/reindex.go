package client

import "context"

// Reindex is how far an index of words is that is made anew: Done and Total count mailboxes, the other two their messages. Of several nodes
// the one that does the work counts messages one by one, the others by whole mailboxes.
type Reindex struct {
	Running       bool  `json:"running"`
	Done          int64 `json:"done"`
	Total         int64 `json:"total"`
	MessagesDone  int64 `json:"messages_done"`
	MessagesTotal int64 `json:"messages_total"`
}

// Reindex has the service make its index of words anew, as operator. It returns at once; searches go on meanwhile.
func (c *Client) Reindex(ctx context.Context) (*Reindex, error) {
	return fetch[Reindex](ctx, c, post("/v1/reindex", nil))
}

// Reindexing tells how far that is.
func (c *Client) Reindexing(ctx context.Context) (*Reindex, error) {
	return fetch[Reindex](ctx, c, get("/v1/reindex", nil))
}
