package sqlite

import (
	"context"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store/rows"
)

func (q *queries) DuePolicies(_ context.Context, at time.Time, limit int) ([]mailbox.Policy, error) {
	return all(q.sql(`SELECT `+rows.PolicyColumns+` FROM policies WHERE refresh_at <= ? ORDER BY refresh_at LIMIT ?`).
		time(at).int(int64(limit)), rows.Policy)
}

func (q *queries) TrimPolicies(_ context.Context, before time.Time, keep int) error {
	if err := q.sql(`DELETE FROM policies WHERE expires_at < ?`).time(before).run(); err != nil {
		return err
	}
	return q.sql(`DELETE FROM policies WHERE domain IN (SELECT domain FROM policies ORDER BY expires_at DESC LIMIT -1 OFFSET ?)`).
		int(int64(keep)).run()
}
