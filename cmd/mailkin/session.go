package main

import (
	"context"
	"errors"
	"iter"
	"net/url"
	"strings"
	"time"

	"github.com/itchyny/gojq"
	"github.com/spf13/cobra"

	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/client"
	"github.com/mailkin/mailkin/internal/app"
)

// session is one run of a command that talks to a service.
type session struct {
	p      *program
	cmd    *cobra.Command
	ctx    context.Context // ends with the first signal
	at     place
	c      *client.Client
	out    screen // for data
	err    screen // for the rest
	asJSON bool
	jq     *gojq.Code // what is made of the JSON; nil: nothing
	box    string     // that --mailbox or an argument names, whole; empty: none
}

// place is which service is talked to, with which key, and how that is known.
type place struct {
	url, urlFrom string
	key, keyFrom string
	path         string // of the profile
	profile      profile
}

// The variables that win over the profile.
const (
	urlVariable = "MAILKIN_URL"
	keyVariable = "MAILKIN_API_KEY"
	defaultURL  = "http://127.0.0.1:8025"
)

// hint says how to get to another service.
func (at place) hint() string {
	return "The address comes from " + at.urlFrom + "; --url and " + urlVariable + " set another."
}

// remoteFlags are the flags of every command that talks to a service.
func remoteFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.Bool("json", false, "print the interface's JSON")
	f.String("jq", "", "print what this jq expression makes of the JSON")
	f.String("mailbox", "", "as operator: act on this mailbox, by its address or its name")
	f.String("url", "", "address of the service (default: "+urlVariable+", the profile, "+defaultURL+")")
	f.String("profile", "", "name of the profile to use instead of \"config\"")
}

// remote makes a command one that talks to a service, with a key.
func (p *program) remote(cmd *cobra.Command, run func(*session, []string) error) *cobra.Command {
	return p.open(cmd, func(s *session, args []string) error {
		if s.at.key == "" {
			return s.noKey()
		}
		return run(s, args)
	})
}

// open is remote for a command that needs no key.
func (p *program) open(cmd *cobra.Command, run func(*session, []string) error) *cobra.Command {
	remoteFlags(cmd)
	if cmd.Args == nil {
		cmd.Args = cobra.NoArgs
		cmd.ValidArgsFunction = cobra.NoFileCompletions
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		s, err := p.session(cmd)
		if err != nil {
			return err
		}
		ctx, stop := p.untilSignal()
		defer stop()
		s.ctx = ctx
		box := cmd.Flags().Lookup("mailbox")
		if box.Changed && box.Value.String() == "" {
			return usage("--mailbox is empty: say which mailbox, or leave it out")
		}
		if err := s.actOn(box.Value.String()); err != nil {
			return explain(err, s)
		}
		return explain(run(s, args), s)
	}
	return cmd
}

func (p *program) session(cmd *cobra.Command) (*session, error) {
	text := func(name string) string { return cmd.Flags().Lookup(name).Value.String() }
	at, err := p.place(text("url"), text("profile"))
	if err != nil {
		return nil, err
	}
	c, err := newClient(at, client.WithRetries(2), p.tellsWaiting())
	if err != nil {
		return nil, err
	}
	jq, err := parseJQ(text("jq"))
	if err != nil {
		return nil, err
	}
	return &session{p: p, cmd: cmd, at: at, c: c, out: p.screen(p.stdout), err: p.screen(p.stderr),
		asJSON: text("json") == "true" || jq != nil, jq: jq}, nil
}

// longWait is what is told of also where nobody looks at a terminal: in a log.
const longWait = 5 * time.Second

// tellsWaiting says that the service asks to wait, once for each wait.
func (p *program) tellsWaiting() client.Option {
	to := p.screen(p.stderr)
	return client.WithWaiting(func(wait time.Duration, refused *client.Error) {
		why := "it is busy"
		if errors.Is(refused, client.ErrRateLimited) {
			why = "rate limit"
		}
		if to.isTerminal() || wait > longWait {
			to.say("The server asks to wait %s (%s). Waiting; Ctrl-C to stop.", roundly(wait), why)
		}
	})
}

// newClient makes a client for a place. Its error names the flag, variable or file that is wrong.
func newClient(at place, o ...client.Option) (*client.Client, error) {
	c, err := client.New(at.url, at.key, append(o, client.WithUserAgent("Mailkin-CLI/"+app.Version()))...)
	if err != nil {
		return nil, usage("%s: %s", wrongPart(at, err), strings.TrimPrefix(err.Error(), "client: "))
	}
	return c, nil
}

// wrongPart is what a client could not be made of.
func wrongPart(at place, err error) string {
	if strings.HasPrefix(err.Error(), "client: the key") {
		return at.keyFrom
	}
	return at.urlFrom
}

