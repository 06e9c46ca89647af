package query

import (
	"context"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store/rows"
)

const (
	waitingDeliveries = `SELECT count(*) FROM (SELECT 1 FROM deliveries WHERE next_at > 0 LIMIT ?1) c`
	heldDeliveries    = `SELECT count(*) FROM (SELECT 1 FROM deliveries WHERE status = 'on_hold' LIMIT ?1) d`
	oldestDelivery    = `SELECT queued_at FROM deliveries WHERE next_at > 0 ORDER BY queued_at LIMIT 1`
	waitingHooks      = `SELECT count(*), coalesce(min(at), 0) FROM (SELECT h.at FROM hook_targets t
		JOIN hooks h ON h.target = t.id AND h.next_at > 0 WHERE t.next_at > 0 LIMIT ?1) c`
)

func (q Queries[R]) Backlog(_ context.Context, limit int) (b mailbox.Backlog, err error) {
	if b.Deliveries, err = one(q, rows.Int, waitingDeliveries, limit); err != nil {
		return b, err
	}
	if b.OnHold, err = one(q, rows.Int, heldDeliveries, limit); err != nil {
		return b, err
	}
	if b.OldestDelivery, err = orZero(q, rows.Time, oldestDelivery); err != nil {
		return b, err
	}
	err = q.scan(waitingHooks, func(r R) { b.Hooks, b.OldestHook = r.Int(0), r.Time(1) }, limit)
	return b, err
}
