package main

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/client"
)

func (p *program) mailboxCommand() *cobra.Command {
	cmd := p.remote(&cobra.Command{
		Use:   "mailbox",
		Short: "Show the mailbox; make, pause, resume and delete mailboxes",
		Long: `Show the mailbox: address, aliases, status, webhook, and its use of the day.

Making and listing mailboxes is for the operator, whose token is the key then:
MAILKIN_API_KEY=$(mailkin secret show token), or a profile of "mailkin login".
A mailbox is named by its address, or by what is before the @ where only one is called so.`,
	}, func(s *session, _ []string) error { return s.showMailbox() })
	cmd.AddCommand(p.mailboxShowCommand(), p.mailboxListCommand(), p.mailboxCreateCommand(),
		p.mailboxPauseCommand(), p.mailboxResumeCommand(),
		p.mailboxBrakesCommand(), p.mailboxResumeSendingCommand(), p.mailboxPolicyCommand(),
		p.mailboxReviewersCommand(), p.mailboxNameCommand(), p.mailboxMetadataCommand(), p.mailboxUndoCommand(),
		p.mailboxDeleteCommand(), p.mailboxLimitsCommand(), p.mailboxTestMailCommand(),
		p.suppressionsCommand(), p.suppressCommand(), p.unsuppressCommand(), p.rejectsCommand(), p.auditCommand())
	return cmd
}

func (p *program) mailboxShowCommand() *cobra.Command {
	return p.onMailbox(&cobra.Command{
		Use:     "show [MAILBOX]",
		Short:   "Show a mailbox: address, aliases, status, webhook, and its use of the day",
		Example: "  mailkin mailbox show anna",
	}, func(s *session) error { return s.showMailbox() })
}

func (s *session) showMailbox() error {
	m, err := s.c.Mailbox(s.ctx)
	if s.box != "" && err != nil {
		m, err = s.c.Moderate(s.box).Mailbox(s.ctx)
	}
	if err != nil {
		return err
	}
	return s.show(m, func() error { return s.mailbox(m) })
}

func (s *session) mailbox(m *api.MailboxRecord) error {
	paused := ""
	if m.PausedBy != "" {
		paused = strings.TrimSpace("by the " + m.PausedBy + " " + m.Reason)
	}
	stopped := ""
	if p := m.SendingPaused; p != nil {
		stopped = s.out.when(p.At) + " " + p.Reason
	}
	return s.out.fields(field{"mailbox", m.Mailbox.Mailbox}, field{"display_name", m.DisplayName},
		field{"metadata", metadataText(m.Metadata)}, field{"aliases", strings.Join(m.Aliases, ", ")},
		field{"status", m.Status},
		field{"paused", paused}, field{"sending_paused", stopped}, field{"brakes", onOff(m.Brakes)},
		field{"scope", m.Scope}, field{"created_at", s.out.when(m.CreatedAt)},
		field{"expires_at", s.out.when(m.ExpiresAt)},
		field{"webhook_url", string(m.WebhookURL)}, field{"webhook", m.Webhook.Status},
		field{"webhook_error", m.Webhook.LastError},
		field{"sends_today", usedOf(int64(m.SendsToday), m.Limits.DailySends)},
		field{"bytes", usedOf(m.Usage.Bytes, m.Limits.Bytes)},
		field{"messages", usedOf(m.Usage.Messages, m.Limits.Messages)}, field{"send_policy", m.SendPolicy},
		field{"reviewers", strings.Join(m.Reviewers, ", ")}, field{"note", m.Note})
}

func (p *program) mailboxListCommand() *cobra.Command {
	var page pageFlags
	var q client.MailboxesQuery
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the deployment's mailboxes, as operator",
		Long: `List the deployment's mailboxes, as operator. In a pipe each is a line with tabs: address,
status, scope, when it was made, when it ends.`,
	}
	page.add(cmd)
	cmd.Flags().StringVar(&q.Status, "status", "", "active or paused")
	cmd.Flags().StringVarP(&q.Query, "query", "q", "", "a part of the address")
	return p.remote(cmd, func(s *session, _ []string) error {
		if err := page.check(); err != nil {
			return err
		}
		q := q
		q.Page = page.Page
		list, err := paged(s, page.all, q, s.c.Mailboxes, s.c.MailboxesAll,
			func(l *api.Mailboxes) *[]api.Mailbox { return &l.Mailboxes })
		if err != nil {
			return err
		}
		t := newTable(0, "mailbox", "status", "scope", "created", "expires")
		return rows(s, list, list.Mailboxes, list.Next, t, func(m api.Mailbox) {
			t.add(m.Mailbox, m.Status, m.Scope, s.out.age(m.CreatedAt), s.out.age(m.ExpiresAt))
		})
	})
}

func (p *program) mailboxCreateCommand() *cobra.Command {
	var keep bool
	cmd := &cobra.Command{
		Use:   "create NAME|ADDRESS",
		Short: "Make a permanent mailbox, as operator, and print its key",
		Long: `Make a permanent mailbox, as operator, and print its key: this once. NAME is on the deployment's
first domain.`,
		Args: oneArgument("say the name or the address of the mailbox"),
	}
	cmd.Flags().BoolVar(&keep, "keep", false, "keep the mailbox and its key in the profile, instead of printing the key")
	return p.remote(cmd, func(s *session, args []string) error {
		m := api.NewMailbox{Name: args[0]}
		if strings.Contains(args[0], "@") {
			m = api.NewMailbox{Address: args[0]}
		}
		if keep {
			if err := s.vacant(); err != nil {
				return err
			}
		}
		made, err := s.c.CreateMailbox(s.ctx, m)
		if err != nil {
			return err
		}
		if keep {
			if err := s.keep(profile{URL: s.c.BaseURL(), APIKey: made.APIKey, Mailbox: made.Mailbox}); err != nil {
				return err
			}
			return s.show(made, func() error {
				s.err.say("Its key is in %s.", s.at.path)
				return s.out.text(made.Mailbox)
			})
		}
		return s.show(made, func() error {
			s.err.say("This is the key of %s. It is shown this once.", made.Mailbox)
			return s.out.text(made.APIKey)
		})
	})
}

