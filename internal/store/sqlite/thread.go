package sqlite

import (
	"bytes"
	"context"
	"errors"
	"slices"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/store/rows"
)

func (q *queries) Threads(ctx context.Context, num mailbox.Num, f store.ThreadFilter) ([]mailbox.Thread, error) {
	low, high := span(num, f.Before)
	var list []mailbox.Thread
	err := q.sql(`SELECT ` + messageColumns + ` FROM messages WHERE pk BETWEEN ? AND ? AND older = 0
		ORDER BY pk DESC LIMIT ? OFFSET ?`).int(low).int(high).int(int64(f.Limit)).int(int64(f.Offset)).
		each(func(r row) error {
			m := scanMessage(r)
			t := rows.Thread(m)
			if r.Null(2) {
				t.ID = m.ID
			} else {
				t.Count = 0 // counted below, when this statement is done
			}
			list = append(list, t)
			return nil
		})
	for i := range list {
		if err == nil && list[i].Count == 0 {
			err = q.summarize(&list[i])
		}
	}
	return list, err
}

// summarize fills a thread's list row from its messages.
func (q *queries) summarize(t *mailbox.Thread) error {
	err := q.sql(`SELECT count(*) FROM messages WHERE thread = ?`).id(t.ID).one(func(r row) { t.Count = int(r.Int(0)) })
	if err != nil {
		return err
	}
	t.Participants, t.Labels = nil, nil
	return q.sql(`SELECT ` + messageColumns + ` FROM messages WHERE thread = ? ORDER BY pk DESC LIMIT ?`).id(
		t.ID).int(rows.ThreadSample).
		each(func(r row) error {
			rows.AddToThread(t, scanMessage(r))
			return nil
		})
}

func (q *queries) ThreadID(ctx context.Context, num mailbox.Num, id mailbox.ID) (mailbox.ID, mailbox.Num, error) {
	current := id
	err := q.sql(`SELECT into_id FROM merged WHERE id = ?`).id(id).one(func(r row) { current = r.ID(0) })
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return mailbox.ID{}, 0, err
	}
	var box mailbox.Num
	err = q.sql(`SELECT pk FROM messages WHERE thread = ?1 UNION ALL SELECT pk FROM messages WHERE id = ?1 AND thread IS NULL LIMIT 1`).
		id(current).one(func(r row) { box, _ = unpack(r.Int(0)) })
	if err == nil && num != 0 && box != num {
		err = store.ErrNotFound
	}
	return current, box, err
}

func (q *queries) Conversation(_ context.Context, num mailbox.Num, thread mailbox.ID, after int64,
	limit int) (list []mailbox.Message, err error) {
	scan := func(r row) error { list = append(list, scanMessage(r)); return nil }
	low, high := keysAfter(num, after)
	err = q.sql(`SELECT ` + messageColumns + ` FROM messages WHERE thread = ? AND pk > ? AND pk <= ? ORDER BY pk LIMIT ?`).
		id(thread).int(low).int(high).int(int64(limit)).each(scan)
	if err == nil && len(list) == 0 {
		err = q.sql(`SELECT ` + messageColumns + ` FROM messages WHERE id = ? AND thread IS NULL AND pk > ? AND pk <= ?`).
			id(thread).int(low).int(high).each(scan)
	}
	return list, err
}

func (q *queries) Related(_ context.Context, num mailbox.Num, messageIDs []string) (list []mailbox.ID, err error) {
	for _, id := range messageIDs {
		// All messages that have or answer one Message-ID are in one thread already, so the first will do.
		err := q.sql(`SELECT coalesce(m.thread, m.id) FROM refs r JOIN messages m ON m.pk = r.box << 32 | r.seq
			WHERE r.box = ? AND r.hash = ? LIMIT 1`).num(num).int(rows.MessageIDHash(id)).
			each(func(r row) error {
				if t := r.ID(0); !slices.Contains(list, t) {
					list = append(list, t)
				}
				return nil
			})
		if err != nil {
			return nil, err
		}
	}
	slices.SortFunc(list, func(a, b mailbox.ID) int { return bytes.Compare(a[:], b[:]) })
	return list, nil
}

func (q *queries) Answers(_ context.Context, m mailbox.Message, messageIDs []string) error {
	for _, id := range messageIDs {
		if err := q.insertRef(m, id, false); err != nil {
			return err
		}
	}
	return nil
}

func (q *queries) Join(_ context.Context, m *mailbox.Message, thread mailbox.ID) error {
	m.Thread = thread
	if err := q.adopt(thread); err != nil {
		return err
	}
	newest, err := q.newest(thread)
	if err != nil {
		return err
	}
	pk := pack(m.Mailbox, m.Seq)
	if err := q.sql(`UPDATE messages SET thread = ? WHERE pk = ?`).id(thread).int(pk).run(); err != nil {
		return err
	}
	return q.retire(min(newest, pk))
}

func (q *queries) Merge(_ context.Context, num mailbox.Num, from, into mailbox.ID) error {
	var newest [2]int64
	for i, thread := range []mailbox.ID{from, into} {
		err := q.adopt(thread)
		if err == nil {
			newest[i], err = q.newest(thread)
		}
		if err != nil {
			return err
		}
	}
	err := q.sql(`UPDATE messages SET thread = ?1 WHERE thread = ?2`).id(into).id(from).run()
	if err == nil {
		err = q.sql(`UPDATE merged SET into_id = ?1 WHERE into_id = ?2`).id(into).id(from).run()
	}
	if err == nil {
		err = q.sql(`INSERT OR REPLACE INTO merged (id, box, into_id) VALUES (?,?,?)`).id(from).num(num).id(
			into).run()
	}
	if err != nil {
		return err
	}
	return q.retire(min(newest[0], newest[1]))
}

// newest is the key of a thread's newest message.
func (q *queries) newest(thread mailbox.ID) (pk int64, err error) {
	return one(q.sql(`SELECT pk FROM messages WHERE thread = ? ORDER BY pk DESC LIMIT 1`).id(thread), rows.Int)
}

// retire marks a message as no longer the newest of its thread.
func (q *queries) retire(pk int64) error {
	return q.sql(`UPDATE messages SET older = 1 WHERE pk = ?`).int(pk).run()
}

// adopt makes a thread of a message that was alone, so that others can join it.
func (q *queries) adopt(thread mailbox.ID) error {
	return q.sql(`UPDATE messages SET thread = ?1 WHERE id = ?1 AND thread IS NULL`).id(thread).run()
}

// leaveThread hands a thread's place in the list to its next newest message before the newest one is deleted.
func (q *queries) leaveThread(pk int64) error {
	return q.sql(`UPDATE messages SET older = 0 WHERE pk = (SELECT max(o.pk) FROM messages m JOIN messages o
		ON o.thread = m.thread AND o.pk < m.pk WHERE m.pk = ?1 AND m.older = 0)`).int(pk).run()
}
