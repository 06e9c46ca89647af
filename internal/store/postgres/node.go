package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

var _ store.Roster = (*DB)(nil)

// nodePatience is the deadline of a question about nodes.
const nodePatience = 5 * time.Second

// SeeNode is as store.Roster has it.
func (db *DB) SeeNode(ctx context.Context, n mailbox.Node) error {
	ctx, cancel := context.WithTimeout(ctx, nodePatience)
	defer cancel()
	var both pgx.Batch
	both.Queue(`INSERT INTO nodes (name, version, started_at, seen_at) VALUES ($1, $2, $3, clock_timestamp())
		ON CONFLICT (name) DO UPDATE SET version = excluded.version, started_at = excluded.started_at,
		seen_at = excluded.seen_at`, n.Name, n.Version, n.Started)
	both.Queue(`DELETE FROM nodes WHERE seen_at < clock_timestamp() - interval '1 day'`)
	if err := db.pool.SendBatch(ctx, &both).Close(); err != nil {
		return fmt.Errorf("note that node %s is there: %w", n.Name, explain(err))
	}
	return nil
}

// LeaveNode is as store.Roster has it.
func (db *DB) LeaveNode(ctx context.Context, name string) error {
	ctx, cancel := context.WithTimeout(ctx, nodePatience)
	defer cancel()
	if _, err := db.pool.Exec(ctx, `DELETE FROM nodes WHERE name = $1`, name); err != nil {
		return fmt.Errorf("forget node %s: %w", name, explain(err))
	}
	return nil
}

// Nodes is as store.Roster has it.
func (db *DB) Nodes(ctx context.Context, limit int) ([]mailbox.Node, error) {
	ctx, cancel := context.WithTimeout(ctx, nodePatience)
	defer cancel()
	rows, err := db.pool.Query(ctx, `SELECT name, version, started_at, seen_at FROM nodes ORDER BY seen_at DESC, name
		LIMIT $1`, limit)
	if err != nil {
		return nil, fmt.Errorf("list nodes: %w", explain(err))
	}
	return pgx.CollectRows(rows, func(r pgx.CollectableRow) (n mailbox.Node, err error) {
		err = r.Scan(&n.Name, &n.Version, &n.Started, &n.Seen)
		return n, err
	})
}
