package sqlite

import (
	"context"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

func (q *queries) PartTexts(_ context.Context, num mailbox.Num, seqs ...int64) (map[int64][]byte, error) {
	texts := make(map[int64][]byte)
	for _, seq := range seqs {
		err := q.sql(`SELECT packed FROM part_texts WHERE box = ? AND seq = ?`).num(num).int(seq).
			each(func(r row) error { texts[seq] = r.Blob(0); return nil })
		if err != nil {
			return nil, err
		}
	}
	return texts, nil
}

func (q *queries) WantTexts(_ context.Context, num mailbox.Num, seqs ...int64) error {
	for _, seq := range seqs {
		err := q.sql(`INSERT OR IGNORE INTO text_work SELECT EXISTS (SELECT 1 FROM part_texts WHERE box = ?1 AND seq = ?2), ?1, ?2`).
			num(num).int(seq).run()
		if err != nil {
			return err
		}
	}
	return nil
}

func (q *queries) PutTexts(ctx context.Context, num mailbox.Num, seq int64, packed []byte) error {
	there, err := q.MessagesAt(ctx, num, seq)
	if err == nil && len(there) == 0 {
		err = store.ErrNotFound
	}
	if err != nil {
		return err
	}
	if err := q.sql(`INSERT OR REPLACE INTO part_texts VALUES (?, ?, ?)`).num(num).int(seq).blob(packed).run(); err != nil {
		return err
	}
	return q.sql(`UPDATE OR REPLACE text_work SET step = 1 WHERE step = 0 AND box = ? AND seq = ?`).num(num).int(
		seq).run()
}

func (q *queries) DoneTexts(_ context.Context, step store.TextStep, num mailbox.Num, seqs ...int64) error {
	for _, seq := range seqs {
		if err := q.sql(`DELETE FROM text_work WHERE step = ? AND box = ? AND seq = ?`).int(int64(step)).num(num).int(seq).run(); err != nil {
			return err
		}
	}
	return nil
}
