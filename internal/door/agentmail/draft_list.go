package agentmail

import (
	"net/http"

	"github.com/mailkin/mailkin/internal/door"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

// draftsQuery reads the filters of a list of drafts.
func draftsQuery(c *door.Call) (q service.DraftsQuery, err error) {
	q.Waiting = true
	if q.Oldest, q.Since, q.Until, err = span(c); err != nil {
		return q, err
	}
	q.Tags, err = list(c, "labels")
	return q, err
}

// drafts lists those that are kept, and those that are scheduled.
func (e *edge) drafts(c *door.Call) error {
	q, err := draftsQuery(c)
	if err != nil {
		return err
	}
	rows := []draftJSON{}
	out, err := e.walk(c, func(p service.Page) (int, string, error) {
		q.Page = p
		found, err := e.svc.Drafts(c.Context(), c.In, q)
		before := len(rows)
		for _, d := range found.Items {
			waits := d.Sent == nil // which else was sent or deleted since the list was read
			if err == nil && !waits {
				waits, err = e.waits(c, &d)
			}
			if err != nil {
				break
			}
			if !waits {
				continue
			}
			var row draftJSON
			if row, err = e.newDraft(c, d); d.Sent != nil {
				row.SendStatus = scheduled
			}
			row.Text, row.HTML = "", ""
			rows = append(rows, row)
		}
		return len(rows) - before, found.Next, err
	})
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, struct {
		paged
		Drafts []draftJSON `json:"drafts"`
	}{out, rows})
}

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
