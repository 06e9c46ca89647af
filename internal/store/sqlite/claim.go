package sqlite

import (
	"context"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store/rows"
)

const claimByDigest = `SELECT ` + rows.ClaimColumns + ` FROM claims WHERE session = ?1 OR link = ?1`

func (q *queries) Claim(_ context.Context, digest [32]byte) (mailbox.Claim, error) {
	return one(q.sql(claimByDigest).blob(digest[:]), rows.Claim)
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
