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
