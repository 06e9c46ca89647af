package postgres

import (
	"context"

	"github.com/mailkin/mailkin/internal/mailbox"
)

func (q *queries) Contact(_ context.Context, num mailbox.Num, address string) (known bool, err error) {
	q.lock(num)
	err = q.sql(`SELECT EXISTS (SELECT 1 FROM contacts WHERE box = $1 AND address = $2)`).num(num).text(address).
		one(func(r row) { known = r.bool(0) })
	return known, err
}

// domainsFrom bounds how many contacts are looked through for their domains.
const domainsFrom = 2000

func (q *queries) ContactDomains(_ context.Context, num mailbox.Num, limit int) (list []string, err error) {
	q.lock(num)
	err = q.sql(`SELECT DISTINCT substring(address FROM position('@'::bytea IN address) + 1)
		FROM (SELECT address FROM contacts WHERE box = $1 ORDER BY address LIMIT $2) c ORDER BY 1 LIMIT $3`).
		num(num).int(domainsFrom).int(int64(limit)).each(func(r row) error {
		list = append(list,
			r.text(0))
		return nil
	})
	return list, err
}

func (q *queries) InsertContact(_ context.Context, num mailbox.Num, address string) error {
	q.lock(num)
	return q.sql(`INSERT INTO contacts VALUES ($1, $2) ON CONFLICT DO NOTHING`).num(num).text(address).run()
}
