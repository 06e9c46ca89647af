package postgres

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/store/blockcache"
)

// A search asks for one block after the other, and each that is not kept is a round trip. So what will be asked for
// next comes along: with the head of a segment the heads of the mailbox's other segments, and with a block that follows
// a kept one those after it.

const (
	headsAtOnce  = 32 // of at most 64 KB
	blocksAtOnce = 8
)

// Block returns a block of a segment. Nobody may write to its bytes.
func (x *Index) Block(ctx context.Context, num mailbox.Num, segment int64, n int) ([]byte, error) {
	if x.closed.Load() {
		return nil, store.ErrClosed
	}
	k := blockcache.Key{Mailbox: num, Segment: segment, N: n}
	if data, ok := x.cache.Block(k); ok {
		return data, nil
	}
	switch {
	case n == 0:
		return x.head(ctx, k)
	case x.cache.Has(blockcache.Key{Mailbox: num, Segment: segment, N: n - 1}):
		return x.run(ctx, k, blocksAtOnce)
	}
	return x.run(ctx, k, 1)
}

// run reads a block and those after it, many in all.
func (x *Index) run(ctx context.Context, k blockcache.Key, many int) (found []byte, err error) {
	ok := false
	err = x.each(ctx, func(r pgx.Rows) error {
		var n int
		var data []byte
		if err := r.Scan(&n, &data); err != nil {
			return err
		}
		if n == k.N {
			found, ok = data, true
		}
		x.cache.Keep(blockcache.Key{Mailbox: k.Mailbox, Segment: k.Segment, N: n}, data)
		return nil
	}, `SELECT n, data FROM index_blocks WHERE box = $1 AND segment = $2 AND n BETWEEN $3::bigint AND $4::bigint`,
		int64(k.Mailbox), k.Segment, int64(k.N), int64(k.N+many-1))
	if err == nil && !ok {
		err = store.ErrNotFound
	}
	return found, err
}

// head reads the head of a segment, and the other heads of the mailbox that are not kept.
func (x *Index) head(ctx context.Context, k blockcache.Key) (found []byte, err error) {
	within, cancel := context.WithTimeout(ctx, indexPatience)
	defer cancel()
	var both pgx.Batch
	both.Queue(`SELECT data FROM index_blocks WHERE box = $1 AND segment = $2 AND n = 0`, int64(k.Mailbox), k.Segment).
		QueryRow(func(r pgx.Row) error { return r.Scan(&found) })
	var others []blockcache.Key
	both.Queue(`SELECT id FROM index_segments WHERE box = $1 AND id <> $2 ORDER BY max_seq DESC LIMIT $3`,
		int64(k.Mailbox), k.Segment, int64(headsAtOnce)).
		Query(func(rows pgx.Rows) error {
			for rows.Next() {
				other := blockcache.Key{Mailbox: k.Mailbox}
				if err := rows.Scan(&other.Segment); err != nil {
					return err
				}
				others = append(others, other)
			}
			return rows.Err()
		})
	err = x.pool.SendBatch(within, &both).Close()
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, store.ErrNotFound
	}
	if err != nil {
		return nil, indexError(ctx, "read a segment's head", err)
	}
	x.cache.Keep(k, found)
	return found, x.heads(ctx, k.Mailbox, x.cache.Without(others))
}

func (x *Index) heads(ctx context.Context, num mailbox.Num, missing []blockcache.Key) error {
	if len(missing) == 0 {
		return nil
	}
	ids := make([]int64, len(missing))
	for i, k := range missing {
		ids[i] = k.Segment
	}
	return x.each(ctx, func(r pgx.Rows) error {
		k := blockcache.Key{Mailbox: num}
		var data []byte
		err := r.Scan(&k.Segment, &data)
		if err == nil {
			x.cache.Keep(k, data)
		}
		return err
	}, `SELECT segment, data FROM index_blocks WHERE box = $1 AND segment = ANY($2) AND n = 0`, int64(num), ids)
}
