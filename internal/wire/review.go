package wire

import (
	"time"

	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/internal/mailbox"
)

// newReview returns what was decided about a message that was held; nil: it was not.
func newReview(r *mailbox.Review) *api.Review {
	if r == nil {
		return nil
	}
	return &api.Review{ID: r.Message.String(), Status: string(r.Status), Version: r.Version,
		Reasons: listed(r.Reasons), Reason: r.Note, CreatedAt: at(r.CreatedAt), ExpiresAt: at(r.ExpiresAt),
		DecidedAt: at(r.DecidedAt)}
}

// NewReviewSummary returns a review as lists show it, with its message, in the mailbox of that address.
func NewReviewSummary(r mailbox.Review, m mailbox.Message, sendAt time.Time, address string) api.ReviewSummary {
	return api.ReviewSummary{Review: *newReview(&r), Mailbox: address, DecidedBy: r.By, Email: NewMessage(m, address),
		SendAt: at(sendAt)}
}

// NewReviewPage returns what a person sees who has to decide. The message that the held one answers is nil where there
// is none.
func NewReviewPage(r mailbox.Review, address string, held api.Email, answers *api.AnsweredEmail) api.ReviewPage {
	return api.ReviewPage{Review: *newReview(&r), Mailbox: address, DecidedBy: r.By, Email: held, Answers: answers,
		SendAt: held.SendAt}
}

// NewAnswered returns what a reviewer is to know of the message that a held one answers.
func NewAnswered(m mailbox.Message, d mailbox.Detail, address string) *api.AnsweredEmail {
	return &api.AnsweredEmail{Message: NewMessage(m, address), Auth: newAuthentication(m.Verdict.Auth),
		Screening: NewScreening(m.ID, d.Screening)}
}
