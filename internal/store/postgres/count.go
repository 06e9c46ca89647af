package postgres

import (
	"context"
	"slices"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
)

const countDays = `SELECT received_at / 86400000, outbound, status, count(*), sum(size)::bigint FROM (
		SELECT received_at, outbound, status, size FROM messages WHERE box = $1 AND seq > $2 ORDER BY seq DESC LIMIT $3) m
	GROUP BY 1, 2, 3`

func (q *queries) CountDays(_ context.Context, num mailbox.Num, after int64, limit int) (list []mailbox.DayCount,
	err error) {
	q.lock(num)
	err = q.sql(countDays).num(num).int(after).int(int64(limit)).each(func(r row) error {
		c := mailbox.DayCount{Day: time.Unix(r.int(0)*86400, 0).UTC(), Direction: mailbox.Inbound, Status: r.text(2),
			Messages: r.int(3), Bytes: r.int(4)}
		if r.bool(1) {
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
	all := make(map[mailbox.Num]mailbox.Holding, len(nums))
	err := q.sql(holdings).ints(boxes).each(func(r row) error {
		h := mailbox.Holding{Counters: scanCounters(r)}
		if !r.null(6) {
			h.LastAt = r.time(6)
		}
		all[r.num(7)] = h
		return nil
	})
	return all, err
}

// Each goes back from the newest, and no further than its limit, whatever is left out after that.
const (
	lastMessages = `SELECT b.address, CASE WHEN m.outbound THEN 'message.sent' ELSE 'message.received' END, m.id, m.received_at
		FROM (SELECT box, outbound, id, received_at FROM messages ORDER BY place DESC LIMIT $1) m JOIN mailboxes b ON b.num = m.box`
	lastEvents = `SELECT b.address, e.kind, e.message, e.at FROM (SELECT box, at, kind, message FROM events ORDER BY at DESC LIMIT $1) e
		JOIN mailboxes b ON b.num = e.box WHERE e.kind NOT IN ('message.received', 'message.sent')`
)

func (q *queries) Happenings(_ context.Context, limit int) (list []mailbox.Happening, err error) {
	for _, sql := range []string{lastMessages, lastEvents} {
		err := q.sql(sql).int(int64(limit)).each(func(r row) error {
			list = append(list, mailbox.Happening{Address: r.text(0), Kind: mailbox.EventKind(r.text(1)),
				Message: r.id(2), At: r.time(3)})
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return list, nil
}
