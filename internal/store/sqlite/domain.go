package sqlite

import (
	"context"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

const domainColumns = `id, box, name, token, selector, keys, mx, spf, dkim, dmarc, owned, created_at, verified_at, lapsed_at`

// inUse is which domains nobody else can have.
const inUse = `verified_at > 0 AND lapsed_at = 0 OR box = 0`

func scanDomain(r row) mailbox.Domain {
	return mailbox.Domain{ID: r.id(0), Mailbox: mailbox.Num(r.int(1)), Name: r.text(2), Token: r.text(3),
		Selector: r.text(4), Keys: r.blob(5),
		MX: r.bool(6), SPF: r.bool(7), DKIM: r.bool(8), DMARC: r.bool(9), Owned: r.bool(10), CreatedAt: r.time(11),
		VerifiedAt: r.time(12),
		LapsedAt:   r.time(13)}
}

func (q *queries) Domain(_ context.Context, id mailbox.ID) (d mailbox.Domain, err error) {
	err = q.sql(`SELECT ` + domainColumns + ` FROM domains WHERE id = ?`).id(id).one(func(r row) { d = scanDomain(r) })
	return d, err
}

func (q *queries) DomainNamed(_ context.Context, name string) (d mailbox.Domain, err error) {
	err = q.sql(`SELECT ` + domainColumns + ` FROM domains WHERE name = ? AND (` + inUse + `) LIMIT 1`).text(name).one(
		func(r row) { d = scanDomain(r) })
	return d, err
}

func (q *queries) Domains(_ context.Context, num mailbox.Num) (list []mailbox.Domain, err error) {
	b := q.sql(`SELECT ` + domainColumns + ` FROM domains ORDER BY id`)
	if num != 0 {
		b = q.sql(`SELECT ` + domainColumns + ` FROM domains WHERE box = ? ORDER BY id`).int(int64(num))
	}
	err = b.each(func(r row) error { list = append(list, scanDomain(r)); return nil })
	return list, err
}

func (q *queries) InsertDomain(_ context.Context, d mailbox.Domain) error {
	taken := false
	err := q.sql(`SELECT EXISTS (SELECT 1 FROM domains WHERE name = ?1 AND (` + inUse + ` OR box = ?2))`).
		text(d.Name).int(int64(d.Mailbox)).one(func(r row) { taken = r.bool(0) })
	if err != nil {
		return err
	}
	if taken {
		return store.ErrTaken
	}
	return q.sql(`INSERT INTO domains (` + domainColumns + `) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?)`).
		id(d.ID).int(int64(d.Mailbox)).text(d.Name).text(d.Token).text(d.Selector).blob(d.Keys).
		bool(d.MX).bool(d.SPF).bool(d.DKIM).bool(d.DMARC).bool(d.Owned).time(d.CreatedAt).time(d.VerifiedAt).time(
		d.LapsedAt).run()
}

func (q *queries) UpdateDomain(_ context.Context, d mailbox.Domain) error {
	return q.sql(`UPDATE domains SET mx = ?, spf = ?, dkim = ?, dmarc = ?, owned = ?, verified_at = ?, lapsed_at = ? WHERE id = ?`).
		bool(d.MX).bool(d.SPF).bool(d.DKIM).bool(d.DMARC).bool(d.Owned).time(d.VerifiedAt).time(d.LapsedAt).id(
		d.ID).run()
}

func (q *queries) SetDomainKeys(_ context.Context, d mailbox.Domain) error {
	return q.sql(`UPDATE domains SET selector = ?, keys = ?, dkim = ? WHERE id = ?`).text(d.Selector).blob(d.Keys).bool(
		d.DKIM).id(d.ID).run()
}

func (q *queries) DeleteDomain(_ context.Context, id mailbox.ID) error {
	return q.sql(`DELETE FROM domains WHERE id = ?`).id(id).run()
}
