package httpapi

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"

	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/wire"
)

// reviewVerbs holds the verbs about mail that a person has to approve before it is sent.
type reviewVerbs interface {
	Reviews(ctx context.Context, in service.Access, q service.ReviewQuery) (service.List[service.FullReview], error)
	Review(ctx context.Context, in service.Access, id mailbox.ID) (service.ReviewPage, error)
	EditReview(ctx context.Context, in service.Access, id mailbox.ID, e mailbox.DraftEdit) (service.ReviewPage, error)
	Approve(ctx context.Context, in service.Access, ref service.ReviewRef) (service.FullReview, error)
	Reject(ctx context.Context, in service.Access, n service.Rejection) (service.FullReview, error)
	ApproveAll(ctx context.Context, in service.Access, ids []mailbox.ID) ([]service.Approval, error)
}

func newReviewSummary(r service.FullReview) api.ReviewSummary {
	return wire.NewReviewSummary(r.Review, r.Mail, r.SendAt, r.Address)
}

func (a *API) reviews(c *call) error {
	var q service.ReviewQuery
	var status string
	err := c.params.texts(named{"status", &status})
	if err != nil {
		return err
	}
	q.Status = mailbox.ReviewStatus(status)
	if q.Page, err = c.params.page(); err != nil {
		return err
	}
	list, err := a.svc.Reviews(c.Context(), c.in, q)
	if err != nil {
		return err
	}
	answer := api.Reviews{Reviews: make([]api.ReviewSummary, len(list.Items)), Next: api.NullString(list.Next)}
	for i, r := range list.Items {
		answer.Reviews[i] = newReviewSummary(r)
	}
	return a.answer(c, http.StatusOK, answer)
}

// reviewID is the review that the path names.
func (c *call) reviewID() (mailbox.ID, error) { return parseID("Review", c.value) }

// newReviewPage returns what a person sees who has to decide, as this caller may see it.
func (c *call) newReviewPage(p service.ReviewPage) api.ReviewPage {
	var answers *api.AnsweredEmail
	if p.Answers != nil {
		answers = wire.NewAnswered(p.Answers.Message, p.Answers.Detail, p.Answers.Address)
	}
	page := wire.NewReviewPage(p.Review, p.FullReview.Address, c.newEmail(p.Email), answers)
	page.Bodies = newBodies(p.Bodies())
	return page
}

func newBodies(b service.Bodies) api.Bodies {
	out := api.Bodies{HiddenText: b.Hidden, Differ: b.Differ, Links: wire.NewLinks(b.Links), MoreLinks: b.MoreLinks}
	if b.HasText {
		out.Text = &b.Text
	}
	if b.HasHTML {
		out.HTMLText = &b.HTML
	}
	return out
}

func (a *API) review(c *call) error { return answerTo(a, c, c.reviewID, a.svc.Review, c.newReviewPage) }

func (a *API) editReview(c *call) error {
	return answerEdit(a, c, c.reviewID, a.svc.EditReview, c.newReviewPage)
}

// reviewRef is the review that the path names, in the version that the body names, if any.
func (c *call) reviewRef() (ref service.ReviewRef, err error) {
	if ref.ID, err = c.reviewID(); err != nil {
		return ref, err
	}
	if raw := c.fields["version"]; raw != nil && !c.fields.null("version") {
		if json.Unmarshal(raw, &ref.Version) != nil || ref.Version < 1 {
			return ref, wrongType("version", "a number from 1")
		}
	}
	return ref, nil
}

func (a *API) approve(c *call) error {
	return answerTo(a, c, c.reviewRef, a.svc.Approve, newReviewSummary)
}

func (a *API) reject(c *call) error {
	return answerTo(a, c, func() (n service.Rejection, err error) {
		if n.ReviewRef, err = c.reviewRef(); err == nil {
			n.Reason, err = c.fields.word("reason")
		}
		return n, err
	}, a.svc.Reject, newReviewSummary)
}

// approveAll approves several messages. Each of them has its own answer.
func (a *API) approveAll(c *call) error {
	ids, err := c.fields.ids()
	if err != nil {
		return err
	}
	all, err := a.svc.ApproveAll(c.Context(), c.in, ids)
	if err != nil {
		return err
	}
	answer := api.Approvals{Reviews: make([]api.Approval, len(all))}
	for i, one := range all {
		answer.Reviews[i] = api.Approval{ID: one.ID.String(), Status: string(one.Review.Status)}
		var refused *mailbox.Error
		if errors.As(one.Err, &refused) {
			answer.Reviews[i] = api.Approval{ID: one.ID.String(), Code: refused.Code, Error: refused.Message}
		}
	}
	return a.answer(c, http.StatusOK, answer)
}
