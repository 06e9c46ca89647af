package postgres

import (
	"context"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

const domainColumns = `id, box, name, token, selector, keys, mx, spf, dkim, dmarc, owned, created_at, verified_at, lapsed_at`

// inUse is which domains nobody else can have.
const inUse = `verified_at > 0 AND lapsed_at = 0 OR box = 0`

func scanDomain(r row) mailbox.Domain {
	return mailbox.Domain{ID: r.id(0), Mailbox: r.num(1), Name: r.text(2), Token: r.text(3), Selector: r.text(4),
		Keys: r.blob(5),
		MX:   r.bool(6), SPF: r.bool(7), DKIM: r.bool(8), DMARC: r.bool(9), Owned: r.bool(10), CreatedAt: r.time(11),
		VerifiedAt: r.time(12),
		LapsedAt:   r.time(13)}
}

func (q *queries) Domain(_ context.Context, id mailbox.ID) (d mailbox.Domain, err error) {
	q.lockOf(`SELECT box FROM domains WHERE id = $1`, func(b *stmt) *stmt { return b.id(id) })
	err = q.sql(q.forUpdate(`SELECT ` + domainColumns + ` FROM domains WHERE id = $1`)).id(id).one(
		func(r row) { d = scanDomain(r) })
	return d, err
}

// DomainNamed in an update locks the name: where it is not in use, nobody else's becomes so.
func (q *queries) DomainNamed(_ context.Context, name string) (d mailbox.Domain, err error) {
	q.advise("domain", []byte(name))
	err = q.sql(`SELECT ` + domainColumns + ` FROM domains WHERE name = $1 AND (` + inUse + `) LIMIT 1`).text(name).
		one(func(r row) { d = scanDomain(r) })
	return d, err
}

func (q *queries) Domains(_ context.Context, num mailbox.Num) (list []mailbox.Domain, err error) {
	q.lock(num)
	b := q.sql(`SELECT ` + domainColumns + ` FROM domains ORDER BY id`)
	if num != 0 {
		b = q.sql(`SELECT ` + domainColumns + ` FROM domains WHERE box = $1 ORDER BY id`).num(num)
	}
	err = b.each(func(r row) error { list = append(list, scanDomain(r)); return nil })
	return list, err
}

func (q *queries) InsertDomain(_ context.Context, d mailbox.Domain) error {
	q.lock(d.Mailbox)
	q.advise("domain", []byte(d.Name))
	taken := false
	err := q.sql(`SELECT EXISTS (SELECT 1 FROM domains WHERE name = $1 AND (` + inUse + ` OR box = $2))`).
		text(d.Name).num(d.Mailbox).one(func(r row) { taken = r.bool(0) })
	if err != nil {
		return err
	}
	if taken {
		return store.ErrTaken
	}
	return q.sql(`INSERT INTO domains (` + domainColumns + `) VALUES ($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12,$13,$14)`).
		id(d.ID).num(d.Mailbox).text(d.Name).text(d.Token).text(d.Selector).blob(d.Keys).
		bool(d.MX).bool(d.SPF).bool(d.DKIM).bool(d.DMARC).bool(d.Owned).time(d.CreatedAt).time(d.VerifiedAt).time(
		d.LapsedAt).run()
}

func (q *queries) UpdateDomain(_ context.Context, d mailbox.Domain) error {
	return q.sql(`UPDATE domains SET mx = $1, spf = $2, dkim = $3, dmarc = $4, owned = $5, verified_at = $6, lapsed_at = $7 WHERE id = $8`).
		bool(d.MX).bool(d.SPF).bool(d.DKIM).bool(d.DMARC).bool(d.Owned).time(d.VerifiedAt).time(d.LapsedAt).id(
		d.ID).run()
}

func (q *queries) SetDomainKeys(_ context.Context, d mailbox.Domain) error {
	return q.sql(`UPDATE domains SET selector = $1, keys = $2, dkim = $3 WHERE id = $4`).text(d.Selector).blob(
		d.Keys).bool(d.DKIM).id(d.ID).run()
}

func (q *queries) DeleteDomain(_ context.Context, id mailbox.ID) error {
	return q.sql(`DELETE FROM domains WHERE id = $1`).id(id).run()
}
