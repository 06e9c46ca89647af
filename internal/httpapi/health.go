package httpapi

import (
	"context"
	"net/http"
	"time"

	"github.com/mailkin/mailkin/api"
)

// probes tells whether the service works.
type probes interface {
	Health(ctx context.Context) error
	Ready(ctx context.Context) error
}

// probeTime is how long a probe may take before it counts as failed.
const probeTime = 5 * time.Second

// health says whether the process works; the caller may restart it if not.
func (a *API) health(c *call) error { return a.probe(c, a.svc.Health) }

// ready says whether the process can take requests now; the caller may send them elsewhere if not.
func (a *API) ready(c *call) error { return a.probe(c, a.svc.Ready) }

func (a *API) probe(c *call, ask func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(c.Context(), probeTime)
	defer cancel()
	if err := ask(ctx); err != nil {
		a.note(c, http.StatusServiceUnavailable, err)
		c.out.Header().Set("Retry-After", "5")
		return a.answer(c, http.StatusServiceUnavailable, api.Health{Status: "unavailable", Version: a.version})
	}
	return a.answer(c, http.StatusOK, api.Health{OK: true, Status: "ok", Version: a.version})
}
