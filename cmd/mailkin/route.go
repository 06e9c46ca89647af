package main

import (
	"errors"

	"github.com/spf13/cobra"
)

func (p *program) webhookRouteCommand() *cobra.Command {
	cmd := p.remote(&cobra.Command{
		Use:   "route",
		Short: "List the webhooks for the messages with a label; set and delete them",
		Long: `List the webhooks for the messages with a label. In a pipe each is a line with tabs: label, URL,
status, number of failures, last error.`,
	}, func(s *session, _ []string) error {
		list, err := s.c.Routes(s.ctx)
		if err != nil {
			return err
		}
		s.empty(len(list.Routes), "There are none.")
		return s.show(list, func() error {
			t := newTable(1, "label", "url", "status", "failures", "error")
			for _, r := range list.Routes {
				t.add(r.Label, r.WebhookURL, r.Status, number(r.ConsecutiveFailures), r.LastError)
				if r.Warning != "" {
					s.err.say("%s", r.Warning)
				}
			}
			return s.out.table(t)
		})
	})
	cmd.AddCommand(p.routeSetCommand(), p.routeDeleteCommand())
	return cmd
}

func (p *program) routeSetCommand() *cobra.Command {
	return p.remote(&cobra.Command{
		Use:   "set LABEL URL",
		Short: "Have the events of messages with a label posted to a URL",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return errors.New("say which label, and the URL that its events are to be posted to")
			}
			return nil
		},
	}, func(s *session, args []string) error {
		r, err := s.c.SetRoute(s.ctx, args[0], args[1])
		if err != nil {
			return err
		}
		if r.Warning != "" {
			s.err.say("%s", r.Warning)
		}
		return s.show(r, func() error { return s.out.fields(field{"label", r.Label}, field{"url", r.WebhookURL}) })
	})
}

func (p *program) routeDeleteCommand() *cobra.Command {
	return p.remote(&cobra.Command{
		Use:   "delete LABEL",
		Short: "End the webhook for a label",
		Args:  oneArgument("say which label"),
	}, func(s *session, args []string) error {
		if err := s.c.DeleteRoute(s.ctx, args[0]); err != nil {
			return err
		}
		return s.said(map[string]any{"ok": true}, "The route of %s is gone.", args[0])
	})
}
