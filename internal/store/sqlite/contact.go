package sqlite

import (
	"context"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store/rows"
)

func (q *queries) Contact(_ context.Context, num mailbox.Num, address string) (bool, error) {
	return one(q.sql(`SELECT EXISTS (SELECT 1 FROM contacts WHERE box = ? AND address = ?)`).
		num(num).text(address), rows.Bool)
}

// domainsFrom bounds how many contacts are looked through for their domains.
const domainsFrom = 2000

func (q *queries) ContactDomains(_ context.Context, num mailbox.Num, limit int) ([]string, error) {
	return all(q.sql(`SELECT DISTINCT substr(address, instr(address, '@') + 1)
		FROM (SELECT address FROM contacts WHERE box = ? LIMIT ?+0) ORDER BY 1 LIMIT ?+0`).
		num(num).int(domainsFrom).int(int64(limit)), rows.Text)
}

func (q *queries) InsertContact(_ context.Context, num mailbox.Num, address string) error {
	return q.sql(`INSERT OR IGNORE INTO contacts VALUES (?, ?)`).num(num).text(address).run()
}
