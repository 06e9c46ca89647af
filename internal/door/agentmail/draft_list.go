package agentmail

import (
	"net/http"

	"github.com/mailkin/mailkin/internal/door"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

// draftsQuery reads the filters of a list of drafts.
func draftsQuery(c *door.Call) (q service.DraftsQuery, err error) {
	if q.Page, err = page(c); err != nil {
		return q, err
	}
	if q.Oldest, err = flag(c, "ascending"); err != nil {
		return q, err
	}
	if q.Until, err = moment(c, "before"); err != nil {
		return q, err
	}
	if q.Since, err = moment(c, "after"); err != nil {
		return q, err
	}
	q.Tags, err = list(c, "labels")
	return q, err
}

// drafts lists those that are kept, and with them on the first page those that are scheduled.
func (e *edge) drafts(c *door.Call) error {
	q, err := draftsQuery(c)
	if err != nil {
		return err
	}
	rows, out := []draftJSON{}, paged{Limit: q.Page.Limit}
	err = e.eachOpen(c, func(only bool) (bool, error) {
		found, err := e.svc.Drafts(c.Context(), c.In, q)
		if err == nil && q.Page.Cursor == "" {
			var waiting []service.FullDraft
			waiting, err = e.scheduled(c, q)
			found.Items = append(waiting, found.Items...)
		}
		for _, d := range found.Items {
			if err != nil {
				break
			}
			var row draftJSON
			if row, err = e.newDraft(c, d); d.Sent != nil {
				row.SendStatus = scheduled
			}
			row.Text, row.HTML = "", ""
			rows = append(rows, row)
		}
		if only {
			out.Next = found.Next
		}
		return false, err
	})
	if err != nil {
		return err
	}
	out.Count = len(rows)
	return c.JSON(http.StatusOK, struct {
		paged
		Drafts []draftJSON `json:"drafts"`
	}{out, rows})
}

// scheduled are the drafts whose messages wait to be sent, and that a query takes.
func (e *edge) scheduled(c *door.Call, q service.DraftsQuery) (rows []service.FullDraft, err error) {
	sent, err := e.svc.Drafts(c.Context(), c.In, service.DraftsQuery{Status: "sent",
		Page: service.Page{Limit: openDrafts}, Oldest: q.Oldest})
	for _, d := range sent.Items {
		if err != nil {
			return nil, err
		}
		var waits bool
		if waits, err = e.waits(c, &d); waits && q.Takes(d.StoredDraft) {
			rows = append(rows, d)
		}
	}
	return rows, err
}

// openDrafts is among how many drafts that were sent those are looked for that wait.
const openDrafts = 100

// waits tells whether the message that a draft was is still to be sent. The draft itself has given its content up: it
// is filled in from the message.
func (e *edge) waits(c *door.Call, d *service.FullDraft) (bool, error) {
	m, err := e.svc.Message(c.Context(), c.In, d.Sent.Message, service.MessageOptions{})
	if err != nil && mailbox.KindOf(err) == mailbox.NotFound {
		return false, nil
	}
	if err != nil || mailbox.DeliveryStatus(m.Status) != mailbox.Scheduled {
		return false, err
	}
	d.To, d.Cc, d.Bcc, d.ReplyTo = texts(m.Detail.To), texts(m.Detail.Cc), texts(m.Detail.Bcc), texts(m.Detail.ReplyTo)
	d.Subject, d.Text, d.HTML, d.Snippet, d.Tags = m.Subject, m.Detail.Text, m.Detail.HTML, m.Snippet, m.Labels
	d.EmailID = "" // what it is about, the message says
	if sent := m.Detail.Deliveries; len(sent) > 0 {
		d.SendAt = sent[0].QueuedAt
	}
	return true, nil
}
