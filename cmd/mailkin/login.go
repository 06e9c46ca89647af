package main

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/client"
	"github.com/mailkin/mailkin/internal/app"
)

func (p *program) loginCommand() *cobra.Command {
	var yes bool
	cmd := &cobra.Command{
		Use:   "login [URL]",
		Short: "Save the address of a service and a key in the profile",
		Long: `Save the address of a service and a key in the profile, so that the other commands use them. It is
the key of a mailbox, or the operator's token. On a terminal it asks for both, and does not
show the key; elsewhere the key is the first line of standard input. The key is tried first.

With --profile NAME there can be several: "mailkin inbox --profile NAME" uses that one.`,
		Example: `  mailkin login https://mail.example.com
  mailkin secret show token | mailkin login --profile ops`,
		Args: cobra.MaximumNArgs(1),
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "replace the key of another mailbox without asking")
	return p.open(cmd, func(s *session, args []string) error {
		in := bufio.NewReader(io.LimitReader(p.input(), 1<<16))
		if err := s.askWhere(in, args); err != nil {
			return err
		}
		key, err := s.askKey(in)
		if err != nil {
			return err
		}
		s.at.key, s.at.keyFrom = key, "this login"
		s.c, err = client.New(s.at.url, key, client.WithUserAgent("Mailkin-CLI/"+app.Version()), client.WithRetries(2),
			p.tellsWaiting())
		if err != nil {
			return usage("%s", strings.TrimPrefix(err.Error(), "client: "))
		}
		me, err := s.c.Me(s.ctx)
		if err != nil {
			return err
		}
		return s.login(me, yes)
	})
}

// login keeps the key that was found right.
func (s *session) login(me *api.Me, yes bool) error {
	to := profile{URL: s.c.BaseURL(), APIKey: s.at.key, Mailbox: me.Mailbox, ExpiresAt: me.ExpiresAt.Time}
	if had := s.at.profile; had.Mailbox != to.Mailbox || !sameService(had.URL, to.URL) {
		if err := s.vacant(); err != nil && !yes {
			if !s.err.isTerminal() {
				return err
			}
			if err := s.confirm(fmt.Sprintf("Forget the key of %s at %s?", had.Mailbox, had.URL)); err != nil {
				return err
			}
		}
	}
	if err := s.keep(to); err != nil {
		return err
	}
	return s.show(me, func() error {
		s.err.say("The key is in %s. \"mailkin whoami\" says what it may do.", s.at.path)
		return s.out.text(me.Mailbox)
	})
}

// input is standard input, which may be missing.
func (p *program) input() io.Reader {
	if p.stdin == nil {
		return strings.NewReader("")
	}
	return p.stdin
}

// askWhere finds the address of the service: the argument, --url, or what a person says.
func (s *session) askWhere(in *bufio.Reader, args []string) error {
	switch {
	case len(args) == 1:
		s.at.url = args[0]
	case s.at.urlFrom == "--url":
	case s.asksPerson():
		fmt.Fprintf(s.err.w, "Address of the service [%s]: ", line(s.at.url))
		said, err := in.ReadString('\n')
		if err != nil {
			return &fault{status: exitInterrupted, text: "it was not done", err: err}
		}
		s.at.url = cmp.Or(strings.TrimSpace(said), s.at.url)
	}
	s.at.url = withScheme(s.at.url)
	s.at.urlFrom = "this login"
	return nil
}

// withScheme makes a URL of what people write: https, but not on this machine.
func withScheme(where string) string {
	if strings.Contains(where, "://") {
		return where
	}
	u, err := url.Parse("http://" + where)
	if err != nil {
		return where
	}
	if ip := net.ParseIP(u.Hostname()); u.Hostname() == "localhost" || ip != nil && ip.IsLoopback() {
		return "http://" + where
	}
	return "https://" + where
}

// asksPerson tells whether somebody sits at the keyboard.
func (s *session) asksPerson() bool {
	f, ok := s.p.stdin.(*os.File)
	return ok && term.IsTerminal(int(f.Fd())) && s.err.isTerminal()
}

// askKey reads the key, from a person without showing it.
func (s *session) askKey(in *bufio.Reader) (string, error) {
	if !s.asksPerson() {
		said, err := in.ReadString('\n')
		if key := strings.TrimSpace(said); key != "" {
			return key, nil
		}
		if err != nil && err != io.EOF {
			return "", failure{fmt.Errorf("read standard input: %w", err)}
		}
		return "", usage("there is no key on standard input")
	}
	fmt.Fprint(s.err.w, "Key (it is not shown): ")
	b, err := term.ReadPassword(int(s.p.stdin.(*os.File).Fd()))
	fmt.Fprintln(s.err.w)
	if err != nil {
		return "", &fault{status: exitInterrupted, text: "it was not done", err: err}
	}
	if key := strings.TrimSpace(string(b)); key != "" {
		return key, nil
	}
	return "", usage("there is no key")
}

func (p *program) whoamiCommand() *cobra.Command {
	return p.remote(&cobra.Command{
		Use:   "whoami",
		Short: "Show who the key is, what it may do, and where it comes from",
	}, func(s *session, _ []string) error { return s.whoAmI() })
}

func (s *session) whoAmI() error {
	me, err := s.c.Me(s.ctx)
	if err != nil {
		return err
	}
	var operator, role string
	if me.Operator != nil {
		operator, role = me.Operator.Name, me.Operator.Role
	}
	return s.show(me, func() error {
		return s.out.fields(field{"mailbox", me.Mailbox}, field{"scope", me.Scope}, field{"operator", operator},
			field{"role", role},
			field{"expires_at", s.out.when(me.ExpiresAt)},
			field{"capabilities", strings.Join(me.Capabilities, ", ")}, field{"service", s.c.BaseURL()},
			field{"version", me.Version},
			field{"key_from", s.at.keyFrom})
	})
}
