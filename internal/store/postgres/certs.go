package postgres

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Certs is a table of small values under paths, for certificates that nodes share. It knows nothing of what is in it;
// locks are the leases that other work of nodes has too.
type Certs struct {
	*Leases
	pool *pgxpool.Pool
}

// NewCerts returns the certificates of a migrated database.
func NewCerts(pool *pgxpool.Pool) *Certs { return &Certs{Leases: NewLeases(pool), pool: pool} }

// certPatience is the deadline of a question.
const certPatience = 10 * time.Second

// under are the keys below a path, which is $1: '0' is the character after '/'.
const under = `key >= $1 || '/' AND key < $1 || '0'`

// Load returns a value, or fs.ErrNotExist.
func (c *Certs) Load(ctx context.Context, key string) (value []byte, err error) {
	err = c.one(ctx, key, `SELECT value FROM certs WHERE key = $1`, &value)
	return value, err
}

// Stat returns the length of a value and when it was stored, or fs.ErrNotExist.
func (c *Certs) Stat(ctx context.Context, key string) (size int64, changed time.Time, err error) {
	err = c.one(ctx, key, `SELECT length(value), changed FROM certs WHERE key = $1`, &size, &changed)
	return size, changed, err
}

func (c *Certs) one(ctx context.Context, key, sql string, into ...any) error {
	ctx, cancel := context.WithTimeout(ctx, certPatience)
	defer cancel()
	err := c.pool.QueryRow(ctx, sql, key).Scan(into...)
	if errors.Is(err, pgx.ErrNoRows) {
		err = fs.ErrNotExist
	}
	if err != nil {
		return fmt.Errorf("certificates, %s: %w", key, explain(err))
	}
	return nil
}

// Store puts a value in the place of what was there.
func (c *Certs) Store(ctx context.Context, key string, value []byte) error {
	return c.exec(ctx, key, `INSERT INTO certs VALUES ($1, $2, clock_timestamp())
		ON CONFLICT (key) DO UPDATE SET value = excluded.value, changed = excluded.changed`, key, value)
}

// Delete removes the key and every key under it.
func (c *Certs) Delete(ctx context.Context, key string) error {
	return c.exec(ctx, key, `DELETE FROM certs WHERE key = $1 OR `+under, key)
}

func (c *Certs) exec(ctx context.Context, key, sql string, args ...any) error {
	ctx, cancel := context.WithTimeout(ctx, certPatience)
	defer cancel()
	if _, err := c.pool.Exec(ctx, sql, args...); err != nil {
		return fmt.Errorf("certificates, change %s: %w", key, explain(err))
	}
	return nil
}

// List returns every key under the prefix, sorted.
func (c *Certs) List(ctx context.Context, prefix string) ([]string, error) {
	ctx, cancel := context.WithTimeout(ctx, certPatience)
	defer cancel()
	rows, err := c.pool.Query(ctx, `SELECT key FROM certs WHERE $1 = '' OR `+under+` ORDER BY key`, prefix)
	if err != nil {
		return nil, fmt.Errorf("certificates, list %s: %w", prefix, explain(err))
	}
	keys, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return nil, fmt.Errorf("certificates, list %s: %w", prefix, explain(err))
	}
	return keys, nil
}
