package sqlite

import (
	"context"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/store/blockcache"
	"github.com/mailkin/mailkin/internal/store/rows"
)

// Partitions is one: this store is not cut.
func (x *Index) Partitions() int { return 1 }

// Partition is the only one.
func (x *Index) Partition(mailbox.Num) int { return 0 }

func (x *Index) Places(ctx context.Context) (store.Places, error) {
	places := make(store.Places, 1)
	err := x.read(ctx, func(q *queries) error {
		return q.sql(`SELECT place FROM progress`).one(func(r row) { places[0] = r.Int(0) })
	})
	return places, err
}

func (x *Index) Segments(ctx context.Context, num mailbox.Num) (list []store.Segment, err error) {
	err = x.read(ctx, func(q *queries) error {
		return q.sql(`SELECT id, docs, blocks, min_seq, max_seq, bytes,
			(SELECT count(*) FROM dropped d WHERE d.box = ?1 AND d.seq BETWEEN min_seq AND max_seq) FROM segments WHERE box = ?1 ORDER BY id`).
			num(num).each(func(r row) error {
			list = append(list, store.Segment{Mailbox: num, ID: r.Int(0), Docs: int(r.Int(1)), Blocks: int(r.Int(2)),
				MinSeq: r.Int(3),
				MaxSeq: r.Int(4), Bytes: r.Int(5), Dropped: int(r.Int(6))})
			return nil
		})
	})
	return list, err
}

// Block returns a block of a segment. Nobody may write to its bytes. The first, the head, is not kept here: its readers
// do that.
func (x *Index) Block(ctx context.Context, num mailbox.Num, segment int64, n int) (data []byte, err error) {
	k, cache := blockcache.Key{Mailbox: num, Segment: segment, N: n}, x.cache.Load()
	if data, ok := cache.Block(k); ok {
		return data, nil
	}
	err = x.read(ctx, func(q *queries) error {
		return q.sql(`SELECT data FROM blocks WHERE box = ? AND segment = ? AND n = ?`).num(num).int(
			segment).int(int64(n)).
			one(func(r row) { data = r.Blob(0) })
	})
	if err == nil && n != 0 && len(data) > 0 {
		cache.Keep(k, data)
	}
	return data, err
}

func (x *Index) Dropped(ctx context.Context, num mailbox.Num) (seqs map[int64]bool, err error) {
	seqs = make(map[int64]bool)
	err = x.read(ctx, func(q *queries) error {
		return q.sql(`SELECT seq FROM dropped WHERE box = ?`).num(num).each(
			func(r row) error { seqs[r.Int(0)] = true; return nil })
	})
	return seqs, err
}

// boxes lists the mailboxes that a statement has in its first column.
func (x *Index) boxes(ctx context.Context, ask func(q *queries) *stmt) (list []mailbox.Num, err error) {
	err = x.read(ctx, func(q *queries) (err error) {
		list, err = all(ask(q), rows.Num)
		return err
	})
	return list, err
}

func (x *Index) DroppedIn(ctx context.Context) ([]mailbox.Num, error) {
	return x.boxes(ctx, func(q *queries) *stmt { return q.sql(`SELECT DISTINCT box FROM dropped`) })
}

func (x *Index) Unmerged(ctx context.Context, limit int) ([]mailbox.Num, error) {
	return x.boxes(ctx, func(q *queries) *stmt { return q.sql(`SELECT box FROM unmerged LIMIT ?`).int(int64(limit)) })
}

func (x *Index) VectorPlace(ctx context.Context) (place int64, model string, err error) {
	err = x.read(ctx, func(q *queries) error {
		return q.sql(`SELECT place, model FROM vector_progress`).one(func(r row) { place, model = r.Int(0), r.Text(1) })
	})
	return place, model, err
}

func (x *Index) Vectors(ctx context.Context, num mailbox.Num, each func(seq int64, vector []byte) error) error {
	return x.read(ctx, func(q *queries) error {
		return q.sql(`SELECT seq, data FROM vectors WHERE box = ?`).num(num).each(
			func(r row) error { return each(r.Int(0), r.Blob(1)) })
	})
}

func (x *Index) Asked(ctx context.Context, since time.Time) ([]mailbox.Num, error) {
	return x.boxes(ctx, func(q *queries) *stmt { return q.sql(`SELECT box FROM asked WHERE at >= ?`).time(since) })
}

// Renewals lists the mailboxes whose part is to be rebuilt, the lowest number first.
func (x *Index) Renewals(ctx context.Context, limit int) ([]mailbox.Num, error) {
	return x.boxes(ctx, func(q *queries) *stmt {
		return q.sql(`SELECT box FROM renewals ORDER BY box LIMIT ?`).int(int64(limit))
	})
}
