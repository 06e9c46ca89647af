package postgres

import (
	"context"
	"encoding/binary"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store/rows"
)

const (
	claimSession  = `(SELECT session FROM claims WHERE session = $1 UNION ALL SELECT session FROM claims WHERE link = $1 LIMIT 1)`
	claimByDigest = `SELECT ` + rows.ClaimColumns + ` FROM claims WHERE session = ` + claimSession
)

func (q *queries) Claim(_ context.Context, digest [32]byte) (mailbox.Claim, error) {
	q.lockOf(`SELECT box FROM claims WHERE session = `+claimSession, func(b *stmt) *stmt { return b.blob(digest[:]) })
	return one(q.sql(q.forUpdate(claimByDigest)).blob(digest[:]), rows.Claim)
}

// Bootstrap in an update locks the digest: where there is none yet, nobody else makes it.
func (q *queries) Bootstrap(_ context.Context, digest [32]byte) (b mailbox.Bootstrap, err error) {
	q.lockOf(`SELECT box FROM bootstraps WHERE digest = $1`, func(b *stmt) *stmt { return b.blob(digest[:]) })
	q.advise("bootstrap", digest[:])
	return one(q.sql(`SELECT digest, box, salt FROM bootstraps WHERE digest = $1`).blob(digest[:]), rows.Bootstrap)
}

// InsertBootstrap takes the place of one that was made with the same key and whose mailbox has ended but is still
// there.
func (q *queries) InsertBootstrap(_ context.Context, b mailbox.Bootstrap) error {
	q.advise("bootstrap", b.Digest[:])
	return q.sql(`INSERT INTO bootstraps (digest, box, salt) VALUES ($1, $2, $3)
		ON CONFLICT (digest) DO UPDATE SET box = excluded.box, salt = excluded.salt`).
		blob(b.Digest[:]).num(b.Mailbox).blob(b.Salt[:]).run()
}

// quota locks what a client has used on a day, until the one who looks has decided.
func (q *queries) quota(day int64, client string) {
	q.advise("quota", append(binary.BigEndian.AppendUint64(nil, uint64(day)), client...))
}

func (q *queries) Spent(_ context.Context, day int64, client string) (int64, error) {
	q.quota(day, client)
	return orZero(q.sql(`SELECT used FROM quotas WHERE day = $1 AND client = $2`).int(day).text(client), rows.Int)
}

func (q *queries) Spend(_ context.Context, day int64, client string) error {
	q.quota(day, client)
	return q.sql(`INSERT INTO quotas (day, client, used) VALUES ($1, $2, 1) ON CONFLICT (day, client) DO UPDATE SET used = quotas.used + 1`).
		int(day).text(client).run()
}
