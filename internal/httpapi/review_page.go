package httpapi

import (
	"context"
	_ "embed" // the page
	"errors"
	"fmt"
	"html/template"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

// linkVerbs holds the verbs of people who decide about held mail with a link from a notice.
type linkVerbs interface {
	ShowLinked(ctx context.Context, token string) (service.LinkedReview, error)
	DecideLinked(ctx context.Context, d service.LinkDecision) (service.LinkedDecision, error)
}

//go:embed page/review.html
var reviewHTML string

// page tells whether an endpoint answers with pages.
func (e *endpoint) page() bool {
	return slices.Contains([]string{claimPath, reviewPath, unsubscribePath, signInPath, SignInCallback}, e.path)
}

// reviewView is what the page says.
type reviewView struct {
	Title, Problem, Text string
	Ask                  *reviewQuestion // nil: there is nothing to decide
}

// Style is the page's own, which its policy knows by its hash.
func (reviewView) Style() template.CSS { return template.CSS(pageCSS) }

// reviewQuestion is the message that a person is asked about, as the recipients would get it.
type reviewQuestion struct {
	Token                 string
	Version               int64
	From, Subject, Form   string
	To, Cc, Bcc, ReplyTo  []string
	Differ                bool
	Sections              []service.BodySection
	Unseen, Where         string // what the page does not show, and who does; empty: nothing
	Files, Reasons, Links []string
	Answers               string
	Warnings              []string
	SendAt, Until         string
}

const shownText = 100_000 // bytes of each form of a text that the page shows

// errUnseen asks once more where the page does not show all of a message.
var errUnseen = mailbox.InvalidField("unseen", "Nothing was decided. This page does not show all of the message: tick "+
	"the box if you want to approve it nevertheless.")

// newReviewView says of a message what is asked, or what was decided.
func newReviewView(token string, r service.LinkedReview) (int, reviewView) {
	if !r.Open() {
		return decidedView(r.FullReview, true)
	}
	d := r.Email.Detail
	q := &reviewQuestion{Token: token, Version: r.Version, From: service.Visible(d.Author.Text()), To: people(d.To),
		Cc: people(d.Cc), Bcc: people(d.Bcc), ReplyTo: people(d.ReplyTo), Subject: service.Visible(d.Subject),
		Reasons: visible(r.Reasons), Until: dayTime(r.ExpiresAt)}
	q.showBodies(r)
	for _, p := range d.Parts {
		q.Files = append(q.Files, service.Visible(fmt.Sprintf("%s (%s, %d bytes)", p.Filename, p.ContentType, p.Size)))
	}
	for _, to := range d.Deliveries {
		if to.QueuedAt.After(r.Mail.ReceivedAt) {
			q.SendAt = dayTime(to.QueuedAt)
		}
	}
	if a := r.Answers; a != nil {
		q.Answers = service.Visible(fmt.Sprintf("“%s” of %s", a.Subject, a.From.Text()))
		if q.Warnings = visible(a.Warnings()); len(q.Warnings) == 0 {
			q.Answers += "; nothing speaks against it"
		}
	}
	view := reviewView{Title: "Send this message?", Ask: q,
		Text: r.FullReview.Address + " wants to send this. It is not sent before somebody approves it."}
	if r.Version != r.Noticed {
		view.Problem = "The message was edited since you were told of it. This is what it says now."
	}
	return http.StatusOK, view
}

// showBodies shows the forms of the message's body, and says what is not shown of them.
func (q *reviewQuestion) showBodies(r service.LinkedReview) {
	b := r.Bodies()
	q.Form, q.Differ, q.Sections = b.Form(), b.Differ, b.Sections(shownText)
	for _, l := range b.Links {
		q.Links = append(q.Links, service.Visible(l.Line()))
	}
	var missing []string
	for _, s := range q.Sections {
		if s.Left > 0 {
			missing = append(missing, fmt.Sprintf("the last %d bytes of “%s”", s.Left, s.Title))
		}
	}
	if b.MoreLinks {
		missing = append(missing, fmt.Sprintf("links after the first %d", len(b.Links)))
	}
	q.Where = "The console shows all of it, and so does mailkin review show " + r.Message.String() + "."
	if d := r.Email.Detail; d.TextTruncated || d.HTMLTruncated {
		missing = append(missing, "what follows the first megabyte")
		q.Where = "The command mailkin read " + r.Message.String() + " --full shows all of it."
	}
	q.Unseen = strings.Join(missing, "; ")
}

func people(list []mailbox.Address) (texts []string) {
	for _, a := range list {
		texts = append(texts, service.Visible(a.Text()))
	}
	return texts
}

// visible is service.Visible for several texts.
func visible(list []string) (texts []string) {
	for _, text := range list {
		texts = append(texts, service.Visible(text))
	}
	return texts
}

func dayTime(at time.Time) string { return at.UTC().Format("2 January 2006, 15:04:05 UTC") }

// decidedView says what was decided.
func decidedView(r service.FullReview, already bool) (int, reviewView) {
	by := "by " + decider(r.By) + " on " + dayTime(r.DecidedAt) + "."
	switch {
	case r.Status == mailbox.ReviewApproved && r.Mail.Status == string(mailbox.Canceled):
		return http.StatusOK, reviewView{Title: "Called back", Text: "The message was approved " + by +
			" After that it was called back. It was not sent, and there is nothing left to do."}
	case r.Status == mailbox.ReviewExpired:
		return http.StatusGone, reviewView{Title: "Too late", Text: "Nobody decided about this message until " +
			dayTime(r.ExpiresAt) + ". It was not sent."}
	case r.Status == mailbox.ReviewCanceled:
		return http.StatusGone, reviewView{Title: "Called back", Text: "The message was called back " + by +
			" It was not sent, and there is nothing left to do."}
	case r.Status == mailbox.ReviewApproved && already:
		return http.StatusOK, reviewView{Title: "Already approved", Text: "The message was approved " + by}
	case r.Status == mailbox.ReviewApproved:
		return http.StatusOK, reviewView{Title: "Approved", Text: "The message is on its way. You can close this page."}
	case already:
		return http.StatusOK, reviewView{Title: "Already rejected", Text: "The message was rejected " + by +
			" It was not sent."}
	}
	return http.StatusOK, reviewView{Title: "Rejected", Text: "The message is not sent, and the agent can read why. " +
		"You can close this page."}
}

// decider names who decided, for people.
func decider(by string) string {
	address, byMail := strings.CutPrefix(by, mailbox.ReviewerByMail)
	switch {
	case byMail:
		return address
	case by == "operator":
		return "the operator"
	}
	return "the key " + by
}

// linkToken is the secret of the link that was followed.
func (p params) linkToken() (string, error) {
	token, err := p.text("token")
	if err == nil && token == "" {
		err = mailbox.InvalidField("token", "The link is not whole: open it as it stands in the mail.")
	}
	return token, err
}

// showReview shows what is asked. It changes nothing: links are opened by programs too.
func (a *API) showReview(c *call) error {
	token, err := c.params.linkToken()
	if err != nil {
		return err
	}
	return a.askReview(c, token, nil)
}

// askReview shows a message, and why what was tried with it did not work, if it did not.
func (a *API) askReview(c *call, token string, problem *mailbox.Error) error {
	linked, err := a.svc.ShowLinked(c.Context(), token)
	if err != nil {
		return err
	}
	status, view := newReviewView(token, linked)
	if problem != nil && view.Ask != nil {
		view.Problem, status = problem.Message, replies[problem.Kind].status
		if seconds := replies[problem.Kind].retryAfter(problem); seconds > 0 {
			c.out.Header().Set("Retry-After", strconv.Itoa(seconds))
		}
	}
	return a.showPage(c, status, a.asks, view)
}

// submitReview decides.
func (a *API) submitReview(c *call) error {
	token, err := c.form.linkToken()
	if err != nil {
		return err
	}
	d := service.LinkDecision{Token: token, Approve: c.form.first("decision") == "approve",
		Reason: c.form.first("reason")}
	if d.Version, err = strconv.ParseInt(c.form.first("version"), 10, 64); err != nil || d.Version < 1 {
		return mailbox.InvalidField("version", "The form is not whole: open the link once more.")
	}
	if !d.Approve && c.form.first("decision") != "reject" {
		return mailbox.InvalidField("decision", "The form is not whole: open the link once more.")
	}
	if d.Approve && c.form.first("unseen") != "yes" {
		linked, err := a.svc.ShowLinked(c.Context(), token)
		if err != nil {
			return err
		}
		_, view := newReviewView(token, linked)
		if view.Ask != nil && view.Ask.Unseen != "" {
			return a.askReview(c, token, errUnseen)
		}
	}
	done, err := a.svc.DecideLinked(c.Context(), d)
	if err == nil {
		status, view := decidedView(done.FullReview, done.Already)
		return a.showPage(c, status, a.asks, view)
	}
	var problem *mailbox.Error
	if !errors.As(err, &problem) || problem.Kind == mailbox.NotFound || replies[problem.Kind].status >= 500 {
		return err
	}
	return a.askReview(c, token, problem)
}
