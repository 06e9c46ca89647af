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
	Screenings(ctx context.Context, in service.Access, q service.OverviewQuery) (service.Screenings, error)
	Nodes(ctx context.Context, in service.Access) ([]service.ListedNode, error)
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

// overviewQuery is how far back an overview is to go.
func (c *call) overviewQuery() (q service.OverviewQuery, err error) {
	if q.Hours, err = c.params.spans("hours"); err == nil {
		q.Days, err = c.params.spans("days")
	}
	return q, err
}

func (a *API) screenings(c *call) error {
	return answerTo(a, c, c.overviewQuery, a.svc.Screenings, newScreenings)
}

func newScreenings(s service.Screenings) api.Screenings {
	out := api.Screenings{Each: "hour", Volume: []api.ScreenedSpan{}, Mailboxes: []api.ScreenedMailbox{},
		Complete: s.Whole, More: s.More}
	if s.Each > time.Hour {
		out.Each = "day"
	}
	for _, d := range s.Spans {
		out.Volume = append(out.Volume, api.ScreenedSpan{At: api.Time{Time: d.At}, Clean: d.Clean, Flagged: d.Flagged,
			Dangerous: d.Dangerous, Unknown: d.Unknown})
	}
	for _, b := range s.Boxes {
		out.Mailboxes = append(out.Mailboxes, api.ScreenedMailbox{Mailbox: b.Address, Clean: b.Clean,
			Flagged: b.Flagged, Dangerous: b.Dangerous, Unknown: b.Unknown})
	}
	return out
}

func (a *API) nodes(c *call) error {
	list, err := a.svc.Nodes(c.Context(), c.in)
	if err != nil {
		return err
	}
	out := api.Nodes{Nodes: make([]api.Node, len(list))}
	for i, n := range list {
		out.Nodes[i] = api.Node{Name: n.Name, Version: n.Version, StartedAt: api.Time{Time: n.Started},
			SeenAt: api.Time{Time: n.Seen}, Here: n.Here, Status: "running"}
		if n.Silent {
			out.Nodes[i].Status = "silent"
		}
	}
	return a.answer(c, http.StatusOK, out)
}

func (a *API) overview(c *call) error {
	q, err := c.overviewQuery()
	if err != nil {
		return err
	}
	o, err := a.svc.Overview(c.Context(), c.in, q)
	if err != nil {
		return err
	}
	out := api.Overview{Each: "hour", Complete: o.Whole, Mailboxes: o.Mailboxes, Paused: o.Paused,
		SendingPaused: append([]string{}, o.SendingPaused...), FailedWebhooks: append([]string{}, o.FailedWebhooks...),
		Undelivered: append([]string{}, o.Undelivered...)}
	if o.Each > time.Hour {
		out.Each = "day"
	}
	for _, d := range o.Spans {
		out.Volume = append(out.Volume, wire.NewSpan(d.Day, d.Received, d.Sent, d.Bytes, d.Outcomes))
	}
	return a.answer(c, http.StatusOK, out)
}
