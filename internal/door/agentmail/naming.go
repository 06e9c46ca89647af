package agentmail

import (
	"context"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

// naming is the service for programs that know a message by its Message-ID alone. A message that another one of its
// mailbox would be taken for has none here, and so is shown under its id.
type naming struct{ *service.Service }

// name takes the Message-IDs away that lead to other messages.
func (n naming) name(ctx context.Context, rows ...*mailbox.Message) error {
	list := make([]mailbox.Message, len(rows))
	for i, m := range rows {
		list[i] = *m
	}
	other, err := n.Ambiguous(ctx, list)
	for _, m := range rows {
		if other[m.ID] {
			m.MessageID = ""
		}
	}
	return err
}

func (n naming) nameAll(ctx context.Context, list []service.FullMessage) error {
	rows := make([]*mailbox.Message, len(list))
	for i := range list {
		rows[i] = &list[i].Message
	}
	return n.name(ctx, rows...)
}

func (n naming) Details(ctx context.Context, in service.Access, rows []mailbox.Message) ([]service.FullMessage, error) {
	list, err := n.Service.Details(ctx, in, rows)
	if err != nil {
		return nil, err
	}
	return list, n.nameAll(ctx, list)
}

func (n naming) Message(ctx context.Context, in service.Access, id mailbox.ID,
	o service.MessageOptions) (service.FullMessage, error) {
	m, err := n.Service.Message(ctx, in, id, o)
	if err != nil {
		return m, err
	}
	return m, n.name(ctx, &m.Message)
}

func (n naming) ChangeMessage(ctx context.Context, in service.Access, id mailbox.ID,
	c service.MessageChange) (service.FullMessage, error) {
	m, err := n.Service.ChangeMessage(ctx, in, id, c)
	if err != nil {
		return m, err
	}
	return m, n.name(ctx, &m.Message)
}

func (n naming) Thread(ctx context.Context, in service.Access, id mailbox.ID,
	p service.Page) (service.Conversation, error) {
	t, err := n.Service.Thread(ctx, in, id, p)
	if err != nil {
		return t, err
	}
	return t, n.nameAll(ctx, t.Messages)
}

func (n naming) SelectThreads(ctx context.Context, in service.Access,
	q service.SelectQuery) (service.List[service.SelectedThread], error) {
	found, err := n.Service.SelectThreads(ctx, in, q)
	var last []*mailbox.Message // of which the id is shown
	for _, t := range found.Items {
		if len(t.Messages) > 0 {
			last = append(last, &t.Messages[len(t.Messages)-1])
		}
	}
	if err != nil {
		return found, err
	}
	return found, n.name(ctx, last...)
}
