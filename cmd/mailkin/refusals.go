package main

import (
	"cmp"

	"github.com/spf13/cobra"

	"github.com/mailkin/mailkin/api"
)

func (p *program) suppressionsCommand() *cobra.Command {
	var page pageFlags
	cmd := &cobra.Command{
		Use:   "suppressions",
		Short: "List the addresses that the mailbox does not send to any more",
		Long: `List the addresses that the mailbox does not send to any more. In a pipe each is a line with tabs:
address, reason, time, detail.`,
	}
	page.add(cmd)
	page.find(cmd)
	return p.remote(cmd, func(s *session, _ []string) error {
		if err := page.check(); err != nil {
			return err
		}
		list, err := paged(s, page.all, page.Page, s.c.Suppressions, s.c.SuppressionsAll,
			func(l *api.Suppressions) *[]api.Suppression { return &l.Suppressions })
		if err != nil {
			return err
		}
		s.empty(len(list.Suppressions), "There are none.")
		t := newTable(3, "address", "reason", "when", "detail")
		return rows(s, list, list.Suppressions, list.Next, t,
			func(x api.Suppression) { t.add(x.Address, x.Reason, s.out.age(x.CreatedAt), x.Detail) })
	})
}

func (p *program) suppressCommand() *cobra.Command {
	var reason string
	cmd := &cobra.Command{
		Use:   "suppress ADDRESS...",
		Short: "Keep the mailbox from sending to addresses",
		Args:  cobra.MinimumNArgs(1),
	}
	cmd.Flags().StringVar(&reason, "reason", "", "why, for those who read the list")
	return p.remote(cmd, func(s *session, args []string) error {
		done, err := s.c.AddSuppressions(s.ctx, args, reason)
		if err != nil {
			return err
		}
		return s.said(done, "%d added, %d were on the list already.", done.Added, done.Present)
	})
}

func (p *program) unsuppressCommand() *cobra.Command {
	return p.remote(&cobra.Command{
		Use:   "unsuppress ADDRESS",
		Short: "Let the mailbox send to an address again",
		Args:  oneArgument("say which address"),
	}, func(s *session, args []string) error {
		if err := s.c.DeleteSuppression(s.ctx, args[0]); err != nil {
			return err
		}
		return s.said(map[string]any{"ok": true, "deleted": args[0]}, "Mail can be sent to %s again.", args[0])
	})
}

func (p *program) rejectsCommand() *cobra.Command {
	var page pageFlags
	cmd := &cobra.Command{
		Use:   "rejects",
		Short: "List mail for the mailbox that was refused, and why",
		Long: `List mail for the mailbox that was refused, and why; as operator, of all mailboxes. In a pipe each is
a line with tabs: time, sender, recipient, stage, what the sender was told.`,
	}
	page.add(cmd)
	page.find(cmd)
	return p.remote(cmd, func(s *session, _ []string) error {
		if err := page.check(); err != nil {
			return err
		}
		list, err := paged(s, page.all, page.Page, s.c.Rejects, s.c.RejectsAll,
			func(l *api.Rejects) *[]api.Reject { return &l.Rejects })
		if err != nil {
			return err
		}
		s.empty(len(list.Rejects), "There are none.")
		t := newTable(4, "when", "from", "to", "stage", "reply").droppable(3)
		return rows(s, list, list.Rejects, list.Next, t, func(x api.Reject) {
			t.add(s.out.age(x.At), x.From, x.To,
				x.Stage, x.Reply)
		})
	})
}

func (p *program) auditCommand() *cobra.Command {
	var page pageFlags
	cmd := &cobra.Command{
		Use:   "audit",
		Short: "List what operators did and what owners changed, as operator",
		Long: `List what operators did and what owners changed, as operator. In a pipe each is a line with tabs: time,
action, mailbox, note, who. --json also has the address that they came from and the request.`,
	}
	page.add(cmd)
	page.find(cmd)
	return p.remote(cmd, func(s *session, _ []string) error {
		if err := page.check(); err != nil {
			return err
		}
		list, err := paged(s, page.all, page.Page, s.c.Audit, s.c.AuditAll,
			func(l *api.Audit) *[]api.AuditEntry { return &l.Audit })
		if err != nil {
			return err
		}
		s.empty(len(list.Audit), "There is nothing.")
		t := newTable(3, "when", "action", "mailbox", "note", "who")
		return rows(s, list, list.Audit, list.Next, t, func(x api.AuditEntry) {
			t.add(s.out.age(x.At), x.Action, x.Mailbox, x.Note, cmp.Or(x.Name, x.Credential, x.Actor))
		})
	})
}
