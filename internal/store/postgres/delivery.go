package postgres

import (
	"context"
	"slices"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/store/rows"
)

func (b *stmt) deliveries() ([]mailbox.Delivery, error) { return all(b, rows.Delivery) }

// boxesOf lists the mailboxes of deliveries, each once.
func boxesOf(list []mailbox.Delivery) (nums []mailbox.Num) {
	for _, d := range list {
		if !slices.Contains(nums, d.Mailbox) {
			nums = append(nums, d.Mailbox)
		}
	}
	return nums
}

func (q *queries) Deliveries(_ context.Context, m mailbox.Message) ([]mailbox.Delivery, error) {
	q.lock(m.Mailbox)
	return q.sql(`SELECT ` + rows.DeliveryColumns + ` FROM deliveries WHERE box = $1 AND seq = $2 ORDER BY n`).
		num(m.Mailbox).int(m.Seq).deliveries()
}

func (q *queries) Delivery(_ context.Context, num mailbox.Num, seq int64, n int) (d mailbox.Delivery, err error) {
	q.lock(num)
	return one(q.sql(`SELECT `+rows.DeliveryColumns+` FROM deliveries WHERE box = $1 AND seq = $2 AND n = $3`).
		num(num).int(seq).int(int64(n)), rows.Delivery)
}

// destinations goes from one destination to the next by the index, past all that waits for each.
const destinations = `WITH RECURSIVE d(name, next_at) AS (
	(SELECT destination, next_at FROM deliveries WHERE next_at > 0 ORDER BY destination, next_at LIMIT 1)
	UNION ALL SELECT e.destination, e.next_at FROM d, LATERAL (SELECT destination, next_at FROM deliveries
		WHERE next_at > 0 AND destination > d.name ORDER BY destination, next_at LIMIT 1) e)
	SELECT name, next_at FROM d`

func (q *queries) Destinations(context.Context) ([]store.Destination, error) {
	return all(q.sql(destinations), rows.Destination)
}

const (
	dueDeliveries = `SELECT ` + rows.DeliveryColumns + ` FROM deliveries WHERE destination = $1 AND next_at > 0 AND next_at <= $2 ORDER BY next_at LIMIT $3`
	oldDeliveries = `SELECT ` + rows.DeliveryColumns + ` FROM deliveries WHERE next_at > 0 AND queued_at < $1 AND NOT leased ORDER BY queued_at LIMIT $2`
	// Not next_at > 0, with which later releases of PostgreSQL take the index of all that wait.
	releaseAll = `UPDATE deliveries SET next_at = $1, leased = false WHERE leased AND next_at <> 0`
)

func (q *queries) DueDeliveries(_ context.Context, destination string, at time.Time, limit int) ([]mailbox.Delivery,
	error) {
	return q.waitingDeliveries(func() *stmt {
		return q.sql(dueDeliveries).text(destination).time(at).int(
			int64(limit))
	})
}

func (q *queries) OldDeliveries(_ context.Context, before time.Time, limit int) ([]mailbox.Delivery, error) {
	return q.waitingDeliveries(func() *stmt { return q.sql(oldDeliveries).time(before).int(int64(limit)) })
}

// waitingDeliveries lists deliveries of all mailboxes. An update gets those whose mailboxes it can lock, as they are
// then.
func (q *queries) waitingDeliveries(ask func() *stmt) ([]mailbox.Delivery, error) {
	list, err := ask().deliveries()
	if err != nil || q.locks == nil || len(list) == 0 {
		return list, err
	}
	nums, err := q.lockDue(boxesOf(list))
	if err != nil {
		return nil, err
	}
	list, err = ask().deliveries()
	return slices.DeleteFunc(list, func(d mailbox.Delivery) bool { return !slices.Contains(nums, int64(d.Mailbox)) }),
		err
}

const deliveryByProvider = `SELECT ` + rows.DeliveryColumns +
	` FROM deliveries WHERE provider = $1 AND provider <> '' ORDER BY box, seq, n LIMIT 100`

func (q *queries) DeliveryByProvider(_ context.Context, provider string) ([]mailbox.Delivery, error) {
	ask := func() *stmt { return q.sql(deliveryByProvider).text(provider) }
	list, err := ask().deliveries()
	if err != nil || q.locks == nil || len(list) == 0 {
		return list, err
	}
	q.lockAll(boxesOf(list)) // they come in their order
	return ask().deliveries()
}

