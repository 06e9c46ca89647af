package postgres

import (
	"context"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

func (q *queries) PartTexts(_ context.Context, num mailbox.Num, seqs ...int64) (map[int64][]byte, error) {
	q.lock(num)
	texts := make(map[int64][]byte)
	err := q.sql(`SELECT seq, packed FROM part_texts WHERE box = $1 AND seq = ANY($2)`).num(num).ints(seqs).
		each(func(r row) error { texts[r.Int(0)] = r.Blob(1); return nil })
	return texts, err
}

// WantTexts locks no mailbox: it is for messages of many, and what it notes of one that is being deleted is found to be
// gone later.
func (q *queries) WantTexts(_ context.Context, num mailbox.Num, seqs ...int64) error {
	return q.sql(`INSERT INTO text_work (step, box, seq)
		SELECT EXISTS (SELECT FROM part_texts p WHERE p.box = $1 AND p.seq = w.seq)::int, $1, w.seq FROM unnest($2::bigint[]) w (seq)
		ON CONFLICT DO NOTHING`).num(num).ints(seqs).run()
}

// PutTexts holds the mailbox, so that the message is not deleted meanwhile.
func (q *queries) PutTexts(_ context.Context, num mailbox.Num, seq int64, packed []byte) error {
	if _, err := q.box(num); err != nil {
		return err
	}
	n, err := q.sql(`INSERT INTO part_texts (box, seq, packed) SELECT $1, $2, $3 WHERE EXISTS (SELECT FROM messages WHERE box = $1 AND seq = $2)
		ON CONFLICT (box, seq) DO UPDATE SET packed = excluded.packed`).num(num).int(seq).blob(packed).changed()
	if err == nil && n == 0 {
		err = store.ErrNotFound
	}
	if err != nil {
		return err
	}
	return q.sql(`WITH wanted AS (DELETE FROM text_work WHERE step = 0 AND box = $1 AND seq = $2 RETURNING box, seq)
		INSERT INTO text_work (step, box, seq) SELECT 1, box, seq FROM wanted ON CONFLICT DO NOTHING`).num(num).int(seq).run()
}

func (q *queries) DoneTexts(_ context.Context, step store.TextStep, num mailbox.Num, seqs ...int64) error {
	return q.sql(`DELETE FROM text_work WHERE step = $1 AND box = $2 AND seq = ANY($3)`).int(int64(step)).num(num).ints(
		seqs).run()
}
