package main

import (
	"strconv"

	"github.com/spf13/cobra"
)

func (p *program) mailboxUndoCommand() *cobra.Command {
	return p.remote(&cobra.Command{
		Use:   "undo SECONDS",
		Short: "Delay every message before it is sent, as operator or with a key that controls the mailbox",
		Long: `Delay every message of the mailbox by 0 to 300 seconds before it is sent, so that it can be
canceled with "mailkin email cancel".`,
		Args: oneArgument("say for how many seconds"),
	}, func(s *session, args []string) error {
		seconds, err := strconv.Atoi(args[0])
		if err != nil {
			return usage("say for how many seconds: 0 to 300")
		}
		m, err := s.c.SetUndo(s.ctx, seconds)
		if err != nil {
			return err
		}
		return s.said(m, "Messages of %s wait for %d s.", m.Mailbox.Mailbox, m.UndoSeconds)
	})
}
