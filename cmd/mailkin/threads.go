package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/mailkin/mailkin/api"
)

func (p *program) threadsCommand() *cobra.Command {
	var page pageFlags
	cmd := &cobra.Command{
		Use:   "threads [ID]",
		Short: "List conversations, or show one",
		Long: `List conversations, by their newest message; or show the messages of one, oldest first,
each without what it quotes.

In a pipe a conversation is a line with tabs: id, time, sender, subject, number of messages,
id of the newest message, labels (with commas).`,
		Args: cobra.MaximumNArgs(1),
	}
	page.add(cmd)
	return p.onIDs(threads, false, cmd, func(s *session, args []string) error {
		if err := page.check(); err != nil {
			return err
		}
		if len(args) == 1 {
			return s.thread(args[0], page)
		}
		list, err := s.threads(page)
		if err != nil {
			return err
		}
		s.empty(len(list.Threads), "There are no messages.")
		return s.show(list, func() error {
			defer s.goOn(list.Next)
			return s.out.table(threadTable(s.out, list.Threads))
		})
	})
}

func (s *session) threads(page pageFlags) (*api.Threads, error) {
	return paged(s, page.all, page.Page, s.c.Threads, s.c.ThreadsAll,
		func(l *api.Threads) *[]api.Thread { return &l.Threads })
}

func threadTable(out screen, list []api.Thread) *table {
	t := newTable(3, "id", "when", "from", "subject", "messages").withIDs(0)
	for _, h := range list {
		from := h.FromAddress
		if out.isTerminal() {
			t.add(h.ThreadID, out.age(h.ReceivedAt), from, h.Subject, number(h.MessageCount))
			continue
		}
		t.add(h.ThreadID, out.age(h.ReceivedAt), from, h.Subject, number(h.MessageCount), h.LatestEmailID,
			strings.Join(h.Labels, ","))
	}
	return t
}

// thread shows a conversation.
func (s *session) thread(id string, page pageFlags) error {
	list := &api.Conversation{ThreadID: id}
	var err error
	if page.all {
		list.Emails, err = gather(s.c.ThreadAll(s.ctx, id, page.Page))
	} else {
		list, err = s.c.Thread(s.ctx, id, page.Page)
	}
	if err != nil {
		return err
	}
	return s.show(list, func() error {
		defer s.goOn(list.Next)
		for i, m := range list.Emails {
			if i > 0 {
				if err := s.out.trusted("\n"); err != nil {
					return err
				}
			}
			if err := s.turn(m); err != nil {
				return err
			}
		}
		return nil
	})
}

// turn shows one message of a conversation.
func (s *session) turn(m api.Email) error {
	err := s.out.fields(field{"id", m.ID}, field{"from", person(api.Address{Address: m.FromAddress, Name: m.FromName})},
		field{"to", people(m.To)}, field{"date", s.out.when(m.ReceivedAt)}, field{"subject", m.Subject})
	if err != nil {
		return err
	}
	text := m.ReplyText
	if text == "" {
		text = m.BodyText
	}
	return s.out.text("\n" + text)
}
