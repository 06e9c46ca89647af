package sqlite

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/store/rows"
)

func (q *queries) Rejects(_ context.Context, f store.LogFilter) ([]store.Entry[mailbox.Reject], error) {
	return all(q.entries(`SELECT n, at, stage, sender, recipient, address, remote, reply FROM rejects`, "address", f),
		rows.Reject)
}

func (q *queries) Audits(_ context.Context, f store.LogFilter) ([]store.Entry[mailbox.Audit], error) {
	return all(q.entries(`SELECT `+rows.AuditColumns+` FROM audits`, "box", f), rows.Audit)
}

func (q *queries) AuditsAfter(_ context.Context, number int64, limit int) ([]store.Entry[mailbox.Audit], error) {
	return all(q.sql(`SELECT `+rows.AuditColumns+` FROM audits WHERE n > ? ORDER BY n LIMIT ?`).int(number).
		int(int64(limit)), rows.Audit)
}

func (q *queries) AuditEnds(context.Context) (store.AuditEnds, error) {
	ends, err := one(q.sql(`SELECT `+rows.ChainColumns+` FROM audit_chain`), rows.AuditEnds)
	if errors.Is(err, store.ErrNotFound) { // nothing was noted yet
		err = nil
	}
	return ends, err
}

func (q *queries) setAuditEnds(e store.AuditEnds) error {
	return q.sql(`INSERT INTO audit_chain (id, ` + rows.ChainColumns + `) VALUES (1,?,?,?,?) ON CONFLICT (id) DO UPDATE
		SET head_seq = excluded.head_seq, head_hash = excluded.head_hash, base_seq = excluded.base_seq,
		base_hash = excluded.base_hash`).
		int(e.Head.Seq).blob(e.Head.Hash[:]).int(e.Base.Seq).blob(e.Base.Hash[:]).run()
}

// entries reads a log, newest first. A log is a bounded ring or short, so a filter by address may walk it.
func (q *queries) entries(sql, column string, f store.LogFilter) *stmt {
	sql += ` WHERE n < ?`
	if len(f.Addresses) > 0 {
		sql += ` AND ` + column + ` IN (?` + strings.Repeat(`,?`, len(f.Addresses)-1) + `)`
	}
	b := q.sql(sql + ` ORDER BY n DESC LIMIT ? OFFSET ?`).int(rows.Below(f.Before))
	for _, a := range f.Addresses {
		b.text(a)
	}
	return b.int(int64(f.Limit)).int(int64(f.Offset))
}

func (q *queries) AppendRejects(_ context.Context, rs []mailbox.Reject, keep int) error {
	for _, r := range rs {
		err := q.sql(`INSERT INTO rejects (at, stage, sender, recipient, address, remote, reply) VALUES (?,?,?,?,?,?,?)`).
			time(r.At).text(r.Stage).text(r.Sender).text(r.Recipient).text(r.Address).text(r.Remote).text(r.Reply).run()
		if err != nil {
			return err
		}
	}
	return q.sql(`DELETE FROM rejects WHERE n <= (SELECT max(n) FROM rejects) - ?`).int(int64(keep)).run()
}

func (q *queries) AppendAudit(ctx context.Context, a mailbox.Audit) error {
	ends, err := q.AuditEnds(ctx)
	if err != nil {
		return err
	}
	a = ends.Head.Join(a)
	ends.Head = a.Link()
	err = q.sql(`INSERT INTO audits (at, action, box, note, actor, facts, seq, previous, hash) VALUES (?,?,?,?,?,?,?,?,?)`).
		time(a.At).text(a.Action).text(a.Mailbox).text(a.Note).text(a.Actor).text(a.AuditFacts.Encode()).int(a.Seq).
		blob(a.Previous[:]).blob(a.Hash[:]).run()
	if err != nil {
		return err
	}
	return q.setAuditEnds(ends)
}

func (q *queries) TrimAudits(ctx context.Context, before time.Time, limit int) (removed int, more bool, err error) {
	old, err := all(q.sql(`SELECT `+rows.AuditColumns+` FROM audits ORDER BY n LIMIT ?`).int(int64(limit)),
		rows.Audit)
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
		err = q.sql(`DELETE FROM audits WHERE n = ?`).int(e.Number).run()
		removed++
	}
	if err == nil && removed > 0 {
		err = q.setAuditEnds(ends)
	}
	return removed, removed == limit, err
}
