package sqlite

import (
	"context"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store/rows"
)

func (q *queries) Domain(_ context.Context, id mailbox.ID) (mailbox.Domain, error) {
	return one(q.sql(`SELECT `+rows.DomainColumns+` FROM domains WHERE id = ?`).id(id), rows.Domain)
}
