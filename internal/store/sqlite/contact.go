package sqlite

import (
	"context"

	"github.com/mailkin/mailkin/internal/mailbox"
)

func (q *queries) Contact(_ context.Context, num mailbox.Num, address string) (known bool, err error) {
	err = q.sql(`SELECT EXISTS (SELECT 1 FROM contacts WHERE box = ? AND address = ?)`).int(int64(num)).text(address).
		one(func(r row) { known = r.bool(0) })
	return known, err
}

// domainsFrom bounds how many contacts are looked through for their domains.
const domainsFrom = 2000

func (q *queries) ContactDomains(_ context.Context, num mailbox.Num, limit int) (list []string, err error) {
	err = q.sql(`SELECT DISTINCT substr(address, instr(address, '@') + 1)
		FROM (SELECT address FROM contacts WHERE box = ? LIMIT ?+0) ORDER BY 1 LIMIT ?+0`).
		int(int64(num)).int(domainsFrom).int(int64(limit)).each(func(r row) error {
		list = append(list,
			r.text(0))
		return nil
	})
	return list, err
}

func (q *queries) InsertContact(_ context.Context, num mailbox.Num, address string) error {
	return q.sql(`INSERT OR IGNORE INTO contacts VALUES (?, ?)`).int(int64(num)).text(address).run()
}
