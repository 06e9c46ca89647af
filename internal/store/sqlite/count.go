package sqlite

import (
	"context"
	"errors"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/store/rows"
)

// countSpans reads keys and the short columns that stand first in their rows. To count in SQL would sort all of them:
// it takes twice the time.
const countSpans = `SELECT received_at, outbound, status, size FROM messages WHERE pk > ? AND pk <= ? ORDER BY pk DESC LIMIT ?`

func (q *queries) CountSpans(_ context.Context, num mailbox.Num, after int64, limit int, span time.Duration) (
	[]mailbox.SpanCount, error) {
	low, high := keysAfter(num, after)
	each := span.Milliseconds()
	var list []mailbox.SpanCount
	places := map[mailbox.SpanCount]int{} // in the list, by what is counted, without numbers
	at, last, out := -1, int64(-1), false // those of the row before: most are of the same kind
	err := q.sql(countSpans).int(low).int(high).int(int64(limit)).each(func(r row) error {
		now, outbound, status := r.Int(0)/each, r.Bool(1), r.Text(2)
		if at < 0 || now != last || outbound != out || status != list[at].Status {
			kind := mailbox.SpanCount{At: rows.FromMillis(now * each), Direction: mailbox.Inbound, Status: status}
			if outbound {
				kind.Direction = mailbox.Outbound
			}
			place, known := places[kind]
			if !known {
				place = len(list)
				places[kind], list = place, append(list, kind)
			}
			at, last, out = place, now, outbound
		}
		list[at].Messages++
		list[at].Bytes += r.Int(3)
		return nil
	})
	return list, err
}

const holding = `SELECT inbound, outbound, unseen, bytes, month, this_month,
	(SELECT received_at FROM messages WHERE pk BETWEEN ?2 AND ?3 ORDER BY pk DESC LIMIT 1) FROM counters WHERE box = ?1`

func (q *queries) Holdings(_ context.Context, nums ...mailbox.Num) (map[mailbox.Num]mailbox.Holding, error) {
	held := make(map[mailbox.Num]mailbox.Holding, len(nums))
	for _, num := range nums {
		low, high := span(num, 0)
		err := q.sql(holding).num(num).int(low).int(high).one(func(r row) { held[num] = rows.Holding(r) })
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			return nil, err
		}
	}
	return held, nil
}

// Each goes back from the newest, and no further than its limit, whatever is left out after that.
const (
	lastMessages = `SELECT b.address, CASE WHEN m.held THEN 'message.held' WHEN m.outbound THEN 'message.sent' ELSE 'message.received' END, m.id, m.received_at
		FROM (SELECT doc, message FROM docs ORDER BY doc DESC LIMIT ?) d JOIN messages m ON m.pk = d.message JOIN mailboxes b ON b.num = m.pk >> 32`
	lastEvents = `SELECT b.address, e.kind, e.message, e.at FROM (SELECT pk, at, kind, message, result FROM events ORDER BY at DESC LIMIT ?) e
		JOIN mailboxes b ON b.num = e.pk >> 32 WHERE e.result <> '' OR e.kind NOT IN ('message.received', 'message.sent', 'message.held')`
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
