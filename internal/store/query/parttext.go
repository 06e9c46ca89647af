package query

import (
	"context"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/store/rows"
)

const (
	textWork = `SELECT box, seq FROM text_work WHERE step = ?1 AND box > ?2 ORDER BY step, box, seq LIMIT ?3`
)

func (q Queries[R]) TextWork(_ context.Context, step store.TextStep, after mailbox.Num, limit int) ([]store.TextWork,
	error) {
	return all(q, rows.TextWork, textWork, int64(step), after, limit)
}

// DeleteTexts takes the text of a message's attachments away.
func (q Queries[R]) DeleteTexts(m mailbox.Message) error {
	err := q.run(`DELETE FROM part_texts WHERE box = ?1 AND seq = ?2`, m.Mailbox, m.Seq)
	if err == nil {
		err = q.run(`DELETE FROM text_work WHERE step IN (0, 1) AND box = ?1 AND seq = ?2`, m.Mailbox, m.Seq)
	}
	return err
}
