package query

import (
	"context"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store/rows"
)

const (
	PendingClaims = `SELECT ` + rows.ClaimColumns + ` FROM claims
	WHERE created_at > ?1 AND expires_at > ?2 AND done_at = 0 ORDER BY created_at DESC LIMIT ?3`
	TrimClaims = `DELETE FROM claims WHERE created_at < ?1`
	TrimQuotas = `DELETE FROM quotas WHERE day < ?1`
)

func (q Queries[R]) PendingClaims(_ context.Context, now time.Time, limit int) ([]mailbox.Claim, error) {
	return all(q, rows.Claim, PendingClaims, now.Add(-mailbox.ClaimTime), now, limit)
}

func (q Queries[R]) InsertClaim(_ context.Context, c mailbox.Claim) error {
	return q.run(`INSERT INTO claims (`+rows.ClaimColumns+`) VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10)`, c.Session[:],
		c.Link[:], c.Salt[:], c.Name, c.Address, c.Mailbox, c.Client, c.CreatedAt, c.ExpiresAt, c.DoneAt)
}

func (q Queries[R]) UpdateClaim(_ context.Context, c mailbox.Claim) error {
	return q.run(`UPDATE claims SET done_at = ?1, expires_at = ?2, address = ?3, box = ?4 WHERE session = ?5`,
		c.DoneAt, c.ExpiresAt, c.Address, c.Mailbox, c.Session[:])
}

func (q Queries[R]) TrimClaims(_ context.Context, before time.Time, day int64) error {
	if err := q.run(TrimClaims, before); err != nil {
		return err
	}
	return q.run(TrimQuotas, day)
}
