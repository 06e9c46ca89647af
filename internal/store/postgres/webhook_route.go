package postgres

import (
	"context"

	"github.com/mailkin/mailkin/internal/mailbox"
)

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
