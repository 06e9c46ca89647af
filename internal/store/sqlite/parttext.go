package sqlite

import (
	"context"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

func (q *queries) PartTexts(_ context.Context, num mailbox.Num, seqs ...int64) (map[int64][]byte, error) {
	texts := make(map[int64][]byte)
	for _, seq := range seqs {
		err := q.sql(`SELECT packed FROM part_texts WHERE box = ? AND seq = ?`).int(int64(num)).int(seq).
			each(func(r row) error { texts[seq] = r.blob(0); return nil })
		if err != nil {
			return nil, err
		}
	}
	return texts, nil
}

const textWork = `SELECT box, seq FROM text_work WHERE step = ? AND box > ? ORDER BY box, seq LIMIT ?+0`

func (q *queries) TextWork(_ context.Context, step store.TextStep, after mailbox.Num, limit int) (list []store.TextWork,
	err error) {
	err = q.sql(textWork).int(int64(step)).int(int64(after)).int(int64(limit)).each(func(r row) error {
		list = append(list, store.TextWork{Mailbox: mailbox.Num(r.int(0)), Seq: r.int(1)})
		return nil
	})
	return list, err
}

func (q *queries) WantTexts(_ context.Context, num mailbox.Num, seqs ...int64) error {
	for _, seq := range seqs {
		err := q.sql(`INSERT OR IGNORE INTO text_work SELECT EXISTS (SELECT 1 FROM part_texts WHERE box = ?1 AND seq = ?2), ?1, ?2`).
			int(int64(num)).int(seq).run()
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
	if err := q.sql(`INSERT OR REPLACE INTO part_texts VALUES (?, ?, ?)`).int(int64(num)).int(seq).blob(packed).run(); err != nil {
		return err
	}
	return q.sql(`UPDATE OR REPLACE text_work SET step = 1 WHERE step = 0 AND box = ? AND seq = ?`).int(int64(num)).int(
		seq).run()
}

func (q *queries) DoneTexts(_ context.Context, step store.TextStep, num mailbox.Num, seqs ...int64) error {
	for _, seq := range seqs {
		if err := q.sql(`DELETE FROM text_work WHERE step = ? AND box = ? AND seq = ?`).int(int64(step)).int(
			int64(num)).int(seq).run(); err != nil {
			return err
		}
	}
	return nil
}

// deleteTexts takes the text of a message's attachments away.
func (q *queries) deleteTexts(m mailbox.Message) error {
	err := q.sql(`DELETE FROM part_texts WHERE box = ? AND seq = ?`).int(int64(m.Mailbox)).int(m.Seq).run()
	if err == nil {
		err = q.sql(`DELETE FROM text_work WHERE step IN (0, 1) AND box = ? AND seq = ?`).int(int64(m.Mailbox)).int(
			m.Seq).run()
	}
	return err
}
