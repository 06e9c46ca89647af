package sqlite

import (
	"context"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
)

const claimColumns = `session, link, salt, name, address, box, client, created_at, expires_at, done_at`

func scanClaim(r row) mailbox.Claim {
	return mailbox.Claim{Session: r.digest(0), Link: r.digest(1), Salt: r.salt(2), Name: r.text(3), Address: r.text(4),
		Mailbox: mailbox.Num(r.int(5)), Client: r.text(6), CreatedAt: r.time(7), ExpiresAt: r.time(8),
		DoneAt: r.time(9)}
}

const claimByDigest = `SELECT ` + claimColumns + ` FROM claims WHERE session = ?1 OR link = ?1`

func (q *queries) Claim(_ context.Context, digest [32]byte) (c mailbox.Claim, err error) {
	err = q.sql(claimByDigest).blob(digest[:]).one(func(r row) { c = scanClaim(r) })
	return c, err
}

func (q *queries) InsertClaim(_ context.Context, c mailbox.Claim) error {
	return q.sql(`INSERT INTO claims (` + claimColumns + `) VALUES (?,?,?,?,?,?,?,?,?,?)`).
		blob(c.Session[:]).blob(c.Link[:]).blob(c.Salt[:]).text(c.Name).text(c.Address).int(int64(c.Mailbox)).text(
		c.Client).
		time(c.CreatedAt).time(c.ExpiresAt).time(c.DoneAt).run()
}

func (q *queries) UpdateClaim(_ context.Context, c mailbox.Claim) error {
	return q.sql(`UPDATE claims SET done_at = ?, address = ?, box = ? WHERE session = ?`).
		time(c.DoneAt).text(c.Address).int(int64(c.Mailbox)).blob(c.Session[:]).run()
}

func (q *queries) Bootstrap(_ context.Context, digest [32]byte) (b mailbox.Bootstrap, err error) {
	err = q.sql(`SELECT digest, box, salt FROM bootstraps WHERE digest = ?`).blob(digest[:]).one(func(r row) {
		b = mailbox.Bootstrap{Digest: r.digest(0), Mailbox: mailbox.Num(r.int(1)), Salt: r.salt(2)}
	})
	return b, err
}

// InsertBootstrap takes the place of one that was made with the same key and whose mailbox has ended but is still
// there.
func (q *queries) InsertBootstrap(_ context.Context, b mailbox.Bootstrap) error {
	return q.sql(`INSERT OR REPLACE INTO bootstraps (digest, box, salt) VALUES (?,?,?)`).
		blob(b.Digest[:]).int(int64(b.Mailbox)).blob(b.Salt[:]).run()
}

func (q *queries) Spent(_ context.Context, day int64, client string) (used int64, err error) {
	err = q.sql(`SELECT used FROM quotas WHERE day = ? AND client = ?`).int(day).text(client).
		each(func(r row) error { used = r.int(0); return nil })
	return used, err
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
