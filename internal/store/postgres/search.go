package postgres

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/store/rows"
)

// A place is the number of the transaction, lifted by a base, with a number within the transaction below it.
// Transactions get their numbers in one order and end in another; but the server knows the lowest that has not ended
// yet, and what is below that is complete.

// placeEnd is the first place that may still be given.
const placeEnd = `(((SELECT base FROM places) + pg_snapshot_xmin(pg_current_snapshot())::text::bigint) << 20)`

// place returns the place of the message that is stored next, or the number of what is noted next.
func (q *queries) place() int64 {
	q.askTicket()
	if q.places++; q.places >= placesMost && q.failed == nil {
		q.failed = errors.New("too many messages in one update")
	}
	return (q.ticket.base+q.ticket.number)<<20 | q.places
}

// placesMost is how many numbers there is room for.
const placesMost = 1 << 20

// toIndex asks tables, each of which has an index of its places: that of all messages, or some of its partitions.
func toIndex(tables ...string) string {
	asked := make([]string, len(tables))
	for i, table := range tables {
		asked[i] = fmt.Sprintf(`(SELECT place, box, seq FROM %s WHERE place > $%d AND place < %s ORDER BY place LIMIT $1)`,
			table, i+2, placeEnd)
	}
	if len(asked) == 1 {
		return asked[0]
	}
	return strings.Join(asked, ` UNION ALL `) + ` ORDER BY place`
}

func (q *queries) ToIndex(_ context.Context, after store.Places, limit int) ([]store.IndexWork, error) {
	partitions, tables := []int{0}, []string{"messages"}
	if q.db.partitions > 0 {
		partitions, tables = slices.Sorted(maps.Keys(after)), nil
		partitions = slices.DeleteFunc(partitions, func(p int) bool { return p >= q.db.partitions })
		for _, p := range partitions {
			tables = append(tables, fmt.Sprint("messages_", p))
		}
	}
	if len(tables) == 0 {
		return nil, nil
	}
	s := q.sql(toIndex(tables...)).int(int64(limit))
	for _, p := range partitions {
		s.int(after[p])
	}
	return all(s, func(r row) store.IndexWork {
		return store.IndexWork{Place: r.Int(0), Mailbox: r.Num(1), Seq: r.Int(2)}
	})
}

// notIndexed goes back from a Seq. Places need not grow with Seq, but the highest so far does.
const notIndexed = `SELECT ` + messageColumns + `, place, top FROM messages WHERE box = $1 AND seq < $2 ORDER BY seq DESC LIMIT $3`

// NotIndexed goes back from the mailbox's newest message, until it and all before it are indexed.
func (q *queries) NotIndexed(_ context.Context, num mailbox.Num, after int64, limit int) (list []mailbox.Message,
	err error) {
	q.lock(num)
	high := rows.Below(0)
	for page := 8; len(list) < limit; page = min(8*page, 512) {
		n, indexed := 0, false
		err = q.sql(notIndexed).num(num).int(high).int(int64(page)).each(func(r row) error {
			n++
			high = r.Int(1)
			indexed = indexed || r.Int(messageWidth+1) <= after
			if r.Int(messageWidth) > after && len(list) < limit {
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
	q.lock(num)
	return all(q.sql(`SELECT `+messageColumns+` FROM messages WHERE box = $1 AND seq = ANY($2)`).num(num).ints(
		seqs), scanMessage)
}

func (q *queries) Times(_ context.Context, num mailbox.Num, seqs ...int64) (map[int64]time.Time, error) {
	q.lock(num)
	times := make(map[int64]time.Time, len(seqs))
	err := q.sql(`SELECT seq, received_at FROM messages WHERE box = $1 AND seq = ANY($2)`).num(num).ints(seqs).
		each(func(r row) error { times[r.Int(0)] = r.Time(1); return nil })
	return times, err
}

func (q *queries) Contents(_ context.Context, num mailbox.Num, seqs ...int64) (map[int64]store.Content, error) {
	q.lock(num)
	contents := make(map[int64]store.Content, len(seqs))
	err := q.sql(`SELECT seq, blob, packed FROM docs WHERE box = $1 AND seq = ANY($2)`).num(num).ints(seqs).
		each(func(r row) error { contents[r.Int(0)] = store.Content{Blob: r.Text(1), Packed: r.Blob(2)}; return nil })
	return contents, err
}

const toForget = `SELECT n, box, seq FROM forgotten WHERE n > $1 AND n < ` + placeEnd + ` ORDER BY n LIMIT $2`

func (q *queries) Forgotten(_ context.Context, after int64, limit int) ([]store.Forgotten, error) {
	return all(q.sql(toForget).int(after).int(int64(limit)), rows.Forgotten)
}

// Forgot keeps the highest number: after a restore of a dump in which nothing is left of it, later ones must still be
// higher.
func (q *queries) Forgot(_ context.Context, numbers ...int64) error {
	if len(numbers) == 0 {
		return nil
	}
	if err := q.sql(`DELETE FROM forgotten WHERE n = ANY($1)`).ints(numbers).run(); err != nil {
		return err
	}
	return q.sql(`UPDATE places SET seen = greatest(seen, $1)`).int(numbers[len(numbers)-1]).run()
}

// forget notes that the index is to forget a message, or with seq 0 a mailbox.
func (q *queries) forget(num mailbox.Num, seq int64) error {
	return q.sql(`INSERT INTO forgotten (n, box, seq) VALUES ($1, $2, $3)`).int(q.place()).num(num).int(
		seq).run()
}

// liftPlaces raises the base where the server's transactions have lower numbers than places that were given: the
// database was brought here from another server. What had a place and is gone is not known to the last: hence the
// distance.
func (db *DB) liftPlaces(ctx context.Context) error {
	return pgx.BeginFunc(ctx, db.pool, func(tx pgx.Tx) error {
		if err := lockTables(ctx, tx); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, `UPDATE places SET base = (given.high >> 20) + `+strconv.Itoa(placeDistance)+
			` - given.next
			FROM (SELECT greatest((SELECT max(place) FROM messages), (SELECT max(n) FROM forgotten), (SELECT seen FROM places)) AS high,
				pg_snapshot_xmax(pg_current_snapshot())::text::bigint AS next) given
			WHERE (base + given.next) << 20 <= given.high`)
		return err
	})
}

// placeDistance is more transactions than can be under way at once.
const placeDistance = 1 << 22
