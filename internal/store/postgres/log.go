package postgres

import (
	"context"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/store/rows"
)

func (q *queries) Rejects(_ context.Context, f store.LogFilter) ([]store.Entry[mailbox.Reject], error) {
	return all(q.entries(`SELECT n, at, stage, sender, recipient, address, remote, reply FROM rejects`, "address", f),
		rows.Reject)
}

func (q *queries) Audits(_ context.Context, f store.LogFilter) ([]store.Entry[mailbox.Audit], error) {
	if err := q.chainAudits(); err != nil { // an update sees what it has appended
		return nil, err
	}
	return all(q.entries(`SELECT `+rows.AuditColumns+` FROM audits`, "box", f), rows.Audit)
}

// entries reads a log, newest first. A log is a bounded ring or short, so a filter by address may walk it.
func (q *queries) entries(sql, column string, f store.LogFilter) *stmt {
	return q.sql(sql + ` WHERE n < $1 AND (cardinality($2::bytea[]) = 0 OR ` + column +
		` = ANY($2)) ORDER BY n DESC LIMIT $3 OFFSET $4`).
		int(rows.Below(f.Before)).texts(f.Addresses).int(int64(f.Limit)).int(int64(f.Offset))
}

// trimRejects leaves the newest. Numbers may have gaps.
const trimRejects = `DELETE FROM rejects WHERE n <= (SELECT n FROM rejects ORDER BY n DESC LIMIT 1 OFFSET $1)`

func (q *queries) AppendRejects(_ context.Context, rs []mailbox.Reject, keep int) error {
	q.advise("rejects", nil)
	q.askTicket()
	for _, r := range rs {
		err := q.sql(`INSERT INTO rejects (at, stage, sender, recipient, address, remote, reply) VALUES ($1,$2,$3,$4,$5,$6,$7)`).
			time(r.At).text(r.Stage).text(r.Sender).text(r.Recipient).text(r.Address).text(r.Remote).text(r.Reply).run()
		if err != nil {
			return err
		}
	}
	return q.sql(trimRejects).int(int64(keep)).run()
}

// AppendAudit is done at the end of the update: all that append wait for each other, and those that already have
// everything else never wait for long.
func (q *queries) AppendAudit(_ context.Context, a mailbox.Audit) error {
	q.askTicket()
	q.audits = append(q.audits, a)
	return nil
}

// chainAudits writes the entries that an update has appended.
func (q *queries) chainAudits() error {
	if len(q.audits) == 0 {
		return nil
	}
	q.advise("audits", nil)
	ends, err := q.AuditEnds(q.ctx)
	if err != nil {
		return err
	}
	for _, a := range q.audits {
		a = ends.Head.Join(a)
		ends.Head = a.Link()
		if err := q.insertAudit(a); err != nil {
			return err
		}
	}
	q.audits = nil
	return q.SetAuditEnds(ends)
}

func (q *queries) insertAudit(a mailbox.Audit) error {
	return q.sql(`INSERT INTO audits (at, action, box, note, actor, facts, seq, previous, hash) VALUES ($1,$2,$3,$4,$5,$6,$7,$8,$9)`).
		time(a.At).text(a.Action).text(a.Mailbox).text(a.Note).text(a.Actor).text(a.AuditFacts.Encode()).int(a.Seq).
		blob(a.Previous[:]).blob(a.Hash[:]).run()
}
