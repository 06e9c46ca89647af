package agentmail

import (
	"net/http"
	"slices"
	"time"

	"github.com/mailkin/mailkin/internal/door"
	"github.com/mailkin/mailkin/internal/mailbox"
)

func (e *edge) metricRoutes() (all []door.Route) {
	for _, at := range []struct{ path, box string }{{"/v0/inboxes/{inbox}/metrics", "inbox"}, {"/v0/metrics", ""}} {
		note := "By day, of the last 30 days, from what is stored now."
		if at.box == "" {
			note = "Of the key's own inbox. " + note
		}
		all = append(all,
			door.Route{Method: "GET", Path: at.path + "/events", Support: door.Partly, Need: mailbox.ReadMail,
				Box: at.box, Handle: e.metrics, Note: note},
			door.Route{Method: "GET", Path: at.path + "/usage", Support: door.Partly, Need: mailbox.ReadMail,
				Box: at.box, Handle: e.usage, Note: "`storage_bytes` and `message_count`, as they are now."})
	}
	return append(all, door.Route{Method: "GET", Path: "/v0/inboxes/{inbox}/events", Support: door.No,
		Note: "Use the WebSocket, a webhook, or `/v1/events`."})
}

// metricDays is how far back events are counted.
const metricDays = 30

type bucket struct {
	Timestamp time.Time `json:"timestamp"`
	Count     int64     `json:"count"`
}

func (e *edge) metrics(c *door.Call) error {
	wanted, err := list(c, "event_types")
	if err == nil && len(wanted) > 0 {
		err = checkTypes(wanted)
	}
	if err != nil {
		return err
	}
	start, err := moment(c, "start")
	if err != nil {
		return err
	}
	end, err := moment(c, "end")
	if err != nil {
		return err
	}
	stats, err := e.svc.Stats(c.Context(), c.In, metricDays)
	if err != nil {
		return err
	}
	out := make(map[string][]bucket)
	for _, d := range stats.Days {
		if !start.IsZero() && d.Day.Add(24*time.Hour).Before(start) || !end.IsZero() && d.Day.After(end) {
			continue
		}
		for kind, n := range map[string]int64{string(mailbox.MessageReceived): d.Received,
			string(mailbox.MessageSent): d.Sent, string(mailbox.MessageDelivered): d.Outcomes["delivered"],
			string(mailbox.MessageBounced):    d.Outcomes["bounced"] + d.Outcomes["failed"],
			string(mailbox.MessageComplained): d.Outcomes["complained"],
			string(mailbox.MessageRejected):   d.Outcomes["rejected"]} {
			if n > 0 && (len(wanted) == 0 || slices.Contains(wanted, kind)) {
				out[kind] = append(out[kind], bucket{d.Day, n})
			}
		}
	}
	return c.JSON(http.StatusOK, out)
}

func (e *edge) usage(c *door.Call) error {
	stats, err := e.svc.Stats(c.Context(), c.In, 0)
	if err != nil {
		return err
	}
	type point struct {
		Timestamp time.Time `json:"timestamp"`
		Value     int64     `json:"value"`
	}
	now := time.Now().UTC().Truncate(time.Second)
	return c.JSON(http.StatusOK, map[string][]point{"storage_bytes": {{now, stats.Bytes}},
		"message_count": {{now, stats.Inbound + stats.Outbound}}})
}
