package api

// Reindex is how far the rebuild of the word index has come. Done and Total count mailboxes, the other two their
// messages. Of several nodes, the one that does the work counts messages one by one, the others by whole mailboxes.
type Reindex struct {
	Running       bool  `json:"running"`
	Done          int64 `json:"done"`
	Total         int64 `json:"total"`
	MessagesDone  int64 `json:"messages_done"`
	MessagesTotal int64 `json:"messages_total"`
}
