package move

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"sync"

	"github.com/mailkin/mailkin/internal/store/sqlite"
)

// errDiffers is that what was copied is not what was there.
var errDiffers = errors.New("the copy differs from the data folder")

// compare reads both sides again and wants every table to have the same rows in both, and every mailbox as many.
func (m *move) compare(ctx context.Context) error {
	done := int64(0)
	for _, t := range sqlite.Tables() {
		here, there, err := m.sums(ctx, t, &done)
		if err != nil {
			return err
		}
		if !here.same(there) {
			return fmt.Errorf("%w: table %s, %d rows there and %d in the copy", errDiffers, t.Name, here.rows,
				there.rows)
		}
		if t.OfMailboxes() {
			err = m.compareMailboxes(ctx, t)
		} else {
			err = m.compareCounts(ctx, t)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// sums adds up a table on both sides at the same time.
func (m *move) sums(ctx context.Context, t sqlite.Table, done *int64) (here, there *tableSum, err error) {
	here, there = &tableSum{}, &tableSum{}
	var reading sync.WaitGroup
	var hereErr error
	reading.Go(func() {
		hereErr = m.snap.Rows(t, nil, func(_, row []any) error {
			here.add(row)
			return ctx.Err()
		})
	})
	thereErr := m.to.Rows(ctx, t.Name, t.Columns(), func(row []any) error {
		there.add(row)
		*done++
		m.progress(Checking, t.Name, *done, m.done.Rows)
		return nil
	})
	reading.Wait()
	return here, there, errors.Join(hereErr, thereErr)
}

// compareMailboxes goes through the mailboxes of both sides in their order. This does not go by the keys that copying
// went by.
func (m *move) compareMailboxes(ctx context.Context, t sqlite.Table) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var thereErr error
	there := func(yield func(box, rows int64) bool) {
		thereErr = m.to.CountByMailbox(ctx, t.Name, func(box, rows int64) error {
			if !yield(box, rows) {
				return errEnough
			}
			return nil
		})
	}
	next, stop := iter.Pull2(there)
	defer stop()
	err := m.snap.CountByMailbox(t, func(box, rows int64) error {
		if b, n, ok := next(); !ok || b != box || n != rows {
			return fmt.Errorf("%w: table %s, mailbox %d", errDiffers, t.Name, box)
		}
		return ctx.Err()
	})
	if err == nil {
		if box, _, more := next(); more {
			err = fmt.Errorf("%w: table %s, mailbox %d", errDiffers, t.Name, box)
		}
	}
	stop()
	if thereErr != nil && !errors.Is(thereErr, errEnough) {
		return thereErr
	}
	return err
}

func (m *move) compareCounts(ctx context.Context, t sqlite.Table) error {
	here, err := m.snap.Count(t)
	if err != nil {
		return err
	}
	there, err := m.to.Count(ctx, t.Name)
	if err == nil && here != there {
		err = fmt.Errorf("%w: table %s, %d rows there and %d in the copy", errDiffers, t.Name, here, there)
	}
	return err
}
