package postgres

import (
	"context"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store/rows"
)

// domainsFrom bounds how many contacts are looked through for their domains.
const domainsFrom = 2000

func (q *queries) ContactDomains(_ context.Context, num mailbox.Num, limit int) ([]string, error) {
	q.lock(num)
	return all(q.sql(`SELECT DISTINCT substring(address FROM position('@'::bytea IN address) + 1)
		FROM (SELECT address FROM contacts WHERE box = $1 ORDER BY address LIMIT $2) c ORDER BY 1 LIMIT $3`).
		num(num).int(domainsFrom).int(int64(limit)), rows.Text)
}
