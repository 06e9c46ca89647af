package sqlite

import (
	"context"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store/rows"
)

func (q *queries) History(_ context.Context, num mailbox.Num, seq int64) ([]mailbox.HistoryEntry, error) {
	return all(q.sql(`SELECT `+rows.HistoryColumns+` FROM history WHERE box = ? AND seq = ? ORDER BY n`).
		num(num).int(seq), rows.History)
}

func (q *queries) WasRead(_ context.Context, num mailbox.Num, seq int64, actor string) (bool, error) {
	return one(q.sql(`SELECT EXISTS (SELECT 1 FROM history WHERE box = ? AND seq = ? AND kind = ? AND actor = ?)`).
		num(num).int(seq).text(string(mailbox.HistoryRead)).text(actor), func(r row) bool { return r.Bool(0) })
}

func (q *queries) AppendHistory(_ context.Context, num mailbox.Num, seq int64, e mailbox.HistoryEntry,
	keep int) error {
	last, err := one(q.sql(`SELECT coalesce(max(n), 0) FROM history WHERE box = ? AND seq = ?`).num(num).int(seq),
		rows.Int)
	if err != nil {
		return err
	}
	err = q.sql(`INSERT INTO history (box, seq, n, ` + rows.HistoryColumns + `) VALUES (?,?,?,?,?,?,?)`).
		num(num).int(seq).int(last + 1).time(e.At).text(string(e.Kind)).text(e.Actor).text(e.Encode()).run()
	if err != nil || last < int64(keep) {
		return err
	}
	return q.sql(`DELETE FROM history WHERE box = ? AND seq = ? AND n <= ?`).num(num).int(seq).
		int(last + 1 - int64(keep)).run()
}

func (q *queries) deleteHistory(m mailbox.Message) error {
	return q.sql(`DELETE FROM history WHERE box = ? AND seq = ?`).num(m.Mailbox).int(m.Seq).run()
}
