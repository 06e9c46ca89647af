package postgres

import (
	"context"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/store/rows"
)

// inUse is which domains nobody else can have.
const inUse = `verified_at > 0 AND lapsed_at = 0 OR box = 0`

func (q *queries) Domain(_ context.Context, id mailbox.ID) (mailbox.Domain, error) {
	q.lockOf(`SELECT box FROM domains WHERE id = $1`, func(b *stmt) *stmt { return b.id(id) })
	return one(q.sql(q.forUpdate(`SELECT `+rows.DomainColumns+` FROM domains WHERE id = $1`)).id(id), rows.Domain)
}

// DomainNamed in an update locks the name: where it is not in use, nobody else's becomes so.
func (q *queries) DomainNamed(_ context.Context, name string) (mailbox.Domain, error) {
	q.advise("domain", []byte(name))
	return one(q.sql(`SELECT `+rows.DomainColumns+` FROM domains WHERE name = $1 AND (`+inUse+`) LIMIT 1`).
		text(name), rows.Domain)
}

func (q *queries) Domains(_ context.Context, num mailbox.Num) (list []mailbox.Domain, err error) {
	q.lock(num)
	b := q.sql(`SELECT ` + rows.DomainColumns + ` FROM domains ORDER BY id`)
	if num != 0 {
		b = q.sql(`SELECT ` + rows.DomainColumns + ` FROM domains WHERE box = $1 ORDER BY id`).num(num)
	}
	return all(b, rows.Domain)
}

func (q *queries) InsertDomain(_ context.Context, d mailbox.Domain) error {
	q.lock(d.Mailbox)
	q.advise("domain", []byte(d.Name))
	taken := false
	err := q.sql(`SELECT EXISTS (SELECT 1 FROM domains WHERE name = $1 AND (` + inUse + ` OR box = $2))`).
		text(d.Name).num(d.Mailbox).one(func(r row) { taken = r.Bool(0) })
	if err != nil {
		return err
	}
	if taken {
		return store.ErrTaken
	}
	return q.sql(`INSERT INTO domains (` + rows.DomainColumns + `) VALUES ($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12,$13,$14,$15)`).
		id(d.ID).num(d.Mailbox).text(d.Name).text(d.Token).text(d.Selector).blob(d.Keys).
		bool(d.MX).bool(d.SPF).bool(d.DKIM).bool(d.DMARC).bool(d.Owned).time(d.CreatedAt).time(d.VerifiedAt).time(
		d.LapsedAt).text(d.KeyRotation.Encode()).run()
}

func (q *queries) UpdateDomain(_ context.Context, d mailbox.Domain) error {
	return q.sql(`UPDATE domains SET mx = $1, spf = $2, dkim = $3, dmarc = $4, owned = $5, verified_at = $6, lapsed_at = $7 WHERE id = $8`).
		bool(d.MX).bool(d.SPF).bool(d.DKIM).bool(d.DMARC).bool(d.Owned).time(d.VerifiedAt).time(d.LapsedAt).id(
		d.ID).run()
}

func (q *queries) SetDomainKeys(_ context.Context, d mailbox.Domain) error {
	return q.sql(`UPDATE domains SET selector = $1, keys = $2, dkim = $3, rotation = $4 WHERE id = $5`).text(d.Selector).blob(
		d.Keys).bool(d.DKIM).text(d.KeyRotation.Encode()).id(d.ID).run()
}

func (q *queries) DeleteDomain(_ context.Context, id mailbox.ID) error {
	if err := q.sql(`DELETE FROM domain_reports WHERE domain = $1`).id(id).run(); err != nil {
		return err
	}
	return q.sql(`DELETE FROM domains WHERE id = $1`).id(id).run()
}
