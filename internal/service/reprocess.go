package service

import (
	"context"
	"errors"
	"slices"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

// Progress is how far reprocessing has come.
type Progress struct{ Done, Total, Changed int64 }

// reprocessPage is how many messages are read, and changed, at a time.
const reprocessPage = 100

// Reprocess applies the rules as they are now to every stored message: its code, its automatic labels and the beginning
// of its text are found again, and the index of words is rebuilt. The text, the links and the records of a message are
// made when it is read, so they need nothing. The agent's own labels stay. A message is read before it is changed and
// looked at again when it is, so mail and callers may come meanwhile.
func (s *Service) Reprocess(ctx context.Context, report func(Progress)) (p Progress, err error) {
	var boxes []mailbox.Mailbox
	err = s.view(ctx, func(r store.Reader) error {
		for before := mailbox.Num(0); ; before = boxes[len(boxes)-1].Num {
			page, err := r.Mailboxes(ctx, store.MailboxFilter{Before: before, Limit: 1000})
			if err != nil || len(page) == 0 {
				return err
			}
			for _, b := range page {
				c, err := r.Counters(ctx, b.Num)
				if err != nil {
					return err
				}
				p.Total += c.Inbound + c.Outbound
			}
			boxes = append(boxes, page...)
		}
	})
	for _, box := range boxes {
		if err == nil {
			err = s.reprocessBox(ctx, box, &p, report)
		}
	}
	if err == nil && s.opt.Index != nil {
		err = s.index.Reindex(ctx)
	}
	return p, err
}

func (s *Service) reprocessBox(ctx context.Context, box mailbox.Mailbox, p *Progress, report func(Progress)) error {
	for before := int64(0); ; {
		var rows, changed []mailbox.Message
		err := s.view(ctx, func(r store.Reader) (err error) {
			rows, err = r.Messages(ctx, box.Num, store.MessageFilter{Before: before, Limit: reprocessPage})
			return err
		})
		if err == nil {
			changed, err = s.remarked(ctx, rows)
		}
		if err == nil && len(changed) > 0 {
			err = s.step(ctx, func(tx store.Tx) error { return s.restore(ctx, tx, changed) })
		}
		if err != nil || len(rows) == 0 {
			return err
		}
		p.Done, p.Changed = p.Done+int64(len(rows)), p.Changed+int64(len(changed))
		report(*p)
		last := rows[len(rows)-1].Seq
		if before != 0 && last >= before {
			return errNoProgress
		}
		before = last
	}
}

// remarked returns those of the messages that the rules mark otherwise now, as they are then.
func (s *Service) remarked(ctx context.Context, rows []mailbox.Message) (changed []mailbox.Message, err error) {
	for _, m := range rows {
		if m.Direction != mailbox.Inbound {
			continue
		}
		d, _, err := s.unpack(ctx, m)
		if errors.Is(err, store.ErrNotFound) {
			continue // deleted meanwhile
		}
		if err != nil {
			return nil, err
		}
		next := m
		mark(&next, d)
		next.Snippet = snippet(d.Text)
		next.Labels = mailbox.Relabel(m.Labels, next.Labels, stale(m.Labels, next.Labels))
		if next.Code != m.Code || next.Snippet != m.Snippet || !slices.Equal(next.Labels, m.Labels) {
			changed = append(changed, next)
		}
	}
	return changed, nil
}

// stale lists the automatic labels that a message has and should no longer have. Some say what was known when it came,
// and stay.
func stale(has, should []string) []string {
	return slices.DeleteFunc(mailbox.AutomaticLabels(), func(l string) bool {
		return slices.Contains(mailbox.OnceLabels(), l) || !slices.Contains(has, l) || slices.Contains(should, l)
	})
}

// restore stores the marks of messages, on top of what was changed since they were read.
func (s *Service) restore(ctx context.Context, tx store.Tx, changed []mailbox.Message) error {
	for _, next := range changed {
		m, err := tx.Message(ctx, next.Mailbox, next.ID)
		if errors.Is(err, store.ErrNotFound) {
			continue // deleted meanwhile
		}
		if err != nil {
			return err
		}
		m.Code, m.Snippet = next.Code, next.Snippet
		old := m.Labels
		m.Labels = mailbox.Relabel(m.Labels, next.Labels, stale(m.Labels, next.Labels))
		if err := tx.UpdateMessage(ctx, m); err != nil {
			return err
		}
		if err := s.recordLabels(ctx, tx, m, old, ""); err != nil {
			return err
		}
	}
	return nil
}
