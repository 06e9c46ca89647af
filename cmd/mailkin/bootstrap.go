package main

import (
	"errors"
	"time"

	"github.com/spf13/cobra"

	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/client"
)

func (p *program) bootstrapCommand() *cobra.Command {
	var fresh bool
	cmd := &cobra.Command{
		Use:   "bootstrap",
		Short: "Get a temporary mailbox, without a key, and keep its key",
		Long: `Get a temporary mailbox, without a key, and print its address. The key is kept in the profile
(~/.config/mailkin/config.toml), so that the other commands use it. The mailbox receives and
reads, sends nothing, and is gone after 72 hours; "mailkin claim" makes it permanent.

If the profile has a mailbox that still works, that one is printed, and none is made.`,
		Example: "  ADDRESS=$(mailkin bootstrap)",
	}
	cmd.Flags().BoolVar(&fresh, "new", false, "make a new mailbox although there is one; the old key is forgotten")
	return p.open(cmd, func(s *session, _ []string) error {
		if !fresh {
			if had, err := s.mailboxAtHand(); err != nil || had != nil {
				return s.bootstrapped(had, err)
			}
			if s.at.keyFrom != s.at.path { // it is not known to be dead
				if err := s.vacant(); err != nil {
					return err
				}
			}
		}
		made, err := s.c.WithKey("").Bootstrap(s.ctx, "")
		if err != nil {
			return err
		}
		if err := s.keep(profile{URL: s.c.BaseURL(), APIKey: made.APIKey, Mailbox: made.Mailbox,
			ExpiresAt: made.ExpiresAt.Time}); err != nil {
			return err
		}
		return s.bootstrapped(made, nil)
	})
}

// mailboxAtHand is the mailbox of the profile, if it still works; nil: there is none.
func (s *session) mailboxAtHand() (*api.Bootstrapped, error) {
	had := s.at.profile
	if had.APIKey == "" || s.at.keyFrom != s.at.path || !had.ExpiresAt.IsZero() && time.Now().After(had.ExpiresAt) {
		return nil, nil
	}
	me, err := s.c.Me(s.ctx)
	switch {
	case errors.Is(err, client.ErrUnauthorized):
		return nil, nil
	case err != nil:
		return nil, err
	}
	return &api.Bootstrapped{Mailbox: me.Mailbox, APIKey: had.APIKey, Scope: me.Scope, ExpiresAt: me.ExpiresAt,
			Replayed:     true,
			Capabilities: me.Capabilities, Upgrade: api.Upgrade{Command: "mailkin claim",
				URL: s.c.BaseURL() + "/claim"}},
		nil
}

func (s *session) bootstrapped(b *api.Bootstrapped, err error) error {
	if err != nil {
		return err
	}
	return s.show(b, func() error {
		switch {
		case b.Replayed:
			s.err.say("There is a mailbox already, in %s. --new makes another.", s.at.path)
		default:
			s.err.say("The mailbox is yours until %s. Its key is in %s.",
				b.ExpiresAt.UTC().Format("2006-01-02 15:04 UTC"), s.at.path)
			s.err.say("Read it with \"mailkin inbox\" and \"mailkin code\"; keep it with \"mailkin claim\".")
		}
		return s.out.text(b.Mailbox)
	})
}
