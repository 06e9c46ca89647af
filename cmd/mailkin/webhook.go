package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/client"
)

func (p *program) webhookCommand() *cobra.Command {
	cmd := p.remote(&cobra.Command{
		Use:   "webhook",
		Short: "Show the webhook and its health; set, test and repair it",
	}, func(s *session, _ []string) error {
		m, err := s.c.Mailbox(s.ctx)
		if err != nil {
			return err
		}
		return s.webhook(m)
	})
	cmd.AddCommand(p.webhookSetCommand(), p.webhookClearCommand(), p.webhookTestCommand(), p.webhookResetCommand(),
		p.webhookSecretCommand(),
		p.webhookLogCommand(), p.webhookReplayCommand(), p.webhookRouteCommand())
	return cmd
}

func (s *session) webhook(m *api.MailboxRecord) error {
	return s.show(m, func() error {
		s.empty(len(m.WebhookURL), "There is no webhook; \"mailkin webhook set URL\" makes one.")
		return s.out.fields(field{"url", string(m.WebhookURL)}, field{"status", m.Webhook.Status},
			field{"failures", number(m.Webhook.ConsecutiveFailures)},
			field{"last_attempt_at", s.out.when(m.Webhook.LastAttemptAt)}, field{"last_error", m.Webhook.LastError})
	})
}

// urlArgument wants a command to have a URL.
var urlArgument = oneArgument("say the URL that events are to be posted to")

func (p *program) webhookSetCommand() *cobra.Command {
	return p.remote(&cobra.Command{Use: "set URL", Short: "Have events posted to a URL", Args: urlArgument},
		func(s *session, args []string) error {
			m, err := s.c.SetWebhook(s.ctx, args[0])
			if err != nil {
				return err
			}
			return s.webhook(m)
		})
}

func (p *program) webhookClearCommand() *cobra.Command {
	return p.remote(&cobra.Command{Use: "clear", Short: "Have events posted no more"},
		func(s *session, _ []string) error {
			m, err := s.c.SetWebhook(s.ctx, "")
			if err != nil {
				return err
			}
			return s.webhook(m)
		})
}

// oneURL is the URL that an argument names; empty: the mailbox's own.
func oneURL(args []string) string {
	if len(args) == 0 {
		return ""
	}
	return args[0]
}

func (p *program) webhookTestCommand() *cobra.Command {
	return p.remote(&cobra.Command{
		Use:   "test [URL]",
		Short: "Post a sample event now, and print the result",
		Long: `Post a sample event now to the mailbox's webhook, or to the one of its routes with this URL, and print the
result. Status 1: it did not arrive.`,
		Args: cobra.MaximumNArgs(1),
	}, func(s *session, args []string) error {
		t, err := s.c.TestWebhook(s.ctx, oneURL(args))
		if err != nil {
			return err
		}
		return s.trial(t)
	})
}

// trial shows how an attempt went.
func (s *session) trial(t *api.WebhookTrial) error {
	err := s.show(t, func() error {
		return s.out.fields(field{"url", t.URL}, field{"arrived", fmt.Sprint(t.OK)},
			field{"status", statusText(t.Status)},
			field{"duration", fmt.Sprintf("%.1f ms", t.DurationMS)}, field{"error", string(t.Error)},
			field{"response", t.Response})
	})
	if err == nil && !t.OK {
		return &fault{status: exitFailed, text: "it did not arrive: " + string(t.Error),
			next: "The receiver must answer 2xx within 10 seconds."}
	}
	return err
}

func statusText(n api.NullInt) string {
	if n == 0 {
		return ""
	}
	return number(int(n))
}

func (p *program) webhookResetCommand() *cobra.Command {
	return p.remote(&cobra.Command{
		Use:   "reset [URL]",
		Short: "Reactivate a webhook that had failed, or all of them",
		Args:  cobra.MaximumNArgs(1),
	}, func(s *session, args []string) error {
		r, err := s.c.ResetWebhook(s.ctx, oneURL(args))
		if err != nil {
			return err
		}
		return s.show(r, func() error {
			s.empty(len(r.Reset), "None had failed.")
			for _, u := range r.Reset {
				if err := s.out.text(line(u)); err != nil {
					return err
				}
			}
			return nil
		})
	})
}

func (p *program) webhookSecretCommand() *cobra.Command {
	cmd := p.remote(&cobra.Command{
		Use:   "secret",
		Short: "Print the secret that the mailbox's events are signed with",
	}, func(s *session, _ []string) error {
		secret, err := s.c.WebhookSecret(s.ctx)
		if err != nil {
			return err
		}
		return s.show(map[string]any{"secret": secret}, func() error { return s.out.text(secret) })
	})
	cmd.AddCommand(p.webhookSecretRotateCommand())
	return cmd
}

