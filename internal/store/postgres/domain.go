package postgres

import (
	"context"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store/rows"
)

func (q *queries) Domain(_ context.Context, id mailbox.ID) (mailbox.Domain, error) {
	q.lockOf(`SELECT box FROM domains WHERE id = $1`, func(b *stmt) *stmt { return b.id(id) })
	return one(q.sql(q.forUpdate(`SELECT `+rows.DomainColumns+` FROM domains WHERE id = $1`)).id(id), rows.Domain)
}
