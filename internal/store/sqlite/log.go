package sqlite

import (
	"context"
	"strings"

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
	return q.SetAuditEnds(ends)
}
