package main

import (
	"context"
	"errors"
	"iter"

	"github.com/spf13/cobra"

	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/client"
)

const aboutLists = ` LIST is send, reply or receive, ACTION allow or block.
An address, a domain or *.domain can be listed. Block wins over allow, and an allow list without entries allows
everybody. The reply lists are about answers to those who wrote: reply allow lets them be answered though send allow
does not name them. The receive lists are about the senders of mail that comes.`

func (p *program) listCommand() *cobra.Command {
	var page pageFlags
	var deployment bool
	cmd := &cobra.Command{
		Use:   "list LIST ACTION",
		Short: "Show or change whom the mailbox may write to and receive mail from",
		Long: `Show the entries of a list.` + aboutLists + `
In a pipe each entry is a line with tabs: value, time, expiry, note.`,
		Args: listArguments(0),
	}
	page.add(cmd)
	cmd.Flags().BoolVar(&deployment, "deployment", false, "the list of the whole deployment, as operator")
	cmd = p.remote(cmd, func(s *session, args []string) error {
		if err := page.check(); err != nil {
			return err
		}
		l := client.List{Name: args[0], Action: args[1], Deployment: deployment}
		some := func(ctx context.Context, p client.Page) (*api.ListEntries, error) { return s.c.ListEntries(ctx, l, p) }
		every := func(ctx context.Context, p client.Page) iter.Seq2[api.ListEntry, error] {
			return s.c.ListEntriesAll(ctx, l, p)
		}
		list, err := paged(s, page.all, page.Page, some, every,
			func(l *api.ListEntries) *[]api.ListEntry { return &l.Entries })
		if err != nil {
			return err
		}
		s.empty(len(list.Entries), "There are none.")
		t := newTable(3, "value", "when", "expires", "note")
		return rows(s, list, list.Entries, list.Next, t, func(x api.ListEntry) {
			t.add(x.Value, s.out.age(x.CreatedAt), s.out.age(x.ExpiresAt), x.Note)
		})
	})
	cmd.AddCommand(p.listAddCommand(), p.listRemoveCommand())
	return cmd
}

// listArguments wants a list, an action, and so many more.
func listArguments(more int) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) != 2+more {
			return errors.New("say which list: send, reply or receive, allow or block" +
				map[int]string{1: ", and the entry"}[more])
		}
		return nil
	}
}

func (p *program) listAddCommand() *cobra.Command {
	var note string
	until := moment{ahead: true}
	var deployment bool
	cmd := &cobra.Command{
		Use:   "add LIST ACTION VALUE",
		Short: "Put an address, a domain or *.domain on a list, as operator or with a key that controls the mailbox",
		Args:  listArguments(1),
	}
	cmd.Flags().StringVar(&note, "note", "", "why, for those who read the list")
	cmd.Flags().Var(&until, "expires", "when it ends: a time, or a duration from now")
	cmd.Flags().BoolVar(&deployment, "deployment", false, "the list of the whole deployment, as operator")
	return p.remote(cmd, func(s *session, args []string) error {
		e, err := s.c.PutListEntry(s.ctx, client.List{Name: args[0], Action: args[1], Deployment: deployment}, args[2],
			note, until.Time)
		if err != nil {
			return err
		}
		return s.said(e, "%s is on the list %s %s.", e.Value, args[0], args[1])
	})
}

func (p *program) listRemoveCommand() *cobra.Command {
	var deployment bool
	cmd := &cobra.Command{
		Use:   "remove LIST ACTION VALUE",
		Short: "Remove an entry from a list, as operator or with a key that controls the mailbox",
		Args:  listArguments(1),
	}
	cmd.Flags().BoolVar(&deployment, "deployment", false, "the list of the whole deployment, as operator")
	return p.remote(cmd, func(s *session, args []string) error {
		l := client.List{Name: args[0], Action: args[1], Deployment: deployment}
		if err := s.c.DeleteListEntry(s.ctx, l, args[2]); err != nil {
			return err
		}
		return s.said(map[string]any{"ok": true, "deleted": args[2]}, "%s is off the list %s %s.", args[2], args[0],
			args[1])
	})
}
