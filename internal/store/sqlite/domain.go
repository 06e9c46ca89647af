package sqlite

import (
	"context"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/store/rows"
)

// inUse is which domains nobody else can have.
const inUse = `verified_at > 0 AND lapsed_at = 0 OR box = 0`

func (q *queries) Domain(_ context.Context, id mailbox.ID) (mailbox.Domain, error) {
	return one(q.sql(`SELECT `+rows.DomainColumns+` FROM domains WHERE id = ?`).id(id), rows.Domain)
}

func (q *queries) DomainNamed(_ context.Context, name string) (mailbox.Domain, error) {
	return one(q.sql(`SELECT `+rows.DomainColumns+` FROM domains WHERE name = ? AND (`+inUse+`) LIMIT 1`).
		text(name), rows.Domain)
}

func (q *queries) Domains(_ context.Context, num mailbox.Num) (list []mailbox.Domain, err error) {
	b := q.sql(`SELECT ` + rows.DomainColumns + ` FROM domains ORDER BY id`)
	if num != 0 {
		b = q.sql(`SELECT ` + rows.DomainColumns + ` FROM domains WHERE box = ? ORDER BY id`).num(num)
	}
	return all(b, rows.Domain)
}

func (q *queries) InsertDomain(_ context.Context, d mailbox.Domain) error {
	taken := false
	err := q.sql(`SELECT EXISTS (SELECT 1 FROM domains WHERE name = ?1 AND (` + inUse + ` OR box = ?2))`).
		text(d.Name).num(d.Mailbox).one(func(r row) { taken = r.Bool(0) })
	if err != nil {
		return err
	}
	if taken {
		return store.ErrTaken
	}
	return q.sql(`INSERT INTO domains (` + rows.DomainColumns + `) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)`).
		id(d.ID).num(d.Mailbox).text(d.Name).text(d.Token).text(d.Selector).blob(d.Keys).
		bool(d.MX).bool(d.SPF).bool(d.DKIM).bool(d.DMARC).bool(d.Owned).time(d.CreatedAt).time(d.VerifiedAt).time(
		d.LapsedAt).text(d.KeyRotation.Encode()).run()
}

func (q *queries) UpdateDomain(_ context.Context, d mailbox.Domain) error {
	return q.sql(`UPDATE domains SET mx = ?, spf = ?, dkim = ?, dmarc = ?, owned = ?, verified_at = ?, lapsed_at = ? WHERE id = ?`).
		bool(d.MX).bool(d.SPF).bool(d.DKIM).bool(d.DMARC).bool(d.Owned).time(d.VerifiedAt).time(d.LapsedAt).id(
		d.ID).run()
}

func (q *queries) SetDomainKeys(_ context.Context, d mailbox.Domain) error {
	return q.sql(`UPDATE domains SET selector = ?, keys = ?, dkim = ?, rotation = ? WHERE id = ?`).text(d.Selector).blob(
		d.Keys).bool(d.DKIM).text(d.KeyRotation.Encode()).id(d.ID).run()
}

func (q *queries) DeleteDomain(_ context.Context, id mailbox.ID) error {
	if err := q.sql(`DELETE FROM domain_reports WHERE domain = ?`).id(id).run(); err != nil {
		return err
	}
	return q.sql(`DELETE FROM domains WHERE id = ?`).id(id).run()
}
