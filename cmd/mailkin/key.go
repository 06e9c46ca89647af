package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/mailkin/mailkin/api"
)

func (p *program) keyCommand() *cobra.Command {
	cmd := p.remote(&cobra.Command{
		Use:   "key",
		Short: "Show who the key is and what it may do; show, rotate, make and end keys",
		Long: `Show who the key is, what it may do, and how long it lives. Listing, making and ending keys is
for the operator.`,
	}, func(s *session, _ []string) error {
		me, err := s.c.Me(s.ctx)
		if err != nil {
			return err
		}
		return s.show(me, func() error {
			return s.out.fields(field{"mailbox", me.Mailbox}, field{"scope", me.Scope},
				field{"expires_at", s.out.when(me.ExpiresAt)},
				field{"capabilities", strings.Join(me.Capabilities, ", ")}, field{"service", s.c.BaseURL()},
				field{"version", me.Version},
				field{"key_from", s.at.keyFrom})
		})
	})
	cmd.AddCommand(p.keyShowCommand(), p.keyRotateCommand(), p.keyListCommand(), p.keyCreateCommand(),
		p.keyRevokeCommand())
	return cmd
}

func (p *program) keyShowCommand() *cobra.Command {
	return p.remote(&cobra.Command{
		Use:     "show",
		Short:   "Print the key in use, for other programs",
		Example: `  curl -s http://127.0.0.1:8025/v1/inbox -H "Authorization: Bearer $(mailkin key show)"`,
	}, func(s *session, _ []string) error {
		return s.show(map[string]any{"api_key": s.at.key, "url": s.c.BaseURL()},
			func() error { return s.out.text(s.at.key) })
	})
}

func (p *program) keyRotateCommand() *cobra.Command {
	return p.remote(&cobra.Command{
		Use:   "rotate",
		Short: "Make a new key in place of the one in use",
		Long: `Make a new key in place of the one in use, which ends at once or after the deployment's grace
time. A key from the profile is replaced there; one from MAILKIN_API_KEY is printed.`,
	}, func(s *session, _ []string) error {
		made, err := s.c.RotateKey(s.ctx)
		if err != nil {
			return err
		}
		if s.at.keyFrom != s.at.path {
			return s.show(made, func() error { return s.out.text(made.APIKey) })
		}
		to := s.at.profile
		to.APIKey = made.APIKey
		if err := s.keep(to); err != nil {
			s.err.say("The new key of %s is %s", made.Mailbox, made.APIKey) // it cannot be had again
			return err
		}
		return s.said(made, "The new key of %s is in %s.", made.Mailbox, s.at.path)
	})
}

// boxArgument wants a command to have the address of a mailbox.
var boxArgument = oneArgument("say which mailbox: its whole address")

func (p *program) keyListCommand() *cobra.Command {
	return p.remote(&cobra.Command{
		Use:   "list MAILBOX",
		Short: "List the keys of a mailbox, as operator; never the keys themselves",
		Long: `List the keys of a mailbox, as operator; never the keys themselves. In a pipe each is a line with
tabs: id, how it begins, scope, when it was made, when it was last used, when it ends,
its name, what it may do.`,
		Args: boxArgument,
	}, func(s *session, args []string) error {
		list, err := s.c.Moderate(args[0]).Keys(s.ctx)
		if err != nil {
			return err
		}
		t := newTable(1, "id", "prefix", "scope", "created", "last used", "expires", "name", "can")
		return rows(s, list, list.Keys, list.Next, t, func(k api.Key) {
			t.add(k.ID, k.Prefix, k.Scope, s.out.when(k.CreatedAt), s.out.when(k.LastUsedAt), s.out.when(k.ExpiresAt),
				k.Name, strings.Join(k.Capabilities, ","))
		})
	})
}

