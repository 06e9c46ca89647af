package store

import (
	"context"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// ThreadReader finds conversations. A message alone is a thread whose id is its own.
type ThreadReader interface {
	// Threads lists threads by their newest message, newest first; before and limit are as in MessageFilter.
	Threads(ctx context.Context, num mailbox.Num, f ThreadFilter) ([]mailbox.Thread, error)
	// ThreadID returns the id that a thread has now: the same, or that of the thread it was merged into. It looks in
	// one mailbox, or in any if num is 0, and says which.
	ThreadID(ctx context.Context, num mailbox.Num, id mailbox.ID) (mailbox.ID, mailbox.Num, error)
	// Conversation lists a thread's messages, oldest first, after the given Seq.
	Conversation(ctx context.Context, num mailbox.Num, thread mailbox.ID, after int64, limit int) ([]mailbox.Message,
		error)
	// Related lists the threads of a mailbox that have a message with one of these Message-IDs, or that answer one,
	// oldest first.
	Related(ctx context.Context, num mailbox.Num, messageIDs []string) ([]mailbox.ID, error)
}

// ThreadFilter narrows a list of threads.
type ThreadFilter struct {
	Before int64 // only threads whose newest message has a lower Seq; 0: from the newest
	Offset int
	Limit  int
}

// ThreadWriter joins messages to conversations.
type ThreadWriter interface {
	// Join puts a stored message into a thread that exists, and notes which Message-IDs it answers. A message that
	// answers nothing and is answered by nothing needs no Join.
	Join(ctx context.Context, m *mailbox.Message, thread mailbox.ID) error
	// Answers notes the Message-IDs that a message answers, so that they find it when they come later.
	Answers(ctx context.Context, m mailbox.Message, messageIDs []string) error
	// Merge moves all messages of one thread to another, whose id both have from then on.
	Merge(ctx context.Context, num mailbox.Num, from, into mailbox.ID) error
}
