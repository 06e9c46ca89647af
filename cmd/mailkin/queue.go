package main

import (
	"context"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/client"
)

func (p *program) queueCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "queue",
		Short: "See and control outgoing mail of all mailboxes, as operator",
		Long: `See and control outgoing mail of all mailboxes, as operator. A delivery is a message for one recipient;
its id is that of the message with the recipient's number at the end. An operator with the role view sees the queue,
and moderate and admin change it.`,
	}
	cmd.AddCommand(p.queueListCommand(), p.queueDestinationsCommand(), p.queueShowCommand())
	for _, a := range queueActions {
		cmd.AddCommand(p.queueActionCommand(a))
	}
	return cmd
}

// queueFilter is which deliveries are meant, as flags.
type queueFilter struct {
	client.QueueQuery
	older span
}

func (f *queueFilter) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.Destination, "destination", "", "only for recipients in this domain")
	flags.StringVar(&f.State, "state", "", "only in this state: waiting, sending, scheduled or on_hold")
	flags.Var(&f.older, "older", "only what was queued longer ago, as in 2h or 3d")
	flags.StringVar(&f.Error, "error", "", "only with this in the last answer: a part of its text, or 4xx, 5xx, none")
}

// query is what the flags say, in the session's mailbox if one is named.
func (f *queueFilter) query(s *session) client.QueueQuery {
	q := f.QueueQuery
	if q.Mailbox = s.box; f.older > 0 {
		q.Before = time.Now().Add(-time.Duration(f.older))
	}
	return q
}

func (p *program) queueListCommand() *cobra.Command {
	var page pageFlags
	var f queueFilter
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List deliveries that are still in the queue, oldest first",
		Long: `List deliveries that are still in the queue, oldest first. The states are waiting (for
an attempt), sending, scheduled (for its time) and on_hold. In a pipe each is a line with tabs: id, state, mailbox,
recipient, when it was queued, attempts, next attempt, last answer.`,
	}
	page.add(cmd)
	f.add(cmd)
	return p.remote(cmd, func(s *session, _ []string) error {
		if err := page.check(); err != nil {
			return err
		}
		q := f.query(s)
		q.Page = page.Page
		list, err := paged(s, page.all, q, s.c.Queue, s.c.QueueAll,
			func(l *api.Queue) *[]api.QueuedDelivery { return &l.Deliveries })
		if err != nil {
			return err
		}
		if list.Next == "" {
			s.empty(len(list.Deliveries), "There is nothing in the queue.")
		}
		t := newTable(7, "id", "state", "mailbox", "recipient", "queued", "tries", "next", "last answer").
			withIDs(0).droppable(5, 6, 2)
		return rows(s, list, list.Deliveries, list.Next, t, func(d api.QueuedDelivery) {
			t.add(d.ID, d.State, d.Mailbox, d.Recipient, s.out.age(d.QueuedAt), number(d.Attempts), s.out.age(d.NextAt),
				answerText(d.LastCode, d.LastText))
		})
	})
}

// answerText is what another server said last.
func answerText(code api.NullInt, text string) string {
	if code == 0 {
		return text
	}
	return strings.TrimSpace(number(int(code)) + " " + text)
}

func (p *program) queueDestinationsCommand() *cobra.Command {
	return p.remote(&cobra.Command{
		Use:   "destinations",
		Short: "Print how much waits for each destination, since when, and its last answer",
		Long: `Print how much waits for each destination, since when, and its last answer: for the hundred for which most
waits. In a pipe each is a line with tabs: destination, deliveries, of them on hold, since, last attempt, last answer.`,
	}, func(s *session, _ []string) error {
		list, err := s.c.QueueDestinations(s.ctx)
		if err != nil {
			return err
		}
		s.empty(len(list.Destinations), "There is nothing in the queue.")
		return s.show(list, func() error {
			t := newTable(5, "destination", "waiting", "on hold", "since", "tried", "last answer").droppable(4, 2)
			for _, d := range list.Destinations {
				t.add(d.Destination, number(int(d.Deliveries)), number(int(d.OnHold)), s.out.age(d.OldestAt),
					s.out.age(d.TriedAt), answerText(d.LastCode, d.LastText))
			}
			return s.out.table(t)
		})
	})
}

