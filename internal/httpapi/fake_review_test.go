package httpapi

import (
	"context"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

// fakeReview is the review that the fake has.
var fakeReview = service.FullReview{Address: ownAddress, Mail: mailbox.Message{ID: fakeID, Direction: mailbox.Outbound,
	Status: "held", Subject: "a <subject>", To: "ann@x.example", ReceivedAt: fakeTime},
	Review: mailbox.Review{Message: fakeID, Version: 2, Status: mailbox.ReviewHeld, Reasons: []string{"Because."},
		CreatedAt: fakeTime, ExpiresAt: fakeTime}}

// decided is the fake's review after a decision.
func decided(as mailbox.ReviewStatus, note string) service.FullReview {
	r := fakeReview
	r.Status, r.Note, r.By, r.DecidedAt = as, note, "operator", fakeTime
	return r
}

func (f *fake) reviewPage() service.ReviewPage {
	m := service.FullMessage{Message: fakeReview.Mail, Address: ownAddress}
	return service.ReviewPage{FullReview: fakeReview, Email: m, Answers: &service.FullMessage{Address: ownAddress,
		Message: mailbox.Message{ID: fakeID, Subject: "first"}, Detail: mailbox.Detail{Screening: mailbox.Screening{
			Verdict: "flagged", Findings: []mailbox.Finding{{Rule: "r", Layer: "text", Excerpt: "do it"}}}}}}
}

func (f *fake) Reviews(_ context.Context, _ service.Access, q service.ReviewQuery) (service.List[service.FullReview],
	error) {
	return service.List[service.FullReview]{Items: []service.FullReview{fakeReview}, Next: "next"}, f.did(q)
}

func (f *fake) Review(_ context.Context, _ service.Access, id mailbox.ID) (service.ReviewPage, error) {
	return f.reviewPage(), f.did(id)
}

func (f *fake) EditReview(_ context.Context, _ service.Access, id mailbox.ID, e mailbox.DraftEdit) (service.ReviewPage,
	error) {
	_, err := f.changed(mailbox.DraftRef{ID: id}, e)
	return f.reviewPage(), err
}

func (f *fake) Approve(_ context.Context, _ service.Access, ref service.ReviewRef) (service.FullReview, error) {
	return decided(mailbox.ReviewApproved, ""), f.did(ref)
}

func (f *fake) Reject(_ context.Context, _ service.Access, n service.Rejection) (service.FullReview, error) {
	return decided(mailbox.ReviewRejected, n.Reason), f.did(n)
}

func (f *fake) ApproveAll(_ context.Context, _ service.Access, ids []mailbox.ID) ([]service.Approval, error) {
	return []service.Approval{{ID: fakeID, Review: decided(mailbox.ReviewApproved, "")},
		{ID: fakeID, Err: mailbox.Errorf(mailbox.Limited, "daily_send_limit", "Enough.")}}, f.did(ids)
}

func (f *fake) ShowUnsubscribe(_ context.Context, token string) (service.Unsubscription, error) {
	if token == "unknown" {
		return service.Unsubscription{}, mailbox.Errorf(mailbox.NotFound, "not_found", "It leads to nothing.")
	}
	return service.Unsubscription{Sender: ownAddress, Recipient: "<b>ann@x.example"}, f.did(token)
}

func (f *fake) Unsubscribe(_ context.Context, token string) (service.Unsubscription, error) {
	return service.Unsubscription{Sender: ownAddress, Recipient: "<b>ann@x.example", Done: true}, f.did(token)
}

func (f *fake) ShowLinked(_ context.Context, token string) (service.LinkedReview, error) {
	if token == "unknown" {
		return service.LinkedReview{}, mailbox.Errorf(mailbox.NotFound, "not_found", "It leads to nothing.")
	}
	r := service.LinkedReview{ReviewPage: f.reviewPage(), Noticed: 2}
	if f.linked != nil {
		f.linked(&r)
	}
	return r, nil
}

func (f *fake) DecideLinked(_ context.Context, d service.LinkDecision) (service.LinkedDecision, error) {
	as := mailbox.ReviewRejected
	if d.Approve {
		as = mailbox.ReviewApproved
	}
	return service.LinkedDecision{FullReview: decided(as, d.Reason), Already: d.Token == "again"}, f.did(d)
}
