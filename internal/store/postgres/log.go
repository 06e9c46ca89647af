package postgres

import (
	"context"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

func (q *queries) Rejects(_ context.Context, f store.LogFilter) (list []store.Entry[mailbox.Reject], err error) {
	err = q.entries(`SELECT n, at, stage, sender, recipient, address, remote, reply FROM rejects`, "address", f).
		each(func(r row) error {
			list = append(list, store.Entry[mailbox.Reject]{Number: r.int(0), Value: mailbox.Reject{At: r.time(1),
				Stage: r.text(2), Sender: r.text(3), Recipient: r.text(4), Address: r.text(5), Remote: r.text(6),
				Reply: r.text(7)}})
			return nil
		})
	return list, err
}

func (q *queries) Audits(_ context.Context, f store.LogFilter) (list []store.Entry[mailbox.Audit], err error) {
	err = q.entries(`SELECT n, at, action, box, note FROM audits`, "box", f).
		each(func(r row) error {
			list = append(list, store.Entry[mailbox.Audit]{Number: r.int(0), Value: mailbox.Audit{At: r.time(1),
				Action: r.text(2), Mailbox: r.text(3), Note: r.text(4)}})
			return nil
		})
	return list, err
}

// entries reads a log, newest first. A log is a bounded ring or short, so a filter by address may walk it.
func (q *queries) entries(sql, column string, f store.LogFilter) *stmt {
	return q.sql(sql + ` WHERE n < $1 AND (cardinality($2::bytea[]) = 0 OR ` + column +
		` = ANY($2)) ORDER BY n DESC LIMIT $3 OFFSET $4`).
		int(below(f.Before)).texts(f.Addresses).int(int64(f.Limit)).int(int64(f.Offset))
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

func (q *queries) AppendAudit(_ context.Context, a mailbox.Audit) error {
	q.askTicket()
	return q.sql(`INSERT INTO audits (at, action, box, note) VALUES ($1,$2,$3,$4)`).
		time(a.At).text(a.Action).text(a.Mailbox).text(a.Note).run()
}