func (p *program) webhookSecretRotateCommand() *cobra.Command {
	var route string
	overlap := span(24 * time.Hour)
	var now bool
	cmd := &cobra.Command{
		Use:   "rotate",
		Short: "Replace the secret that the mailbox's events are signed with",
		Long: `Replace the secret that the mailbox's events are signed with, or that of a route, and print the new one. Until
the overlap is over events are signed with both: a receiver takes an event if one of the signatures fits. Until then
it cannot be replaced again, but with --now, which ends both.`,
		Args: cobra.NoArgs,
	}
	cmd.Flags().StringVar(&route, "route", "", "id of a route that has a secret of its own")
	cmd.Flags().Var(&overlap, "overlap", "how long events are signed with both")
	cmd.Flags().BoolVar(&now, "now", false, "stop signing with the old one at once")
	cmd.MarkFlagsMutuallyExclusive("overlap", "now")
	return p.remote(cmd, func(s *session, _ []string) error {
		if now {
			overlap = 0
		}
		made, err := s.c.RotateWebhookSecret(s.ctx, route, time.Duration(overlap))
		if err != nil {
			return err
		}
		return s.show(made, func() error {
			if !made.PreviousUntil.IsZero() {
				s.err.say("Events are signed with the old secret as well until %s.", s.out.when(made.PreviousUntil))
			}
			return s.out.text(made.Secret)
		})
	})
}

func (p *program) webhookLogCommand() *cobra.Command {
	var page pageFlags
	var q client.WebhookDeliveriesQuery
	cmd := &cobra.Command{
		Use:   "log",
		Short: "List events that were posted or are to be, newest first",
		Long: `List events that were posted or are to be, newest first. In a pipe each is a line with tabs: id, event,
status, time, number of attempts, id of the message, URL, last error.`,
	}
	page.add(cmd)
	page.find(cmd)
	cmd.Flags().StringVar(&q.Status, "status", "", "pending, delivered, failed or held")
	cmd.Flags().StringVar(&q.Event, "event", "", "kind of event")
	cmd.Flags().StringVar(&q.EmailID, "email", "", "id of a message")
	return p.remote(cmd, func(s *session, _ []string) error {
		if err := page.check(); err != nil {
			return err
		}
		q := q
		q.Page = page.Page
		list, err := paged(s, page.all, q, s.c.WebhookDeliveries, s.c.WebhookDeliveriesAll,
			func(l *api.WebhookDeliveries) *[]api.WebhookDelivery { return &l.Deliveries })
		if err != nil {
			return err
		}
		s.empty(len(list.Deliveries), "There is nothing.")
		t := newTable(6, "id", "event", "status", "when", "attempts", "email", "url", "error").
			withIDs(0, 5).droppable(4, 5, 7)
		return rows(s, list, list.Deliveries, list.Next, t, func(d api.WebhookDelivery) {
			why := ""
			if n := len(d.Attempts); n > 0 {
				why = string(d.Attempts[n-1].Error)
			}
			t.add(d.ID, d.Event, d.Status, s.out.age(d.CreatedAt), number(len(d.Attempts)), d.EmailID, d.URL, why)
		})
	})
}

func (p *program) webhookReplayCommand() *cobra.Command {
	var since moment
	var to string
	cmd := &cobra.Command{
		Use:   "replay ID | --since TIME",
		Short: "Post an event of the log again, or all since a time that did not arrive",
		Long: `Post an event of the log once more, now, and say how it went; or with --since have all events
posted again that failed or were held since then, as new ones are.`,
		Example: "  mailkin webhook replay --since 2h",
		Args:    cobra.MaximumNArgs(1),
	}
	cmd.Flags().Var(&since, "since", "from when on: a time, or a duration back from now")
	cmd.Flags().StringVar(&to, "webhook", "", "with --since: only events for the webhook with this URL")
	return p.onIDs(hookDeliveries, false, cmd, func(s *session, args []string) error {
		switch {
		case since.IsZero() == (len(args) == 0):
			return usage("say which, an id of \"mailkin webhook log\", or from when on with --since")
		case len(args) == 0:
			return s.replaySince(since.Time, to)
		}
		t, err := s.c.ReplayWebhook(s.ctx, args[0])
		if err != nil {
			return err
		}
		return s.trial(t)
	})
}

// replaySince has all events posted again that did not arrive since then.
func (s *session) replaySince(since time.Time, url string) error {
	var all api.WebhooksReplayed
	for all.More = true; all.More; {
		some, err := s.c.ReplayWebhooks(s.ctx, since, url)
		if err != nil {
			return err
		}
		all.Queued, all.Skipped, all.More = all.Queued+some.Queued, some.Skipped, some.More && some.Queued > 0
	}
	return s.show(all, func() error {
		return s.out.fields(field{"queued", number(all.Queued)}, field{"skipped", number(all.Skipped)})
	})
}
