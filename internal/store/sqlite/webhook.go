package sqlite

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/store/rows"
)

func (q *queries) Hook(_ context.Context, num mailbox.Num, id mailbox.ID) (h mailbox.Hook, err error) {
	return one(q.sql(`SELECT `+rows.HookColumns+`, h.body FROM hooks h JOIN hook_targets t ON t.id = h.target WHERE h.id = ? AND h.box = ?`).
		id(id).num(num), rows.WholeHook)
}

// listHooks returns the statement for a filter. The indexes of a message's and of what is not delivered are short; the
// third has what most filters ask for.
func listHooks(f store.HookFilter) string {
	index, where := `hooks_box`, ` AND ?4 IS NULL AND (?6 = '' OR h.state = ?6)`
	switch {
	case !f.Message.IsZero():
		index, where = `hooks_message`, ` AND h.message = ?4 AND (?6 = '' OR h.state = ?6)`
	case f.State != "" && f.State != mailbox.HookDelivered:
		index, where = `hooks_missed`, ` AND ?4 IS NULL AND h.state = ?6 AND h.state <> 'delivered'`
	}
	return `SELECT ` + rows.HookColumns + ` FROM hooks h INDEXED BY ` + index + ` JOIN hook_targets t ON t.id = h.target
		WHERE h.box = ?1 AND h.n < ?2 AND (?3 = '' OR h.kind = ?3) AND (?8 = '' OR t.url = ?8)` + where + `
		ORDER BY h.n DESC LIMIT ?5 OFFSET ?7`
}

func (q *queries) Hooks(_ context.Context, num mailbox.Num, f store.HookFilter) (list []mailbox.Hook, err error) {
	b := q.sql(listHooks(f)).num(num).int(rows.Below(f.Before)).text(string(f.Kind))
	if f.Message.IsZero() {
		b.null()
	} else {
		b.id(f.Message)
	}
	return all(b.int(int64(f.Limit)).text(string(f.State)).int(int64(f.Offset)).text(f.Target), rows.Hook)
}

const (
	dueTargets = `SELECT id, box, url FROM hook_targets WHERE next_at > 0 AND next_at <= ?1
		AND id NOT IN (SELECT value FROM json_each(?2)) ORDER BY next_at LIMIT ?3`
	dueAgain = `SELECT ` + rows.HookColumns + `, h.body FROM hooks h INDEXED BY hooks_again JOIN hook_targets t ON t.id = h.target
		WHERE h.target = ?1 AND h.attempts > 0 AND h.next_at > 0 AND h.next_at <= ?2 ORDER BY h.next_at LIMIT ?3`
	dueFirst = `SELECT ` + rows.HookColumns + `, h.body FROM hooks h INDEXED BY hooks_due JOIN hook_targets t ON t.id = h.target
		WHERE h.target = ?1 AND h.attempts = 0 AND h.next_at > 0 AND h.next_at <= ?2 ORDER BY h.next_at LIMIT ?3`
	nextHook = `SELECT next_at FROM hook_targets WHERE next_at > 0 AND id NOT IN (SELECT value FROM json_each(?1))
		ORDER BY next_at LIMIT 1`
)

// numberList returns a list of numbers as one parameter, for json_each.
func numberList(list []int64) string {
	if len(list) == 0 {
		return "[]"
	}
	b, _ := json.Marshal(list) // numbers can always be
	return string(b)
}

func (q *queries) DueTargets(_ context.Context, at time.Time, except []int64, limit int) ([]mailbox.HookTarget, error) {
	return all(q.sql(dueTargets).time(at).text(numberList(except)).int(int64(limit)), rows.HookTarget)
}

func (q *queries) DueHooks(_ context.Context, target int64, at time.Time, limit int) (list []mailbox.Hook, err error) {
	for _, sql := range []string{dueAgain, dueFirst} {
		if err != nil || len(list) >= limit {
			break
		}
		err = q.sql(sql).int(target).time(at).int(int64(limit - len(list))).
			each(func(r row) error { list = append(list, rows.WholeHook(r)); return nil })
	}
	return list, err
}

func (q *queries) NextHook(_ context.Context, except []int64) (time.Time, error) {
	return orZero(q.sql(nextHook).text(numberList(except)), rows.Time)
}

func (q *queries) HookTarget(_ context.Context, num mailbox.Num, url string) (t mailbox.HookTarget, err error) {
	t = mailbox.HookTarget{Mailbox: num, URL: url}
	err = q.sql(`SELECT id FROM hook_targets WHERE box = ? AND url = ?`).num(num).text(url).one(
		func(r row) { t.Number = r.Int(0) })
	if !errors.Is(err, store.ErrNotFound) {
		return t, err
	}
	err = q.sql(`INSERT INTO hook_targets (box, url, next_at) VALUES (?, ?, 0)`).num(num).text(url).run()
	t.Number = q.conn.LastInsertRowID()
	return t, err
}

