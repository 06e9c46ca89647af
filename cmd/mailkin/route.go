package main

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mailkin/mailkin/api"
)

// maxLabel is the most characters of a label.
const maxLabel = 32

func (p *program) webhookRouteCommand() *cobra.Command {
	cmd := p.remote(&cobra.Command{
		Use:   "route",
		Short: "List the webhooks besides the mailbox's own; set and delete them",
		Long: `List the webhooks besides the mailbox's own: those for the messages with a label, and those with an
id, which have a secret and a choice of events of their own. In a pipe each is a line with tabs: label, URL, status,
number of failures, last error, id, events.`,
		Args: listsAlone,
	}, func(s *session, _ []string) error {
		list, err := s.c.Routes(s.ctx)
		if err != nil {
			return err
		}
		s.empty(len(list.Routes), "There are none.")
		return s.show(list, func() error {
			t := newTable(1, "label", "url", "status", "failures", "error", "id", "events").droppable(6, 3)
			for _, r := range list.Routes {
				t.add(r.Label, r.WebhookURL, r.Status, number(r.ConsecutiveFailures), r.LastError, r.ID,
					strings.Join(r.Events, ","))
				if r.Warning != "" {
					s.err.say("%s", r.Warning)
				}
			}
			return s.out.table(t)
		})
	})
	cmd.AddCommand(p.routeSetCommand(), p.routeAddCommand(), p.routeDeleteCommand())
	return cmd
}

func (p *program) routeSetCommand() *cobra.Command {
	return p.remote(&cobra.Command{
		Use:   "set LABEL URL",
		Short: "Post the events of messages with a label to a URL",
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

func (p *program) routeAddCommand() *cobra.Command {
	var change api.RouteChange
	cmd := &cobra.Command{
		Use:   "add URL",
		Short: "Post events to a URL, signed with a secret of its own, and print the secret",
		Args:  urlArgument,
	}
	cmd.Flags().StringSliceVar(&change.Events, "events", nil, "names of events, with commas; none: the usual ones")
	cmd.Flags().StringVar(&change.Form, "form", "", "of the body: v1, resend or agentmail")
	return p.remote(cmd, func(s *session, args []string) error {
		change := change
		change.WebhookURL = args[0]
		r, err := s.c.PutRoute(s.ctx, change)
		if err != nil {
			return err
		}
		return s.show(r, func() error {
			return s.out.fields(field{"id", r.ID}, field{"url", r.WebhookURL}, field{"secret", r.Secret})
		})
	})
}

func (p *program) routeDeleteCommand() *cobra.Command {
	return p.remote(&cobra.Command{
		Use:   "delete LABEL|ID",
		Short: "End the webhook for a label, or the one with an id",
		Args:  oneArgument("say which label, or which id"),
	}, func(s *session, args []string) error {
		end := s.c.DeleteRoute
		if len(args[0]) > maxLabel { // it is an id
			end = s.c.DeleteRouteID
		}
		if err := end(s.ctx, args[0]); err != nil {
			return err
		}
		return s.said(map[string]any{"ok": true}, "The route of %s is gone.", args[0])
	})
}
