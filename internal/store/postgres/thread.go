package postgres

import (
	"bytes"
	"context"
	"slices"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/store/rows"
)

const threads = `SELECT ` + messageColumns + ` FROM messages WHERE box = $1 AND seq < $2 AND NOT older ORDER BY seq DESC LIMIT $3 OFFSET $4`

func (q *queries) Threads(ctx context.Context, num mailbox.Num, f store.ThreadFilter) ([]mailbox.Thread, error) {
	q.lock(num)
	var list []mailbox.Thread
	err := q.sql(threads).num(num).int(rows.Below(f.Before)).int(int64(f.Limit)).int(int64(f.Offset)).each(
		func(r row) error {
			m := scanMessage(r)
			t := rows.Thread(m)
			if !r.Null(3) {
				t.Count = 0 // counted below, when this statement is done
			}
			list = append(list, t)
			return nil
		})
	if err != nil {
		return nil, err
	}
	for i := range list {
		if list[i].Count == 0 {
			q.summarize(&list[i])
		}
	}
	return list, q.flush()
}

// summarize fills a thread's list row from its messages, when the queue is sent.
func (q *queries) summarize(t *mailbox.Thread) {
	q.sql(countThread).id(t.ID).num(t.Latest.Mailbox).
		later(func(r row) { t.Count = int(r.Int(0)) })
	t.Participants, t.Labels = nil, nil
	q.sql(sampleThread).
		id(t.ID).num(t.Latest.Mailbox).int(rows.ThreadSample).later(func(r row) { rows.AddToThread(t, scanMessage(r)) })
}

const threadID = `SELECT c.id, b.box FROM (SELECT coalesce((SELECT into_id FROM merged WHERE id = $1 LIMIT 1), $1) AS id) c,
	LATERAL (SELECT m.box FROM messages m WHERE m.thread = c.id
	UNION ALL SELECT m.box FROM messages m WHERE m.id = c.id AND m.thread IS NULL LIMIT 1) b`

func (q *queries) ThreadID(ctx context.Context, num mailbox.Num, id mailbox.ID) (current mailbox.ID, box mailbox.Num,
	err error) {
	q.lock(num)
	err = q.sql(threadID).id(id).one(func(r row) { current, box = r.ID(0), r.Num(1) })
	if err == nil && num != 0 && box != num {
		err = store.ErrNotFound
	}
	return current, box, err
}

const conversation = `(SELECT ` + messageColumns +
	` FROM messages WHERE thread = $1 AND box = $2 AND seq > $3 ORDER BY seq LIMIT $4)
	UNION ALL (SELECT ` + messageColumns + ` FROM messages WHERE id = $1 AND box = $2 AND seq > $3 AND thread IS NULL)`

func (q *queries) Conversation(_ context.Context, num mailbox.Num, thread mailbox.ID, after int64,
	limit int) ([]mailbox.Message, error) {
	q.lock(num)
	return all(q.sql(conversation).id(thread).num(num).int(after).int(int64(limit)), scanMessage)
}

// related finds one message that has or answers a Message-ID: all such are in one thread already, so the first will do.
const related = `SELECT coalesce(m.thread, m.id) FROM refs r JOIN messages m ON m.box = r.box AND m.seq = r.seq
	WHERE r.box = $1 AND r.hash = $2 LIMIT 1`

func (q *queries) Related(_ context.Context, num mailbox.Num, messageIDs []string) (list []mailbox.ID, err error) {
	q.lock(num)
	for _, id := range messageIDs {
		q.sql(related).num(num).int(rows.MessageIDHash(id)).later(func(r row) {
			if t := r.ID(0); !slices.Contains(list, t) {
				list = append(list, t)
			}
		})
	}
	if err := q.flush(); err != nil {
		return nil, err
	}
	slices.SortFunc(list, func(a, b mailbox.ID) int { return bytes.Compare(a[:], b[:]) })
	return list, nil
}

func (q *queries) Answers(_ context.Context, m mailbox.Message, messageIDs []string) error {
	q.lock(m.Mailbox)
	for _, id := range messageIDs {
		if err := q.insertRef(m, id, false); err != nil {
			return err
		}
	}
	return nil
}

func (q *queries) Join(_ context.Context, m *mailbox.Message, thread mailbox.ID) error {
	q.lock(m.Mailbox)
	m.Thread = thread
	newest, err := q.newest(m.Mailbox, thread)
	if err != nil {
		return err
	}
	err = q.sql(`UPDATE messages SET thread = $1 WHERE box = $2 AND seq = $3`).id(thread).num(m.Mailbox).int(
		m.Seq).run()
	if err != nil {
		return err
	}
	return q.retire(m.Mailbox, min(newest, m.Seq))
}

func (q *queries) Merge(_ context.Context, num mailbox.Num, from, into mailbox.ID) error {
	q.lock(num)
	var newest [2]int64
	for i, thread := range []mailbox.ID{from, into} {
		var err error
		if newest[i], err = q.newest(num, thread); err != nil {
			return err
		}
	}
	err := q.sql(moveThread).id(into).id(from).num(num).run()
	if err == nil {
		err = q.sql(`UPDATE merged SET into_id = $1 WHERE into_id = $2 AND box = $3`).id(into).id(from).num(num).run()
	}
	if err == nil {
		err = q.sql(`INSERT INTO merged (id, box, into_id) VALUES ($1, $2, $3) ON CONFLICT (box, id) DO UPDATE SET into_id = excluded.into_id`).
			id(from).num(num).id(into).run()
	}
	if err != nil {
		return err
	}
	return q.retire(num, min(newest[0], newest[1]))
}

const (
	adopt        = `UPDATE messages SET thread = $1 WHERE id = $1 AND box = $2 AND thread IS NULL`
	newestOf     = `SELECT seq FROM messages WHERE thread = $1 AND box = $2 ORDER BY seq DESC LIMIT 1`
	moveThread   = `UPDATE messages SET thread = $1 WHERE thread = $2 AND box = $3`
	countThread  = `SELECT count(*) FROM messages WHERE thread = $1 AND box = $2`
	sampleThread = `SELECT ` + messageColumns + ` FROM messages WHERE thread = $1 AND box = $2 ORDER BY seq DESC LIMIT $3`
	// leaveThread hands a thread's place in the list to its next newest message before the newest one is deleted.
	leaveThread = `UPDATE messages SET older = false WHERE box = $1 AND seq = (SELECT o.seq FROM messages m JOIN messages o
		ON o.thread = m.thread AND o.box = m.box AND o.seq < m.seq WHERE m.box = $1 AND m.seq = $2 AND NOT m.older
		ORDER BY o.seq DESC LIMIT 1)`
)

// newest is the Seq of a thread's newest message. One that was alone becomes a thread, so that others can join it.
func (q *queries) newest(num mailbox.Num, thread mailbox.ID) (seq int64, err error) {
	err = q.sql(adopt).id(thread).num(num).run()
	if err != nil {
		return 0, err
	}
	return one(q.sql(newestOf).id(thread).num(num), rows.Int)
}

// retire marks a message as no longer the newest of its thread.
func (q *queries) retire(num mailbox.Num, seq int64) error {
	return q.sql(`UPDATE messages SET older = true WHERE box = $1 AND seq = $2`).num(num).int(seq).run()
}

func (q *queries) leaveThread(m mailbox.Message) error {
	return q.sql(leaveThread).num(m.Mailbox).int(m.Seq).run()
}