// The queue is in two indexes: what is to be tried, and what an operator keeps.
const (
	queueTried = `SELECT ` + rows.DeliveryColumns + ` FROM deliveries WHERE next_at > 0` + queuePart
	queueKept  = `SELECT ` + rows.DeliveryColumns + ` FROM deliveries WHERE status = 'on_hold'` + queuePart
	queuePart  = ` AND entered_at >= $1 AND (entered_at, box, seq, n) > ($1, $2, $3, $4) AND ($5::bigint = 0 OR box = $5)
		AND ($6::bytea = '' OR destination = $6) ORDER BY entered_at, box, seq, n LIMIT $7`
	queueSums = `SELECT destination, count(*), sum(kept), min(entered_at) FROM (
		SELECT destination, 0 AS kept, entered_at FROM deliveries WHERE next_at > 0
		UNION ALL SELECT destination, 1, entered_at FROM deliveries WHERE status = 'on_hold') q
		GROUP BY destination ORDER BY 2 DESC, 1 LIMIT $1`
	queueLast = `SELECT ` + rows.DeliveryColumns + ` FROM deliveries WHERE destination = $1 AND next_at > 0 AND tried_at > 0
		ORDER BY tried_at DESC LIMIT 1`
)

func (q *queries) Queue(_ context.Context, f store.QueueFilter) (list []mailbox.Delivery, err error) {
	for _, sql := range []string{queueTried, queueKept} {
		a := f.After
		some, err := q.sql(sql).time(a.EnteredAt).num(a.Mailbox).int(a.Seq).int(int64(a.N)).num(f.Mailbox).
			text(f.Destination).int(int64(f.Limit)).deliveries()
		if err != nil {
			return nil, err
		}
		list = append(list, some...)
	}
	return rows.FrontOfQueue(list, f.Limit), nil
}

func (q *queries) QueueSums(_ context.Context, limit int) ([]mailbox.QueueSum, error) {
	sums, err := all(q.sql(queueSums).int(int64(limit)), rows.QueueSum)
	for i := range sums {
		s := &sums[i]
		last := q.sql(queueLast).text(s.Destination)
		if err == nil {
			err = last.each(func(r row) error {
				s.Last = rows.Delivery(r)
				return nil
			})
		}
	}
	return sums, err
}

func (q *queries) InsertDelivery(_ context.Context, d mailbox.Delivery) error {
	q.lock(d.Mailbox)
	return q.sql(`INSERT INTO deliveries (` + rows.DeliveryColumns +
		`) VALUES ($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12,$13,$14,$15,$16,$17,$18,$19,$20,$21,$22)`).
		num(d.Mailbox).int(d.Seq).int(int64(d.N)).id(d.Message).text(d.Recipient).text(d.Destination).state(d).run()
}

// state binds what changes of a delivery.
func (b *stmt) state(d mailbox.Delivery) *stmt {
	return b.word(string(d.Status)).int(int64(d.Attempts)).int(int64(d.Code)).text(d.Text).text(d.Host).text(
		d.TLS).text(d.Provider).
		time(d.QueuedAt).time(d.NextAt).int(d.Lease).bool(d.Leased).bool(d.Begun).bool(d.Unknown).int(int64(d.Told)).
		time(d.TriedAt).time(d.EnteredAt)
}

func (q *queries) UpdateDelivery(_ context.Context, d mailbox.Delivery) error {
	n, err := q.sql(`UPDATE deliveries SET status = $1, attempts = $2, code = $3, text = $4, host = $5, tls = $6, provider = $7, queued_at = $8,
		next_at = $9, lease = $10, leased = $11, begun = $12, unknown = $13, told = $14, tried_at = $15, entered_at = $16
		WHERE box = $17 AND seq = $18 AND n = $19`).
		state(d).num(d.Mailbox).int(d.Seq).int(int64(d.N)).changed()
	if err == nil && n == 0 {
		err = store.ErrNotFound
	}
	return err
}

func (q *queries) RenewDelivery(_ context.Context, d mailbox.Delivery, until time.Time) error {
	return q.sql(`UPDATE deliveries SET next_at = $1 WHERE box = $2 AND (seq, n) IN (SELECT seq, n FROM deliveries
		WHERE box = $2 AND seq = $3 AND n = $4 AND lease = $5 AND leased FOR UPDATE SKIP LOCKED)`).
		time(until).num(d.Mailbox).int(d.Seq).int(int64(d.N)).int(d.Lease).run()
}

func (q *queries) ReleaseDeliveries(_ context.Context, at time.Time) error {
	return q.sql(releaseAll).time(at).run()
}

func (q *queries) HastenDeliveries(_ context.Context, num mailbox.Num, at time.Time, paused time.Duration) error {
	q.lock(num)
	return q.sql(`UPDATE deliveries SET next_at = least(next_at, $1), queued_at = least(queued_at + $3, $1)
		WHERE box = $2 AND next_at > 0 AND NOT leased AND queued_at <= $1`).time(at).num(num).int(paused.Milliseconds()).run()
}

func (q *queries) deleteDeliveries(m mailbox.Message) error {
	return q.sql(`DELETE FROM deliveries WHERE box = $1 AND seq = $2`).num(m.Mailbox).int(m.Seq).run()
}
