package sqlite

import (
	"context"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
)

const policyColumns = `domain, id, text, expires_at, refresh_at`

func scanPolicy(r row) mailbox.Policy {
	return mailbox.Policy{Domain: r.text(0), ID: r.text(1), Text: r.text(2), ExpiresAt: r.time(3), RefreshAt: r.time(4)}
}

func (q *queries) Policy(_ context.Context, domain string) (p mailbox.Policy, err error) {
	err = q.sql(`SELECT ` + policyColumns + ` FROM policies WHERE domain = ?`).text(domain).one(
		func(r row) { p = scanPolicy(r) })
	return p, err
}

func (q *queries) DuePolicies(_ context.Context, at time.Time, limit int) (list []mailbox.Policy, err error) {
	err = q.sql(`SELECT ` + policyColumns + ` FROM policies WHERE refresh_at <= ? ORDER BY refresh_at LIMIT ?+0`).time(
		at).int(int64(limit)).
		each(func(r row) error { list = append(list, scanPolicy(r)); return nil })
	return list, err
}

func (q *queries) PutPolicy(_ context.Context, p mailbox.Policy) error {
	return q.sql(`INSERT INTO policies (` + policyColumns + `) VALUES (?,?,?,?,?) ON CONFLICT (domain) DO UPDATE SET
		id = excluded.id, text = excluded.text, expires_at = excluded.expires_at, refresh_at = excluded.refresh_at`).
		text(p.Domain).text(p.ID).text(p.Text).time(p.ExpiresAt).time(p.RefreshAt).run()
}

func (q *queries) TrimPolicies(_ context.Context, before time.Time, keep int) error {
	if err := q.sql(`DELETE FROM policies WHERE expires_at < ?`).time(before).run(); err != nil {
		return err
	}
	return q.sql(`DELETE FROM policies WHERE domain IN (SELECT domain FROM policies ORDER BY expires_at DESC LIMIT -1 OFFSET ?+0)`).
		int(int64(keep)).run()
}
