package main

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/client"
)

func (p *program) reviewCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "review",
		Short: "Decide about messages that need approval before they are sent",
		Long: `Decide about messages that need approval before they are sent, as operator or with a key that has the
capability review. A mailbox's policy says which messages those are.`,
	}
	cmd.AddCommand(p.reviewListCommand(), p.reviewShowCommand(), p.reviewEditCommand(), p.reviewApproveCommand(),
		p.reviewRejectCommand())
	return cmd
}

func (p *program) reviewListCommand() *cobra.Command {
	var page pageFlags
	var status string
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List messages that wait for a decision, newest first",
		Long: `List messages that wait for a decision, newest first. The operator sees those of all mailboxes, unless
--mailbox names one. In a pipe each is a line with tabs: id, status, mailbox, to, subject, expiry.`,
	}
	page.add(cmd)
	cmd.Flags().StringVar(&status, "status", "held", "held, approved, rejected, expired, canceled or all")
	return p.remote(cmd, func(s *session, _ []string) error {
		if err := page.check(); err != nil {
			return err
		}
		if status == "all" {
			status = ""
		}
		some := func(ctx context.Context, p client.Page) (*api.Reviews, error) { return s.c.Reviews(ctx, status, p) }
		every := func(ctx context.Context, p client.Page) iter.Seq2[api.ReviewSummary, error] {
			return s.c.ReviewsAll(ctx, status, p)
		}
		list, err := paged(s, page.all, page.Page, some, every,
			func(l *api.Reviews) *[]api.ReviewSummary { return &l.Reviews })
		if err != nil {
			return err
		}
		s.empty(len(list.Reviews), "There are none.")
		t := newTable(4, "id", "status", "mailbox", "to", "subject", "expires").withIDs(0).droppable(5, 1)
		return rows(s, list, list.Reviews, list.Next, t, func(r api.ReviewSummary) {
			t.add(r.ID, r.Status, r.Mailbox, r.Email.ToAddress, r.Email.Subject, s.out.age(r.ExpiresAt))
		})
	})
}

// reviewArgument wants a command to have a message that needs approval.
var reviewArgument = oneArgument("say which message: its id, from \"mailkin review list\"")

func (p *program) reviewShowCommand() *cobra.Command {
	return p.onIDs(reviews, false, &cobra.Command{
		Use:   "show ID",
		Short: "Read a message as its recipients would see it, and why it was held",
		Args:  reviewArgument,
	}, func(s *session, args []string) error {
		r, err := s.c.Review(s.ctx, args[0])
		if err != nil {
			return err
		}
		return s.show(r, func() error { return s.reviewPage(r) })
	})
}

func (s *session) reviewPage(r *api.ReviewPage) error {
	list := []field{{"id", r.ID}, {"status", r.Status}, {"version", number(int(r.Version))},
		{"expires_at", s.out.when(r.ExpiresAt)}, {"send_at", s.out.when(r.SendAt)}, {"mailbox", r.Mailbox}}
	for _, why := range r.Reasons {
		list = append(list, field{"held because", why})
	}
	if a := r.Answers; a != nil {
		list = append(list, field{"about", a.FromAddress + ": " + a.Subject},
			field{"its trust", trustText(a.Trust)}, field{"its screening", screeningText(a.Screening)})
	}
	list = append(list, field{"rejected because", r.Reason}, field{"decided by", r.DecidedBy},
		field{"from", person(api.Address{Address: r.Email.FromAddress, Name: r.Email.FromName})},
		field{"to", people(r.Email.To)}, field{"cc", people(r.Email.Cc)}, field{"bcc", people(r.Email.Bcc)},
		field{"reply_to", people(r.Email.ReplyTo)}, field{"subject", r.Email.Subject})
	for _, a := range r.Email.Attachments {
		list = append(list, field{"attachment", attachmentText(a)})
	}
	for _, l := range r.Bodies.Links {
		list = append(list, field{"link", linkText(l)})
	}
	if r.Bodies.MoreLinks {
		list = append(list, field{"link", "there are more, which are not shown"})
	}
	if err := s.out.fields(append(list, field{"form", formText(r.Bodies)})...); err != nil {
		return err
	}
	if r.Email.BodyTruncated {
		defer s.err.say("The text was cut at 1 MB; \"mailkin read %s --full\" gives all of it.", r.ID)
	}
	return s.reviewBodies(r.Bodies)
}

// formText says which parts a body has.
func formText(b api.Bodies) string {
	switch {
	case b.Differ:
		return "HTML and text, which do not say the same; mail programs show the HTML part"
	case b.HTMLText != nil && b.Text != nil:
		return "HTML and text, which say the same"
	case b.HTMLText != nil:
		return "HTML, without a text part"
	}
	return "text, without an HTML part"
}

// reviewBodies shows what a message says. Where it has several forms that differ, each has a heading.
func (s *session) reviewBodies(b api.Bodies) error {
	text := ""
	part := func(title string, body *string, headed bool) {
		switch {
		case body == nil:
		case headed:
			text += "\n" + title + ":\n\n" + *body + "\n"
		default:
			text += "\n" + *body
		}
	}
	part("HTML part, as text", b.HTMLText, b.Differ || b.HiddenText != "")
	if b.Differ || b.HTMLText == nil {
		part("Text part", b.Text, b.Differ)
	}
	if b.HiddenText != "" {
		part("Hidden in the HTML part: mail programs do not show it", &b.HiddenText, true)
	}
	return s.out.text(text)
}

func linkText(l api.Link) string {
	text := l.URL
	if l.Text != "" && l.Text != l.URL {
		text = l.Text + " → " + l.URL
	}
	if l.Mismatch {
		text += " (its text names another domain)"
	}
	return text
}

