package postgres

import (
	"context"
	"encoding/binary"
	"time"

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

const pendingClaims = `SELECT ` + rows.ClaimColumns + ` FROM claims
	WHERE created_at > $1 AND expires_at > $2 AND done_at = 0 ORDER BY created_at DESC LIMIT $3`

func (q *queries) PendingClaims(_ context.Context, now time.Time, limit int) ([]mailbox.Claim, error) {
	return all(q.sql(pendingClaims).time(now.Add(-mailbox.ClaimTime)).time(now).int(int64(limit)), rows.Claim)
}

func (q *queries) InsertClaim(_ context.Context, c mailbox.Claim) error {
	return q.sql(`INSERT INTO claims (` + rows.ClaimColumns + `) VALUES ($1,$2,$3,$4,$5,$6,$7,$8,$9,$10)`).
		blob(c.Session[:]).blob(c.Link[:]).blob(c.Salt[:]).text(c.Name).text(c.Address).num(c.Mailbox).text(c.Client).
		time(c.CreatedAt).time(c.ExpiresAt).time(c.DoneAt).run()
}

func (q *queries) UpdateClaim(_ context.Context, c mailbox.Claim) error {
	return q.sql(`UPDATE claims SET done_at = $1, expires_at = $2, address = $3, box = $4 WHERE session = $5`).
		time(c.DoneAt).time(c.ExpiresAt).text(c.Address).num(c.Mailbox).blob(c.Session[:]).run()
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

const (
	trimClaims = `DELETE FROM claims WHERE created_at < $1`
	trimQuotas = `DELETE FROM quotas WHERE day < $1`
)

func (q *queries) TrimClaims(_ context.Context, before time.Time, day int64) error {
	if err := q.sql(trimClaims).time(before).run(); err != nil {
		return err
	}
	return q.sql(trimQuotas).int(day).run()
}
