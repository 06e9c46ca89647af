package sqlite

import (
	"context"
	"errors"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/store/rows"
)

func (q *queries) Contact(_ context.Context, num mailbox.Num, address string) (store.Contact, error) {
	c, err := one(q.sql(`SELECT correspondent FROM contacts WHERE box = ? AND address = ?`).num(num).text(address),
		rows.Contact)
	if errors.Is(err, store.ErrNotFound) {
		return store.Contact{}, nil
	}
	return c, err
}

// domainsFrom bounds how many contacts are looked through for their domains.
const domainsFrom = 2000

func (q *queries) ContactDomains(_ context.Context, num mailbox.Num, limit int) ([]string, error) {
	return all(q.sql(`SELECT DISTINCT substr(address, instr(address, '@') + 1)
		FROM (SELECT address FROM contacts WHERE box = ? LIMIT ?) ORDER BY 1 LIMIT ?`).
		num(num).int(domainsFrom).int(int64(limit)), rows.Text)
}

func (q *queries) InsertContact(_ context.Context, num mailbox.Num, address string,
	correspondent bool) error {
	return q.sql(`INSERT INTO contacts (box, address, correspondent) VALUES (?, ?, ?) ON CONFLICT DO UPDATE
		SET correspondent = 1 WHERE excluded.correspondent AND NOT correspondent`).
		num(num).text(address).bool(correspondent).run()
}
