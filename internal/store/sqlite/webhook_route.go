package sqlite

import (
	"context"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

func (q *queries) HookRoutes(_ context.Context, num mailbox.Num) (list []mailbox.HookRoute, err error) {
	err = q.sql(`SELECT label, created_at, url, failed, fails, tried, error FROM hook_routes WHERE box = ? ORDER BY label`).
		int(int64(num)).each(func(r row) error {
		list = append(list, mailbox.HookRoute{Mailbox: num, Label: r.text(0), CreatedAt: r.time(1),
			Webhook: mailbox.Webhook{
				URL: r.text(2), Failed: r.bool(3), ConsecutiveFailures: int(r.int(4)), LastAttemptAt: r.time(5),
				LastError: r.text(6)}})
		return nil
	})
	return list, err
}

func (q *queries) PutHookRoute(_ context.Context, r mailbox.HookRoute) error {
	err := q.sql(`INSERT OR REPLACE INTO hook_routes (box, label, created_at, url, failed, fails, tried, error) VALUES (?,?,?,?,?,?,?,?)`).
		int(int64(r.Mailbox)).text(r.Label).time(r.CreatedAt).text(r.Webhook.URL).bool(r.Webhook.Failed).
		int(int64(r.Webhook.ConsecutiveFailures)).time(r.Webhook.LastAttemptAt).text(r.Webhook.LastError).run()
	if err != nil {
		return err
	}
	return q.sql(`UPDATE mailboxes SET routed = 1 WHERE num = ?`).int(int64(r.Mailbox)).run()
}

func (q *queries) UpdateHookRoutes(_ context.Context, num mailbox.Num, w mailbox.Webhook) error {
	return q.sql(`UPDATE hook_routes SET failed = ?, fails = ?, tried = ?, error = ? WHERE box = ? AND url = ?`).
		bool(w.Failed).int(int64(w.ConsecutiveFailures)).time(w.LastAttemptAt).text(w.LastError).int(int64(num)).text(
		w.URL).run()
}

func (q *queries) DeleteHookRoute(_ context.Context, num mailbox.Num, label string) error {
	if err := q.sql(`DELETE FROM hook_routes WHERE box = ? AND label = ?`).int(int64(num)).text(label).run(); err != nil {
		return err
	}
	if q.conn.Changes() == 0 {
		return store.ErrNotFound
	}
	return q.sql(`UPDATE mailboxes SET routed = EXISTS (SELECT 1 FROM hook_routes WHERE box = ?1) WHERE num = ?1`).int(
		int64(num)).run()
}
