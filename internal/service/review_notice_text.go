package service

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

const (
	noticeFull  = 10   // messages that a notice shows with their text
	noticeBytes = 2000 // of a text that it shows
	noticeLine  = 200  // bytes of a line about a message
	noticeLinks = 10   // of a message that it shows with its text
)

// noticeText is what a notice says.
type noticeText struct{ subject, body string }

// noticePages are what a notice shows: some messages with their text, and others without.
type noticePages struct{ full, brief []ReviewPage }

func (p noticePages) count() int { return len(p.full) + len(p.brief) }

// noticePages reads what a notice is about.
func (s *Service) noticePages(ctx context.Context, w waiting) (pages noticePages, err error) {
	in := reviewerAccess(w.box, "")
	in.Peek = true // nobody has read it yet
	for i, review := range slices.Concat(w.fresh, w.others) {
		list, read := &pages.brief, s.briefPage
		if i < min(noticeFull, len(w.fresh)) {
			list = &pages.full
			read = func(ctx context.Context, in Access, r mailbox.Review) (ReviewPage, error) {
				return s.Review(ctx, in, r.Message)
			}
		}
		page, err := read(ctx, in, review)
		switch {
		case errors.Is(err, errNoReview), errors.Is(err, errNoMessage): // it was deleted meanwhile
		case err != nil:
			return pages, err
		case page.Status == mailbox.ReviewHeld:
			*list = append(*list, page)
		}
	}
	return pages, nil
}

// briefPage is a page with the list form of its message alone.
func (s *Service) briefPage(ctx context.Context, in Access, review mailbox.Review) (ReviewPage, error) {
	page := ReviewPage{FullReview: FullReview{Review: review, Address: in.Box.Address}}
	err := s.view(ctx, func(r store.Reader) (err error) {
		page.Mail, _, err = s.find(ctx, r, in, review.Message)
		return err
	})
	return page, err
}

// noticeText writes to a reviewer what waits. What agents and strangers wrote is quoted or on a line of its own with
// its name before it, so that it cannot pass for what we say.
func (s *Service) noticeText(w waiting, pages noticePages, reviewer string) noticeText {
	address := w.box.Address
	out := noticeText{subject: fmt.Sprintf("%d messages of %s wait for your approval", w.number, address)}
	if len(pages.full) == 1 && w.number == 1 {
		out.subject = fmt.Sprintf("%s wants to send: %s", address, oneLine(pages.full[0].Mail.Subject, 120))
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s wants to send mail that needs your approval. Until then, nothing is sent.\n", address)
	for _, page := range pages.full {
		s.describeHeld(&b, page, reviewer)
	}
	if len(pages.brief) > 0 {
		b.WriteString("\nThese wait, too:\n")
	}
	for _, page := range pages.brief {
		fmt.Fprintf(&b, "\nSubject: %s\nTo: %s\n%s\n", oneLine(page.Mail.Subject, noticeLine),
			oneLine(page.Mail.To, noticeLine), s.reviewLink(page.Review, reviewer))
	}
	if more := w.number - int64(pages.count()); more > 0 {
		fmt.Fprintf(&b, "\nAnd %d more. ", more)
		if w.more {
			b.WriteString("Another notice follows with links to those that you have not been told of.\n")
		} else {
			b.WriteString("Earlier notices have their links.\n")
		}
	}
	fmt.Fprintf(&b, "\n-- \nYou get this because you are named as a reviewer of %s.\nOpening a link decides nothing: "+
		"the page asks you.\nWhoever has a link can decide, so do not pass this message on.\n", address)
	out.body = b.String()
	return out
}

// describeHeld writes about one message.
func (s *Service) describeHeld(b *strings.Builder, page ReviewPage, reviewer string) {
	d := page.Email.Detail
	b.WriteString("\n")
	line := func(name, value string) {
		if value != "" {
			fmt.Fprintf(b, "%-8s %s\n", name+":", oneLine(value, 5*noticeLine))
		}
	}
	line("From", d.Author.Text())
	line("To", strings.Join(texts(d.To), ", "))
	line("Cc", strings.Join(texts(d.Cc), ", "))
	line("Bcc", strings.Join(texts(d.Bcc), ", "))
	line("Reply-To", strings.Join(texts(d.ReplyTo), ", "))
	line("Subject", d.Subject)
	for _, p := range d.Parts {
		line("File", fmt.Sprintf("%s (%s, %d bytes)", p.Filename, p.ContentType, p.Size))
	}
	for _, reason := range page.Reasons {
		line("Why", reason)
	}
	if a := page.Answers; a != nil {
		line("Answers", fmt.Sprintf("%q of %s", a.Subject, a.From.Text()))
		for _, what := range a.Warnings() {
			line("Beware", what)
		}
	}
	line("Expires", page.ExpiresAt.UTC().Format("2 January 2006, 15:04 UTC"))
	bodies := page.Bodies()
	line("Form", bodies.Form())
	describeBodies(b, bodies)
	b.WriteString("\nRead it, and approve or reject it:\n" + s.reviewLink(page.Review, reviewer) + "\n")
}

// describeBodies writes what a message says, in each of its forms, and where its links lead.
func describeBodies(b *strings.Builder, bodies Bodies) {
	for _, section := range bodies.Sections(noticeBytes) {
		fmt.Fprintf(b, "\n%s:\n%s", section.Title, quoted(section.Text))
		if section.Left > 0 {
			fmt.Fprintf(b, "(cut here: %d bytes more are not in this notice)\n", section.Left)
		}
	}
	if len(bodies.Links) == 0 {
		return
	}
	b.WriteString("\nLinks, and where they lead:\n")
	for i, l := range bodies.Links {
		if i == noticeLinks {
			b.WriteString("(there are more, which are not in this notice)\n")
			break
		}
		b.WriteString(quoted(oneLine(l.Line(), 5*noticeLine)))
	}
}

// Warnings are what a person should know of a message before it is answered, in sentences; none: nothing speaks
// against it.
func (m FullMessage) Warnings() (list []string) {
	if t := m.Verdict.Trust; t.Level == mailbox.Suspicious || t.Level == mailbox.Unverified {
		list = append(list, strings.TrimSpace(fmt.Sprintf("its sender is %s. %s", t.Level,
			strings.Join(t.Reasons, " "))))
	}
	if v := m.Detail.Screening.Verdict; v != "" && v != "clean" {
		var rules []string
		for _, f := range m.Detail.Screening.Findings {
			if !slices.Contains(rules, f.Rule) {
				rules = append(rules, f.Rule)
			}
		}
		list = append(list, fmt.Sprintf("screening calls it %s: it may give orders to a model (%s).", v,
			strings.Join(rules, ", ")))
	}
	return list
}

// quoted quotes a text.
func quoted(text string) string {
	var b strings.Builder
	for line := range strings.Lines(strings.TrimSpace(text)) {
		b.WriteString(strings.TrimRightFunc("> "+printable(line), unicode.IsSpace) + "\n")
	}
	if b.Len() == 0 {
		return "(nothing)\n"
	}
	return b.String()
}

// oneLine returns a text as one line of at most n bytes.
func oneLine(text string, n int) string {
	return mailbox.Clip(strings.Join(strings.Fields(printable(text)), " "), n)
}

// printable returns a text without what could move or hide the text around it: control characters, and those that
// change the direction of writing.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t' || r == ' ':
			return ' '
		case unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' || r == '\u2029':
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD"))
}
