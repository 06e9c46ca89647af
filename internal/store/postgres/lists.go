package postgres

import (
	"context"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store/rows"
)

const listed = `SELECT ` + rows.ListedColumns + ` FROM lists WHERE box IN ($1, 0) AND pattern = ANY($2)`

func (q *queries) Listed(_ context.Context, num mailbox.Num, patterns []mailbox.Pattern) ([]mailbox.Listed, error) {
	q.lock(num)
	names := make([]string, len(patterns))
	for i, p := range patterns {
		names[i] = string(p)
	}
	return all(q.sql(listed).num(num).texts(names), rows.Listed)
}
