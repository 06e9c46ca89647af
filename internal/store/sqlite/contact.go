package sqlite

import (
	"context"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store/rows"
)

// domainsFrom bounds how many contacts are looked through for their domains.
const domainsFrom = 2000

func (q *queries) ContactDomains(_ context.Context, num mailbox.Num, limit int) ([]string, error) {
	return all(q.sql(`SELECT DISTINCT substr(address, instr(address, '@') + 1)
		FROM (SELECT address FROM contacts WHERE box = ? LIMIT ?) ORDER BY 1 LIMIT ?`).
		num(num).int(domainsFrom).int(int64(limit)), rows.Text)
}
