package sqlite

import (
	"context"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/store/rows"
)

func (q *queries) Suppression(_ context.Context, num mailbox.Num, address string) (mailbox.Suppression, error) {
	return one(q.sql(`SELECT `+rows.SuppressionColumns+` FROM suppressions WHERE box = ? AND address = ?`).
		num(num).text(address), rows.Suppression)
}

const (
	someSuppressions = `SELECT ` + rows.SuppressionColumns +
		` FROM suppressions WHERE box = ? AND n < ? AND n > ? AND (?4 = '' OR reason = ?4) ORDER BY n `
	suppressions       = someSuppressions + `DESC LIMIT ? OFFSET ?`
	oldestSuppressions = someSuppressions + `LIMIT ? OFFSET ?`
)

func (q *queries) Suppressions(_ context.Context, num mailbox.Num, f store.SuppressionFilter) (
	[]mailbox.Suppression, error) {
	text := suppressions
	if f.Oldest {
		text = oldestSuppressions
	}
	return all(q.sql(text).num(num).int(rows.Below(f.Before)).int(f.After).text(f.Reason).int(int64(f.Limit)).
		int(int64(f.Offset)), rows.Suppression)
}

func (q *queries) CountSuppressions(_ context.Context, num mailbox.Num) (int64, error) {
	return one(q.sql(`SELECT count(*) FROM suppressions WHERE box = ?`).num(num), rows.Int)
}

func (q *queries) InsertSuppression(_ context.Context, s mailbox.Suppression) error {
	return q.sql(`INSERT OR IGNORE INTO suppressions (box, address, reason, detail, message, at) VALUES (?,?,?,?,?,?)`).
		num(s.Mailbox).text(s.Address).text(s.Reason).text(s.Detail).id(s.Message).time(s.At).run()
}

func (q *queries) DeleteSuppression(_ context.Context, num mailbox.Num, address string) error {
	err := q.sql(`DELETE FROM suppressions WHERE box = ? AND address = ?`).num(num).text(address).run()
	if err == nil && q.conn.Changes() == 0 {
		err = store.ErrNotFound
	}
	return err
}
