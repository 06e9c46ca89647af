package index

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/search/meaning"
	"github.com/mailkin/mailkin/internal/store"
)

// sketches are records that searches made a moment ago, until they are in the index: searches of one mailbox at the
// same time need the same ones.
type sketches struct {
	mu   sync.Mutex
	made map[freshKey][]byte // nil where a message has none
}

// sketchesMost is how many are remembered: they take up to 2 KB each.
const sketchesMost = 1000

func (k *sketches) find(key freshKey) (record []byte, ok bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	record, ok = k.made[key]
	return record, ok
}

func (k *sketches) keep(key freshKey, record []byte) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.made == nil || len(k.made) >= sketchesMost {
		k.made = make(map[freshKey][]byte)
	}
	k.made[key] = record
}

// recent lists the newest messages.
func (ix *Index) recent(ctx context.Context, num mailbox.Num) (rows []mailbox.Message, err error) {
	err = ix.opt.Store.Ask(ctx, func(r store.Reader) (err error) {
		rows, err = r.Messages(ctx, num, store.MessageFilter{Limit: embedRecent})
		return err
	})
	return rows, err
}

// missesVectors tells whether so many messages of a mailbox wait for vectors that the newest are not all of them.
func (ix *Index) missesVectors(ctx context.Context, num mailbox.Num) (misses bool, err error) {
	place, model, err := ix.opt.Index.VectorPlace(ctx)
	if err != nil {
		return false, err
	}
	if model != ix.opt.Encoder.Model() {
		place = 0
	}
	err = ix.opt.Store.Ask(ctx, func(r store.Reader) error {
		waiting, err := r.NotIndexed(ctx, num, place, embedRecent+1)
		misses = len(waiting) > embedRecent
		return err
	})
	return misses, err
}

// nearNew adds messages that have no vector yet: those whose records were made a moment ago, and a few more. It makes
// none while much comes in, nor where so many are missing that a few would take their time and be of little use, unless
// nothing else finds them. It returns those that are left; they get their vectors after the search.
func (ix *Index) nearNew(ctx context.Context, num mailbox.Num, rows []mailbox.Message, find *meaning.Finder,
	alone bool) []mailbox.Message {
	most, budget := embedNow, embedNowTime
	switch pressed := ix.opt.Pressure.high(time.Now()); {
	case pressed && !alone:
		most = 0
	case pressed:
		most = embedPressed
	}
	if alone {
		budget = embedAloneTime
	}
	rows = ix.addSketches(num, rows, find)
	if len(rows) == 0 || most == 0 || len(rows) > most && !alone {
		return rows
	}
	until := time.Now().Add(budget)
	if _, here := ix.opt.Encoder.(CloseEncoder); here {
		wait := time.NewTimer(budget)
		defer wait.Stop()
		select { // searches make them one after the other: a search that waited finds them made
		case ix.sketching <- struct{}{}:
			defer func() { <-ix.sketching }()
		case <-wait.C:
			return rows
		case <-ctx.Done():
			return rows
		}
		rows = ix.addSketches(num, rows, find)
	}
	now := rows[:min(most, len(rows))]
	made := ix.sketch(ctx, num, now, find, until)
	return rows[made:]
}

// addSketches adds the messages whose records were made a moment ago, and returns the others.
func (ix *Index) addSketches(num mailbox.Num, rows []mailbox.Message, find *meaning.Finder) (others []mailbox.Message) {
	for _, m := range rows {
		if record, ok := ix.sketches.find(freshKey{num, m.Seq}); ok {
			find.Add(uint64(m.Seq), record)
		} else {
			others = append(others, m)
		}
	}
	return others
}

// sketch makes the records of messages until a time, and has them stored after the search. It tells how many it made.
func (ix *Index) sketch(ctx context.Context, num mailbox.Num, rows []mailbox.Message, find *meaning.Finder,
	until time.Time) int {
	var work []store.IndexWork
	var made [][]byte
	for _, m := range rows {
		one := []store.IndexWork{{Mailbox: num, Seq: m.Seq}}
		records, err := ix.records(ctx, one)
		if err != nil {
			break // it is made in the background
		}
		ix.sketches.keep(freshKey{num, m.Seq}, records[0])
		find.Add(uint64(m.Seq), records[0])
		work, made = append(work, one...), append(made, records[0])
		if time.Now().After(until) {
			break
		}
	}
	if len(work) > 0 {
		ix.inBackground("keep vectors of messages", func(tx store.IndexTx) error { return putRecords(tx, work, made) },
			func() {})
	}
	return len(work)
}

// makeSoon makes the records that a search went without, after it. One mailbox at a time: what else is asked for
// meanwhile is asked for again by its next search.
func (ix *Index) makeSoon(num mailbox.Num, rows []mailbox.Message) {
	if len(rows) == 0 || ix.opt.Disk.Spare() == 0 || ix.opt.Pressure.high(time.Now()) {
		return
	}
	select {
	case ix.embedSoon <- struct{}{}:
	default:
		return
	}
	ix.looks.Go(func() {
		defer func() { <-ix.embedSoon }()
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		for page := range slices.Chunk(rows, embedBatch) {
			began := time.Now()
			if err := ix.embedRows(ctx, num, page); err != nil {
				ix.opt.Log.Debug("make vectors after a search", "error", err) // the worker does it again, and says so
				return
			}
			pause := time.NewTimer(time.Since(began)) // half a core at most
			select {
			case <-pause.C:
			case <-ix.opt.Leaving:
				pause.Stop()
				return
			}
		}
	})
}

// embedRows makes the records of messages and stores them.
func (ix *Index) embedRows(ctx context.Context, num mailbox.Num, rows []mailbox.Message) error {
	work := make([]store.IndexWork, len(rows))
	for i, m := range rows {
		work[i] = store.IndexWork{Mailbox: num, Seq: m.Seq}
	}
	records, err := ix.records(ctx, work)
	if err != nil {
		return err
	}
	for i, w := range work {
		ix.sketches.keep(freshKey{num, w.Seq}, records[i])
	}
	return ix.opt.Index.Update(ctx, func(tx store.IndexTx) error { return putRecords(tx, work, records) })
}
