package main

import (
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
	return p.remote(cmd, func(s *session, _ []string) error {
		if err := page.check(); err != nil {
			return err
		}
		list := &api.Suppressions{}
		var err error
		if page.all {
			list.Suppressions, err = gather(s.c.SuppressionsAll(s.ctx, page.Page))
		} else {
			list, err = s.c.Suppressions(s.ctx, page.Page)
		}
		if err != nil {
			return err
		}
		s.empty(len(list.Suppressions), "There are none.")
		return s.show(list, func() error {
			defer s.goOn(list.Next)
			t := newTable(3, "address", "reason", "when", "detail")
			for _, x := range list.Suppressions {
				t.add(x.Address, x.Reason, s.out.when(x.CreatedAt), x.Detail)
			}
			return s.out.table(t)
		})
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
		return s.show(map[string]any{"ok": true, "deleted": args[0]}, func() error {
			s.err.say("Mail can be sent to %s again.", args[0])
			return nil
		})
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
	return p.remote(cmd, func(s *session, _ []string) error {
		if err := page.check(); err != nil {
			return err
		}
		list := &api.Rejects{}
		var err error
		if page.all {
			list.Rejects, err = gather(s.c.RejectsAll(s.ctx, page.Page))
		} else {
			list, err = s.c.Rejects(s.ctx, page.Page)
		}
		if err != nil {
			return err
		}
		s.empty(len(list.Rejects), "There are none.")
		return s.show(list, func() error {
			defer s.goOn(list.Next)
			t := newTable(4, "when", "from", "to", "stage", "reply")
			for _, x := range list.Rejects {
				t.add(s.out.when(x.At), x.From, x.To, x.Stage, x.Reply)
			}
			return s.out.table(t)
		})
	})
}

func (p *program) auditCommand() *cobra.Command {
	var page pageFlags
	cmd := &cobra.Command{
		Use:   "audit",
		Short: "List what the operator did to mailboxes, as operator",
		Long: `List what the operator did to mailboxes, as operator. In a pipe each is a line with tabs: time,
action, mailbox, note.`,
	}
	page.add(cmd)
	return p.remote(cmd, func(s *session, _ []string) error {
		if err := page.check(); err != nil {
			return err
		}
		list := &api.Audit{}
		var err error
		if page.all {
			list.Audit, err = gather(s.c.AuditAll(s.ctx, page.Page))
		} else {
			list, err = s.c.Audit(s.ctx, page.Page)
		}
		if err != nil {
			return err
		}
		s.empty(len(list.Audit), "There is nothing.")
		return s.show(list, func() error {
			defer s.goOn(list.Next)
			t := newTable(3, "when", "action", "mailbox", "note")
			for _, x := range list.Audit {
				t.add(s.out.when(x.At), x.Action, x.Mailbox, x.Note)
			}
			return s.out.table(t)
		})
	})
}
