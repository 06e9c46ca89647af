package postgres

import (
	"context"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store/rows"
)

const (
	duePolicies  = `SELECT ` + rows.PolicyColumns + ` FROM policies WHERE refresh_at <= $1 ORDER BY refresh_at LIMIT $2`
	trimPolicies = `DELETE FROM policies WHERE domain IN (SELECT domain FROM policies ORDER BY expires_at DESC OFFSET $1)`
)

func (q *queries) DuePolicies(_ context.Context, at time.Time, limit int) ([]mailbox.Policy, error) {
	code := q.forUpdate(duePolicies)
	if q.locks != nil {
		code += ` SKIP LOCKED`
	}
	return all(q.sql(code).time(at).int(int64(limit)), rows.Policy)
}

func (q *queries) TrimPolicies(_ context.Context, before time.Time, keep int) error {
	if err := q.sql(`DELETE FROM policies WHERE expires_at < $1`).time(before).run(); err != nil {
		return err
	}
	return q.sql(trimPolicies).int(int64(keep)).run()
}