func (p *program) mailboxPauseCommand() *cobra.Command {
	var reason string
	cmd := &cobra.Command{
		Use:   "pause [MAILBOX]",
		Short: "Pause the mailbox: it refuses everything but resume, and its mail is deferred",
	}
	cmd.Flags().StringVar(&reason, "reason", "", "why, for anyone who asks")
	return p.onMailbox(cmd, func(s *session) error {
		pause := s.c.Pause
		moderated, operator, err := s.asOperator()
		if err != nil {
			return err
		}
		if operator {
			pause = moderated.Pause
		}
		m, err := pause(s.ctx, reason)
		if err != nil {
			return err
		}
		return s.show(m, func() error { return s.out.fields(field{"mailbox", m.Mailbox}, field{"status", m.Status}) })
	})
}

func (p *program) mailboxResumeCommand() *cobra.Command {
	return p.onMailbox(&cobra.Command{Use: "resume [MAILBOX]", Short: "End a pause"}, func(s *session) error {
		resume := s.c.Resume
		moderated, operator, err := s.asOperator()
		if err != nil {
			return err
		}
		if operator {
			resume = moderated.Resume
		}
		m, err := resume(s.ctx)
		if err != nil {
			return err
		}
		return s.show(m, func() error { return s.out.fields(field{"mailbox", m.Mailbox}, field{"status", m.Status}) })
	})
}

func onOff(on bool) string {
	if on {
		return "on"
	}
	return "off"
}

func (p *program) mailboxBrakesCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "brakes on|off|default",
		Short: "Stop a mailbox when its behaviour suddenly changes, as operator or with a key that controls it",
		Long: `Switch the brakes of the mailbox on or off, or have them as the setting brakes says. They stop
its sending when it does far more than ever: messages, new recipients, bounces, the same
text. Then "mailkin mailbox" says why, and "mailkin mailbox resume-sending" lets it go on.`,
		Args: oneArgument("say on, off or default"),
	}
	return p.remote(cmd, func(s *session, args []string) error {
		var on *bool
		switch args[0] {
		case "on", "off":
			on = new(bool)
			*on = args[0] == "on"
		case "default":
		default:
			return usage("say on, off or default")
		}
		m, err := s.c.SetBrakes(s.ctx, on)
		if err != nil {
			return err
		}
		return s.said(m, "The brakes of %s are %s.", m.Mailbox.Mailbox, onOff(m.Brakes))
	})
}

func (p *program) mailboxResumeSendingCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "resume-sending",
		Short: "Let a mailbox that the brakes stopped send again, as operator or with a key that controls it",
		Long: `Let a mailbox that the brakes stopped send again. Look first at what it sent. What it did counts as
usual from then on, and mail that waits leaves at once.`,
	}
	return p.remote(cmd, func(s *session, _ []string) error {
		m, err := s.c.ResumeSending(s.ctx)
		if err != nil {
			return err
		}
		return s.said(m, "%s may send.", m.Mailbox.Mailbox)
	})
}

func (p *program) mailboxTestMailCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "test-mail",
		Short: "Send the mailbox a test mail through the SMTP server, as mail from strangers comes",
	}
	return p.remote(cmd, func(s *session, _ []string) error {
		t, err := s.c.TestMail(s.ctx)
		if err != nil {
			return err
		}
		if !t.OK {
			return &fault{status: exitRefused, text: "The test mail was not taken: " + t.Reply}
		}
		return s.said(t, "It was taken.")
	})
}

func (p *program) mailboxDeleteCommand() *cobra.Command {
	var yes bool
	cmd := &cobra.Command{
		Use:   "delete [MAILBOX]",
		Short: "Delete the mailbox, its keys and all its mail, at once and for good",
		Long: `Delete the mailbox, its keys and all its mail, at once and for good. On a terminal it asks first;
elsewhere it wants --yes.`,
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "do not ask")
	return p.onMailbox(cmd, func(s *session) error {
		name, err := s.boxName()
		if err != nil {
			return err
		}
		moderated, operator, err := s.asOperator()
		if err != nil {
			return err
		}
		if !yes {
			if err := s.confirm("Delete " + name + " and all its mail, for good?"); err != nil {
				return err
			}
		}
		remove := s.c.DeleteMailbox
		if operator {
			remove = moderated.Delete
		}
		gone, err := remove(s.ctx)
		if err != nil {
			return err
		}
		if s.at.keyFrom == s.at.path && s.at.profile.Mailbox == name {
			if err := s.keep(profile{URL: s.at.profile.URL}); err != nil {
				return err
			}
		}
		return s.said(gone, "%s is gone.", gone.Deleted)
	})
}

// confirm asks a person. Where there is none, it is a no.
func (s *session) confirm(question string) error {
	if s.p.stdin == nil || !s.err.isTerminal() {
		return usage("%s Say --yes to do it", question)
	}
	fmt.Fprintf(s.err.w, "%s [y/N] ", line(question))
	answer, err := bufio.NewReader(io.LimitReader(s.p.stdin, 1<<10)).ReadString('\n')
	if err != nil || !strings.EqualFold(strings.TrimSpace(answer), "y") && !strings.EqualFold(strings.TrimSpace(answer),
		"yes") {
		return &fault{status: exitInterrupted, text: "it was not done"}
	}
	return nil
}
