package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/mailkin/mailkin/api"
)

func (p *program) keyCommand() *cobra.Command {
	cmd := p.remote(&cobra.Command{
		Use:   "key",
		Short: "Show who the key is and what it may do; show, rotate, make, change and end keys",
		Long: `Show who the key is, what it may do, and how long it lives. Listing, making, changing and ending keys
is for the operator.`,
	}, func(s *session, _ []string) error {
		return s.whoAmI()
	})
	cmd.AddCommand(p.keyShowCommand(), p.keyRotateCommand(), p.keyListCommand(), p.keyCreateCommand(),
		p.keyChangeCommand(), p.keyRevokeCommand())
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
		Short: "Replace the key in use",
		Long: `Replace the key in use, which ends at once or after the deployment's grace
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
var boxArgument = oneArgument("say which mailbox: its address or its name")

func (p *program) keyListCommand() *cobra.Command {
	return p.remote(&cobra.Command{
		Use:   "list MAILBOX",
		Short: "List the keys of a mailbox, as operator; never the keys themselves",
		Long: `List the keys of a mailbox, as operator; never the keys themselves. In a pipe each is a line with
tabs: id, how it begins, scope, when it was made, when it was last used, when it ends,
its name, what it may do.`,
		Args: boxArgument,
	}, func(s *session, args []string) error {
		address, err := s.address(args[0])
		if err != nil {
			return err
		}
		list, err := s.c.Moderate(address).Keys(s.ctx)
		if err != nil {
			return err
		}
		t := newTable(6, "id", "prefix", "scope", "created", "last used", "expires", "name", "can").withIDs(0).
			droppable(2, 3, 5, 1)
		return rows(s, list, list.Keys, list.Next, t, func(k api.Key) {
			t.add(k.ID, k.Prefix, k.Scope, s.out.age(k.CreatedAt), s.out.age(k.LastUsedAt), s.out.age(k.ExpiresAt),
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
		if err := s.bindsNothing(map[string][]string{"can": n.Capabilities, "to": n.Recipients,
			"from-network": n.Networks, "also": n.Mailboxes}); err != nil {
			return err
		}
		address, err := s.address(args[0])
		if err != nil {
			return err
		}
		made, err := s.c.Moderate(address).CreateRestrictedKey(s.ctx, n)
		if err != nil {
			return err
		}
		return s.show(made, func() error { return s.out.text(made.APIKey) })
	})
	f := cmd.Flags()
	boundFlags(f, &n.KeyBounds)
	f.StringSliceVar(&n.Mailboxes, "also", nil, "further mailboxes that it opens, by their addresses")
	f.BoolVar(&n.CreateMailboxes, "create-mailboxes", false, "let it make mailboxes, which it then opens")
	f.Var(&until, "expires", "when it ends: a time, or a duration from now")
	return cmd
}

// boundFlags are what a key is bound to, when it is made and later.
func boundFlags(f *pflag.FlagSet, to *api.KeyBounds) {
	f.StringVar(&to.Name, "name", "", "what people call it")
	f.StringSliceVar(&to.Capabilities, "can", nil, "what it may do: read, code, send, draft, review, manage, control")
	f.StringSliceVar(&to.Recipients, "to", nil, "whom it may write to: addresses, domains, *.domains")
	f.StringSliceVar(&to.Networks, "from-network", nil, "where it may come from: addresses and networks")
	f.StringVar(&to.Domain, "domain", "", "the domain whose addresses it may send from")
}

// bindsNothing fails where a flag was given without a value: a variable that is not set, for instance.
func (s *session) bindsNothing(flags map[string][]string) error {
	for name, list := range flags {
		if s.cmd.Flags().Changed(name) && len(list) == 0 {
			return usage("--%s is empty, and would bind the key to nothing; leave it out, or name something", name)
		}
	}
	return nil
}

func (p *program) keyChangeCommand() *cobra.Command {
	var to api.KeyBounds
	var lift []string
	until := moment{ahead: true}
	cmd := p.onIDs(keys, false, &cobra.Command{
		Use:   "change ID",
		Short: "Change what a key is bound to, as operator",
		Long: `Change what a key is bound to, as operator: its next request finds it so. What is not named stays;
--lift takes a bound away.`,
		Example: `  mailkin key change 0199e5a4-7c1e-7cc1-b8a5-1f2c3d4e5f60 --can read --name "shop reader" --lift to`,
		Args:    oneArgument("say which key: an id of \"mailkin key list\""),
	}, func(s *session, args []string) error {
		change, err := s.keyChange(to, api.Time{Time: until.Time}, lift)
		if err != nil {
			return err
		}
		key, err := s.c.UpdateKey(s.ctx, args[0], change)
		if err != nil {
			return err
		}
		return s.said(key, "The key %s is changed.", key.ID)
	})
	boundFlags(cmd.Flags(), &to)
	cmd.Flags().Var(&until, "expires", "when it ends: a time, or a duration from now")
	cmd.Flags().StringSliceVar(&lift, "lift", nil, "bounds that it has no more: can, to, from-network, domain, expires")
	return cmd
}

// keyChange is what the flags say.
func (s *session) keyChange(to api.KeyBounds, until api.Time, lift []string) (c api.KeyChange, err error) {
	flags := s.cmd.Flags()
	if err := s.bindsNothing(map[string][]string{"can": to.Capabilities, "to": to.Recipients,
		"from-network": to.Networks}); err != nil {
		return c, err
	}
	lists := map[string]*[]string{"can": &to.Capabilities, "to": &to.Recipients, "from-network": &to.Networks}
	given := func(name string) bool { return flags.Changed(name) || slices.Contains(lift, name) }
	for _, name := range lift {
		if lists[name] == nil && name != "domain" && name != "expires" {
			return c, usage("--lift takes can, to, from-network, domain and expires, not %q", name)
		}
		if flags.Changed(name) {
			return c, usage("--%s and --lift %s contradict each other", name, name)
		}
	}
	for name, into := range map[string]**[]string{"can": &c.Capabilities, "to": &c.Recipients,
		"from-network": &c.Networks} {
		if given(name) {
			*into = lists[name]
		}
	}
	if flags.Changed("name") {
		c.Name = &to.Name
	}
	if given("domain") {
		c.Domain = &to.Domain
	}
	if given("expires") {
		c.ExpiresAt = &until
	}
	if c == (api.KeyChange{}) {
		return c, usage("say what to change: --name, --can, --to, --from-network, --domain, --expires or --lift")
	}
	return c, nil
}

func (p *program) keyRevokeCommand() *cobra.Command {
	return p.onIDs(keys, false, &cobra.Command{
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
