package sqlite

import (
	"context"
	"strings"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/store/rows"
)

func (q *queries) Review(_ context.Context, num mailbox.Num, message mailbox.ID) (mailbox.Review, error) {
	return one(q.sql(`SELECT `+rows.ReviewColumns+` FROM reviews WHERE box = ? AND message = ?`).
		num(num).id(message), rows.Review)
}

// listReviews is the statement for a filter: each kind of it has its own index.
func listReviews(f store.ReviewFilter) string {
	where := ` WHERE (?1 = 0 OR n < ?1)`
	switch {
	case f.Mailbox != 0:
		where += ` AND box = ?4`
	case f.Status == mailbox.ReviewHeld:
		where += ` AND ?4 = 0 AND status = 'held'`
	default:
		where += ` AND ?4 = 0`
	}
	if f.Status != "" {
		where += ` AND status = ?5`
	} else {
		where += ` AND ?5 = ''`
	}
	return `SELECT ` + rows.ReviewColumns + ` FROM reviews` + where + ` ORDER BY n DESC LIMIT ?2 OFFSET ?3`
}

func (q *queries) Reviews(_ context.Context, f store.ReviewFilter) ([]mailbox.Review, error) {
	return all(q.sql(listReviews(f)).int(f.Before).int(int64(f.Limit)).int(int64(f.Offset)).num(f.Mailbox).
		text(string(f.Status)), rows.Review)
}

func (q *queries) CountHeld(_ context.Context, num mailbox.Num) (int64, error) {
	return one(q.sql(`SELECT count(*) FROM reviews WHERE box = ? AND status = 'held'`).num(num), rows.Int)
}

func (q *queries) CountUnsent(_ context.Context, num mailbox.Num) (int64, error) {
	return one(q.sql(`SELECT count(*) FROM reviews WHERE box = ?
		AND status IN ('held', 'rejected', 'expired', 'canceled')`).num(num), rows.Int)
}

func (q *queries) ExpiredReviews(_ context.Context, at time.Time, limit int) ([]mailbox.Review, error) {
	return all(q.sql(`SELECT `+rows.ReviewColumns+` FROM reviews WHERE status = 'held' AND expires_at <= ?1
		ORDER BY expires_at LIMIT ?2`).time(at).int(int64(limit)), rows.Review)
}

func (q *queries) Unnoticed(_ context.Context, after mailbox.Num, limit int) ([]mailbox.Num, error) {
	return all(q.sql(unnoticed).num(after).int(int64(limit)), rows.Num)
}

const unnoticed = `SELECT DISTINCT box FROM reviews WHERE box > ?1 AND unnoticed = 1 AND status = 'held' ORDER BY box
	LIMIT ?2`

func (q *queries) UnnoticedReviews(_ context.Context, num mailbox.Num, limit int) ([]mailbox.Review, error) {
	return all(q.sql(unnoticedReviews).num(num).int(int64(limit)), rows.Review)
}

const unnoticedReviews = `SELECT ` + rows.ReviewColumns + ` FROM reviews WHERE box = ?1 AND unnoticed = 1
	AND status = 'held' ORDER BY n LIMIT ?2`

func (q *queries) MarkNoticed(_ context.Context, num mailbox.Num, upTo int64) (int64, error) {
	err := q.sql(`UPDATE reviews SET unnoticed = 0 WHERE box = ? AND unnoticed = 1 AND status = 'held' AND n <= ?`).
		num(num).int(upTo).run()
	return int64(q.conn.Changes()), err
}

func (q *queries) InsertReview(_ context.Context, r mailbox.Review) error {
	return q.sql(`INSERT INTO reviews (box, message, status, reasons, note, decided_by, created_at, expires_at, decided_at,
		version, about, unnoticed, due)
		VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)`).num(r.Mailbox).id(r.Message).text(string(r.Status)).
		text(strings.Join(r.Reasons, "\n")).text(r.Note).text(r.By).time(r.CreatedAt).time(r.ExpiresAt).
		time(r.DecidedAt).int(r.Version).id(r.About).bool(r.Unnoticed).bool(r.Due).run()
}

func (q *queries) UpdateReview(_ context.Context, r mailbox.Review) error {
	err := q.sql(`UPDATE reviews SET status = ?, note = ?, decided_by = ?, decided_at = ?, version = ?
		WHERE box = ? AND message = ?`).text(string(r.Status)).text(r.Note).text(r.By).time(r.DecidedAt).int(r.Version).
		num(r.Mailbox).id(r.Message).run()
	if err == nil && q.conn.Changes() == 0 {
		err = store.ErrNotFound
	}
	return err
}

func (q *queries) deleteReview(m mailbox.Message) error {
	return q.sql(`DELETE FROM reviews WHERE box = ? AND message = ?`).num(m.Mailbox).id(m.ID).run()
}
