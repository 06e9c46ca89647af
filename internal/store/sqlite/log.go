package sqlite

import (
	"context"
	"strings"

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
	before := f.Before
	if before == 0 {
		before = 1<<63 - 1
	}
	sql += ` WHERE n < ?`
	if len(f.Addresses) > 0 {
		sql += ` AND ` + column + ` IN (?` + strings.Repeat(`,?`, len(f.Addresses)-1) + `)`
	}
	b := q.sql(sql + ` ORDER BY n DESC LIMIT ?+0 OFFSET ?+0`).int(before)
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

func (q *queries) AppendAudit(_ context.Context, a mailbox.Audit) error {
	return q.sql(`INSERT INTO audits (at, action, box, note) VALUES (?,?,?,?)`).
		time(a.At).text(a.Action).text(a.Mailbox).text(a.Note).run()
}
