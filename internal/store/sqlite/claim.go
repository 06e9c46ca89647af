package sqlite

import (
	"context"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store/rows"
)

const claimByDigest = `SELECT ` + rows.ClaimColumns + ` FROM claims WHERE session = ?1 OR link = ?1`

func (q *queries) Claim(_ context.Context, digest [32]byte) (mailbox.Claim, error) {
	return one(q.sql(claimByDigest).blob(digest[:]), rows.Claim)
}

const pendingClaims = `SELECT ` + rows.ClaimColumns + ` FROM claims
	WHERE created_at > ?1 AND expires_at > ?2 AND done_at = 0 ORDER BY created_at DESC LIMIT ?3`

func (q *queries) PendingClaims(_ context.Context, now time.Time, limit int) ([]mailbox.Claim, error) {
	return all(q.sql(pendingClaims).time(now.Add(-mailbox.ClaimTime)).time(now).int(int64(limit)), rows.Claim)
}

func (q *queries) InsertClaim(_ context.Context, c mailbox.Claim) error {
	return q.sql(`INSERT INTO claims (` + rows.ClaimColumns + `) VALUES (?,?,?,?,?,?,?,?,?,?)`).
		blob(c.Session[:]).blob(c.Link[:]).blob(c.Salt[:]).text(c.Name).text(c.Address).num(c.Mailbox).text(
		c.Client).
		time(c.CreatedAt).time(c.ExpiresAt).time(c.DoneAt).run()
}

func (q *queries) UpdateClaim(_ context.Context, c mailbox.Claim) error {
	return q.sql(`UPDATE claims SET done_at = ?, expires_at = ?, address = ?, box = ? WHERE session = ?`).
		time(c.DoneAt).time(c.ExpiresAt).text(c.Address).num(c.Mailbox).blob(c.Session[:]).run()
}

func (q *queries) Bootstrap(_ context.Context, digest [32]byte) (mailbox.Bootstrap, error) {
	return one(q.sql(`SELECT digest, box, salt FROM bootstraps WHERE digest = ?`).blob(digest[:]), rows.Bootstrap)
}

// InsertBootstrap takes the place of one that was made with the same key and whose mailbox has ended but is still
// there.
func (q *queries) InsertBootstrap(_ context.Context, b mailbox.Bootstrap) error {
	return q.sql(`INSERT OR REPLACE INTO bootstraps (digest, box, salt) VALUES (?,?,?)`).
		blob(b.Digest[:]).num(b.Mailbox).blob(b.Salt[:]).run()
}

func (q *queries) Spent(_ context.Context, day int64, client string) (int64, error) {
	return orZero(q.sql(`SELECT used FROM quotas WHERE day = ? AND client = ?`).int(day).text(client), rows.Int)
}

func (q *queries) Spend(_ context.Context, day int64, client string) error {
	return q.sql(`INSERT INTO quotas (day, client, used) VALUES (?, ?, 1) ON CONFLICT DO UPDATE SET used = used + 1`).
		int(day).text(client).run()
}

const (
	trimClaims = `DELETE FROM claims WHERE created_at < ?`
	trimQuotas = `DELETE FROM quotas WHERE day < ?`
)

func (q *queries) TrimClaims(_ context.Context, before time.Time, day int64) error {
	if err := q.sql(trimClaims).time(before).run(); err != nil {
		return err
	}
	return q.sql(trimQuotas).int(day).run()
}
