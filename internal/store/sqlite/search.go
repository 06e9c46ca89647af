package sqlite

import (
	"context"
	"errors"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

const toIndex = `SELECT doc, message FROM docs WHERE doc > ? ORDER BY doc LIMIT ?+0`

func (q *queries) ToIndex(_ context.Context, after int64, limit int) (list []store.IndexWork, err error) {
	err = q.sql(toIndex).int(after).int(int64(limit)).each(func(r row) error {
		w := store.IndexWork{Place: r.int(0)}
		w.Mailbox, w.Seq = unpack(r.int(1))
		list = append(list, w)
		return nil
	})
	return list, err
}

// NotIndexed goes back from the mailbox's newest message: places grow with Seq, so the first that is indexed is the end.
func (q *queries) NotIndexed(_ context.Context, num mailbox.Num, after int64, limit int) (list []mailbox.Message, err error) {
	low, high := span(num, 0)
	for page := 8; len(list) < limit; page = min(8*page, 512) {
		n, indexed := 0, false
		err = q.sql(`SELECT ` + messageColumns + `, doc FROM messages WHERE pk BETWEEN ? AND ? ORDER BY pk DESC LIMIT ?+0`).
			int(low).int(high).int(int64(page)).each(func(r row) error {
			n++
			high = r.int(0) - 1
			if indexed = indexed || r.int(messageWidth) <= after; !indexed && len(list) < limit {
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
	for _, seq := range seqs {
		if seq < 0 || seq > last {
			continue
		}
		err := q.sql(`SELECT ` + messageColumns + ` FROM messages WHERE pk = ?`).int(pack(num, seq)).one(func(r row) { list = append(list, scanMessage(r)) })
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			return nil, err
		}
	}
	return list, nil
}

func (q *queries) Times(_ context.Context, num mailbox.Num, seqs ...int64) (map[int64]time.Time, error) {
	times := make(map[int64]time.Time, len(seqs))
	for _, seq := range seqs {
		if seq < 0 || seq > last {
			continue
		}
		err := q.sql(`SELECT received_at FROM messages WHERE pk = ?`).int(pack(num, seq)).one(func(r row) { times[seq] = r.time(0) })
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			return nil, err
		}
	}
	return times, nil
}

func (q *queries) Contents(ctx context.Context, num mailbox.Num, seqs ...int64) (map[int64]store.Content, error) {
	contents := make(map[int64]store.Content, len(seqs))
	for _, seq := range seqs {
		if seq < 0 || seq > last {
			continue
		}
		c, err := q.Content(ctx, mailbox.Message{Mailbox: num, Seq: seq})
		if errors.Is(err, store.ErrNotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		contents[seq] = c
	}
	return contents, nil
}

func (q *queries) Forgotten(_ context.Context, limit int) (list []store.Forgotten, err error) {
	err = q.sql(`SELECT n, box, seq FROM forgotten ORDER BY n LIMIT ?+0`).int(int64(limit)).each(func(r row) error {
		list = append(list, store.Forgotten{Number: r.int(0), Mailbox: mailbox.Num(r.int(1)), Seq: r.int(2)})
		return nil
	})
	return list, err
}

func (q *queries) Forgot(_ context.Context, number int64) error {
	return q.sql(`DELETE FROM forgotten WHERE n <= ?`).int(number).run()
}

// forget notes that the index is to forget a message, or with seq 0 a mailbox.
func (q *queries) forget(num mailbox.Num, seq int64) error {
	return q.sql(`INSERT INTO forgotten (box, seq) VALUES (?, ?)`).int(int64(num)).int(seq).run()
}
