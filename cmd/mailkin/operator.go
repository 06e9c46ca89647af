package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/mailkin/mailkin/api"
)

func (p *program) operatorCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "operator",
		Short: "Add, list, change and remove named operators; list and end their sessions",
		Long: `Named operators have a key of their own and a role:

  view      sees mailboxes, keys, logs and numbers; reads mail of the configured mailbox only
  moderate  also pauses and resumes, approves and releases mail, and works on the queue
  admin     does everything, as the operator's token does

The audit log says who of them did what. It takes the operator's token, or the key of an admin:
MAILKIN_API_KEY=$(mailkin secret show token).`,
		Args: cobra.NoArgs,
	}
	cmd.AddCommand(p.operatorAddCommand(), p.operatorListCommand(), p.operatorChangeCommand(),
		p.operatorRemoveCommand(), p.operatorSessionsCommand())
	return cmd
}

const roleHelp = "what the operator may do: view, moderate or admin"

func (p *program) operatorAddCommand() *cobra.Command {
	var n api.NewOperator
	until := moment{ahead: true}
	cmd := p.remote(&cobra.Command{
		Use:     "add NAME",
		Short:   "Add a named operator and print the key: this once",
		Example: `  mailkin operator add "Kim" --role moderate --email kim@example.com --expires 720h`,
		Args:    oneArgument("say what the operator is called"),
	}, func(s *session, args []string) error {
		n.Name, n.ExpiresAt = args[0], api.Time{Time: until.Time}
		made, err := s.c.CreateOperator(s.ctx, n)
		if err != nil {
			return err
		}
		return s.show(made, func() error { return s.out.text(made.APIKey) })
	})
	cmd.Flags().StringVar(&n.Role, "role", "view", roleHelp)
	cmd.Flags().StringVar(&n.Email, "email", "", "address with which the operator may sign in at the OpenID provider")
	cmd.Flags().Var(&until, "expires", "when it ends: a time, or a duration from now")
	return cmd
}

func (p *program) operatorListCommand() *cobra.Command {
	return p.remote(&cobra.Command{
		Use:   "list",
		Short: "List the named operators; never their keys",
		Long: `List the named operators; never their keys. In a pipe each is a line with tabs: name, role, address,
how the key begins, when it was last used, when it ends, open sessions, id.`,
	}, func(s *session, _ []string) error {
		list, err := s.c.Operators(s.ctx)
		if err != nil {
			return err
		}
		s.empty(len(list.Operators), "There are none but the operator's token.")
		t := newTable(0, "name", "role", "email", "key", "last used", "expires", "sessions", "id")
		return rows(s, list, list.Operators, "", t, func(o api.Operator) {
			t.add(o.Name, o.Role, o.Email, o.Prefix, s.out.when(o.LastUsedAt), s.out.when(o.ExpiresAt),
				number(o.Sessions), o.ID)
		})
	})
}

func (p *program) operatorChangeCommand() *cobra.Command {
	var name, role, email string
	var forever bool
	until := moment{ahead: true}
	cmd := p.remote(&cobra.Command{
		Use:     "change NAME",
		Short:   "Change the name, role, address or end of an operator",
		Long:    `Change the name, role, address or end of an operator: the next request finds it so. What is not named stays.`,
		Example: `  mailkin operator change Kim --role admin`,
		Args:    operatorArgument,
	}, func(s *session, args []string) error {
		var c api.OperatorChange
		flags := s.cmd.Flags()
		for flag, to := range map[string]struct {
			into  **string
			value *string
		}{"name": {&c.Name, &name}, "role": {&c.Role, &role}, "email": {&c.Email, &email}} {
			if flags.Changed(flag) {
				*to.into = to.value
			}
		}
		if flags.Changed("expires") || forever {
			c.ExpiresAt = &api.Time{Time: until.Time}
		}
		if c == (api.OperatorChange{}) || flags.Changed("expires") && forever {
			return usage("say what to change: --name, --role, --email, and --expires or --forever")
		}
		o, err := s.operator(args[0])
		if err != nil {
			return err
		}
		changed, err := s.c.UpdateOperator(s.ctx, o.ID, c)
		if err != nil {
			return err
		}
		return s.said(changed, "%s is changed.", changed.Name)
	})
	cmd.Flags().StringVar(&name, "name", "", "what the operator is called from now on")
	cmd.Flags().StringVar(&role, "role", "", roleHelp)
	cmd.Flags().StringVar(&email, "email", "", "address for the OpenID provider; empty for none")
	cmd.Flags().Var(&until, "expires", "when it ends: a time, or a duration from now")
	cmd.Flags().BoolVar(&forever, "forever", false, "let it not end")
	return cmd
}

var operatorArgument = oneArgument("say which operator: a name or an id of \"mailkin operator list\"")

// operator finds an operator by name or id.
func (s *session) operator(arg string) (api.Operator, error) {
	list, err := s.c.Operators(s.ctx)
	if err != nil {
		return api.Operator{}, err
	}
	for _, o := range list.Operators {
		if o.ID == arg || strings.EqualFold(o.Name, arg) {
			return o, nil
		}
	}
	return api.Operator{}, &fault{status: exitNothing, text: "there is no operator " + arg,
		next: "\"mailkin operator list\" lists them."}
}

func (p *program) operatorRemoveCommand() *cobra.Command {
	return p.remote(&cobra.Command{
		Use:   "remove NAME",
		Short: "Remove an operator: the key and all sessions end at once",
		Args:  operatorArgument,
	}, func(s *session, args []string) error {
		o, err := s.operator(args[0])
		if err != nil {
			return err
		}
		gone, err := s.c.DeleteOperator(s.ctx, o.ID)
		if err != nil {
			return err
		}
		return s.said(gone, "%s is no operator any more.", o.Name)
	})
}

func (p *program) operatorSessionsCommand() *cobra.Command {
	var end, endAll string
	cmd := p.remote(&cobra.Command{
		Use:   "sessions",
		Short: "List the operators who are signed in at the console with OpenID Connect, or end sessions",
		Long: `List the operators who are signed in at the console with OpenID Connect, or end sessions. In a pipe
each is a line with tabs: name, role, address that they came from, since when, last use,
end, id.`,
		Example: `  mailkin operator sessions --end-all Kim`,
	}, func(s *session, _ []string) error {
		if s.cmd.Flags().Changed("end-all") {
			o, err := s.operator(endAll)
			if err != nil {
				return err
			}
			gone, err := s.c.EndSessions(s.ctx, o.ID)
			if err != nil {
				return err
			}
			return s.said(gone, "%d sessions of %s have ended.", gone.Ended, o.Name)
		}
		if s.cmd.Flags().Changed("end") {
			gone, err := s.c.EndSession(s.ctx, end)
			if err != nil {
				return err
			}
			return s.said(gone, "The session %s has ended.", gone.Deleted)
		}
		list, err := s.c.Sessions(s.ctx)
		if err != nil {
			return err
		}
		s.empty(len(list.Sessions), "Nobody is signed in.")
		t := newTable(0, "name", "role", "from", "since", "last used", "expires", "id")
		return rows(s, list, list.Sessions, "", t, func(x api.Session) {
			t.add(x.Name, x.Role, x.Client, s.out.when(x.CreatedAt), s.out.when(x.LastUsedAt), s.out.when(x.ExpiresAt),
				x.ID)
		})
	})
	cmd.Flags().StringVar(&end, "end", "", "end the session with this id, at once")
	cmd.Flags().StringVar(&endAll, "end-all", "", "end all sessions of this operator, at once: a name or an id")
	cmd.MarkFlagsMutuallyExclusive("end", "end-all")
	return cmd
}
