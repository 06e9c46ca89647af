package sqlite

import (
	"context"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/store/rows"
)

func (b *stmt) deliveries() ([]mailbox.Delivery, error) { return all(b, rows.Delivery) }

func (q *queries) Deliveries(_ context.Context, m mailbox.Message) ([]mailbox.Delivery, error) {
	return q.sql(`SELECT ` + rows.DeliveryColumns + ` FROM deliveries WHERE box = ? AND seq = ? ORDER BY n`).
		num(m.Mailbox).int(m.Seq).deliveries()
}

// destinations goes from one destination to the next by the index, past all that waits for each.
const destinations = `WITH RECURSIVE d(name) AS (
	SELECT (SELECT destination FROM deliveries WHERE next_at > 0 ORDER BY destination LIMIT 1)
	UNION ALL SELECT (SELECT destination FROM deliveries WHERE next_at > 0 AND destination > d.name ORDER BY destination LIMIT 1) FROM d WHERE d.name IS NOT NULL)
	SELECT name, (SELECT next_at FROM deliveries WHERE destination = name AND next_at > 0 ORDER BY next_at LIMIT 1) FROM d WHERE name IS NOT NULL`

func (q *queries) Destinations(context.Context) ([]store.Destination, error) {
	return all(q.sql(destinations), rows.Destination)
}

const (
	dueDeliveries = `SELECT ` + rows.DeliveryColumns + ` FROM deliveries WHERE destination = ?1 AND next_at > 0 AND next_at <= ?2 ORDER BY next_at LIMIT ?3`
	oldDeliveries = `SELECT ` + rows.DeliveryColumns + ` FROM deliveries WHERE next_at > 0 AND queued_at < ?1 AND leased = 0 ORDER BY queued_at LIMIT ?2`
	releaseAll    = `UPDATE deliveries SET next_at = ?1, leased = 0 WHERE leased = 1 AND next_at > 0`
)

func (q *queries) DueDeliveries(_ context.Context, destination string, at time.Time, limit int) ([]mailbox.Delivery,
	error) {
	return q.sql(dueDeliveries).text(destination).time(at).int(int64(limit)).deliveries()
}

func (q *queries) OldDeliveries(_ context.Context, before time.Time, limit int) ([]mailbox.Delivery, error) {
	return q.sql(oldDeliveries).time(before).int(int64(limit)).deliveries()
}

const deliveryByProvider = `SELECT ` + rows.DeliveryColumns +
	` FROM deliveries WHERE provider = ? AND provider <> '' ORDER BY box, seq, n LIMIT 100`

func (q *queries) DeliveryByProvider(_ context.Context, provider string) ([]mailbox.Delivery, error) {
	return q.sql(deliveryByProvider).text(provider).deliveries()
}

// The queue is in two indexes: what is to be tried, and what an operator keeps.
const (
	queueTried = `SELECT ` + rows.DeliveryColumns + ` FROM deliveries WHERE next_at > 0` + queuePart
	queueKept  = `SELECT ` + rows.DeliveryColumns + ` FROM deliveries WHERE status = 'on_hold'` + queuePart
	queuePart  = ` AND entered_at >= ?1 AND (entered_at, box, seq, n) > (?1, ?2, ?3, ?4) AND (?5 = 0 OR box = ?5)
		AND (?6 = '' OR destination = ?6) ORDER BY entered_at, box, seq, n LIMIT ?7`
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
	return q.sql(`UPDATE deliveries SET next_at = ? WHERE box = ? AND seq = ? AND n = ? AND lease = ? AND leased = 1`).
		time(until).num(d.Mailbox).int(d.Seq).int(int64(d.N)).int(d.Lease).run()
}

func (q *queries) ReleaseDeliveries(_ context.Context, at time.Time) error {
	return q.sql(releaseAll).time(at).run()
}

func (q *queries) HastenDeliveries(_ context.Context, num mailbox.Num, at time.Time, paused time.Duration) error {
	return q.sql(`UPDATE deliveries SET next_at = min(next_at, ?1), queued_at = min(queued_at + ?3, ?1)
		WHERE box = ?2 AND next_at > 0 AND leased = 0 AND queued_at <= ?1`).time(at).num(num).int(paused.Milliseconds()).run()
}
