package service

import (
	"context"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/rawmail"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/wake"
)

// MessageChange is what a caller may change of a message. A nil field stays.
type MessageChange struct {
	Seen        *bool
	Add, Remove []string  // labels
	SendAt      time.Time // of a message that waits to be sent; zero: it stays
}

// maxLabels bounds how many labels a message may have.
const maxLabels = 64

// ChangeMessage sets whether a message was seen, its labels, and when it is sent.
func (s *Service) ChangeMessage(ctx context.Context, in Access, id mailbox.ID, c MessageChange) (FullMessage, error) {
	if !c.SendAt.IsZero() && !in.Caller.May(mailbox.SendMail) {
		return FullMessage{}, denied(in.Caller, mailbox.SendMail)
	}
	changed, err := s.change(ctx, in, id, c)
	if err != nil {
		return FullMessage{}, err
	}
	if !in.Caller.May(mailbox.ReadMail) {
		return changed.full.unread(), nil
	}
	return changed.read(ctx, s, in, nil)
}

// unread returns what a caller who may not read mail is told of a message that it changed: that, and what says which
// message it is.
func (m FullMessage) unread() FullMessage {
	return FullMessage{Address: m.Address, Message: mailbox.Message{ID: m.ID, Mailbox: m.Mailbox, Thread: m.Thread,
		Direction: m.Direction, Status: m.Status, ReceivedAt: m.ReceivedAt, Seen: m.Seen, Labels: m.Labels}}
}

// change makes a change and returns the message as it is then.
func (s *Service) change(ctx context.Context, in Access, id mailbox.ID, c MessageChange) (changed foundMessage,
	err error) {
	add, err := parseLabels("add_labels", c.Add)
	if err != nil {
		return changed, err
	}
	remove, err := parseLabels("remove_labels", c.Remove)
	if err != nil {
		return changed, err
	}
	var box mailbox.Mailbox
	var old []string
	err = s.update(ctx, func(tx store.Tx) (err error) {
		var m mailbox.Message
		if m, box, err = s.find(ctx, tx, in, id); err != nil {
			return err
		}
		if c.Seen != nil {
			m.Seen = *c.Seen
		}
		old = m.Labels
		m.Labels = mailbox.Relabel(m.Labels, add, remove)
		if len(m.Labels) > maxLabels {
			return mailbox.InvalidField("add_labels", "A message has at most %d labels.", maxLabels)
		}
		if err := s.noteChange(ctx, tx, in, box); err != nil {
			return err
		}
		if err := tx.UpdateMessage(ctx, m); err != nil {
			return err
		}
		if err := s.recordLabels(ctx, tx, m, old, in.Caller.Actor()); err != nil {
			return err
		}
		if !c.SendAt.IsZero() {
			if m, err = s.moveSend(ctx, tx, in, m, c.SendAt); err != nil {
				return err
			}
		}
		changed = foundMessage{full: FullMessage{Message: m, Address: box.Address}}
		return changed.loadSmall(ctx, tx)
	})
	if err == nil {
		s.tellRelabelled(box, changed.full.Message, old)
	}
	if err == nil && !c.SendAt.IsZero() {
		s.wake(wake.Queue, 0)
	}
	return changed, noMessage(err)
}

func parseLabels(field string, labels []string) ([]string, error) {
	out := make([]string, 0, len(labels))
	for _, l := range labels {
		parsed, err := mailbox.ParseLabel(field, l)
		if err != nil {
			return nil, err
		}
		out = append(out, parsed)
	}
	return out, nil
}

// DeleteMessage deletes a message and everything of it.
func (s *Service) DeleteMessage(ctx context.Context, in Access, id mailbox.ID) error {
	if s.catchesAll() {
		if found, err := s.deleteFromView(ctx, in, id); found || err != nil {
			return noMessage(err)
		}
	}
	answers, blob, err := s.toDelete(ctx, in, id)
	if err == nil {
		err = s.update(ctx, func(tx store.Tx) error {
			m, box, err := s.find(ctx, tx, in, id)
			if err == nil {
				err = s.noteChange(ctx, tx, in, box)
			}
			if err == nil {
				err = tx.DeleteMessage(ctx, m, answers)
			}
			if err == nil {
				err = s.scrubHooks(ctx, tx, box, m)
			}
			return err
		})
	}
	if err != nil || blob == "" {
		return noMessage(err)
	}
	if err := s.blobs.Delete(context.WithoutCancel(ctx), blob); err != nil {
		s.log.Warn("remove blob of a deleted message", "error", err) // it is swept up later
	}
	return nil
}

// toDelete finds which messages a message answers, and where its raw bytes are.
func (s *Service) toDelete(ctx context.Context, in Access, id mailbox.ID) (answers []string, blob string, err error) {
	var m mailbox.Message
	err = s.view(ctx, func(r store.Reader) (err error) {
		m, _, err = s.find(ctx, r, in, id)
		return err
	})
	if err != nil {
		return nil, "", err
	}
	d, c, err := s.unpack(ctx, m)
	return answered(d), c.Blob, err
}

// unpack reads what is stored of a message, in turn if it is large.
func (s *Service) unpack(ctx context.Context, m mailbox.Message) (d mailbox.Detail, c store.Content, err error) {
	leave, err := s.largeTurn(ctx, m)
	if err != nil {
		return d, c, err
	}
	defer leave()
	err = s.view(ctx, func(r store.Reader) (err error) {
		c, err = r.Content(ctx, m)
		return err
	})
	if err == nil {
		d, _, err = rawmail.Unpack(c)
	}
	return d, c, err
}
