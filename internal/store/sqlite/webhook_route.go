package sqlite

import (
	"context"

	"github.com/mailkin/mailkin/internal/mailbox"
)

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
