package query

import (
	"context"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/store/rows"
)

func (q Queries[R]) HookRoutes(_ context.Context, num mailbox.Num) ([]mailbox.HookRoute, error) {
	q.conn.Lock(num)
	return all(q, rows.HookRoute, `SELECT `+rows.HookRouteColumns+` FROM hook_routes WHERE box = ?1 ORDER BY label`,
		num)
}

func (q Queries[R]) UpdateHookRoutes(_ context.Context, num mailbox.Num, w mailbox.Webhook) error {
	q.conn.Lock(num)
	return q.run(`UPDATE hook_routes SET failed = ?1, fails = ?2, tried = ?3, error = ?4 WHERE box = ?5 AND url = ?6`,
		w.Failed, w.ConsecutiveFailures, w.LastAttemptAt, w.LastError, num, w.URL)
}

func (q Queries[R]) DeleteHookRoute(_ context.Context, num mailbox.Num, key string) error {
	q.conn.Lock(num)
	n, err := q.changed(`DELETE FROM hook_routes WHERE box = ?1 AND label = ?2`, num, key)
	if err != nil {
		return err
	}
	if n == 0 {
		return store.ErrNotFound
	}
	return q.run(`UPDATE mailboxes SET routed = EXISTS (SELECT 1 FROM hook_routes WHERE box = ?1) WHERE num = ?1`, num)
}
