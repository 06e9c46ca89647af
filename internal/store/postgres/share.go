package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/mailkin/mailkin/internal/store"
)

// A share of a work is leases: one of each node that takes part, which ends by itself and has the fence that is written
// under, and one of each partition, which names the node and lasts as long as that node's. The work as a whole is
// leased to all of them together, so that a node of a release that knows no partitions waits, and is waited for.

// together is who holds a work that is divided.
const together = "in partitions"

// member is the lease of a node that takes part in a work.
func member(what, holder string) string { return what + "@" + holder }

// Share is as store.Sharer has it.
func (l *Leases) Share(ctx context.Context, what, holder string, partitions int, ttl time.Duration) (share store.Share,
	err error) {
	ctx, cancel := context.WithTimeout(ctx, leasePatience)
	defer cancel()
	if _, ok, err := l.Lease(ctx, what, together, ttl); err != nil || !ok {
		return share, err
	}
	if _, ok, err := l.Lease(ctx, member(what, holder), holder, ttl); err != nil || !ok {
		return share, err
	}
	err = pgx.BeginFunc(ctx, l.pool, func(tx pgx.Tx) error {
		d := division{tx, what}
		if err := d.divide(ctx, partitions); err != nil {
			return err
		}
		share, err = d.of(ctx, holder)
		return err
	})
	if err != nil {
		return store.Share{}, fmt.Errorf("share %s: %w", what, explain(err))
	}
	return share, nil
}

// Unshare gives a share back: the next to ask divides it.
func (l *Leases) Unshare(ctx context.Context, what, holder string) error {
	return l.Unlease(ctx, member(what, holder), holder)
}

// division is the transaction that divides a work.
type division struct {
	tx   pgx.Tx
	what string
}

// divide gives each node its share, unless another node is doing so.
func (d division) divide(ctx context.Context, partitions int) error {
	var ours bool
	err := d.tx.QueryRow(ctx, `SELECT pg_try_advisory_xact_lock($1)`, advisory("share", []byte(d.what))).Scan(&ours)
	if err != nil || !ours {
		return err
	}
	nodes, err := d.nodes(ctx)
	if err != nil {
		return err
	}
	had, err := d.had(ctx, partitions)
	if err != nil {
		return err
	}
	var moved []int64
	var to []string
	free := map[string]bool{"": true}
	for p, node := range store.Divide(partitions, had, nodes) {
		from := had[p]
		if from == node {
			continue
		}
		if _, known := free[from]; !known {
			if free[from], err = d.fence(ctx, from); err != nil {
				return err
			}
		}
		if free[from] {
			moved, to = append(moved, int64(p)), append(to, node)
		}
	}
	if len(moved) == 0 {
		return nil
	}
	_, err = d.tx.Exec(ctx, `INSERT INTO leases (what, holder, until, fence)
		SELECT $1 || '/' || p, node, 'infinity', 1 FROM unnest($2::bigint[], $3::text[]) m (p, node)
		ON CONFLICT (what) DO UPDATE SET holder = excluded.holder`, d.what, moved, to)
	return err
}

// nodes are those that take part. Leases of those that have not for a day go.
func (d division) nodes(ctx context.Context) ([]string, error) {
	_, err := d.tx.Exec(ctx, `DELETE FROM leases WHERE starts_with(what, $1) AND until < clock_timestamp() - interval '1 day'`,
		member(d.what, ""))
	if err != nil {
		return nil, err
	}
	rows, err := d.tx.Query(ctx, `SELECT holder FROM leases WHERE starts_with(what, $1) AND until > clock_timestamp()`,
		member(d.what, ""))
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}

// had tells who has which partition, whether or not that node still takes part.
func (d division) had(ctx context.Context, partitions int) (map[int]string, error) {
	rows, err := d.tx.Query(ctx, `SELECT p, holder FROM generate_series(0, $2::int - 1) p JOIN leases ON what = $1 || '/' || p`,
		d.what, partitions)
	if err != nil {
		return nil, err
	}
	had := make(map[int]string, partitions)
	var p int
	var holder string
	_, err = pgx.ForEachRow(rows, []any{&p, &holder}, func() error {
		had[p] = holder
		return nil
	})
	return had, err
}

// fence raises the fence of a node that loses something of its share; false: it is writing under it now.
func (d division) fence(ctx context.Context, node string) (free bool, err error) {
	var there, raised bool
	err = d.tx.QueryRow(ctx, `WITH raised AS (UPDATE leases SET fence = fence + 1
			WHERE what = (SELECT what FROM leases WHERE what = $1 FOR UPDATE SKIP LOCKED) RETURNING 1)
		SELECT EXISTS (SELECT FROM leases WHERE what = $1), EXISTS (SELECT FROM raised)`,
		member(d.what, node)).Scan(&there, &raised)
	return raised || !there, err
}

// of reads the share of a node.
func (d division) of(ctx context.Context, holder string) (share store.Share, err error) {
	err = d.tx.QueryRow(ctx, `SELECT fence, ARRAY(SELECT substr(what, length($2) + 1)::int FROM leases
			WHERE holder = $3 AND starts_with(what, $2) ORDER BY 1) FROM leases WHERE what = $1`,
		member(d.what, holder), d.what+"/", holder).Scan(&share.Fence, &share.Partitions)
	share.Lease = member(d.what, holder)
	return share, err
}
