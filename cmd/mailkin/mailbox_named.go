package main

import (
	"cmp"
	"errors"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/client"
)

// onMailbox makes a command one on the mailbox that an argument names, or --mailbox, or else on that of the key.
func (p *program) onMailbox(cmd *cobra.Command, run func(*session) error) *cobra.Command {
	cmd.Args = func(_ *cobra.Command, args []string) error {
		if len(args) > 1 {
			return errors.New("say one mailbox: its address or its name")
		}
		if len(args) == 1 && args[0] == "" {
			return errors.New("the mailbox is empty: say its address or its name, or leave it out for the key's own")
		}
		return nil
	}
	cmd.ValidArgsFunction = p.completeMailboxes
	return p.remote(cmd, func(s *session, args []string) error {
		if len(args) == 1 {
			if s.box != "" {
				return usage("say the mailbox once: as argument, or with --mailbox")
			}
			if err := s.actOn(args[0]); err != nil {
				return err
			}
		}
		return run(s)
	})
}

// actOn has the session act on the mailbox with an address or a name; empty: on that of the key.
func (s *session) actOn(name string) (err error) {
	if name == "" {
		return nil
	}
	if s.box, err = s.address(name); err == nil {
		s.c = s.c.For(s.box)
	}
	return err
}

// address is the address of the mailbox with a name. The name is enough where one mailbox has it: of those that the key
// opens or, for the operator, of all.
func (s *session) address(name string) (string, error) {
	if strings.Contains(name, "@") {
		return name, nil
	}
	me, err := s.c.Me(s.ctx)
	var paused *client.Error
	if errors.As(err, &paused) && paused.Mailbox != "" {
		me, err = &api.Me{Mailbox: paused.Mailbox}, nil
	}
	if err != nil {
		return "", err
	}
	var fit []thing
	add := func(address string) {
		if local, _, _ := strings.Cut(address, "@"); strings.EqualFold(local, name) {
			fit = append(fit, thing{id: address})
		}
	}
	if me.Scope == operatorScope {
		for m, err := range s.c.MailboxesAll(s.ctx, client.MailboxesQuery{Query: name, Page: onePage}) {
			if err != nil {
				return "", err
			}
			add(m.Mailbox)
		}
	} else {
		add(me.Mailbox)
		if me.Key != nil {
			for _, other := range me.Key.Mailboxes {
				add(other)
			}
		}
	}
	switch len(fit) {
	case 0:
		return "", &fault{status: exitNothing, text: "this key opens no mailbox " + strconv.Quote(name),
			next: "\"mailkin mailbox list\" lists them, for the operator."}
	case 1:
		return fit[0].id, nil
	}
	var all []string
	for _, f := range fit {
		all = append(all, f.id)
	}
	return "", usage("%s is the name of more than one mailbox: %s; write the whole address", name,
		strings.Join(all, ", "))
}

// operatorScope is the scope of the operator's token.
const operatorScope = "operator"

// asOperator is the mailbox that was named, in the hands of the operator; false: the key is the mailbox's own.
func (s *session) asOperator() (client.Moderated, bool, error) {
	if s.box == "" {
		return client.Moderated{}, false, nil
	}
	me, err := s.c.For("").Me(s.ctx)
	if errors.Is(err, client.ErrPaused) { // the operator never is
		return client.Moderated{}, false, nil
	}
	if err != nil {
		return client.Moderated{}, false, err
	}
	return s.c.Moderate(s.box), me.Scope == operatorScope, nil
}

// boxName is which mailbox a command is about.
func (s *session) boxName() (string, error) {
	if s.box != "" {
		return s.box, nil
	}
	me, err := s.c.Me(s.ctx)
	if err != nil {
		return "", err
	}
	return cmp.Or(me.Mailbox, "the mailbox"), nil
}
