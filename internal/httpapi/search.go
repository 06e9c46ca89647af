package httpapi

import (
	"context"
	"net/http"
	"strings"

	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/wire"
)

// searches finds mail.
type searches interface {
	Search(ctx context.Context, in service.Access, q service.InboxQuery) (service.SearchResult, error)
}

// search finds messages, the best first (API 5).
func (a *API) search(c *call) error {
	q, err := inboxQuery(c.params)
	if err != nil {
		return err
	}
	if q.Query == "" {
		q.Query = c.params.words("q")
	}
	if strings.TrimSpace(q.Query) == "" {
		return mailbox.InvalidField("query", "Say what to look for with the parameter query.")
	}
	if q.Mode == "" {
		q.Mode = "hybrid"
	}
	found, err := a.svc.Search(c.Context(), c.in, q)
	if err != nil {
		return err
	}
	out := api.SearchResult{Emails: make([]api.Found, len(found.Items)), SearchMode: q.Mode,
		Next: api.NullString(found.Next)}
	if found.PartialVectors {
		out.Vectors = "partial"
	}
	for i, m := range found.Items {
		out.Emails[i] = wire.NewFoundMessage(m.Message, c.in.Box.Address, m.Score)
		for _, h := range m.Highlights {
			out.Emails[i].Highlights = append(out.Emails[i].Highlights, wire.NewHighlight(h.Field, h.Snippet))
		}
	}
	return a.answer(c, http.StatusOK, out)
}
