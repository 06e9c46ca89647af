package sqlite

import (
	"context"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

const deliveryColumns = `box, seq, n, message, recipient, destination, status, attempts, code, text, host, tls, provider, queued_at,
	next_at, lease, leased, begun, unknown, told`

func scanDelivery(r row) mailbox.Delivery {
	return mailbox.Delivery{
		Mailbox: mailbox.Num(r.int(0)), Seq: r.int(1), N: int(r.int(2)), Message: r.id(3), Recipient: r.text(4),
		Destination: r.text(5),
		Status:      mailbox.DeliveryStatus(r.text(6)), Attempts: int(r.int(7)), Code: int(r.int(8)), Text: r.text(9),
		Host: r.text(10),
		TLS:  r.text(11), Provider: r.text(12), QueuedAt: r.time(13), NextAt: r.time(14), Lease: r.int(15),
		Leased: r.bool(16),
		Begun:  r.bool(17), Unknown: r.bool(18), Told: mailbox.Told(r.int(19)),
	}
}

func (b *stmt) deliveries() (list []mailbox.Delivery, err error) {
	err = b.each(func(r row) error { list = append(list, scanDelivery(r)); return nil })
	return list, err
}

func (q *queries) Deliveries(_ context.Context, m mailbox.Message) ([]mailbox.Delivery, error) {
	return q.sql(`SELECT ` + deliveryColumns + ` FROM deliveries WHERE box = ? AND seq = ? ORDER BY n`).
		int(int64(m.Mailbox)).int(m.Seq).deliveries()
}

func (q *queries) Delivery(_ context.Context, num mailbox.Num, seq int64, n int) (d mailbox.Delivery, err error) {
	err = q.sql(`SELECT ` + deliveryColumns + ` FROM deliveries WHERE box = ? AND seq = ? AND n = ?`).
		int(int64(num)).int(seq).int(int64(n)).one(func(r row) { d = scanDelivery(r) })
	return d, err
}

// destinations goes from one destination to the next by the index, past all that waits for each.
const destinations = `WITH RECURSIVE d(name) AS (
	SELECT (SELECT destination FROM deliveries WHERE next_at > 0 ORDER BY destination LIMIT 1)
	UNION ALL SELECT (SELECT destination FROM deliveries WHERE next_at > 0 AND destination > d.name ORDER BY destination LIMIT 1) FROM d WHERE d.name IS NOT NULL)
	SELECT name, (SELECT next_at FROM deliveries WHERE destination = name AND next_at > 0 ORDER BY next_at LIMIT 1) FROM d WHERE name IS NOT NULL`

func (q *queries) Destinations(context.Context) (list []store.Destination, err error) {
	err = q.sql(destinations).each(func(r row) error {
		list = append(list, store.Destination{Name: r.text(0), Next: r.time(1)})
		return nil
	})
	return list, err
}

const (
	dueDeliveries = `SELECT ` + deliveryColumns + ` FROM deliveries WHERE destination = ?1 AND next_at > 0 AND next_at <= ?2 ORDER BY next_at LIMIT ?3+0`
	oldDeliveries = `SELECT ` + deliveryColumns + ` FROM deliveries WHERE next_at > 0 AND queued_at < ?1 AND leased = 0 ORDER BY queued_at LIMIT ?2+0`
	releaseAll    = `UPDATE deliveries SET next_at = ?1, leased = 0 WHERE leased = 1 AND next_at > 0`
)

func (q *queries) DueDeliveries(_ context.Context, destination string, at time.Time, limit int) ([]mailbox.Delivery,
	error) {
	return q.sql(dueDeliveries).text(destination).time(at).int(int64(limit)).deliveries()
}

func (q *queries) OldDeliveries(_ context.Context, before time.Time, limit int) ([]mailbox.Delivery, error) {
	return q.sql(oldDeliveries).time(before).int(int64(limit)).deliveries()
}

const deliveryByProvider = `SELECT ` + deliveryColumns +
	` FROM deliveries WHERE provider = ? AND provider <> '' ORDER BY box, seq, n LIMIT 100`

func (q *queries) DeliveryByProvider(_ context.Context, provider string) ([]mailbox.Delivery, error) {
	return q.sql(deliveryByProvider).text(provider).deliveries()
}

func (q *queries) Waiting(context.Context) (n int64, err error) {
	err = q.sql(`SELECT count(*) FROM deliveries WHERE next_at > 0`).one(func(r row) { n = r.int(0) })
	return n, err
}

func (q *queries) InsertDelivery(_ context.Context, d mailbox.Delivery) error {
	return q.sql(`INSERT INTO deliveries (` + deliveryColumns + `) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)`).
		int(int64(d.Mailbox)).int(d.Seq).int(int64(d.N)).id(d.Message).text(d.Recipient).text(d.Destination).state(
		d).run()
}

// state binds what changes of a delivery.
func (b *stmt) state(d mailbox.Delivery) *stmt {
	return b.text(string(d.Status)).int(int64(d.Attempts)).int(int64(d.Code)).text(d.Text).text(d.Host).text(
		d.TLS).text(d.Provider).
		time(d.QueuedAt).time(d.NextAt).int(d.Lease).bool(d.Leased).bool(d.Begun).bool(d.Unknown).int(int64(d.Told))
}

func (q *queries) UpdateDelivery(_ context.Context, d mailbox.Delivery) error {
	err := q.sql(`UPDATE deliveries SET status = ?, attempts = ?, code = ?, text = ?, host = ?, tls = ?, provider = ?, queued_at = ?,
		next_at = ?, lease = ?, leased = ?, begun = ?, unknown = ?, told = ? WHERE box = ? AND seq = ? AND n = ?`).
		state(d).int(int64(d.Mailbox)).int(d.Seq).int(int64(d.N)).run()
	if err == nil && q.conn.Changes() == 0 {
		err = store.ErrNotFound
	}
	return err
}

func (q *queries) RenewDelivery(_ context.Context, d mailbox.Delivery, until time.Time) error {
	return q.sql(`UPDATE deliveries SET next_at = ? WHERE box = ? AND seq = ? AND n = ? AND lease = ? AND leased = 1`).
		time(until).int(int64(d.Mailbox)).int(d.Seq).int(int64(d.N)).int(d.Lease).run()
}

func (q *queries) ReleaseDeliveries(_ context.Context, at time.Time) error {
	return q.sql(releaseAll).time(at).run()
}

func (q *queries) HastenDeliveries(_ context.Context, num mailbox.Num, at time.Time, paused time.Duration) error {
	return q.sql(`UPDATE deliveries SET next_at = min(next_at, ?1), queued_at = min(queued_at + ?3, ?1)
		WHERE box = ?2 AND next_at > 0 AND leased = 0 AND queued_at <= ?1`).time(at).int(int64(num)).int(paused.Milliseconds()).run()
}

func (q *queries) deleteDeliveries(m mailbox.Message) error {
	return q.sql(`DELETE FROM deliveries WHERE box = ? AND seq = ?`).int(int64(m.Mailbox)).int(m.Seq).run()
}
