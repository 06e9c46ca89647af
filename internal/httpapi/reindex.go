package httpapi

import (
	"context"
	"net/http"

	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/internal/service"
)

// reindexing has the index rebuilt.
type reindexing interface {
	Reindex(ctx context.Context, in service.Access) error
	ReindexProgress(ctx context.Context, in service.Access) (service.Reindexing, error)
}

// reindex has the index of words rebuilt, after the answer.
func (a *API) reindex(c *call) error {
	if err := a.svc.Reindex(c.Context(), c.in); err != nil {
		return err
	}
	return a.reindexState(c, http.StatusAccepted)
}

func (a *API) reindexing(c *call) error { return a.reindexState(c, http.StatusOK) }

func (a *API) reindexState(c *call, status int) error {
	state, err := a.svc.ReindexProgress(c.Context(), c.in)
	if err != nil {
		return err
	}
	return a.answer(c, status, api.Reindex{Running: state.Running, Done: state.Done, Total: state.Total,
		MessagesDone: state.MessagesDone, MessagesTotal: state.MessagesTotal})
}
