package main

import (
	"context"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/client"
	"github.com/mailkin/mailkin/internal/mailbox"
)

// What a shell offers when somebody presses tab: what the service lists within completionTime, or words that never
// change. What cannot be had is not offered, without an error.

const completionTime = 2 * time.Second

// completer is how cobra asks for what fits.
type completer = func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective)

var eventKinds = []string{api.MessageReceived, api.MessageSent, api.MessageDelivered, api.MessageBounced,
	api.MessageComplained, api.MessageHeld, api.MessageApproved, api.MessageRejected, api.MessageCanceled,
	api.SendingPaused, api.MailboxQuota}

// flagValues are the words that a flag takes, by its name, or by that of its command and its own where that differs.
var flagValues = map[string][]string{
	"direction":           {"inbound", "outbound"},
	"label":               mailbox.AutomaticLabels(),
	"mode":                {"keyword", "semantic", "hybrid"},
	"has":                 {"code", "link", "attachment"},
	"type":                {"all", "order", "receipt", "shipping", "calendar", "code"},
	"types":               eventKinds,
	"event":               eventKinds,
	"events":              eventKinds,
	"can":                 {"read", "code", "send", "draft", "review", "manage", "control"},
	"lift":                {"can", "to", "from-network", "domain", "expires"},
	"form":                {"v1", "resend", "agentmail"},
	"role":                {"view", "moderate", "admin"},
	"kind":                {"dmarc", "tls"},
	"trust":               {"verified", "unverified", "suspicious"},
	"screening":           {"clean", "flagged", "dangerous"},
	"inbox status":        mailbox.Statuses,
	"mailbox list status": {"active", "paused"},
	"review list status":  {"held", "approved", "rejected", "expired", "canceled", "all"},
	"state":               {"waiting", "sending", "scheduled", "on_hold"},
	"webhook log status":  {"pending", "delivered", "failed", "held"},
}

// argumentValues are the words that a command takes, one list for each of its arguments.
var argumentValues = map[string][][]string{
	"list":              {{"send", "reply", "receive"}, {"allow", "block"}},
	"list add":          {{"send", "reply", "receive"}, {"allow", "block"}},
	"list remove":       {{"send", "reply", "receive"}, {"allow", "block"}},
	"mailbox brakes":    {{"on", "off", "default"}},
	"mailbox policy":    {{"open", "review_all", "review_new", "review_outside"}},
	"quarantine action": {{"refuse", "quarantine", "default"}},
	"webhook route set": {mailbox.AutomaticLabels()},
}

// completions has every command below one complete its flags and arguments.
func (p *program) completions(root *cobra.Command) {
	eachCommandBelow(root, func(cmd *cobra.Command) {
		path := strings.TrimPrefix(cmd.CommandPath(), root.Name()+" ")
		if lists, ok := argumentValues[path]; ok {
			cmd.ValidArgsFunction = fixedWords(lists)
		}
		if list, ok := argumentThings[path]; ok {
			cmd.ValidArgsFunction = p.completeThings(list)
		}
		if cmd.Flags().Lookup("generation") != nil {
			_ = cmd.RegisterFlagCompletionFunc("generation", p.completeGenerations)
		}
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if complete := p.flagCompleter(path, f.Name); complete != nil && cmd.Flags().Lookup("url") != nil {
				_ = cmd.RegisterFlagCompletionFunc(f.Name, complete) // it fails where there is no such flag
			}
		})
	})
}

func eachCommandBelow(cmd *cobra.Command, visit func(*cobra.Command)) {
	for _, sub := range cmd.Commands() {
		visit(sub)
		eachCommandBelow(sub, visit)
	}
}

func (p *program) flagCompleter(path, flag string) completer {
	switch flag {
	case "profile":
		return p.completeProfiles
	case "mailbox":
		return func(cmd *cobra.Command, _ []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective) {
			return p.completeMailboxes(cmd, nil, begun) // also behind arguments
		}
	case "destination", "end-all", "end":
		list := flagThings[flag]
		return func(cmd *cobra.Command, _ []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective) {
			return p.completeThings(list)(cmd, nil, begun)
		}
	case "thread":
		return p.completeIDs(threads, true)
	case "reply", "forward", "email":
		return p.completeIDs(messages, true)
	}
	values := flagValues[flag]
	if own, ok := flagValues[path+" "+flag]; ok {
		values = own
	}
	if values == nil {
		return nil
	}
	return cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)
}

func fixedWords(lists [][]string) completer {
	return func(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if len(args) >= len(lists) {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return lists[len(args)], cobra.ShellCompDirectiveNoFileComp
	}
}

// completeIDs offers the newest ids of a kind, each with what it is about.
func (p *program) completeIDs(kind idKind, every bool) completer {
	return func(cmd *cobra.Command, args []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if len(args) > 0 && !every {
			if cmd.Name() == "attach" { // a draft's files
				return nil, cobra.ShellCompDirectiveDefault
			}
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		var out []cobra.Completion
		if kind.noun == messages.noun && strings.HasPrefix("latest", begun) {
			out = append(out, cobra.CompletionWithDesc("latest", "the newest message that was received"))
		}
		for _, t := range p.offered(cmd, kind.newest) {
			if strings.HasPrefix(t.id, begun) && !slices.Contains(args, t.id) {
				out = append(out, cobra.CompletionWithDesc(t.id, cut(line(t.about), 50)))
			}
		}
		return out, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
	}
}

// completeMailboxes offers the mailboxes that the operator sees, or the key opens.
func (p *program) completeMailboxes(cmd *cobra.Command, args []string, begun string) ([]cobra.Completion,
	cobra.ShellCompDirective) {
	if len(args) > 0 && cmd.Flags().Lookup("mailbox").Value.String() == "" {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var out []cobra.Completion
	for _, t := range p.offered(cmd, func(s *session) ([]thing, error) {
		list, err := s.c.Mailboxes(s.ctx, client.MailboxesQuery{Query: begun, Page: onePage})
		if err == nil {
			return things(list, err, func(l *api.Mailboxes) []api.Mailbox { return l.Mailboxes },
				func(m api.Mailbox) thing { return thing{m.Mailbox, m.Status} })
		}
		me, err := s.c.Me(s.ctx)
		return things(me, err, func(m *api.Me) []string { return []string{m.Mailbox} },
			func(address string) thing { return thing{id: address} })
	}) {
		if strings.HasPrefix(t.id, strings.ToLower(begun)) {
			out = append(out, cobra.CompletionWithDesc(t.id, t.about))
		}
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}

// offered asks the service, if there is one and a key.
func (p *program) offered(cmd *cobra.Command, list func(*session) ([]thing, error)) []thing {
	quiet := *p
	quiet.stderr = io.Discard
	s, err := quiet.session(cmd)
	if err != nil || s.at.key == "" {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), completionTime)
	defer cancel()
	s.ctx = ctx
	if s.actOn(cmd.Flags().Lookup("mailbox").Value.String()) != nil {
		return nil
	}
	found, err := list(s)
	if err != nil {
		return nil
	}
	return found
}

// completeProfiles offers the names of the profiles.
func (p *program) completeProfiles(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	path, err := p.profilePath("")
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	files, _ := filepath.Glob(filepath.Join(filepath.Dir(path), "*.toml")) // the pattern is right
	var out []cobra.Completion
	for _, file := range files {
		out = append(out, strings.TrimSuffix(filepath.Base(file), ".toml"))
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}
