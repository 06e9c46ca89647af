package main

import (
	"strings"

	"github.com/spf13/cobra"
)

func (p *program) emailCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "email",
		Short: "Call back a message that has not been sent",
	}
	cmd.AddCommand(p.emailCancelCommand())
	return cmd
}

func (p *program) emailCancelCommand() *cobra.Command {
	var recipient string
	cmd := &cobra.Command{
		Use:   "cancel ID",
		Short: "Call a message back that is scheduled or queued",
		Long: `Call a message back that is scheduled or queued. Those whose server has it keep it; the
answer says who does not get it, and for whom it was too late.`,
		Example: "  mailkin email cancel 0199e5a4-7c1e-7cc1-b8a5-1f2c3d4e5f60 --recipient kim@example.com",
		Args:    oneArgument("say which message: the id that \"mailkin send\" printed"),
	}
	cmd.Flags().StringVar(&recipient, "recipient", "", "keep it from this address alone")
	return p.remote(cmd, func(s *session, args []string) error {
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
