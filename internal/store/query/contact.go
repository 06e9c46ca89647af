package query

import (
	"context"
	"errors"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/store/rows"
)

func (q Queries[R]) Contact(_ context.Context, num mailbox.Num, address string) (store.Contact, error) {
	q.conn.Lock(num)
	c, err := one(q, rows.Contact, `SELECT correspondent FROM contacts WHERE box = ?1 AND address = ?2`, num, address)
	if errors.Is(err, store.ErrNotFound) {
		return store.Contact{}, nil
	}
	return c, err
}

func (q Queries[R]) InsertContact(_ context.Context, num mailbox.Num, address string,
	correspondent bool) error {
	q.conn.Lock(num)
	return q.run(`INSERT INTO contacts (box, address, correspondent) VALUES (?1, ?2, ?3)
		ON CONFLICT (box, address) DO UPDATE SET correspondent = true
		WHERE excluded.correspondent AND NOT contacts.correspondent`, num, address, correspondent)
}
