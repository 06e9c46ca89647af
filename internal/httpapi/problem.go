package httpapi

import (
	"context"
	"net/http"

	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/wire"
)

// problems says what is wrong with the deployment.
type problems interface {
	Problems(ctx context.Context, in service.Access) ([]service.Problem, error)
}

// problems says what is wrong with the deployment.
func (a *API) problems(c *call) error {
	list, err := a.svc.Problems(c.Context(), c.in)
	if err != nil {
		return err
	}
	out := api.Problems{Problems: []api.Problem{}}
	for _, p := range list {
		out.Problems = append(out.Problems, wire.NewProblem(p.Check, p.Severe, p.Found, p.Next))
	}
	return a.answer(c, http.StatusOK, out)
}
