package postgres

import (
	"context"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/store/rows"
)

func (q *queries) HookRoutes(_ context.Context, num mailbox.Num) ([]mailbox.HookRoute, error) {
	q.lock(num)
	return all(q.sql(`SELECT `+rows.HookRouteColumns+` FROM hook_routes WHERE box = $1 ORDER BY label`).
		num(num), rows.HookRoute)
}

func (q *queries) PutHookRoute(_ context.Context, r mailbox.HookRoute) error {
	q.lock(r.Mailbox)
	err := q.sql(`INSERT INTO hook_routes (box, label, created_at, url, failed, fails, tried, error, settings) VALUES ($1,$2,$3,$4,$5,$6,$7,$8,$9)
		ON CONFLICT (box, label) DO UPDATE SET created_at = excluded.created_at, url = excluded.url, failed = excluded.failed,
		fails = excluded.fails, tried = excluded.tried, error = excluded.error, settings = excluded.settings`).
		num(r.Mailbox).text(r.Key()).time(r.CreatedAt).text(r.Webhook.URL).bool(r.Webhook.Failed).
		int(int64(r.Webhook.ConsecutiveFailures)).time(r.Webhook.LastAttemptAt).text(r.Webhook.LastError).
		text(r.RouteSettings.Encode()).run()
	if err != nil {
		return err
	}
	return q.sql(`UPDATE mailboxes SET routed = true WHERE num = $1`).num(r.Mailbox).run()
}

func (q *queries) UpdateHookRoutes(_ context.Context, num mailbox.Num, w mailbox.Webhook) error {
	q.lock(num)
	return q.sql(`UPDATE hook_routes SET failed = $1, fails = $2, tried = $3, error = $4 WHERE box = $5 AND url = $6`).
		bool(w.Failed).int(int64(w.ConsecutiveFailures)).time(w.LastAttemptAt).text(w.LastError).num(num).text(
		w.URL).run()
}

func (q *queries) DeleteHookRoute(_ context.Context, num mailbox.Num, key string) error {
	q.lock(num)
	n, err := q.sql(`DELETE FROM hook_routes WHERE box = $1 AND label = $2`).num(num).text(key).changed()
	if err != nil {
		return err
	}
	if n == 0 {
		return store.ErrNotFound
	}
	return q.sql(`UPDATE mailboxes SET routed = EXISTS (SELECT 1 FROM hook_routes WHERE box = $1) WHERE num = $1`).num(
		num).run()
}
