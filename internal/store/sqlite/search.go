package sqlite

import (
	"context"
	"errors"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/store/rows"
)

// toIndex leaves out contents of deleted messages, which wait to be deleted together.
const toIndex = `SELECT doc, message FROM docs WHERE doc > ? AND EXISTS (SELECT 1 FROM messages WHERE pk = docs.message)
	ORDER BY doc LIMIT ?`

func (q *queries) ToIndex(_ context.Context, after store.Places,
	limit int) (list []store.IndexWork, err error) {
	err = q.sql(toIndex).int(after[0]).int(int64(limit)).each(func(r row) error {
		w := store.IndexWork{Place: r.Int(0)}
		w.Mailbox, w.Seq = unpack(r.Int(1))
		list = append(list, w)
		return nil
	})
	return list, err
}

// NotIndexed goes back from the mailbox's newest message: places grow with Seq, so the first that is indexed is the
// end.
func (q *queries) NotIndexed(_ context.Context, num mailbox.Num, after int64, limit int) (list []mailbox.Message,
	err error) {
	low, high := span(num, 0)
	for page := 8; len(list) < limit; page = min(8*page, 512) {
		n, indexed := 0, false
		err = q.sql(`SELECT ` + messageColumns + `, doc FROM messages WHERE pk BETWEEN ? AND ? ORDER BY pk DESC LIMIT ?`).
			int(low).int(high).int(int64(page)).each(func(r row) error {
			n++
			high = r.Int(0) - 1
			if indexed = indexed || r.Int(messageWidth) <= after; !indexed && len(list) < limit {
				list = append(list, scanMessage(r))
			}
			return nil
		})
		if err != nil || indexed || n < page {
			break
		}
	}
	return list, err
}

func (q *queries) MessagesAt(_ context.Context, num mailbox.Num, seqs ...int64) (list []mailbox.Message, err error) {
	err = q.atEach(num, seqs, func(_, pk int64) error {
		return q.sql(`SELECT ` + messageColumns + ` FROM messages WHERE pk = ?`).int(pk).one(
			func(r row) { list = append(list, scanMessage(r)) })
	})
	return list, err
}

func (q *queries) Times(_ context.Context, num mailbox.Num, seqs ...int64) (map[int64]time.Time, error) {
	times := make(map[int64]time.Time, len(seqs))
	err := q.atEach(num, seqs, func(seq, pk int64) error {
		return q.sql(`SELECT received_at FROM messages WHERE pk = ?`).int(pk).one(
			func(r row) { times[seq] = r.Time(0) })
	})
	return times, err
}

func (q *queries) Contents(ctx context.Context, num mailbox.Num, seqs ...int64) (map[int64]store.Content, error) {
	contents := make(map[int64]store.Content, len(seqs))
	err := q.atEach(num, seqs, func(seq, _ int64) error {
		c, err := q.Content(ctx, mailbox.Message{Mailbox: num, Seq: seq})
		if err == nil {
			contents[seq] = c
		}
		return err
	})
	return contents, err
}

// atEach looks messages up one after the other, those that there are. It is one transaction: the locks of a thousand
// take longer than what they are for.
func (q *queries) atEach(num mailbox.Num, seqs []int64, look func(seq, pk int64) error) error {
	if len(seqs) > 1 && q.conn.AutocommitEnabled() {
		return inRead(q.conn, func(store.Reader) error { return q.atEach(num, seqs, look) })
	}
	for _, seq := range seqs {
		if seq < 0 || seq > last {
			continue
		}
		if err := look(seq, pack(num, seq)); err != nil && !errors.Is(err, store.ErrNotFound) {
			return err
		}
	}
	return nil
}

func (q *queries) Forgotten(_ context.Context, after int64, limit int) ([]store.Forgotten, error) {
	return all(q.sql(`SELECT n, box, seq FROM forgotten WHERE n > ? ORDER BY n LIMIT ?`).int(after).int(int64(limit)),
		rows.Forgotten)
}

func (q *queries) Forgot(_ context.Context, numbers ...int64) error {
	for _, n := range numbers {
		err := q.sql(`DELETE FROM docs WHERE doc = (SELECT doc FROM forgotten WHERE n = ?)`).int(n).run()
		if err == nil {
			err = q.sql(`DELETE FROM forgotten WHERE n = ?`).int(n).run()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// forget notes that the index is to forget a message, and that its content may still be there.
func (q *queries) forget(num mailbox.Num, seq, doc int64) error {
	return q.sql(`INSERT INTO forgotten (box, seq, doc) VALUES (?, ?, ?)`).num(num).int(seq).int(doc).run()
}
