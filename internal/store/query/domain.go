package query

import (
	"context"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/store/rows"
)

const (
	// inUse is which domains nobody else can have.
	inUse = `verified_at > 0 AND lapsed_at = 0 OR box = 0`
)

// DomainNamed in an update locks the name: where it is not in use, nobody else's becomes so.
func (q Queries[R]) DomainNamed(_ context.Context, name string) (mailbox.Domain, error) {
	q.conn.Advise("domain", []byte(name))
	return one(q, rows.Domain, `SELECT `+rows.DomainColumns+` FROM domains WHERE name = ?1 AND (`+inUse+`) LIMIT 1`,
		name)
}

func (q Queries[R]) Domains(_ context.Context, num mailbox.Num) (list []mailbox.Domain, err error) {
	q.conn.Lock(num)
	if num == 0 {
		return all(q, rows.Domain, `SELECT `+rows.DomainColumns+` FROM domains ORDER BY id`)
	}
	return all(q, rows.Domain, `SELECT `+rows.DomainColumns+` FROM domains WHERE box = ?1 ORDER BY id`, num)
}

func (q Queries[R]) InsertDomain(_ context.Context, d mailbox.Domain) error {
	q.conn.Lock(d.Mailbox)
	q.conn.Advise("domain", []byte(d.Name))
	taken := false
	err := q.scan(`SELECT EXISTS (SELECT 1 FROM domains WHERE name = ?1 AND (`+inUse+` OR box = ?2))`,
		func(r R) { taken = r.Bool(0) }, d.Name, d.Mailbox)
	if err != nil {
		return err
	}
	if taken {
		return store.ErrTaken
	}
	return q.run(`INSERT INTO domains (`+rows.DomainColumns+`) VALUES
		(?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14,?15)`,
		d.ID, d.Mailbox, d.Name, d.Token, d.Selector, d.Keys, d.MX, d.SPF, d.DKIM, d.DMARC, d.Owned, d.CreatedAt,
		d.VerifiedAt, d.LapsedAt, d.KeyRotation.Encode())
}

func (q Queries[R]) UpdateDomain(_ context.Context, d mailbox.Domain) error {
	return q.run(`UPDATE domains SET mx = ?1, spf = ?2, dkim = ?3, dmarc = ?4, owned = ?5, verified_at = ?6,
		lapsed_at = ?7 WHERE id = ?8`,
		d.MX, d.SPF, d.DKIM, d.DMARC, d.Owned, d.VerifiedAt, d.LapsedAt, d.ID)
}

func (q Queries[R]) SetDomainKeys(_ context.Context, d mailbox.Domain) error {
	return q.run(`UPDATE domains SET selector = ?1, keys = ?2, dkim = ?3, rotation = ?4 WHERE id = ?5`, d.Selector,
		d.Keys, d.DKIM, d.KeyRotation.Encode(), d.ID)
}

func (q Queries[R]) DeleteDomain(_ context.Context, id mailbox.ID) error {
	if err := q.run(`DELETE FROM domain_reports WHERE domain = ?1`, id); err != nil {
		return err
	}
	return q.run(`DELETE FROM domains WHERE id = ?1`, id)
}
