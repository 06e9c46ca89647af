package sqlite

import (
	"context"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/store/rows"
)

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
