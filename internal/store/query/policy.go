package query

import (
	"context"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store/rows"
)

func (q Queries[R]) Policy(_ context.Context, domain string) (mailbox.Policy, error) {
	return one(q, rows.Policy, `SELECT `+rows.PolicyColumns+` FROM policies WHERE domain = ?1`, domain)
}

func (q Queries[R]) PutPolicy(_ context.Context, p mailbox.Policy) error {
	return q.run(`INSERT INTO policies (`+rows.PolicyColumns+
		`) VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT (domain) DO UPDATE SET
		id = excluded.id, text = excluded.text, expires_at = excluded.expires_at, refresh_at = excluded.refresh_at`,
		p.Domain, p.ID, p.Text, p.ExpiresAt, p.RefreshAt)
}
