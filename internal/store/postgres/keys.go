package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// Keys is the table of the wrapped keys of mailboxes. It is in a schema of its own, so that it can be dumped apart from
// the mail. Its statements are transactions of their own: a key is there before what is sealed with it.
type Keys struct{ pool *pgxpool.Pool }

const keyConns = 2

// Keys returns the table, and makes it where it is not there and make is set.
func (db *DB) Keys(ctx context.Context, make bool) (*Keys, error) {
	// Of its own: a key is made inside an update, which has a connection of the other pool already.
	options := db.Pool().Config()
	options.MaxConns, options.MinConns = keyConns, 0
	pool, err := pgxpool.NewWithConfig(ctx, options)
	if err != nil {
		return nil, err
	}
	k := &Keys{pool}
	if !make {
		return k, nil
	}
	_, err = k.pool.Exec(ctx, `CREATE SCHEMA IF NOT EXISTS mailkin_keys;
		CREATE TABLE IF NOT EXISTS mailkin_keys.keys (box bigint PRIMARY KEY, wrapped bytea NOT NULL)`)
	return k, explain(err)
}

// keyTime bounds a statement. It does not end with its caller: an update that was begun is carried through.
const keyTime = 10 * time.Second

func untilDone(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), keyTime)
}

// Key reads a key; nil: there never was one; empty: it was destroyed.
func (k *Keys) Key(ctx context.Context, num mailbox.Num) (wrapped []byte, err error) {
	ctx, stop := untilDone(ctx)
	defer stop()
	err = k.pool.QueryRow(ctx, `SELECT wrapped FROM mailkin_keys.keys WHERE box = $1`, int64(num)).Scan(&wrapped)
	if errors.Is(err, pgx.ErrNoRows) || code(err) == "42P01" {
		return nil, nil
	}
	return wrapped, explain(err)
}

// Keys lists the keys that are there, and those that were destroyed.
func (k *Keys) Keys(ctx context.Context) (there, destroyed []mailbox.Num, err error) {
	err = k.pool.QueryRow(ctx, `SELECT coalesce(array_agg(box) FILTER (WHERE wrapped <> ''), '{}'),
		coalesce(array_agg(box) FILTER (WHERE wrapped = ''), '{}') FROM mailkin_keys.keys WHERE box <> 0`).
		Scan(&there, &destroyed)
	if code(err) == "42P01" {
		err = nil
	}
	return there, destroyed, explain(err)
}

// AddKey stores a key where there is none: another node may have been faster.
func (k *Keys) AddKey(ctx context.Context, num mailbox.Num, wrapped []byte) error {
	ctx, stop := untilDone(ctx)
	defer stop()
	_, err := k.pool.Exec(ctx, `INSERT INTO mailkin_keys.keys VALUES ($1, $2) ON CONFLICT (box) DO NOTHING`,
		int64(num), wrapped)
	return explain(err)
}

// Shred overwrites a key with nothing, which notes that there was one.
func (k *Keys) Shred(ctx context.Context, num mailbox.Num) error {
	ctx, stop := untilDone(ctx)
	defer stop()
	_, err := k.pool.Exec(ctx, `UPDATE mailkin_keys.keys SET wrapped = '' WHERE box = $1`, int64(num))
	return explain(err)
}

// Close closes the connections.
func (k *Keys) Close() error {
	k.pool.Close()
	return nil
}
