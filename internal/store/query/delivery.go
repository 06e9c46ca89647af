package query

import (
	"context"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store/rows"
)

const (
	queueSums = `SELECT destination, count(*), sum(kept), min(entered_at) FROM (
		SELECT destination, 0 AS kept, entered_at FROM deliveries WHERE next_at > 0
		UNION ALL SELECT destination, 1, entered_at FROM deliveries WHERE status = 'on_hold') q
		GROUP BY destination ORDER BY 2 DESC, 1 LIMIT ?1`
	queueLast = `SELECT ` + rows.DeliveryColumns + `
		FROM deliveries WHERE destination = ?1 AND next_at > 0 AND tried_at > 0 ORDER BY tried_at DESC LIMIT 1`
)

func (q Queries[R]) Delivery(_ context.Context, num mailbox.Num, seq int64, n int) (d mailbox.Delivery, err error) {
	q.conn.Lock(num)
	return one(q, rows.Delivery,
		`SELECT `+rows.DeliveryColumns+` FROM deliveries WHERE box = ?1 AND seq = ?2 AND n = ?3`, num, seq, n)
}

func (q Queries[R]) QueueSums(_ context.Context, limit int) ([]mailbox.QueueSum, error) {
	sums, err := all(q, rows.QueueSum, queueSums, limit)
	for i := range sums {
		s := &sums[i]
		if err == nil {
			s.Last, err = orZero(q, rows.Delivery, queueLast, s.Destination)
		}
	}
	return sums, err
}

func (q Queries[R]) InsertDelivery(_ context.Context, d mailbox.Delivery) error {
	q.conn.Lock(d.Mailbox)
	return q.run(`INSERT INTO deliveries (`+rows.DeliveryColumns+
		`) VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14,?15,?16,?17,?18,?19,?20,?21,?22)`,
		append([]any{d.Mailbox, d.Seq, d.N, d.Message, d.Recipient, d.Destination}, state(d)...)...)
}

func (q Queries[R]) UpdateDelivery(_ context.Context, d mailbox.Delivery) error {
	return q.changeOne(`UPDATE deliveries SET status = ?1, attempts = ?2, code = ?3, text = ?4, host = ?5, tls = ?6,
		provider = ?7, queued_at = ?8,
		next_at = ?9, lease = ?10, leased = ?11, begun = ?12, unknown = ?13, told = ?14, tried_at = ?15, entered_at = ?16
		WHERE box = ?17 AND seq = ?18 AND n = ?19`, append(state(d), d.Mailbox, d.Seq, d.N)...)
}

// state is what changes of a delivery.
func state(d mailbox.Delivery) []any {
	return []any{Word(d.Status), d.Attempts, d.Code, d.Text, d.Host, d.TLS, d.Provider, d.QueuedAt, d.NextAt, d.Lease,
		d.Leased, d.Begun, d.Unknown, int64(d.Told), d.TriedAt, d.EnteredAt}
}

// DeleteDeliveries deletes those of a message.
func (q Queries[R]) DeleteDeliveries(m mailbox.Message) error {
	return q.run(`DELETE FROM deliveries WHERE box = ?1 AND seq = ?2`, m.Mailbox, m.Seq)
}
