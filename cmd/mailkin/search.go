package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/client"
)

// queryLanguage is what a search understands. docs/api.md has the same table; a test compares them.
var queryLanguage = [][2]string{
	{"invoice kim", "mail with both words, anywhere: subject, sender, recipients, text, attachments and their names"},
	{"inv", "the last word also finds longer ones that begin so, in subject, sender, recipients and file names; inv* " +
		"does for any word. It takes two characters: s* finds the word s alone"},
	{`"order confirmed"`, "the words one after the other"},
	{"invoice -draft, NOT draft", "without a word"},
	{"invoice OR receipt", "one of them. It binds tighter than a space: a b OR c is a and one of b, c. " +
		"Parentheses group"},
	{`from:kim@example.com, to:"Kim Lee"`, "sender, and recipients (cc: and bcc: are the same): an address, a domain, parts of them, or a name"},
	{"subject:(order OR invoice)", "in the subject; also body:, filename:, filetext:"},
	{"label:code, has:attachment, has:code, has:link", "with a label, an attachment, a code, a link"},
	{"is:unseen, is:seen, in:sent, in:inbox", "not yet seen, seen, sent, received"},
	{"before:2026-03-01, after:7d", "received before a day (UTC) or time (RFC 3339), or since; 12h, 7d, 2w, 3m, 1y " +
		"count back from now"},
}

func queryHelp() string {
	var b strings.Builder
	for _, row := range queryLanguage {
		fmt.Fprintf(&b, "  %s\n%s\n", row[0], wrap(row[1], 76, "        "))
	}
	return b.String()
}

// wrap breaks a text into lines of a given width, each after an indent.
func wrap(text string, columns int, indent string) string {
	var out []string
	now := ""
	for word := range strings.FieldsSeq(text) {
		if now != "" && len(now)+1+len(word) > columns {
			out, now = append(out, indent+now), ""
		}
		now = strings.TrimSpace(now + " " + word)
	}
	return strings.Join(append(out, indent+now), "\n")
}

func (p *program) searchCommand() *cobra.Command {
	var f filterFlags
	var mode string
	cmd := &cobra.Command{
		Use:   "search QUERY...",
		Short: "Find messages, best match first",
		Long: `Find messages, best match first. Status 3: nothing was found.

Several arguments are one query. It takes words, and what mail programs know:

` + queryHelp() + `
Put "--" before a query that begins with a minus. In a pipe each message is a line with
tabs: score, and then as "mailkin inbox" has it.`,
		Example: "  mailkin search invoice from:kim after:7d\n  mailkin search --mode semantic 'when does my parcel " +
			"come'\n  mailkin search 'subject:\"order confirmed\"' --json",
		Args: func(_ *cobra.Command, args []string) error {
			if strings.TrimSpace(strings.Join(args, " ")) == "" {
				return fmt.Errorf("say what to search for")
			}
			return nil
		},
	}
	f.add(cmd)
	cmd.Flags().StringVar(&mode, "mode", "", "keyword: by words, semantic: by meaning, hybrid: by both (default hybrid)")
	return p.remote(cmd, func(s *session, args []string) error {
		q, err := f.query(s, strings.Join(args, " "), mode)
		if err != nil {
			return err
		}
		found, err := s.search(q, f.page.all)
		if err != nil {
			return err
		}
		if err := s.show(found, func() error { return s.found(found) }); err != nil {
			return err
		}
		if len(found.Emails) == 0 {
			return nothing("nothing was found")
		}
		return nil
	})
}

func (s *session) search(q client.InboxQuery, all bool) (*api.SearchResult, error) {
	if !all {
		return s.c.Search(s.ctx, q)
	}
	emails, err := gather(s.c.SearchAll(s.ctx, q))
	mode := q.Mode
	if mode == "" {
		mode = "hybrid"
	}
	return &api.SearchResult{Emails: emails, SearchMode: mode}, err
}

func (s *session) found(r *api.SearchResult) error {
	defer s.goOn(r.Next)
	if !s.out.isTerminal() {
		t := newTable(0)
		for _, m := range r.Emails {
			t.add(append([]string{fmt.Sprintf("%.3f", m.Score)}, messageCells(s.out, m.Message)...)...)
		}
		return s.out.table(t)
	}
	var ids []string
	for _, m := range r.Emails {
		ids = append(ids, m.ID)
	}
	long := uniqueLength(ids)
	for _, m := range r.Emails {
		head := fmt.Sprintf("%s  %s  %s", line(m.ID[:min(long, len(m.ID))]), s.out.when(m.ReceivedAt),
			cut(line(peer(m.Message)), 40))
		text := s.out.styled(dim, head) + "\n  " + s.out.styled(bold,
			cut(line(m.Subject), max(leastOther, s.out.width-2))) + "\n"
		for _, h := range m.Highlights {
			if h.Field != "subject" {
				text += "  " + s.highlight(h, max(leastOther, s.out.width-2)) + "\n"
			}
		}
		if err := s.out.trusted(text); err != nil {
			return err
		}
	}
	return nil
}

// highlight shows a piece of text with what was searched for in it, in so many columns: from its beginning, or from
// shortly before the first word that was found.
func (s *session) highlight(h api.Highlight, most int) string {
	text, first := []rune(line(h.Text)), 0
	if len(h.Spans) > 0 && h.Spans[0][1] <= len(text) && columns(string(text[:h.Spans[0][1]])) > most-1 {
		first = max(0, h.Spans[0][0]-most/4)
	}
	var b strings.Builder
	last, left := first, most
	write := func(to int, style string) {
		part := cut(string(text[last:to]), left)
		b.WriteString(s.out.styled(style, part))
		last, left = to, left-columns(part)
	}
	if first > 0 {
		b.WriteString("…")
		left--
	}
	for _, span := range h.Spans {
		from, to := span[0], span[1]
		if from < last || to < from || to > len(text) || left <= 0 {
			break
		}
		write(from, plain)
		write(to, yellow)
	}
	write(len(text), plain)
	return b.String()
}
