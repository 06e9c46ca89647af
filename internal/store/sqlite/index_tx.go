package sqlite

import (
	"context"
	"errors"
	"os"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/store/blockcache"
)

// Update runs fn in a transaction. One after the other: there is one indexer.
func (x *Index) Update(ctx context.Context, fn func(store.IndexTx) error) error {
	select {
	case x.writing <- struct{}{}:
		defer func() { <-x.writing }()
	case <-ctx.Done():
		return ctx.Err()
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	q, _, err := x.ready()
	if err != nil {
		return err
	}
	gone := deleted{segments: make(map[int64]bool), boxes: make(map[mailbox.Num]bool)}
	if err = q.sql(`BEGIN IMMEDIATE`).run(); err == nil {
		if err = x.disk.bound(q, reserve); err == nil {
			err = fn(indexTx{q, &gone})
		}
		if err == nil && x.disk.free > plentyDisk {
			err = q.keepFew()
		}
		var pages int64
		if err == nil {
			pages, err = x.disk.count(q)
		}
		if err == nil {
			err = q.sql(`COMMIT`).run()
		}
		if err != nil {
			_ = q.sql(`ROLLBACK`).run() // the error is the first one
		} else {
			x.disk.pages.Store(pages)
		}
	}
	if isBroken(err) || unreadable(err) {
		x.reopen(err)
	}
	if err == nil && len(gone.segments)+len(gone.boxes) > 0 {
		x.cache.Load().Forget(func(k blockcache.Key) bool { return gone.segments[k.Segment] || gone.boxes[k.Mailbox] })
	}
	if err == nil && gone.durable {
		err = x.sync()
	}
	if err == nil && x.disk.news && x.logIsLong() {
		x.disk.restartLog(q, "TRUNCATE", restartWait) // where a reader is in the way, the next update does it
	}
	return explain(err)
}

// sync makes what was committed durable. Whoever has told the index to forget a message forgets that when it returns,
// so it must not be lost: it would not be made again.
func (x *Index) sync() error {
	log, err := os.OpenFile(x.path+"-wal", os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(log.Sync(), log.Close())
}

type indexTx struct {
	q    *queries
	gone *deleted
}

// deleted is what an update deletes.
type deleted struct {
	segments map[int64]bool
	boxes    map[mailbox.Num]bool
	durable  bool // messages or mailboxes, which must not come back; or more is asked for
}

func (t indexTx) Durable() { t.gone.durable = true }

func (t indexTx) SetPlace(_ int, place int64) error {
	return t.q.sql(`UPDATE progress SET place = ?`).int(place).run()
}

func (t indexTx) NewSegment() (id int64, err error) {
	if err := t.q.sql(`UPDATE progress SET segment = segment + 1`).run(); err != nil {
		return 0, err
	}
	err = t.q.sql(`SELECT segment FROM progress`).one(func(r row) { id = r.Int(0) })
	return id, err
}

func (t indexTx) PutBlock(num mailbox.Num, segment int64, n int, data []byte) error {
	return t.q.sql(`INSERT INTO blocks (box, segment, n, data) VALUES (?,?,?,?)`).num(num).int(segment).int(
		int64(n)).blob(data).run()
}

func (t indexTx) PutSegment(s store.Segment) error {
	err := t.q.sql(`INSERT INTO segments (box, id, docs, blocks, min_seq, max_seq, bytes) VALUES (?,?,?,?,?,?,?)`).
		num(s.Mailbox).int(s.ID).int(int64(s.Docs)).int(int64(s.Blocks)).int(s.MinSeq).int(s.MaxSeq).int(
		s.Bytes).run()
	if err != nil {
		return err
	}
	return t.q.sql(`INSERT OR IGNORE INTO unmerged VALUES (?)`).num(s.Mailbox).run()
}

func (t indexTx) DeleteSegment(num mailbox.Num, segment int64) error {
	t.gone.segments[segment] = true
	if err := t.q.sql(`DELETE FROM segments WHERE box = ? AND id = ?`).num(num).int(segment).run(); err != nil {
		return err
	}
	return t.q.sql(`DELETE FROM blocks WHERE box = ? AND segment = ?`).num(num).int(segment).run()
}

func (t indexTx) Drop(num mailbox.Num, seq int64) error {
	t.gone.durable = true
	if seq != 0 {
		if err := t.q.sql(`INSERT OR IGNORE INTO dropped VALUES (?, ?)`).num(num).int(seq).run(); err != nil {
			return err
		}
		if err := t.q.sql(`DELETE FROM vectors WHERE box = ? AND seq = ?`).num(num).int(seq).run(); err != nil {
			return err
		}
		return t.q.sql(`INSERT OR IGNORE INTO unmerged VALUES (?)`).num(num).run()
	}
	t.gone.boxes[num] = true
	for _, sql := range []string{`DELETE FROM vectors WHERE box = ?`, `DELETE FROM asked WHERE box = ?`,
		`DELETE FROM segments WHERE box = ?`,
		`DELETE FROM blocks WHERE box = ?`, `DELETE FROM dropped WHERE box = ?`, `DELETE FROM unmerged WHERE box = ?`,
		`DELETE FROM renewals WHERE box = ?`} {
		if err := t.q.sql(sql).num(num).run(); err != nil {
			return err
		}
	}
	return nil
}

func (t indexTx) Undrop(num mailbox.Num, seqs []int64) error {
	for _, seq := range seqs {
		if err := t.q.sql(`DELETE FROM dropped WHERE box = ? AND seq = ?`).num(num).int(seq).run(); err != nil {
			return err
		}
	}
	return nil
}

func (t indexTx) Merged(num mailbox.Num) error {
	return t.q.sql(`DELETE FROM unmerged WHERE box = ?`).num(num).run()
}

func (t indexTx) SetVectorPlace(place int64, model string) error {
	var old string
	if err := t.q.sql(`SELECT model FROM vector_progress`).one(func(r row) { old = r.Text(0) }); err != nil {
		return err
	}
	if old != model {
		if err := t.q.sql(`DELETE FROM vectors`).run(); err != nil {
			return err
		}
	}
	return t.q.sql(`UPDATE vector_progress SET place = ?, model = ?`).int(place).text(model).run()
}

func (t indexTx) PutVector(num mailbox.Num, seq int64, vector []byte) error {
	return t.q.sql(`INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)`).num(num).int(seq).blob(vector).run()
}

func (t indexTx) Ask(num mailbox.Num, at time.Time) error {
	return t.q.sql(`INSERT OR REPLACE INTO asked VALUES (?, ?)`).num(num).time(at).run()
}

func (t indexTx) Renew(num mailbox.Num) error {
	return t.q.sql(`INSERT OR IGNORE INTO renewals VALUES (?)`).num(num).run()
}

func (t indexTx) Renewed(num mailbox.Num) error {
	if err := t.q.sql(`DELETE FROM renewals WHERE box = ?`).num(num).run(); err != nil {
		return err
	}
	return t.q.sql(`DELETE FROM blocks WHERE box = ?1 AND segment NOT IN (SELECT id FROM segments WHERE box = ?1)`).
		num(num).run()
}
