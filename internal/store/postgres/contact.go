package postgres

import (
	"context"
	"errors"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/store/rows"
)

func (q *queries) Contact(_ context.Context, num mailbox.Num, address string) (store.Contact, error) {
	q.lock(num)
	c, err := one(q.sql(`SELECT correspondent FROM contacts WHERE box = $1 AND address = $2`).num(num).text(address),
		rows.Contact)
	if errors.Is(err, store.ErrNotFound) {
		return store.Contact{}, nil
	}
	return c, err
}

// domainsFrom bounds how many contacts are looked through for their domains.
const domainsFrom = 2000

func (q *queries) ContactDomains(_ context.Context, num mailbox.Num, limit int) ([]string, error) {
	q.lock(num)
	return all(q.sql(`SELECT DISTINCT substring(address FROM position('@'::bytea IN address) + 1)
		FROM (SELECT address FROM contacts WHERE box = $1 ORDER BY address LIMIT $2) c ORDER BY 1 LIMIT $3`).
		num(num).int(domainsFrom).int(int64(limit)), rows.Text)
}

func (q *queries) InsertContact(_ context.Context, num mailbox.Num, address string,
	correspondent bool) error {
	q.lock(num)
	return q.sql(`INSERT INTO contacts (box, address, correspondent) VALUES ($1, $2, $3)
		ON CONFLICT (box, address) DO UPDATE SET correspondent = true
		WHERE excluded.correspondent AND NOT contacts.correspondent`).num(num).text(address).bool(correspondent).run()
}
