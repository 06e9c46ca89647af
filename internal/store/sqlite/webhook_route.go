package sqlite

import (
	"context"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/store/rows"
)

func (q *queries) HookRoutes(_ context.Context, num mailbox.Num) ([]mailbox.HookRoute, error) {
	return all(q.sql(`SELECT `+rows.HookRouteColumns+` FROM hook_routes WHERE box = ? ORDER BY label`).
		num(num), rows.HookRoute)
}

func (q *queries) PutHookRoute(_ context.Context, r mailbox.HookRoute) error {
	err := q.sql(`INSERT OR REPLACE INTO hook_routes (box, label, created_at, url, failed, fails, tried, error, settings) VALUES (?,?,?,?,?,?,?,?,?)`).
		num(r.Mailbox).text(r.Key()).time(r.CreatedAt).text(r.Webhook.URL).bool(r.Webhook.Failed).
		int(int64(r.Webhook.ConsecutiveFailures)).time(r.Webhook.LastAttemptAt).text(r.Webhook.LastError).
		text(r.RouteSettings.Encode()).run()
	if err != nil {
		return err
	}
	return q.sql(`UPDATE mailboxes SET routed = 1 WHERE num = ?`).num(r.Mailbox).run()
}

func (q *queries) UpdateHookRoutes(_ context.Context, num mailbox.Num, w mailbox.Webhook) error {
	return q.sql(`UPDATE hook_routes SET failed = ?, fails = ?, tried = ?, error = ? WHERE box = ? AND url = ?`).
		bool(w.Failed).int(int64(w.ConsecutiveFailures)).time(w.LastAttemptAt).text(w.LastError).num(num).text(
		w.URL).run()
}

func (q *queries) DeleteHookRoute(_ context.Context, num mailbox.Num, key string) error {
	if err := q.sql(`DELETE FROM hook_routes WHERE box = ? AND label = ?`).num(num).text(key).run(); err != nil {
		return err
	}
	if q.conn.Changes() == 0 {
		return store.ErrNotFound
	}
	return q.sql(`UPDATE mailboxes SET routed = EXISTS (SELECT 1 FROM hook_routes WHERE box = ?1) WHERE num = ?1`).
		num(num).run()
}
