package sqlite

import (
	"context"
	"errors"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

// numbering is how a mailbox numbers its events: an event's number is its Seq and a base, which a restore raises. Seqs
// themselves do not jump: 32 bits are not enough for milliseconds.
type numbering struct {
	base, seq int64        // of the newest event
	former    []formerBase // oldest first
}

// formerBase is the base of events up to a Seq.
type formerBase struct{ seq, base int64 }

// of is the number of an event.
func (n numbering) of(seq int64) int64 {
	for _, f := range n.former {
		if seq <= f.seq {
			return f.base + seq
		}
	}
	return n.base + seq
}

// seqAt is the highest Seq whose number is not above this one.
func (n numbering) seqAt(number int64) int64 {
	least := int64(0)
	for _, f := range n.former {
		if number <= f.base+f.seq {
			return max(least, max(number, f.base)-f.base)
		}
		least = f.seq
	}
	return max(least, max(number, n.base)-n.base)
}

func (q *queries) numbers(num mailbox.Num) (n numbering, err error) {
	raised := false
	err = q.sql(`SELECT event_base, seq, EXISTS (SELECT 1 FROM bases WHERE bases.box = ?1) FROM counters WHERE box = ?1`).
		num(num).
		one(func(r row) { n.base, n.seq, raised = r.Int(0), r.Int(1), r.Bool(2) })
	if err != nil || !raised {
		return n, err
	}
	err = q.sql(`SELECT seq, base FROM bases WHERE box = ? ORDER BY seq`).num(num).each(func(r row) error {
		n.former = append(n.former, formerBase{r.Int(0), r.Int(1)})
		return nil
	})
	return n, err
}

// raiseNumbers has every mailbox go on numbering at a time, in milliseconds. No number is lowered.
var raiseNumbers = []string{
	`INSERT OR IGNORE INTO bases (box, seq, base) SELECT box, seq, event_base FROM counters WHERE event_base + seq < ?1 - 1 AND seq > 0`,
	`UPDATE counters SET event_base = ?1 - 1 - seq WHERE event_base + seq < ?1 - 1`,
	`UPDATE gone SET number = max(number, ?1)`,
}

// Restored readies a store that was restored from a backup: what it gave out after the backup must not be given out
// again. It brings the tables up to date as well.
func Restored(ctx context.Context, path string, at time.Time, deleted ...mailbox.Num) error {
	db, err := Open(path)
	if err != nil {
		return err
	}
	err = db.Update(ctx, func(tx store.Tx) error {
		for _, sql := range raiseNumbers {
			if err := tx.(*queries).sql(sql).time(at).run(); err != nil {
				return err
			}
		}
		for _, num := range deleted {
			_, err := tx.Mailbox(ctx, num)
			if err == nil {
				err = tx.RemoveMailbox(ctx, num)
			}
			if err != nil && !errors.Is(err, store.ErrNotFound) {
				return err
			}
		}
		return nil
	})
	if closing := db.Close(); err == nil {
		err = closing
	}
	return err
}
