package sqlite

import "github.com/mailkin/mailkin/internal/store"

// Deleting a content writes more pages than storing it: what is left of its page is shared out among the neighbours,
// and the pages that it gives back are noted in three others. So contents of deleted messages are deleted together,
// when the index has forgotten the messages, or by the next scrub. Nobody can read them meanwhile, because their
// messages are gone (docs/decisions/0072-contents-are-deleted-together.md).

const (
	// laterMost is how many bytes a content has at most to be deleted with others. Of larger ones a thousand at once
	// would hold up the writer.
	laterMost = 8 << 10
	// contentStep is how many a scrub deletes in one transaction.
	contentStep = 500
)

// deleteContent deletes a content, unless it can wait for others: where the disk is nearly full, it is there to make
// room, and one with a blob says that this is in use.
func (q *queries) deleteContent(doc int64) error {
	most := int64(laterMost)
	if q.mostPages != noBound {
		most = -1
	}
	return q.sql(`DELETE FROM docs WHERE doc = ? AND (blob IS NOT NULL OR length(packed) > ?)`).int(doc).int(most).run()
}

const deletedContents = `SELECT f.n, f.doc FROM forgotten f JOIN docs d ON d.doc = f.doc
	WHERE f.n > ? ORDER BY f.n LIMIT ?`

// deleteContents deletes what waits for others, for the scrub that runs.
func (db *DB) deleteContents(q *queries) error {
	for last, full := int64(0), true; full; {
		var docs []int64
		err := q.sql(deletedContents).int(last).int(contentStep).each(func(r row) error {
			last, docs = r.Int(0), append(docs, r.Int(1))
			return nil
		})
		if err != nil || len(docs) == 0 {
			return err
		}
		full = len(docs) == contentStep
		err = db.Update(store.Background(db.stopped),
			func(tx store.Tx) error { return tx.(*queries).deleteDocs(docs) })
		if err != nil {
			return err
		}
	}
	return nil
}

// deleteDocs deletes docs without asking for another scrub.
func (q *queries) deleteDocs(docs []int64) error {
	erased := q.erased
	for _, doc := range docs {
		if err := q.sql(`DELETE FROM docs WHERE doc = ?`).int(doc).run(); err != nil {
			return err
		}
	}
	q.erased = erased
	return nil
}
