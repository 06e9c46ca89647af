package postgres

import (
	"context"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store/rows"
)

func (q *queries) History(_ context.Context, num mailbox.Num, seq int64) ([]mailbox.HistoryEntry, error) {
	q.lock(num)
	return all(q.sql(`SELECT `+rows.HistoryColumns+` FROM history WHERE box = $1 AND seq = $2 ORDER BY n`).
		num(num).int(seq), rows.History)
}

func (q *queries) WasRead(_ context.Context, num mailbox.Num, seq int64, actor string) (bool, error) {
	q.lock(num)
	return one(q.sql(`SELECT EXISTS (SELECT 1 FROM history WHERE box = $1 AND seq = $2 AND kind = $3 AND actor = $4)`).
		num(num).int(seq).word(string(mailbox.HistoryRead)).text(actor), func(r row) bool { return r.Bool(0) })
}

func (q *queries) AppendHistory(_ context.Context, num mailbox.Num, seq int64, e mailbox.HistoryEntry,
	keep int) error {
	q.lock(num)
	last, err := one(q.sql(`SELECT coalesce(max(n), 0) FROM history WHERE box = $1 AND seq = $2`).num(num).int(seq),
		rows.Int)
	if err != nil {
		return err
	}
	err = q.sql(`INSERT INTO history (box, seq, n, ` + rows.HistoryColumns + `) VALUES ($1,$2,$3,$4,$5,$6,$7)`).
		num(num).int(seq).int(last + 1).time(e.At).word(string(e.Kind)).text(e.Actor).text(e.Encode()).run()
	if err != nil || last < int64(keep) {
		return err
	}
	return q.sql(`DELETE FROM history WHERE box = $1 AND seq = $2 AND n <= $3`).num(num).int(seq).
		int(last + 1 - int64(keep)).run()
}

func (q *queries) deleteHistory(m mailbox.Message) error {
	return q.sql(`DELETE FROM history WHERE box = $1 AND seq = $2`).num(m.Mailbox).int(m.Seq).run()
}
