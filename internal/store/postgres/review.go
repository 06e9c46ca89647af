package postgres

import (
	"context"
	"strings"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/store/rows"
)

func (q *queries) Review(_ context.Context, num mailbox.Num, message mailbox.ID) (mailbox.Review, error) {
	q.lock(num)
	return one(q.sql(`SELECT `+rows.ReviewColumns+` FROM reviews WHERE box = $1 AND message = $2`).
		num(num).id(message), rows.Review)
}

// listReviews is the statement for a filter: each kind of it has its own index.
func listReviews(f store.ReviewFilter) string {
	where := ` WHERE n < $1`
	switch {
	case f.Mailbox != 0:
		where += ` AND box = $4`
	case f.Status == mailbox.ReviewHeld:
		where += ` AND $4 = 0::bigint AND status = 'held'`
	default:
		where += ` AND $4 = 0::bigint`
	}
	if f.Status != "" {
		where += ` AND status = $5`
	} else {
		where += ` AND $5 = ''::bytea`
	}
	return `SELECT ` + rows.ReviewColumns + ` FROM reviews` + where + ` ORDER BY n DESC LIMIT $2 OFFSET $3`
}

func (q *queries) Reviews(_ context.Context, f store.ReviewFilter) ([]mailbox.Review, error) {
	return all(q.sql(listReviews(f)).int(rows.Below(f.Before)).int(int64(f.Limit)).int(int64(f.Offset)).num(f.Mailbox).
		text(string(f.Status)), rows.Review)
}

func (q *queries) CountHeld(_ context.Context, num mailbox.Num) (int64, error) {
	q.lock(num)
	return one(q.sql(`SELECT count(*) FROM reviews WHERE box = $1 AND status = 'held'`).num(num), rows.Int)
}

const expiredReviews = `SELECT ` + rows.ReviewColumns + ` FROM reviews WHERE status = 'held' AND expires_at <= $1
	ORDER BY expires_at LIMIT $2`

func (q *queries) CountUnsent(_ context.Context, num mailbox.Num) (int64, error) {
	q.lock(num)
	return one(q.sql(`SELECT count(*) FROM reviews WHERE box = $1
		AND status IN ('held', 'rejected', 'expired', 'canceled')`).num(num), rows.Int)
}

func (q *queries) ExpiredReviews(_ context.Context, at time.Time, limit int) ([]mailbox.Review, error) {
	return all(q.sql(expiredReviews).time(at).int(int64(limit)), rows.Review)
}

func (q *queries) Unnoticed(_ context.Context, after mailbox.Num, limit int) ([]mailbox.Num, error) {
	return all(q.sql(unnoticed).num(after).int(int64(limit)), rows.Num)
}

const unnoticed = `SELECT DISTINCT box FROM reviews WHERE box > $1 AND unnoticed AND status = 'held' ORDER BY box
	LIMIT $2`

func (q *queries) UnnoticedReviews(_ context.Context, num mailbox.Num, limit int) ([]mailbox.Review, error) {
	return all(q.sql(unnoticedReviews).num(num).int(int64(limit)), rows.Review)
}

const unnoticedReviews = `SELECT ` + rows.ReviewColumns + ` FROM reviews WHERE box = $1 AND unnoticed
	AND status = 'held' ORDER BY n LIMIT $2`

func (q *queries) MarkNoticed(_ context.Context, num mailbox.Num, upTo int64) (int64, error) {
	q.lock(num)
	return q.sql(`UPDATE reviews SET unnoticed = false WHERE box = $1 AND unnoticed AND status = 'held' AND n <= $2`).
		num(num).int(upTo).changed()
}

func (q *queries) InsertReview(_ context.Context, r mailbox.Review) error {
	q.lock(r.Mailbox)
	return q.sql(`INSERT INTO reviews (box, message, status, reasons, note, decided_by, created_at, expires_at, decided_at,
		version, about, unnoticed, due)
		VALUES ($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12,$13)`).num(r.Mailbox).id(r.Message).text(string(r.Status)).
		text(strings.Join(r.Reasons, "\n")).text(r.Note).text(r.By).time(r.CreatedAt).time(r.ExpiresAt).
		time(r.DecidedAt).int(r.Version).id(r.About).bool(r.Unnoticed).bool(r.Due).run()
}

func (q *queries) UpdateReview(_ context.Context, r mailbox.Review) error {
	q.lock(r.Mailbox)
	n, err := q.sql(`UPDATE reviews SET status = $1, note = $2, decided_by = $3, decided_at = $4, version = $5
		WHERE box = $6 AND message = $7`).text(string(r.Status)).text(r.Note).text(r.By).time(r.DecidedAt).int(r.Version).
		num(r.Mailbox).id(r.Message).changed()
	if err == nil && n == 0 {
		err = store.ErrNotFound
	}
	return err
}

func (q *queries) deleteReview(m mailbox.Message) error {
	return q.sql(`DELETE FROM reviews WHERE box = $1 AND message = $2`).num(m.Mailbox).id(m.ID).run()
}
