package postgres

import (
	"context"
	"slices"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/store/rows"
)

const countSpans = `SELECT received_at / $4, outbound, status, count(*), sum(size)::bigint FROM (
		SELECT received_at, outbound, status, size FROM messages WHERE box = $1 AND seq > $2 ORDER BY seq DESC LIMIT $3) m
	GROUP BY 1, 2, 3`

func (q *queries) CountSpans(_ context.Context, num mailbox.Num, after int64, limit int, span time.Duration) (
	list []mailbox.SpanCount, err error) {
	q.lock(num)
	err = q.sql(countSpans).num(num).int(after).int(int64(limit)).int(span.Milliseconds()).each(func(r row) error {
		c := mailbox.SpanCount{At: rows.FromMillis(r.Int(0) * span.Milliseconds()), Direction: mailbox.Inbound,
			Status: r.Text(2), Messages: r.Int(3), Bytes: r.Int(4)}
		if r.Bool(1) {
			c.Direction = mailbox.Outbound
		}
		list = append(list, c)
		return nil
	})
	return list, err
}

const holdings = `SELECT inbound, outbound, unseen, bytes, month, this_month, last.received_at, c.box FROM counters c
	LEFT JOIN LATERAL (SELECT received_at FROM messages WHERE box = c.box ORDER BY seq DESC LIMIT 1) last ON true
	WHERE c.box = ANY($1)`

func (q *queries) Holdings(_ context.Context, nums ...mailbox.Num) (map[mailbox.Num]mailbox.Holding, error) {
	boxes := make([]int64, len(nums))
	for i, num := range slices.Sorted(slices.Values(nums)) {
		q.lock(num)
		boxes[i] = int64(num)
	}
	held := make(map[mailbox.Num]mailbox.Holding, len(nums))
	err := q.sql(holdings).ints(boxes).each(func(r row) error {
		held[r.Num(7)] = rows.Holding(r)
		return nil
	})
	return held, err
}

// Each goes back from the newest, and no further than its limit, whatever is left out after that.
const (
	lastMessages = `SELECT b.address, CASE WHEN m.held THEN 'message.held' WHEN m.outbound THEN 'message.sent' ELSE 'message.received' END, m.id, m.received_at
		FROM (SELECT box, outbound, held, id, received_at FROM messages ORDER BY place DESC LIMIT $1) m JOIN mailboxes b ON b.num = m.box`
	lastEvents = `SELECT b.address, e.kind, e.message, e.at FROM (SELECT box, at, kind, message, result FROM events ORDER BY at DESC LIMIT $1) e
		JOIN mailboxes b ON b.num = e.box WHERE e.result <> '' OR e.kind NOT IN ('message.received', 'message.sent', 'message.held')`
)

func (q *queries) Happenings(_ context.Context, limit int) (list []mailbox.Happening, err error) {
	for _, sql := range []string{lastMessages, lastEvents} {
		some, err := all(q.sql(sql).int(int64(limit)), rows.Happening)
		if err != nil {
			return nil, err
		}
		list = append(list, some...)
	}
	return list, nil
}

// Size is how many bytes the database takes up, without the index.
func (db *DB) Size(ctx context.Context) (bytes int64, err error) {
	err = db.Ask(ctx, func(r store.Reader) error {
		bytes, err = one(r.(*queries).sql(`SELECT pg_database_size(current_database()) - `+indexBytes), rows.Int)
		return err
	})
	return bytes, err
}
