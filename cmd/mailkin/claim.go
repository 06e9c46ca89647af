package main

import (
	"context"
	"regexp"
	"sync"
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
	cmd.AddCommand(p.claimConfirmCommand(), p.claimListCommand(), p.claimDenyCommand())
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
		Long: `Confirm a claim, as operator, without a browser: by its session, or by an id of "mailkin claim
list".`,
		Args: oneArgument("say which claim: the session that \"mailkin claim\" printed, or an id of \"mailkin claim list\""),
	}, func(s *session, args []string) error {
		confirm := s.c.ConfirmClaim
		if claimID().MatchString(args[0]) {
			confirm = s.c.ConfirmPending
		}
		done, err := confirm(s.ctx, args[0])
		if err != nil {
			return err
		}
		return s.show(done, func() error {
			s.err.say("The claim is confirmed. The one who asked for it has the key.")
			return s.out.text(done.Mailbox)
		})
	})
}

// claimID is the form of an id of a claim, which a session never has.
var claimID = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)
})

func (p *program) claimListCommand() *cobra.Command {
	return p.remote(&cobra.Command{
		Use:   "list",
		Short: "List the claims that wait for a person, as operator",
		Long: `List the claims that wait for a person, as operator. In a pipe each is a line with tabs: id, mailbox,
the temporary mailbox that is to be kept, where it was started, when, when it ends.`,
		Args: cobra.NoArgs,
	}, func(s *session, _ []string) error {
		list, err := s.c.PendingClaims(s.ctx)
		if err != nil {
			return err
		}
		s.empty(len(list.Claims), "No claim waits.")
		t := newTable(1, "id", "mailbox", "temporary", "from", "when", "expires").withIDs(0).droppable(2)
		return rows(s, list, list.Claims, "", t, func(c api.PendingClaim) {
			t.add(c.ID, c.Mailbox, string(c.Temporary), c.Client, s.out.age(c.CreatedAt), s.out.age(c.ExpiresAt))
		})
	})
}

func (p *program) claimDenyCommand() *cobra.Command {
	return p.remote(&cobra.Command{
		Use:   "deny ID",
		Short: "Deny a claim, as operator",
		Long:  `Deny a claim, as operator. Its agent reads that nobody confirmed it in time, and can start another.`,
		Args:  oneArgument("say which claim: an id of \"mailkin claim list\""),
	}, func(s *session, args []string) error {
		done, err := s.c.DenyClaim(s.ctx, args[0])
		if err != nil {
			return err
		}
		return s.said(done, "The claim is denied.")
	})
}