func (p *program) queueShowCommand() *cobra.Command {
	return p.onIDs(queued, false, &cobra.Command{
		Use:   "show ID",
		Short: "Show a delivery in the queue",
		Args:  oneArgument("say which delivery: an id of \"mailkin queue list\""),
	}, func(s *session, args []string) error {
		d, err := s.c.QueuedDelivery(s.ctx, args[0])
		if err != nil {
			return err
		}
		return s.show(d, func() error {
			return s.out.fields(field{"id", d.ID}, field{"email_id", d.EmailID}, field{"mailbox", d.Mailbox},
				field{"recipient", d.Recipient}, field{"destination", d.Destination}, field{"state", d.State},
				field{"status", d.Status}, field{"queued_at", s.out.when(d.QueuedAt)},
				field{"next_attempt_at", s.out.when(d.NextAt)}, field{"attempts", number(d.Attempts)},
				field{"tried_at", s.out.when(d.TriedAt)}, field{"last answer", answerText(d.LastCode, d.LastText)},
				field{"server", d.MX}, field{"tls", d.TLS}, field{"outcome", d.Outcome})
		})
	})
}

// queueAction is something that is done with deliveries.
type queueAction struct {
	name, short, long, done string
	call                    func(*client.Client, context.Context, api.QueueChange) (*api.QueueChanged, error)
}

var queueActions = []queueAction{
	{"retry", "Try deliveries now", "What waits for its next attempt is tried now, also where its destination was left\n" +
		"alone for a while because it did not answer.", "to be tried now", (*client.Client).RetryQueued},
	{"cancel", "End deliveries without sending them", "What is being sent is left alone. The owner sees the message as\n" +
		"canceled.", "canceled", (*client.Client).CancelQueued},
	{"hold", "Keep deliveries in the queue until they are released", "What is being sent is left alone. The owner\n" +
		"sees the message as on_hold. It stays so, also over restarts.", "on hold", (*client.Client).HoldQueued},
	{"release", "Let deliveries go on that were on hold", "They are tried now, or at the time that they are\n" +
		"scheduled for. The time for which they are tried begins again.", "released", (*client.Client).ReleaseQueued},
}

func (p *program) queueActionCommand(a queueAction) *cobra.Command {
	var f queueFilter
	var all, yes bool
	cmd := &cobra.Command{
		Use:   a.name + " [ID...]",
		Short: a.short,
		Long: a.short + `, by their ids or by what they have in common.
The id of a message means all its recipients.
` + a.long,
		Args: cobra.ArbitraryArgs,
	}
	f.add(cmd)
	cmd.Flags().BoolVar(&all, "all", false, "the whole queue")
	asks := a.name == "cancel"
	if asks {
		cmd.Long += " Without ids it asks first on a terminal;\nelsewhere it wants --yes."
		cmd.Flags().BoolVar(&yes, "yes", false, "do not ask")
	}
	return p.onIDs(queued, true, cmd, func(s *session, ids []string) error {
		q := f.query(s)
		if len(ids) > 0 {
			q.Mailbox = "" // the ids say it
		}
		change := api.QueueChange{IDs: ids, Mailbox: q.Mailbox, Destination: q.Destination, State: q.State,
			Before: api.Time{Time: q.Before}, Error: q.Error, All: all}
		if len(ids) == 0 && !all && q == (client.QueueQuery{}) {
			return usage("say which deliveries: ids, --destination, --state, --older, --error, --mailbox, or --all")
		}
		if asks && len(ids) == 0 && !yes {
			if err := s.confirm("Cancel these deliveries for good, without sending them?"); err != nil {
				return err
			}
		}
		done, err := changeQueue(s, a, change)
		if err != nil {
			return err
		}
		return s.said(done, "%d %s; %d unchanged.", done.Changed, a.done, done.Unchanged)
	})
}

// changeQueue goes on until all that matches is done.
func changeQueue(s *session, a queueAction, change api.QueueChange) (*api.QueueChanged, error) {
	sum := &api.QueueChanged{}
	for {
		done, err := a.call(s.c, s.ctx, change)
		if err != nil {
			return nil, err
		}
		sum.Changed, sum.Unchanged = sum.Changed+done.Changed, sum.Unchanged+done.Unchanged
		if done.Next == "" || string(done.Next) == change.Cursor {
			return sum, nil
		}
		change.Cursor = string(done.Next)
	}
}
