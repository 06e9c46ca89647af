package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/client"
)

func (p *program) deleteCommand() *cobra.Command {
	var yes bool
	cmd := &cobra.Command{
		Use:     "delete ID...",
		Aliases: []string{"rm"},
		Short:   "Delete messages, at once and for good",
		Long:    "Delete messages, at once and for good. On a terminal it asks before it deletes more than one.",
		Example: "  mailkin delete 0199e5a4\n  mailkin inbox --label newsletter --all | cut -f1 | xargs mailkin delete",
		Args:    someIDs,
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "do not ask")
	return p.onIDs(messages, true, cmd, func(s *session, ids []string) error {
		if len(ids) > 1 && !yes && s.asksPerson() {
			if err := s.confirm("Delete " + number(len(ids)) + " messages, for good?"); err != nil {
				return err
			}
		}
		for _, id := range ids {
			if err := s.c.DeleteEmail(s.ctx, id); err != nil {
				return err
			}
		}
		return s.said(map[string]any{"ok": true, "deleted": ids}, "Deleted: %s", strings.Join(ids, " "))
	})
}

// someIDs wants a command to have messages.
func someIDs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return idArgument(cmd, nil)
	}
	return nil
}

func (p *program) labelCommand() *cobra.Command {
	var remove []string
	cmd := &cobra.Command{
		Use:   "label ID|latest [LABEL...]",
		Short: "Add labels to a message or remove them; without arguments, show its labels",
		Example: "  mailkin label latest invoice paid\n  mailkin label latest --remove invoice\n" +
			"  mailkin inbox --label paid",
		Args: someIDs,
	}
	cmd.Flags().StringSliceVar(&remove, "remove", nil, "labels to take off; several with commas")
	return p.onIDs(messages, false, cmd, func(s *session, args []string) error {
		id, add := args[0], args[1:]
		var m *api.Email
		var err error
		if len(add) == 0 && len(remove) == 0 {
			m, err = s.c.Email(s.ctx, id, client.EmailOptions{})
		} else {
			m, err = s.c.UpdateEmail(s.ctx, id, api.EmailChange{AddLabels: add, RemoveLabels: remove})
		}
		if err != nil {
			return err
		}
		return s.show(map[string]any{"id": m.ID, "labels": m.Labels}, func() error {
			return s.out.text(strings.Join(m.Labels, "\n"))
		})
	})
}