// place finds the service and the key. The key of a profile is for the service of that profile: another does not get
// it.
func (p *program) place(flagURL, name string) (place, error) {
	path, pathErr := p.profilePath(name)
	at := place{path: path}
	if pathErr == nil {
		var err error
		if at.profile, err = loadProfile(path); err != nil {
			return at, err
		}
	} else if name != "" {
		return at, pathErr
	}
	switch fromEnviron := p.variable(urlVariable); {
	case flagURL != "":
		at.url, at.urlFrom = flagURL, "--url"
	case fromEnviron != "":
		at.url, at.urlFrom = fromEnviron, urlVariable
	case at.profile.URL != "":
		at.url, at.urlFrom = at.profile.URL, path
	default:
		at.url, at.urlFrom = defaultURL, "the default"
	}
	switch fromEnviron := p.variable(keyVariable); {
	case fromEnviron != "":
		at.key, at.keyFrom = fromEnviron, keyVariable
	case at.profile.APIKey != "" && sameService(at.url, at.profile.URL):
		at.key, at.keyFrom = at.profile.APIKey, path
	}
	return at, nil
}

// sameService tells whether two addresses are of one service.
func sameService(a, b string) bool {
	x, errX := url.Parse(strings.TrimSpace(a))
	y, errY := url.Parse(strings.TrimSpace(b))
	if errX != nil || errY != nil {
		return false
	}
	path := func(u *url.URL) string { return strings.TrimSuffix(strings.TrimRight(u.Path, "/"), "/v1") }
	return strings.EqualFold(x.Scheme, y.Scheme) && strings.EqualFold(x.Host, y.Host) && path(x) == path(y)
}

// vacant is an error where the profile has the key of a permanent mailbox: it would be forgotten, and cannot be had
// again.
func (s *session) vacant() error {
	had := s.at.profile
	if had.APIKey == "" || !had.ExpiresAt.IsZero() {
		return nil
	}
	return usage("%s has the key of %s at %s, which would be forgotten: keep both with --profile NAME", s.at.path,
		had.Mailbox, had.URL)
}

// keep writes the profile.
func (s *session) keep(to profile) error {
	if s.at.path == "" {
		_, err := s.p.profilePath("")
		return usage("%s", err)
	}
	if err := saveProfile(s.at.path, to); err != nil {
		return failure{err}
	}
	if s.p.variable(keyVariable) != "" {
		s.err.say("Note that %s is set, and wins over what was kept.", keyVariable)
	}
	return nil
}

// show writes what a command found: as JSON if that was asked for, or by its own function.
func (s *session) show(v any, pretty func() error) error {
	if s.asJSON {
		return s.json(v)
	}
	return pretty()
}

// pageFlags are which part of a list is asked for.
type pageFlags struct {
	client.Page
	all bool
}

func (f *pageFlags) add(cmd *cobra.Command) {
	cmd.Flags().IntVarP(&f.Limit, "limit", "n", 20, "entries, up to 100")
	cmd.Flags().StringVar(&f.Cursor, "cursor", "", "go on where an earlier list ended")
	cmd.Flags().BoolVar(&f.all, "all", false, "all entries, however many")
}

// find lets people look for words in a list.
func (f *pageFlags) find(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.Words, "find", "", "all entries with these words, however many")
}

func (f *pageFlags) check() error {
	if f.Limit < 1 || f.Limit > 100 {
		return usage("--limit is 1 to 100; --all gives everything")
	}
	if f.all = f.all || f.Words != ""; f.all {
		f.Limit = 100
	}
	return nil
}

// gather takes everything of a list.
func gather[T any](list iter.Seq2[T, error]) ([]T, error) {
	all := []T{}
	for item, err := range list {
		if err != nil {
			return nil, err
		}
		all = append(all, item)
	}
	return all, nil
}

// paged asks for a page of a list, or for all of it.
func paged[Q, L, T any](s *session, all bool, q Q, page func(context.Context, Q) (*L, error),
	every func(context.Context, Q) iter.Seq2[T, error], entries func(*L) *[]T) (*L, error) {
	if !all {
		return page(s.ctx, q)
	}
	list := new(L)
	var err error
	*entries(list), err = gather(every(s.ctx, q))
	return list, err
}

// rows shows a list: in a table, with a row for each of its entries.
func rows[T any](s *session, answer any, list []T, next api.NullString, t *table, row func(T)) error {
	return s.show(answer, func() error {
		defer s.goOn(next)
		for _, entry := range list {
			row(entry)
		}
		return s.out.table(t)
	})
}

// said shows an answer, to people as a sentence.
func (s *session) said(answer any, format string, args ...any) error {
	return s.show(answer, func() error {
		s.err.say(format, args...)
		return nil
	})
}

// goOn says how to see more of a list.
func (s *session) goOn(next api.NullString) {
	if next != "" && !s.asJSON {
		s.err.say("There is more: --cursor %s, or --all.", next)
	}
}

// empty says that a list is.
func (s *session) empty(n int, what string) {
	if n == 0 && !s.asJSON {
		s.err.say("%s", what)
	}
}
