package main

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"github.com/mailkin/mailkin/api"
)

func (p *program) claimCommand() *cobra.Command {
	var noWait bool
	var started string
	cmd := &cobra.Command{
		Use:   "claim [NAME]",
		Short: "Make the temporary mailbox permanent, or ask for a permanent one",
		Long: `Make the temporary mailbox of the profile permanent: under its own address, or under NAME with
the old address as alias. Without a key it asks for a new mailbox, and needs the name.

A person confirms, on the page whose address is printed, within ten minutes. Meanwhile the
command waits; then it keeps the new key in the profile and prints the mailbox's address.
Status 3: nobody confirmed in time.`,
		Example: "  mailkin claim robin\n  mailkin claim robin --no-wait && mailkin claim --session SESSION_ID",
		Args:    cobra.MaximumNArgs(1),
	}
	cmd.Flags().BoolVar(&noWait, "no-wait", false, "print the address of the page and the session, and do not wait")
	cmd.Flags().StringVar(&started, "session", "", "go on waiting for a claim that was started")
	cmd.MarkFlagsMutuallyExclusive("no-wait", "session")
	p.open(cmd, func(s *session, args []string) error {
		id, limit := started, 10*time.Minute
		if id == "" {
			name := ""
			if len(args) == 1 {
				name = args[0]
			}
			begun, err := s.startClaim(name)
			if err != nil {
				return err
			}
			if noWait {
				return s.show(begun, func() error {
					return s.out.fields(field{"url", begun.URL},
						field{"session_id", begun.SessionID})
				})
			}
			s.err.say("Let a person open this page and confirm:")
			s.err.say("  %s", begun.URL)
			s.err.say("(or run, as operator: mailkin claim confirm %s). Waiting.", begun.SessionID)
			id, limit = begun.SessionID, time.Duration(begun.ExpiresIn)*time.Second+10*time.Second
		}
		return s.awaitClaim(id, limit)
	})
	cmd.AddCommand(p.claimConfirmCommand())
	return cmd
}

func (s *session) startClaim(name string) (*api.StartedClaim, error) {
	if s.at.key == "" && name == "" {
		return nil, usage("say the name of the mailbox that you want, or run \"mailkin bootstrap\" first")
	}
	if s.at.keyFrom != s.at.path {
		if err := s.vacant(); err != nil {
			return nil, err
		}
	}
	return s.c.StartClaim(s.ctx, name)
}

// awaitClaim waits until somebody has confirmed, and keeps the new key.
func (s *session) awaitClaim(id string, limit time.Duration) error {
	ctx, cancel := context.WithTimeout(s.ctx, limit)
	defer cancel()
	claim, err := s.c.AwaitClaim(ctx, id)
	switch {
	case err != nil && ctx.Err() != nil && s.ctx.Err() == nil, err == nil && claim.Status != api.ClaimComplete:
		return nothing("nobody confirmed the claim in time; start it again")
	case err != nil:
		return err
	}
	if err := s.keep(profile{URL: s.c.BaseURL(), APIKey: claim.APIKey, Mailbox: claim.Mailbox}); err != nil {
		return err
	}
	return s.show(claim, func() error {
		s.err.say("The mailbox is permanent. Its key is in %s.", s.at.path)
		return s.out.text(claim.Mailbox)
	})
}

func (p *program) claimConfirmCommand() *cobra.Command {
	return p.remote(&cobra.Command{
		Use:   "confirm SESSION",
		Short: "Confirm a claim, as operator, without a browser",
		Args:  oneArgument("say which claim: the session that \"mailkin claim\" printed"),
	}, func(s *session, args []string) error {
		done, err := s.c.ConfirmClaim(s.ctx, args[0])
		if err != nil {
			return err
		}
		return s.show(done, func() error {
			s.err.say("The claim is confirmed. The one who asked for it has the key.")
			return s.out.text(done.Mailbox)
		})
	})
}
