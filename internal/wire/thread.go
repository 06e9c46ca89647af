package wire

import (
	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/internal/mailbox"
)

func newThread(t mailbox.Thread) api.Thread {
	return api.Thread{
		ThreadID: t.ID.String(), LatestEmailID: t.Latest.ID.String(), Subject: t.Latest.Subject,
		FromAddress: t.Latest.From.Address, FromName: t.Latest.From.Name, ReceivedAt: at(t.Latest.ReceivedAt),
		MessageCount: t.Count, HasAttachments: t.Attachments, Code: null(t.Latest.Code),
		Participants: addresses(t.Participants), Labels: listed(t.Labels),
	}
}

// NewThreads returns a list of threads and where it goes on.
func NewThreads(list []mailbox.Thread, next string) api.Threads {
	return api.Threads{Threads: each(list, newThread), Next: null(next)}
}

// NewConversation returns a thread with its messages and where it goes on.
func NewConversation(thread mailbox.ID, emails []api.Email, next string) api.Conversation {
	return api.Conversation{ThreadID: thread.String(), Emails: listed(emails), Next: null(next)}
}
