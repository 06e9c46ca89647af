package sealed

import (
	"context"
	"strings"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/seal"
	"github.com/mailkin/mailkin/internal/store"
)

// Of a review the reasons are sealed once, and who decided with what they said when they do.
const (
	reasonsKind  = "reasons"
	decisionKind = "decision"
)

func (t *tx) sealDecision(ctx context.Context, r mailbox.Review) (mailbox.Review, error) {
	if r.By == "" && r.Note == "" {
		return r, nil
	}
	by, err := t.sealTexts(ctx, seal.ByID(decisionKind, r.Mailbox, r.Message), r.Note, r.By)
	r.Note, r.By = "", by
	return r, err
}

func (t *tx) InsertReview(ctx context.Context, r mailbox.Review) error {
	if !t.sealing(r.Mailbox) {
		return t.writer.InsertReview(ctx, r)
	}
	r, err := t.sealDecision(ctx, r)
	if err != nil {
		return err
	}
	reasons, err := t.sealTexts(ctx, seal.ByID(reasonsKind, r.Mailbox, r.Message), strings.Join(r.Reasons, "\n"))
	if err != nil {
		return err
	}
	r.Reasons = []string{reasons}
	return t.writer.InsertReview(ctx, r)
}

func (t *tx) UpdateReview(ctx context.Context, r mailbox.Review) (err error) {
	if t.sealing(r.Mailbox) {
		if r, err = t.sealDecision(ctx, r); err != nil {
			return err
		}
	}
	return t.writer.UpdateReview(ctx, r)
}

func (r *reader) openReview(ctx context.Context, v *mailbox.Review) error {
	if len(v.Reasons) == 1 {
		reasons := v.Reasons[0]
		err := r.openTexts(ctx, seal.ByID(reasonsKind, v.Mailbox, v.Message), reasons, &reasons)
		if err != nil {
			return err
		}
		v.Reasons = strings.Split(reasons, "\n")
	}
	return r.openTexts(ctx, seal.ByID(decisionKind, v.Mailbox, v.Message), v.By, &v.Note, &v.By)
}

func (r *reader) Review(ctx context.Context, num mailbox.Num, message mailbox.ID) (mailbox.Review, error) {
	return one(ctx, r.openReview)(r.Reader.Review(ctx, num, message))
}

func (r *reader) Reviews(ctx context.Context, f store.ReviewFilter) ([]mailbox.Review, error) {
	return all(ctx, r.openReview)(r.Reader.Reviews(ctx, f))
}

func (r *reader) ExpiredReviews(ctx context.Context, at time.Time, limit int) ([]mailbox.Review, error) {
	return all(ctx, r.openReview)(r.Reader.ExpiredReviews(ctx, at, limit))
}

func (r *reader) UnnoticedReviews(ctx context.Context, num mailbox.Num, limit int) ([]mailbox.Review, error) {
	return all(ctx, r.openReview)(r.Reader.UnnoticedReviews(ctx, num, limit))
}