func (p *program) keyCreateCommand() *cobra.Command {
	var n api.NewKey
	until := moment{ahead: true}
	cmd := p.remote(&cobra.Command{
		Use:   "create MAILBOX",
		Short: "Make one more key of a mailbox, as operator, and print it: this once",
		Long: `Make one more key of a mailbox, as operator, and print it: this once. With flags it may do less than
the mailbox's own key, or what only people should: review and control.`,
		Example: `  mailkin key create shop@agents.example.com --can read,draft --name "shop assistant"
  mailkin key create shop@agents.example.com --can review,control --name "Kim"
  mailkin key create shop@agents.example.com --can send --to example.org --from-network 192.0.2.0/24`,
		Args: boxArgument,
	}, func(s *session, args []string) error {
		n.ExpiresAt = api.Time{Time: until.Time}
		for name, list := range map[string][]string{"can": n.Capabilities, "to": n.Recipients,
			"from-network": n.Networks, "also": n.Mailboxes} {
			if s.cmd.Flags().Changed(name) && len(list) == 0 { // a variable that is not set, for instance
				return usage("--%s is empty, and would bind the key to nothing; leave it out, or name something", name)
			}
		}
		made, err := s.c.Moderate(args[0]).CreateRestrictedKey(s.ctx, n)
		if err != nil {
			return err
		}
		return s.show(made, func() error { return s.out.text(made.APIKey) })
	})
	f := cmd.Flags()
	f.StringVar(&n.Name, "name", "", "what people call it")
	f.StringSliceVar(&n.Capabilities, "can", nil, "what it may do: read, code, send, draft, review, manage, control")
	f.StringSliceVar(&n.Recipients, "to", nil, "whom it may write to: addresses, domains, *.domains")
	f.StringSliceVar(&n.Networks, "from-network", nil, "where it may come from: addresses and networks")
	f.StringSliceVar(&n.Mailboxes, "also", nil, "further mailboxes that it opens, by their addresses")
	f.BoolVar(&n.CreateMailboxes, "create-mailboxes", false, "let it make mailboxes, which it then opens")
	f.Var(&until, "expires", "when it ends: a time, or a duration from now")
	return cmd
}

func (p *program) keyRevokeCommand() *cobra.Command {
	return p.remote(&cobra.Command{
		Use:   "revoke ID",
		Short: "End a key at once, as operator",
		Args:  oneArgument("say which key: an id of \"mailkin key list\""),
	}, func(s *session, args []string) error {
		gone, err := s.c.RevokeKey(s.ctx, args[0])
		if err != nil {
			return err
		}
		return s.said(gone, "The key %s has ended.", gone.Deleted)
	})
}

func (p *program) statsCommand() *cobra.Command {
	return p.remote(&cobra.Command{Use: "stats", Short: "Count the mailbox"}, func(s *session, _ []string) error {
		v, err := s.c.Stats(s.ctx)
		if err != nil {
			return err
		}
		return s.show(v, func() error { return s.stats(v) })
	})
}

func (s *session) stats(v *api.Stats) error {
	count := func(n int64) string { return number(int(n)) }
	return s.out.fields(field{"mailbox", v.Mailbox}, field{"total_emails", count(v.TotalEmails)},
		field{"inbound", count(v.Inbound)},
		field{"outbound", count(v.Outbound)}, field{"emails_this_month", count(v.EmailsThisMonth)},
		field{"unseen", count(v.Unseen)},
		field{"storage_bytes", s.size(v.StorageBytes)}, field{"suppressions", count(v.SuppressionCount)},
		field{"webhook_routes", count(v.WebhookRoutes)},
		field{"not_yet_parsed", count(v.Ingest.Pending)}, field{"unparseable", count(v.Ingest.Failed)},
		field{"not_yet_indexed", count(v.Index.Pending)}, field{"not_yet_by_meaning", count(v.Index.VectorsPending)})
}

// size shows a number of bytes: roundly for a person.
func (s *session) size(n int64) string {
	if s.out.isTerminal() {
		return bytesText(n)
	}
	return number(int(n))
}
