package httpapi

import (
	"context"
	"net/http"
	"time"

	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/wire"
)

// statistics holds the verbs that count.
type statistics interface {
	Stats(ctx context.Context, in service.Access, days int) (service.Stats, error)
	Activity(ctx context.Context, in service.Access, limit int) ([]mailbox.Happening, error)
	Overview(ctx context.Context, in service.Access, q service.OverviewQuery) (service.Overview, error)
}

func (a *API) stats(c *call) error {
	days, err := c.params.spans("days")
	if err != nil {
		return err
	}
	s, err := a.svc.Stats(c.Context(), c.in, days)
	if err != nil {
		return err
	}
	out := wire.NewStats(s.Counters, s.Suppressions, s.Routes, s.Address)
	out.TotalEmails += s.Unsent
	out.Quarantined = s.Quarantined
	out.Index.Pending, out.Index.VectorsPending = s.NotIndexed, s.NoVector
	if days > 0 {
		out.DailyComplete = &s.Whole
	}
	for _, d := range s.Days {
		out.Daily = append(out.Daily, wire.NewDay(d.Day, d.Received, d.Sent, d.Bytes, d.Outcomes))
	}
	return a.answer(c, http.StatusOK, out)
}

func (a *API) overview(c *call) error {
	var q service.OverviewQuery
	var err error
	if q.Hours, err = c.params.spans("hours"); err == nil {
		q.Days, err = c.params.spans("days")
	}
	if err != nil {
		return err
	}
	o, err := a.svc.Overview(c.Context(), c.in, q)
	if err != nil {
		return err
	}
	out := api.Overview{Each: "hour", Complete: o.Whole, Mailboxes: o.Mailboxes, Paused: o.Paused,
		SendingPaused: append([]string{}, o.SendingPaused...), FailedWebhooks: append([]string{}, o.FailedWebhooks...)}
	if o.Each > time.Hour {
		out.Each = "day"
	}
	for _, d := range o.Spans {
		out.Volume = append(out.Volume, wire.NewSpan(d.Day, d.Received, d.Sent, d.Bytes, d.Outcomes))
	}
	return a.answer(c, http.StatusOK, out)
}