func (p *program) reviewEditCommand() *cobra.Command {
	var f draftFlags
	var version int64
	cmd := &cobra.Command{
		Use:   "edit ID [TEXT|-]",
		Short: "Change the given parts of a message that is held",
		Long: `Change the given parts of a message that is held; it stays held, with the next version. With --version
nothing is changed if somebody has edited it since that one, and the status is 5.`,
		Example: "  mailkin review edit ID --version 1 -s 'Hello again'",
		Args:    idAndText,
	}
	f.addStored(cmd)
	cmd.Flags().Int64Var(&version, "version", 0, "version that the change is based on")
	return p.onIDs(reviews, false, cmd, func(s *session, args []string) error {
		f.unfinished = true
		d, closeAll, err := f.build(s, args[1:])
		defer closeAll()
		if err != nil {
			return err
		}
		if len(d.Files) > 0 {
			return usage("files cannot be attached to a message that is held")
		}
		r, err := s.c.EditReview(s.ctx, args[0], draftChange(cmd, version, d, len(args) > 1))
		if err != nil {
			return err
		}
		return s.show(r, func() error {
			s.err.say("The message has version %d. \"mailkin review approve %s\" sends it.", r.Version, r.ID)
			return s.out.text(r.ID)
		})
	})
}

// approvedAtOnce is how many messages one request approves.
const approvedAtOnce = 100

func (p *program) reviewApproveCommand() *cobra.Command {
	var version int64
	cmd := &cobra.Command{
		Use:   "approve ID...",
		Short: "Send messages that are held",
		Long: `Send messages that are held. Each is a line: its id and its status, or why it is not approved; then the
status of the program is not 0. At the daily limit messages stay held.`,
		Args: cobra.MinimumNArgs(1),
	}
	cmd.Flags().Int64Var(&version, "version", 0, "send this version and no other; of one message")
	return p.onIDs(reviews, true, cmd, func(s *session, ids []string) error {
		if len(ids) == 1 {
			r, err := s.c.Approve(s.ctx, ids[0], version)
			if err != nil {
				return err
			}
			return s.said(r, "It is approved, and %s.", r.Email.Status)
		}
		if version != 0 {
			return usage("--version is for one message")
		}
		return s.approveAll(ids)
	})
}

func (s *session) approveAll(ids []string) error {
	var done api.Approvals
	for some := range slices.Chunk(ids, approvedAtOnce) {
		part, err := s.c.ApproveAll(s.ctx, some)
		if err != nil {
			return err
		}
		done.Reviews = append(done.Reviews, part.Reviews...)
	}
	failed := 0
	t := newTable(2, "id", "status", "why not").withIDs(0)
	for _, a := range done.Reviews {
		if a.Status == "" {
			failed++
		}
		t.add(a.ID, a.Status, a.Error)
	}
	if err := s.show(done, func() error { return s.out.table(t) }); err != nil {
		return err
	}
	if failed > 0 {
		return &fault{status: exitRefused, text: fmt.Sprintf("%d of %d messages are not approved", failed,
			len(done.Reviews))}
	}
	return nil
}

func (p *program) reviewRejectCommand() *cobra.Command {
	var reason string
	var version int64
	cmd := &cobra.Command{
		Use:   "reject ID",
		Short: "Do not send a message that is held",
		Args:  reviewArgument,
	}
	cmd.Flags().StringVar(&reason, "reason", "", "why, for the agent to read")
	cmd.Flags().Int64Var(&version, "version", 0, "reject this version and no other")
	return p.onIDs(reviews, false, cmd, func(s *session, args []string) error {
		r, err := s.c.Reject(s.ctx, args[0], reason, version)
		if err != nil {
			return err
		}
		return s.said(r, "It is rejected.")
	})
}

func (p *program) mailboxPolicyCommand() *cobra.Command {
	return p.remote(&cobra.Command{
		Use:   "policy POLICY",
		Short: "Say which messages a person has to approve, as operator or with a key that controls the mailbox",
		Long: `Say which messages of the mailbox a person has to approve before they are sent: open (none),
review_all, review_new (to addresses that never wrote to it nor were approved) or review_outside (to addresses
outside of the list "send allow"). "mailkin review" decides about them.`,
		Args: oneArgument("say the policy: open, review_all, review_new or review_outside"),
	}, func(s *session, args []string) error {
		m, err := s.c.SetSendPolicy(s.ctx, args[0])
		if err != nil {
			return err
		}
		return s.said(m, "The policy of %s is %s.", m.Mailbox.Mailbox, m.SendPolicy)
	})
}

func (p *program) mailboxReviewersCommand() *cobra.Command {
	var none bool
	cmd := &cobra.Command{
		Use:   "reviewers ADDRESS...",
		Short: "Say who is told by mail of messages that wait for approval",
		Long: `Say who is told by mail of messages that wait for approval: at most ten addresses, in place of those
that were named before. The mail has a link for each message, to a page that asks for the decision.
It needs the operator's token, or a key with the capability control.`,
		Args: cobra.ArbitraryArgs,
	}
	cmd.Flags().BoolVar(&none, "none", false, "nobody of its own: those of the whole server")
	return p.remote(cmd, func(s *session, args []string) error {
		if none != (len(args) == 0) {
			return usage("say the addresses, or --none")
		}
		m, err := s.c.SetReviewers(s.ctx, args...)
		if err != nil {
			return err
		}
		if none {
			return s.said(m, "The reviewers of %s are those of the server's settings.", m.Mailbox.Mailbox)
		}
		return s.said(m, "The reviewers of %s are %s.", m.Mailbox.Mailbox, strings.Join(m.Reviewers, ", "))
	})
}
