package httpapi

import (
	"net/http"

	"github.com/mailkin/mailkin/internal/wire"
)

func (a *API) stats(c *call) error {
	s, err := a.svc.Stats(c.Context(), c.in)
	if err != nil {
		return err
	}
	out := wire.NewStats(s.Counters, s.Suppressions, s.Routes, s.Address)
	out.Index.Pending, out.Index.VectorsPending = s.NotIndexed, s.NoVector
	return a.answer(c, http.StatusOK, out)
}
