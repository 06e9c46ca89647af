package main

import (
	"errors"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/client"
)

var secretNames = []string{"token", "root", "webhook", "mailbox-webhooks"}

func oneSecret(_ *cobra.Command, args []string) error {
	if len(args) != 1 || !slices.Contains(secretNames, args[0]) {
		return errors.New("say which secret: token, root, webhook or mailbox-webhooks")
	}
	return nil
}

func (p *program) secretListCommand() *cobra.Command {
	return p.asOperator(&cobra.Command{
		Use:   "list",
		Short: "List the deployment's secrets, their age, and which of them are being replaced",
		Long: `List the deployment's secrets, their age, and which of them are being replaced. In a pipe each is a line with
tabs: name, where it comes from, since when it is used, until when the one before is taken, what is left to do.`,
		Args: cobra.NoArgs,
	}, func(s *session, _ []string) error {
		list, err := s.c.Secrets(s.ctx)
		if err != nil {
			return err
		}
		return s.show(list, func() error {
			t := newTable(4, "name", "from", "since", "one before until", "")
			for _, one := range list.Secrets {
				t.add(one.Name, one.Source, s.out.when(one.CreatedAt), s.out.when(one.PreviousUntil), leftToDo(one))
			}
			return s.out.table(t)
		})
	})
}

// leftToDo is what the operator has to do about a secret.
func leftToDo(s api.Secret) string {
	switch {
	case s.SettingsOld:
		return "set the new one in the settings"
	case s.Overdue:
		return "mailkin secret end " + s.Name
	}
	return ""
}

func (p *program) secretRotateCommand() *cobra.Command {
	var overlap span
	var now bool
	cmd := &cobra.Command{
		Use:   "rotate token|root|webhook|mailbox-webhooks",
		Short: "Replace a secret of the running server, on all nodes",
		Long: `Replace a secret of the running server, on all nodes and without a restart. The new one is printed where
somebody needs it, once. The one before is taken until the overlap is over: by default a day for the token, and a week
for the others. With --now it ends at once, when the new one has been used.

What the secrets of mailboxes' webhooks are made from is mailbox-webhooks: the others are replaced without them. It is
replaced where the root secret has leaked, and the owner of every webhook fetches a new secret then.

The server is found by MAILKIN_URL, else by the setting http_addr; the operator token is MAILKIN_API_KEY, else
AUTH_TOKEN, else the one in the data folder.`,
		ValidArgs: secretNames,
		Args:      oneSecret,
	}
	cmd.Flags().Var(&overlap, "overlap", "how long the one before is taken, such as 24h")
	cmd.Flags().BoolVar(&now, "now", false, "end the one before at once")
	cmd.MarkFlagsMutuallyExclusive("overlap", "now")
	return p.asOperator(cmd, func(s *session, args []string) error {
		if cmd.Flags().Changed("overlap") && time.Duration(overlap) < time.Second {
			return usage("--overlap is a time such as 24h; --now ends the one before at once")
		}
		made, err := s.c.RotateSecret(s.ctx, args[0], time.Duration(overlap))
		if err != nil {
			return err
		}
		err = s.show(made, func() error {
			if made.Value == "" {
				return nil
			}
			return s.out.text(made.Value)
		})
		if err != nil {
			return err
		}
		if !now {
			s.err.say("%s", made.Next)
			return nil
		}
		c := s.c
		if args[0] == "token" { // that it is in our hands is shown by using it
			if c, err = client.New(s.at.url, made.Value); err != nil {
				return err
			}
		}
		if _, err := c.EndSecret(s.ctx, args[0]); err != nil {
			return err
		}
		s.err.say("The one before has ended.")
		return nil
	})
}

func (p *program) secretEndCommand() *cobra.Command {
	return p.asOperator(&cobra.Command{
		Use:   "end token|root|webhook|mailbox-webhooks",
		Short: "End the secret that was replaced, before its time",
		Long: `End the secret that was replaced, before its time. Where the settings have the secret, every node must have
the new one before that: otherwise it does not start again.`,
		ValidArgs: secretNames,
		Args:      oneSecret,
	}, func(s *session, args []string) error {
		ended, err := s.c.EndSecret(s.ctx, args[0])
		if err != nil {
			return err
		}
		return s.said(ended, "Only the new secret is taken now.")
	})
}
