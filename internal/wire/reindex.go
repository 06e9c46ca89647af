package wire

// Reindex is how far the index of words is that is made anew, in mailboxes and in their messages.
type Reindex struct {
	Running       bool  `json:"running"`
	Done          int64 `json:"done"`
	Total         int64 `json:"total"`
	MessagesDone  int64 `json:"messages_done"`
	MessagesTotal int64 `json:"messages_total"`
}
