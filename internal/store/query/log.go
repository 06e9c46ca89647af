package query

import (
	"context"
	"errors"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/store/rows"
)

func (q Queries[R]) AuditsAfter(_ context.Context, number int64, limit int) ([]store.Entry[mailbox.Audit], error) {
	return all(q, rows.Audit, `SELECT `+rows.AuditColumns+` FROM audits WHERE n > ?1 ORDER BY n LIMIT ?2`, number,
		limit)
}

func (q Queries[R]) AuditEnds(context.Context) (store.AuditEnds, error) {
	ends, err := one(q, rows.AuditEnds, `SELECT `+rows.ChainColumns+` FROM audit_chain`)
	if errors.Is(err, store.ErrNotFound) { // nothing was noted yet
		err = nil
	}
	return ends, err
}

func (q Queries[R]) SetAuditEnds(e store.AuditEnds) error {
	return q.run(`INSERT INTO audit_chain (id, `+rows.ChainColumns+`) VALUES (1,?1,?2,?3,?4) ON CONFLICT (id) DO UPDATE
		SET head_seq = excluded.head_seq, head_hash = excluded.head_hash, base_seq = excluded.base_seq,
		base_hash = excluded.base_hash`, e.Head.Seq, e.Head.Hash[:], e.Base.Seq, e.Base.Hash[:])
}

func (q Queries[R]) TrimAudits(ctx context.Context, before time.Time, limit int) (removed int, more bool, err error) {
	q.conn.Advise("audits", nil)
	old, err := all(q, rows.Audit, `SELECT `+rows.AuditColumns+` FROM audits ORDER BY n LIMIT ?1`, limit)
	if err != nil {
		return 0, false, err
	}
	ends, err := q.AuditEnds(ctx)
	for _, e := range old {
		if err != nil || !e.Value.At.Before(before) {
			break
		}
		if e.Value.Seq > 0 {
			ends.Base = e.Value.Link()
		}
		err = q.run(`DELETE FROM audits WHERE n = ?1`, e.Number)
		removed++
	}
	if err == nil && removed > 0 {
		err = q.SetAuditEnds(ends)
	}
	return removed, removed == limit, err
}
