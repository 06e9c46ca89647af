package main

import (
	"errors"
	"time"

	"github.com/spf13/cobra"

	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/client"
)

// waitFlags are how long to wait, and for what is not older than when.
type waitFlags struct {
	timeout span
	since   moment
	from    string
}

func (f *waitFlags) add(cmd *cobra.Command, since string) {
	f.timeout = span(30 * time.Second)
	cmd.Flags().Var(&f.timeout, "timeout", "how long to wait; 0: as long as it takes")
	cmd.Flags().Var(&f.since, "since", since)
	cmd.Flags().StringVar(&f.from, "from", "", "only from a sender that contains this")
}

// patient waits: the first time so that a service that cannot be reached is told at once, and then as long as it takes.
func patient[T any](timeout time.Duration, once, long func(time.Duration) (*T, error)) (*T, error) {
	began := time.Now()
	first := client.LongestWait
	if timeout > 0 {
		first = min(first, timeout)
	}
	found, err := once(first)
	left := timeout - time.Since(began)
	if !errors.Is(err, client.ErrTimedOut) || timeout > 0 && left <= 0 {
		return found, err
	}
	return long(max(left, 0))
}

func (p *program) codeCommand() *cobra.Command {
	var f waitFlags
	var consume bool
	cmd := &cobra.Command{
		Use:   "code",
		Short: "Wait for a verification code, and print it alone",
		Long: `Wait for a verification code, and print it alone on stdout. It answers at the moment that
the mail is accepted. Status 3: none came in time.`,
		Example: "  CODE=$(mailkin code --from example.com --timeout 2m)",
	}
	f.add(cmd, "in a message later than this (default: in one of the last 15 minutes)")
	cmd.Flags().BoolVar(&consume, "consume", false, "give the code to no later call that says so")
	return p.remote(cmd, func(s *session, _ []string) error {
		q := client.CodeQuery{From: f.from, Since: f.since.Time, Consume: consume}
		code, err := patient(time.Duration(f.timeout), func(d time.Duration) (*api.Code, error) {
			q.Timeout = d
			return s.c.Code(s.ctx, q)
		}, func(d time.Duration) (*api.Code, error) {
			q.Timeout = d
			return s.c.WaitForCode(s.ctx, q)
		})
		if err != nil {
			return s.interrupted("no code came before it was interrupted", err)
		}
		return s.show(code, func() error {
			if s.err.isTerminal() {
				s.err.say("From %s: %s", code.From, code.Subject)
			}
			return s.out.text(code.Code)
		})
	})
}

func (p *program) waitCommand() *cobra.Command {
	var f waitFlags
	var q client.WaitQuery
	cmd := &cobra.Command{
		Use:   "wait",
		Short: "Wait for a message, and show it",
		Long: `Wait for a message that fits everything that is said of it, and show it as "mailkin read"
does. Status 3: none came in time.`,
		Example: "  mailkin wait --subject welcome --has link --timeout 5m --json",
	}
	f.add(cmd, "later than this (default: since 60 seconds ago)")
	flags := cmd.Flags()
	flags.StringVarP(&q.Query, "query", "q", "", "words, as for \"mailkin search\"")
	flags.StringVar(&q.Subject, "subject", "", "a part of the subject")
	flags.StringVar(&q.Label, "label", "", "with this label")
	flags.StringVar(&q.ThreadID, "thread", "", "of the conversation with this id")
	flags.StringSliceVar(&q.Has, "has", nil, "code, link or attachment; several with commas")
	return p.remote(cmd, func(s *session, _ []string) error {
		q := q
		q.From, q.Since = f.from, f.since.Time
		var err error
		if q.ThreadID, err = s.threadID(q.ThreadID); err == nil {
			err = checkQuery(q.Query)
		}
		if err != nil {
			return err
		}
		m, err := patient(time.Duration(f.timeout), func(d time.Duration) (*api.Email, error) {
			q.Timeout = d
			return s.c.Wait(s.ctx, q)
		}, func(d time.Duration) (*api.Email, error) {
			q.Timeout = d
			return s.c.WaitForEmail(s.ctx, q)
		})
		if err != nil {
			return s.interrupted("no message came before it was interrupted", err)
		}
		return s.show(map[string]any{"email": m}, func() error { return s.email(m) })
	})
}
