package sqlite

import (
	"context"
	"encoding/json"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store/rows"
)

const listed = `SELECT ` + rows.ListedColumns + ` FROM lists WHERE box IN (?1, 0) AND pattern IN (SELECT value FROM json_each(?2))`

func (q *queries) Listed(_ context.Context, num mailbox.Num, patterns []mailbox.Pattern) ([]mailbox.Listed, error) {
	names, err := json.Marshal(patterns)
	if err != nil {
		return nil, err
	}
	return all(q.sql(listed).num(num).text(string(names)), rows.Listed)
}
