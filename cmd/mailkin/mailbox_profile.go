package main

import (
	"encoding/json"
	"strings"

	"github.com/spf13/cobra"
)

func (p *program) mailboxNameCommand() *cobra.Command {
	return p.remote(&cobra.Command{
		Use:   "name NAME",
		Short: "Set the display name in From",
		Long:  `Set the display name in From. An empty name removes it: mailkin mailbox name ""`,
		Args:  cobra.ExactArgs(1),
	}, func(s *session, args []string) error {
		m, err := s.c.SetDisplayName(s.ctx, args[0])
		if err != nil {
			return err
		}
		if m.DisplayName == "" {
			return s.said(m, "%s has no name.", m.Mailbox.Mailbox)
		}
		return s.said(m, "%s is called %s.", m.Mailbox.Mailbox, m.DisplayName)
	})
}

func (p *program) mailboxMetadataCommand() *cobra.Command {
	return p.remote(&cobra.Command{
		Use:   "metadata KEY=VALUE...",
		Short: "Set members of the mailbox's metadata",
		Long: `Set members of the mailbox's metadata, which is yours to use. A VALUE is a number, true, false, or
text; KEY= takes a member away.`,
		Example: `  mailkin mailbox metadata customer=42 team=support`,
		Args:    cobra.MinimumNArgs(1),
	}, func(s *session, args []string) error {
		members := make(map[string]any, len(args))
		for _, arg := range args {
			key, value, ok := strings.Cut(arg, "=")
			if !ok || key == "" {
				return usage("write KEY=VALUE")
			}
			members[key] = metadataValue(value)
		}
		m, err := s.c.SetMetadata(s.ctx, members)
		if err != nil {
			return err
		}
		return s.said(m, "The metadata of %s is now %s.", m.Mailbox.Mailbox, metadataText(m.Metadata))
	})
}

// metadataValue reads a number or a truth; anything else is text, and nothing is none.
func metadataValue(text string) any {
	var value any
	_ = json.Unmarshal([]byte(text), &value) // what is no JSON is text
	switch value.(type) {
	case float64, bool:
		return value
	}
	if text == "" {
		return nil
	}
	return text
}

func metadataText(members map[string]any) string {
	if len(members) == 0 {
		return ""
	}
	text, _ := json.Marshal(members) // it came as JSON
	return string(text)
}
