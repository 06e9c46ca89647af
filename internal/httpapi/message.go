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

// messages holds the verbs about a mailbox's mail.
type messages interface {
	Inbox(ctx context.Context, in service.Access, q service.InboxQuery) (service.List[mailbox.Message], error)
	Message(ctx context.Context, in service.Access, id mailbox.ID, o service.MessageOptions) (service.FullMessage,
		error)
	WholeMessage(ctx context.Context, in service.Access, id mailbox.ID,
		o service.MessageOptions) (*service.WholeMessage, error)
	ChangeMessage(ctx context.Context, in service.Access, id mailbox.ID, c service.MessageChange) (service.FullMessage,
		error)
	DeleteMessage(ctx context.Context, in service.Access, id mailbox.ID) error
}

func (a *API) inbox(c *call) error {
	q, err := inboxQuery(c.params)
	if err != nil {
		return err
	}
	list, err := a.svc.Inbox(c.Context(), c.in, q)
	if err != nil {
		return err
	}
	mode := "keyword"
	if strings.TrimSpace(q.Query) != "" && q.Mode != "" {
		mode = q.Mode
	}
	buf := a.buffer()
	defer a.release(buf)
	buf.Write(wire.AppendEmails(buf.AvailableBuffer(), list.Items, c.in.Box.Address, mode, list.Next))
	return c.sendHeld(http.StatusOK, buf.Bytes())
}

func inboxQuery(p params) (q service.InboxQuery, err error) {
	if q.Direction, err = p.direction(); err != nil {
		return q, err
	}
	if err = p.texts(named{"label", &q.Label}, named{"mode", &q.Mode}, named{"thread_id", &q.Thread},
		named{"screening", &q.Screening}, named{"trust", (*string)(&q.Trust)}); err != nil {
		return q, err
	}
	if q.Status, err = p.statuses(); err != nil {
		return q, err
	}
	q.Query = p.words("query")
	if q.Since, err = p.moment("since"); err != nil {
		return q, err
	}
	if q.Until, err = p.moment("until"); err != nil {
		return q, err
	}
	if q.Seen, err = p.flag("seen"); err != nil {
		return q, err
	}
	q.Page, err = p.page()
	return q, err
}

// statuses are those that messages may have which are asked for, with commas between them; none: any.
func (p params) statuses() (list []mailbox.DeliveryStatus, err error) {
	text, err := p.text("status")
	if err != nil || text == "" {
		return nil, err
	}
	for one := range strings.SplitSeq(text, ",") {
		list = append(list, mailbox.DeliveryStatus(strings.TrimSpace(one)))
	}
	return list, nil
}

// direction is which way the messages asked for went; empty: both.
func (p params) direction() (mailbox.Direction, error) {
	switch d := mailbox.Direction(p.first("direction")); d {
	case "", "both":
		return "", nil
	case mailbox.Inbound, mailbox.Outbound:
		return d, nil
	}
	return "", mailbox.InvalidField("direction", "The direction is inbound, outbound or both.")
}

func (a *API) email(c *call) error {
	id, err := c.params.id("Email")
	if err != nil {
		return err
	}
	var o service.MessageOptions
	if o.MarkSeen, err = c.params.set("mark_seen"); err != nil {
		return err
	}
	full, err := c.params.set("full")
	if err != nil {
		return err
	}
	o.MarkSeen = o.MarkSeen && c.Method != http.MethodHead // a HEAD changes nothing
	if full && c.Method != http.MethodHead {
		return a.wholeEmail(c, id, o)
	}
	m, err := a.svc.Message(c.Context(), c.in, id, o)
	if err != nil {
		return err
	}
	if full && (m.Detail.TextTruncated || m.Detail.HTMLTruncated) {
		c.jsonHead() // nobody knows the size
		return nil
	}
	return a.answer(c, http.StatusOK, c.newEmail(m))
}

// newEmail returns the detail form of a message as this caller may see it.
func (c *call) newEmail(m service.FullMessage) api.Email {
	return wire.NewEmail(m.Message, m.Detail, m.Address, c.in.Caller.May(mailbox.ReadAttachment))
}

func (a *API) changeEmail(c *call) error {
	id, err := c.params.id("Email")
	if err != nil {
		return err
	}
	var change service.MessageChange
	if change.Seen, err = c.fields.flag("seen"); err != nil {
		return err
	}
	if change.Add, err = c.fields.texts("add_labels"); err != nil {
		return err
	}
	if change.Remove, err = c.fields.texts("remove_labels"); err != nil {
		return err
	}
	if change.SendAt, err = c.fields.moment("send_at"); err != nil {
		return err
	}
	m, err := a.svc.ChangeMessage(c.Context(), c.in, id, change)
	if err != nil {
		return err
	}
	return a.answer(c, http.StatusOK, c.newEmail(m))
}

func (a *API) deleteEmail(c *call) error {
	id, err := c.params.id("Email")
	if err != nil {
		return err
	}
	if err := a.svc.DeleteMessage(c.Context(), c.in, id); err != nil {
		return err
	}
	return a.answer(c, http.StatusOK, api.DeletedEmail{Deleted: true})
}
