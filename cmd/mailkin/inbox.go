package main

import (
	"regexp"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/client"
)

// filterFlags narrow a list of messages.
type filterFlags struct {
	direction, label, thread string
	status, trust, screening string
	seen, unseen             bool
	since, until             moment
	page                     pageFlags
}

func (f *filterFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.direction, "direction", "", "inbound or outbound")
	flags.StringVar(&f.label, "label", "", "only with this label")
	flags.StringVar(&f.status, "status", "", "only with one of these statuses: scheduled,held")
	flags.StringVar(&f.trust, "trust", "", "only of senders who are verified, unverified or suspicious")
	flags.StringVar(&f.screening, "screening", "", "only those that are clean, flagged or dangerous to a model")
	flags.StringVar(&f.thread, "thread", "", "only of the conversation with this id")
	flags.BoolVar(&f.unseen, "unseen", false, "only those not yet seen")
	flags.BoolVar(&f.seen, "seen", false, "only those seen")
	flags.Var(&f.since, "since", "received then or later: a time, a day, or 12h, 7d")
	flags.Var(&f.until, "until", "received before then")
	f.page.add(cmd)
	cmd.MarkFlagsMutuallyExclusive("seen", "unseen")
}

func (f *filterFlags) query(s *session, words, mode string) (client.InboxQuery, error) {
	thread, err := s.threadID(f.thread)
	if err == nil {
		err = checkQuery(words)
	}
	if err != nil {
		return client.InboxQuery{}, err
	}
	q := client.InboxQuery{Query: words, Mode: mode, Direction: f.direction, Label: f.label, ThreadID: thread,
		Status: f.status, Trust: f.trust, Screening: f.screening, Since: f.since.Time, Until: f.until.Time}
	if f.seen || f.unseen {
		q.Seen = &f.seen
	}
	err = f.page.check()
	q.Page = f.page.Page
	return q, err
}

// threadID is the conversation that a flag names; empty: none.
func (s *session) threadID(arg string) (string, error) {
	if arg != "" && !isPrefix(arg) && len(arg) != idLength {
		return "", usage("--thread is an id of \"mailkin threads\", or its beginning")
	}
	return s.id(threads, arg)
}

// alone is an operator of a query without a value. It counts as a word, which no mail has.
var alone = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)(?:^|[\s(-])((?:from|to|cc|bcc|subject|body|filename|filetext|label|has|is|in|` +
		`before|after):)(?:$|[\s)])`)
})

var phrases = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`"[^"]*"`)
})

// checkQuery refuses what a person has not finished.
func checkQuery(words string) error {
	if m := alone().FindStringSubmatch(phrases().ReplaceAllString(words, "x")); m != nil {
		return usage("say what comes after %s, without a space between them", m[1])
	}
	return nil
}

func (p *program) inboxCommand() *cobra.Command {
	var f filterFlags
	var words string
	var watch bool
	cmd := &cobra.Command{
		Use:     "inbox",
		Aliases: []string{"ls"},
		Short:   "List messages, newest first",
		Long: `List messages, newest first. With --watch the newest is the last line, and messages that come are
added until a signal ends it (status 0); with --json each is a line then.

In a pipe each is a line with tabs: id, time, sender, subject, code, "unseen" or "seen",
number of attachments, labels (with commas). "mailkin read ID" shows one.`,
		Example: "  mailkin inbox\n  mailkin inbox --unseen --label code\n  mailkin inbox --query 'from:kim " +
			"has:attachment' --json",
	}
	f.add(cmd)
	cmd.Flags().StringVarP(&words, "query", "q", "", "only those that fit; the language of \"mailkin search\"")
	cmd.Flags().BoolVar(&watch, "watch", false, "stay, and show messages as they come")
	cmd.MarkFlagsMutuallyExclusive("watch", "all")
	cmd.MarkFlagsMutuallyExclusive("watch", "cursor")
	return p.remote(cmd, func(s *session, _ []string) error {
		q, err := f.query(s, words, "")
		if err != nil {
			return err
		}
		if watch {
			return s.watchInbox(q)
		}
		list, err := s.inbox(q, f.page.all)
		if err != nil {
			return err
		}
		s.empty(len(list.Emails), "There are no messages.")
		return s.show(list, func() error {
			defer s.goOn(list.Next)
			return s.messages(list.Emails)
		})
	})
}

func (s *session) inbox(q client.InboxQuery, all bool) (*api.Inbox, error) {
	if !all {
		return s.c.Inbox(s.ctx, q)
	}
	emails, err := gather(s.c.InboxAll(s.ctx, q))
	mode := "keyword"
	return &api.Inbox{Emails: emails, SearchMode: mode}, err
}

// messages shows a list of messages.
func (s *session) messages(list []api.Message) error {
	if !s.out.isTerminal() {
		t := newTable(0)
		for _, m := range list {
			t.add(messageCells(s.out, m)...)
		}
		return s.out.table(t)
	}
	t := newTable(3, "id", "when", "from", "subject").withIDs(0)
	for _, m := range list {
		t.add(m.ID, s.out.age(m.ReceivedAt), peer(m), titled(m))
		if !m.Seen && m.Direction == "inbound" {
			t.mark(3, bold)
		}
		if m.Trust.Level == "suspicious" {
			t.mark(2, red)
		}
	}
	return s.out.table(t)
}

// messageCells are a message for programs.
func messageCells(out screen, m api.Message) []string {
	seen := "unseen"
	if m.Seen {
		seen = "seen"
	}
	return []string{m.ID, out.when(m.ReceivedAt), m.FromAddress, m.Subject, string(m.Code), seen,
		number(m.AttachmentCount), strings.Join(m.Labels, ",")}
}

// peer is who is at the other end of a message.
func peer(m api.Message) string {
	if m.Direction == "outbound" {
		return "to " + m.ToAddress
	}
	if m.FromName != "" {
		return m.FromName + " <" + m.FromAddress + ">"
	}
	return m.FromAddress
}
