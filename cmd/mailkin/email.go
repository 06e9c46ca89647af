package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/mailkin/mailkin/api"
)

func (p *program) emailCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "email",
		Short: "Show what happened to a message and how it is displayed; cancel or reschedule one that was not sent",
	}
	cmd.AddCommand(p.emailCancelCommand(), p.emailMoveCommand(), p.emailHistoryCommand(),
		p.emailCheckCommand())
	return cmd
}

func (p *program) emailMoveCommand() *cobra.Command {
	at := moment{ahead: true}
	cmd := &cobra.Command{
		Use:   "move ID --at TIME",
		Short: "Reschedule a message",
		Long: `Reschedule a message, for a later time or for now. A message that is no longer scheduled was
sent, or is being sent.`,
		Example: "  mailkin email move 0199e5a4-7c1e-7cc1-b8a5-1f2c3d4e5f60 --at 2h",
		Args:    oneArgument("say which message: the id that \"mailkin send\" printed"),
	}
	cmd.Flags().Var(&at, "at", "when: a time, or a duration from now")
	return p.onIDs(messages, false, cmd, func(s *session, args []string) error {
		if at.IsZero() {
			return usage("say when with --at")
		}
		m, err := s.c.UpdateEmail(s.ctx, args[0], api.EmailChange{SendAt: api.Time{Time: at.Time}})
		if err != nil {
			return err
		}
		return s.said(m, "It is sent at %s.", at.UTC().Format(isoTime))
	})
}

func (p *program) emailCancelCommand() *cobra.Command {
	var recipient string
	cmd := &cobra.Command{
		Use:   "cancel ID",
		Short: "Cancel a message that is scheduled or queued",
		Long: `Cancel a message that is scheduled or queued. Recipients whose server has it keep it; the
answer says who does not get it, and for whom it was too late.`,
		Example: "  mailkin email cancel 0199e5a4-7c1e-7cc1-b8a5-1f2c3d4e5f60 --recipient kim@example.com",
		Args:    oneArgument("say which message: the id that \"mailkin send\" printed"),
	}
	cmd.Flags().StringVar(&recipient, "recipient", "", "keep it from this address alone")
	return p.onIDs(messages, false, cmd, func(s *session, args []string) error {
		done, err := s.c.CancelEmail(s.ctx, args[0], recipient)
		if err != nil {
			return err
		}
		return s.show(done, func() error {
			return s.out.fields(field{"status", done.Status}, field{"canceled", strings.Join(done.Canceled, ", ")},
				field{"sent", strings.Join(done.Sent, ", ")})
		})
	})
}

func (p *program) emailHistoryCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "history ID",
		Short: "Show everything that happened to a message",
		Long: `Show everything that happened to a message, the oldest first: where it came from and how
its sender was checked, or who sent it; who read it first; labels, webhooks, and every
attempt to deliver it with what the other server said. "latest" is the newest message
that was received.`,
		Example: "  mailkin email history latest",
		Args:    oneArgument("say which message: an id that \"mailkin inbox\" shows"),
	}
	return p.onIDs(messages, false, cmd, func(s *session, args []string) error {
		h, err := s.c.History(s.ctx, args[0])
		if err != nil {
			return err
		}
		return s.show(h, func() error {
			if h.Truncated {
				s.err.say("There was more: the oldest is missing.")
			}
			var list []field
			for _, e := range h.History {
				list = append(list, field{e.At.UTC().Format(time.RFC3339), e.Text})
			}
			return s.out.fields(list...)
		})
	})
}

func (p *program) emailCheckCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "check ID",
		Short: "See which mail programs show a message as it was designed",
		Long: `See which mail programs show a message as it was designed: the features of HTML and CSS that
it uses and that not every program shows, by a coarse table, with how many of the programs
show each. No link is followed. "latest" is the newest message that was received.`,
		Example: "  mailkin email check latest",
		Args:    oneArgument("say which message: an id that \"mailkin inbox\" shows"),
	}
	return p.onIDs(messages, false, cmd, func(s *session, args []string) error {
		m, err := s.c.CheckEmail(s.ctx, args[0])
		if err != nil {
			return err
		}
		return s.show(m, func() error {
			if !m.HTML {
				s.err.say("The message has no HTML.")
			}
			list := []field{{"supported", fmt.Sprintf("%.1f %%", m.Supported)}}
			for _, f := range m.Features {
				shown := 0
				for _, program := range f.Programs {
					if program.Support == "yes" {
						shown++
					}
				}
				text := fmt.Sprintf("%d of %d programs. %s", shown, len(f.Programs), f.Advice)
				list = append(list, field{f.Title, text})
			}
			for _, l := range m.Links {
				if !l.Valid {
					list = append(list, field{"not an address", l.URL})
				}
			}
			return s.out.fields(list...)
		})
	})
}
