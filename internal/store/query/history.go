package query

import (
	"context"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store/rows"
)

func (q Queries[R]) History(_ context.Context, num mailbox.Num, seq int64) ([]mailbox.HistoryEntry, error) {
	q.conn.Lock(num)
	return all(q, rows.History, `SELECT `+rows.HistoryColumns+` FROM history WHERE box = ?1 AND seq = ?2 ORDER BY n`,
		num, seq)
}

func (q Queries[R]) WasRead(_ context.Context, num mailbox.Num, seq int64, actor string) (bool, error) {
	q.conn.Lock(num)
	return one(q, rows.Bool,
		`SELECT EXISTS (SELECT 1 FROM history WHERE box = ?1 AND seq = ?2 AND kind = ?3 AND actor = ?4)`, num, seq,
		Word(mailbox.HistoryRead), actor)
}

func (q Queries[R]) AppendHistory(_ context.Context, num mailbox.Num, seq int64, e mailbox.HistoryEntry,
	keep int) error {
	q.conn.Lock(num)
	last, err := one(q, rows.Int, `SELECT coalesce(max(n), 0) FROM history WHERE box = ?1 AND seq = ?2`, num, seq)
	if err != nil {
		return err
	}
	err = q.run(`INSERT INTO history (box, seq, n, `+rows.HistoryColumns+`) VALUES (?1,?2,?3,?4,?5,?6,?7)`, num, seq,
		last+1, e.At, Word(e.Kind), e.Actor, e.Encode())
	if err != nil || last < int64(keep) {
		return err
	}
	return q.run(`DELETE FROM history WHERE box = ?1 AND seq = ?2 AND n <= ?3`, num, seq, last+1-int64(keep))
}

func (q Queries[R]) DeleteHistory(m mailbox.Message) error {
	return q.run(`DELETE FROM history WHERE box = ?1 AND seq = ?2`, m.Mailbox, m.Seq)
}
