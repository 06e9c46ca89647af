package wire

import "github.com/mailkin/mailkin/internal/mailbox"

// Thread is a conversation as the list of threads shows it (API 5).
type Thread struct {
	ThreadID       ID        `json:"thread_id"`
	LatestEmailID  ID        `json:"latest_email_id"`
	Subject        string    `json:"subject"`
	FromAddress    string    `json:"from_address"`
	FromName       string    `json:"from_name"`
	ReceivedAt     Time      `json:"received_at"`
	MessageCount   int       `json:"message_count"`
	HasAttachments bool      `json:"has_attachments"`
	Code           *string   `json:"code"` // of the newest message; null: none
	Participants   []Address `json:"participants"`
	Labels         []string  `json:"labels"`
}

func newThread(t mailbox.Thread) Thread {
	return Thread{
		ThreadID: ID(t.ID), LatestEmailID: ID(t.Latest.ID), Subject: t.Latest.Subject,
		FromAddress: t.Latest.From.Address, FromName: t.Latest.From.Name, ReceivedAt: Time(t.Latest.ReceivedAt),
		MessageCount: t.Count, HasAttachments: t.Attachments, Code: orNull(t.Latest.Code),
		Participants: addresses(t.Participants), Labels: listed(t.Labels),
	}
}

// Threads is a list of threads.
type Threads struct {
	Threads []Thread `json:"threads"`
	Next    Cursor   `json:"next_cursor"`
}

// NewThreads gives a list of threads and where it goes on.
func NewThreads(list []mailbox.Thread, next string) Threads {
	return Threads{Threads: each(list, newThread), Next: orNull(next)}
}

// Conversation is a thread with its messages, oldest first.
type Conversation struct {
	ThreadID ID      `json:"thread_id"`
	Emails   []Email `json:"emails"`
	Next     Cursor  `json:"next_cursor"`
}

// NewConversation gives a thread with its messages and where it goes on.
func NewConversation(thread mailbox.ID, emails []Email, next string) Conversation {
	return Conversation{ThreadID: ID(thread), Emails: listed(emails), Next: orNull(next)}
}