func (q *queries) InsertHook(_ context.Context, h *mailbox.Hook) error {
	err := q.sql(`INSERT INTO hooks (id, box, target, event, kind, message, at, state, attempts, next_at, lease, leased, log, body)
		VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?)`).id(h.ID).num(h.Mailbox).int(h.Target).int(h.Event).text(string(h.Kind)).
		id(h.Message).time(h.At).text(string(h.State)).int(int64(h.Attempts)).time(h.NextAt).int(h.Lease).bool(
		h.Leased).
		text(mailbox.EncodeAttempts(h.Log)).blob(h.Body).run()
	if err != nil {
		return err
	}
	h.N = q.conn.LastInsertRowID()
	if h.NextAt.IsZero() {
		return nil
	}
	return q.sql(`UPDATE hook_targets SET next_at = ?1 WHERE id = ?2 AND (next_at = 0 OR next_at > ?1)`).time(
		h.NextAt).int(h.Target).run()
}

func (q *queries) UpdateHook(_ context.Context, h mailbox.Hook) error {
	err := q.sql(`UPDATE hooks SET target = ?, state = ?, attempts = ?, next_at = ?, lease = ?, leased = ?, log = ? WHERE n = ? AND id = ?`).
		int(h.Target).text(string(h.State)).int(int64(h.Attempts)).time(h.NextAt).int(h.Lease).bool(h.Leased).
		text(mailbox.EncodeAttempts(h.Log)).int(h.N).id(h.ID).run()
	if err == nil && q.conn.Changes() == 0 {
		err = store.ErrNotFound
	}
	return err
}

func (q *queries) ScrubHook(_ context.Context, h mailbox.Hook) error {
	return q.sql(`UPDATE hooks SET body = ?, log = ? WHERE n = ? AND id = ?`).
		blob(h.Body).text(mailbox.EncodeAttempts(h.Log)).int(h.N).id(h.ID).run()
}

const holdHooks = `UPDATE hooks SET state = 'held', next_at = 0, leased = 0 WHERE target = ? AND next_at > 0`

func (q *queries) HoldHooks(_ context.Context, target int64) error {
	return q.sql(holdHooks).int(target).run()
}

const putOffHooks = `UPDATE hooks SET next_at = ?3, leased = 0 WHERE target = ?1 AND next_at > 0 AND next_at <= ?2`

func (q *queries) PutOffHooks(_ context.Context, target int64, at, until time.Time) error {
	return q.sql(putOffHooks).int(target).time(at).time(until).run()
}

const settleTarget = `UPDATE hook_targets SET next_at = coalesce((SELECT next_at FROM hooks WHERE target = ?1 AND next_at > 0
	ORDER BY next_at LIMIT 1), 0) WHERE id = ?1`

func (q *queries) SettleTargets(_ context.Context, targets ...int64) error {
	for _, t := range targets {
		if err := q.sql(settleTarget).int(t).run(); err != nil {
			return err
		}
	}
	return nil
}

const releaseHooks = `UPDATE hooks SET next_at = ?1, leased = 0 WHERE n IN (SELECT h.n FROM hook_targets t
	JOIN hooks h ON h.target = t.id AND h.next_at > 0 WHERE t.next_at > 0 AND h.leased = 1)`

func (q *queries) ReleaseHooks(ctx context.Context, at time.Time) error {
	due, err := all(q.sql(`SELECT id FROM hook_targets WHERE next_at > 0`), rows.Int)
	if err == nil {
		err = q.sql(releaseHooks).time(at).run()
	}
	if err != nil {
		return err
	}
	return q.SettleTargets(ctx, due...)
}

// The oldest hooks have the lowest numbers: the first that is too young is the end.
const (
	oldHooks  = `SELECT n, target FROM (SELECT n, target, at FROM hooks ORDER BY n LIMIT ?2) WHERE at < ?1`
	trimHooks = `DELETE FROM hooks WHERE n = ?`
	// A target that is neither set nor has hooks.
	trimTarget = `DELETE FROM hook_targets WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM hooks WHERE target = ?1)`
)

func (q *queries) TrimHooks(_ context.Context, before time.Time, limit int) (removed int, more bool, err error) {
	var old []int64
	targets := make(map[int64]bool)
	err = q.sql(oldHooks).time(before).int(int64(limit)).each(func(r row) error {
		old, targets[r.Int(1)] = append(old, r.Int(0)), true
		return nil
	})
	for i := 0; i < len(old) && err == nil; i++ {
		err = q.sql(trimHooks).int(old[i]).run()
		removed += q.conn.Changes()
	}
	for t := range targets {
		if err == nil {
			err = q.sql(trimTarget).int(t).run()
		}
	}
	return removed, removed >= limit, err
}
