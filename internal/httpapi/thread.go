package httpapi

import (
	"context"
	"net/http"

	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/wire"
)

// threads holds the verbs about conversations.
type threads interface {
	Threads(ctx context.Context, in service.Access, p service.Page) (service.List[mailbox.Thread], error)
	Thread(ctx context.Context, in service.Access, id mailbox.ID, p service.Page) (service.Conversation, error)
}

func (a *API) threads(c *call) error {
	return answerPage(a, c, a.svc.Threads, wire.NewThreads)
}

func (a *API) thread(c *call) error {
	id, err := c.params.id("Thread")
	if err != nil {
		return err
	}
	page, err := c.params.page()
	if err != nil {
		return err
	}
	thread, err := a.svc.Thread(c.Context(), c.in, id, page)
	if err != nil {
		return err
	}
	emails := make([]api.Email, len(thread.Messages))
	for i, m := range thread.Messages {
		emails[i] = c.newEmail(m)
	}
	return a.answer(c, http.StatusOK, wire.NewConversation(thread.ID, emails, thread.Next))
}
