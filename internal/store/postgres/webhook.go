package postgres

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/store/rows"
)

const hookIn = `SELECT ` + rows.HookColumns + `, h.body FROM hooks h JOIN hook_targets t ON t.id = h.target WHERE h.id = $1 AND h.box = $2`

func (q *queries) Hook(_ context.Context, num mailbox.Num, id mailbox.ID) (h mailbox.Hook, err error) {
	q.lock(num)
	err = q.sql(hookIn).id(id).num(num).one(func(r row) { h = rows.WholeHook(r) })
	if err == nil {
		q.knowTarget(h.Target, num)
	}
	return h, err
}

// listHooks returns the statement for a filter. The index of what is not delivered is short.
func listHooks(f store.HookFilter) string {
	where := ` AND ($6 = '' OR h.state = $6)`
	if f.State != "" && f.State != mailbox.HookDelivered {
		where = ` AND h.state = $6 AND h.state <> 'delivered'`
	}
	of := ` AND $4::uuid IS NULL`
	if !f.Message.IsZero() {
		of = ` AND h.message = $4`
	}
	return `SELECT ` + rows.HookColumns + ` FROM hooks h JOIN hook_targets t ON t.id = h.target
		WHERE h.box = $1 AND h.n < $2 AND ($3 = '' OR h.kind = $3) AND ($8 = ''::bytea OR t.url = $8)` + of + where + `
		ORDER BY h.n DESC LIMIT $5 OFFSET $7`
}

func (q *queries) Hooks(_ context.Context, num mailbox.Num, f store.HookFilter) (list []mailbox.Hook, err error) {
	q.lock(num)
	b := q.sql(listHooks(f)).num(num).int(rows.Below(f.Before)).word(string(f.Kind))
	if f.Message.IsZero() {
		b.null()
	} else {
		b.id(f.Message)
	}
	return all(b.int(int64(f.Limit)).word(string(f.State)).int(int64(f.Offset)).text(f.Target), rows.Hook)
}

const (
	dueTargets = `SELECT id, box, url FROM hook_targets WHERE next_at > 0 AND next_at <= $1 AND id <> ALL($2) ORDER BY next_at LIMIT $3`
	dueAgain   = `SELECT ` + rows.HookColumns + `, h.body FROM hooks h JOIN hook_targets t ON t.id = h.target
		WHERE h.target = $1 AND h.box = $4 AND h.attempts > 0 AND h.next_at > 0 AND h.next_at <= $2 ORDER BY h.next_at LIMIT $3`
	dueFirst = `SELECT ` + rows.HookColumns + `, h.body FROM hooks h JOIN hook_targets t ON t.id = h.target
		WHERE h.target = $1 AND h.box = $4 AND h.attempts = 0 AND h.next_at > 0 AND h.next_at <= $2 ORDER BY h.next_at LIMIT $3`
	nextHook = `SELECT next_at FROM hook_targets WHERE next_at > 0 AND id <> ALL($1) ORDER BY next_at LIMIT 1`
)

// DueTargets in an update gives those whose mailboxes it can lock, as they are then.
func (q *queries) DueTargets(_ context.Context, at time.Time, except []int64, limit int) ([]mailbox.HookTarget, error) {
	list, err := q.dueTargets(at, except, limit)
	if err != nil || q.locks == nil || len(list) == 0 {
		return list, err
	}
	var due []mailbox.Num
	for _, t := range list {
		if !slices.Contains(due, t.Mailbox) {
			due = append(due, t.Mailbox)
		}
	}
	nums, err := q.lockDue(due)
	if err != nil {
		return nil, err
	}
	list, err = q.dueTargets(at, except, limit)
	list = slices.DeleteFunc(list, func(t mailbox.HookTarget) bool { return !slices.Contains(nums, int64(t.Mailbox)) })
	for _, t := range list {
		q.knowTarget(t.Number, t.Mailbox)
	}
	return list, err
}

func (q *queries) dueTargets(at time.Time, except []int64, limit int) ([]mailbox.HookTarget, error) {
	return all(q.sql(dueTargets).time(at).ints(except).int(int64(limit)), rows.HookTarget)
}

func (q *queries) DueHooks(_ context.Context, target int64, at time.Time, limit int) (list []mailbox.Hook, err error) {
	num, err := q.targetBox(target)
	if err != nil {
		return nil, err
	}
	for _, sql := range []string{dueAgain, dueFirst} {
		q.sql(sql).int(target).time(at).int(int64(limit)).num(num).later(func(r row) {
			if len(list) < limit {
				list = append(list, rows.WholeHook(r))
			}
		})
	}
	return list, q.flush()
}

func (q *queries) NextHook(_ context.Context, except []int64) (time.Time, error) {
	return orZero(q.sql(nextHook).ints(except), rows.Time)
}

// knowTarget remembers whose a target is.
func (q *queries) knowTarget(target int64, num mailbox.Num) {
	if q.locks != nil {
		q.locks.targets[target] = num
	}
}

// lockTarget locks the mailbox of a target.
func (q *queries) lockTarget(target int64) {
	if q.locks == nil {
		return
	}
	if num, ok := q.locks.targets[target]; ok {
		q.lock(num)
		return
	}
	q.lockOf(`SELECT box FROM hook_targets WHERE id = $1`, func(b *stmt) *stmt { return b.int(target) })
}

// targetBox returns whose a target is, locked; 0 if there is no such target. Statements about a target's hooks name the
// mailbox as well, so that they touch its part of the table alone.
func (q *queries) targetBox(target int64) (mailbox.Num, error) {
	q.lockTarget(target)
	if q.locks != nil && q.locks.targets[target] != 0 {
		return q.locks.targets[target], q.failed
	}
	num, err := orZero(q.sql(`SELECT box FROM hook_targets WHERE id = $1`).int(target), rows.Num)
	if err == nil && num != 0 {
		q.knowTarget(target, num)
	}
	return num, err
}

// HookTarget keeps TrimHooks from deleting the target before this transaction's hooks are there.
func (q *queries) HookTarget(_ context.Context, num mailbox.Num, url string) (t mailbox.HookTarget, err error) {
	q.lock(num)
	t = mailbox.HookTarget{Mailbox: num, URL: url}
	scan := func(r row) { t.Number = r.Int(0) }
	err = q.sql(`SELECT id FROM hook_targets WHERE box = $1 AND url = $2 FOR KEY SHARE`).num(num).text(url).one(scan)
	if errors.Is(err, store.ErrNotFound) {
		err = q.sql(`INSERT INTO hook_targets (box, url, next_at) VALUES ($1, $2, 0) RETURNING id`).num(num).text(
			url).one(scan)
	}
	q.knowTarget(t.Number, num)
	return t, err
}

func (q *queries) InsertHook(_ context.Context, h *mailbox.Hook) error {
	b, err := q.box(h.Mailbox)
	if err != nil {
		return err
	}
	b.hooks++
	h.N = b.hooks
	if err := q.sql(`UPDATE counters SET hooks = $1 WHERE box = $2`).int(h.N).num(h.Mailbox).run(); err != nil {
		return err
	}
	err = q.sql(`INSERT INTO hooks (n, id, box, target, event, kind, message, at, state, attempts, next_at, lease, leased, log, body)
		VALUES ($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12,$13,$14,$15)`).int(h.N).id(h.ID).num(h.Mailbox).int(h.Target).int(h.Event).
		word(string(h.Kind)).id(h.Message).time(h.At).word(string(h.State)).int(int64(h.Attempts)).time(h.NextAt).int(
		h.Lease).
		bool(h.Leased).text(mailbox.EncodeAttempts(h.Log)).blob(h.Body).run()
	if err != nil || h.NextAt.IsZero() {
		return err
	}
	return q.sql(`UPDATE hook_targets SET next_at = $1 WHERE id = $2 AND (next_at = 0 OR next_at > $1)`).time(
		h.NextAt).int(h.Target).run()
}

func (q *queries) UpdateHook(_ context.Context, h mailbox.Hook) error {
	n, err := q.sql(`UPDATE hooks SET target = $1, state = $2, attempts = $3, next_at = $4, lease = $5, leased = $6, log = $7
		WHERE box = $8 AND n = $9 AND id = $10`).
		int(h.Target).word(string(h.State)).int(int64(h.Attempts)).time(h.NextAt).int(h.Lease).bool(h.Leased).
		text(mailbox.EncodeAttempts(h.Log)).num(h.Mailbox).int(h.N).id(h.ID).changed()
	if err == nil && n == 0 {
		err = store.ErrNotFound
	}
	return err
}

func (q *queries) ScrubHook(_ context.Context, h mailbox.Hook) error {
	q.lock(h.Mailbox)
	return q.sql(`UPDATE hooks SET body = $1, log = $2 WHERE box = $3 AND n = $4 AND id = $5`).
		blob(h.Body).text(mailbox.EncodeAttempts(h.Log)).num(h.Mailbox).int(h.N).id(h.ID).run()
}

const holdHooks = `UPDATE hooks SET state = 'held', next_at = 0, leased = false WHERE target = $1 AND box = $2 AND next_at > 0`

func (q *queries) HoldHooks(_ context.Context, target int64) error {
	num, err := q.targetBox(target)
	if err != nil {
		return err
	}
	return q.sql(holdHooks).int(target).num(num).run()
}

const putOffHooks = `UPDATE hooks SET next_at = $3, leased = false WHERE target = $1 AND box = $4 AND next_at > 0 AND next_at <= $2`

func (q *queries) PutOffHooks(_ context.Context, target int64, at, until time.Time) error {
	num, err := q.targetBox(target)
	if err != nil {
		return err
	}
	return q.sql(putOffHooks).int(target).time(at).time(until).num(num).run()
}

const settleTarget = `UPDATE hook_targets t SET next_at = coalesce((SELECT h.next_at FROM hooks h WHERE h.target = $1 AND h.box = $2
	AND h.next_at > 0 ORDER BY h.next_at LIMIT 1), 0) WHERE t.id = $1`

func (q *queries) SettleTargets(_ context.Context, targets ...int64) error {
	for _, t := range slices.Sorted(slices.Values(targets)) {
		num, err := q.targetBox(t)
		if err == nil {
			err = q.sql(settleTarget).int(t).num(num).run()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

const releaseHooks = `UPDATE hooks SET next_at = $1, leased = false WHERE target = $2 AND box = $3 AND next_at > 0 AND leased`

func (q *queries) ReleaseHooks(ctx context.Context, at time.Time) error {
	due, err := all(q.sql(`SELECT id, box FROM hook_targets WHERE next_at > 0`), func(r row) mailbox.HookTarget {
		return mailbox.HookTarget{Number: r.Int(0), Mailbox: r.Num(1)}
	})
	for _, t := range due {
		if err == nil {
			err = q.sql(releaseHooks).time(at).int(t.Number).num(t.Mailbox).run()
		}
		if err == nil {
			err = q.sql(settleTarget).int(t.Number).num(t.Mailbox).run()
		}
	}
	return err
}

const (
	trimHooks = `DELETE FROM hooks h USING (SELECT box, n FROM hooks WHERE at < $1 ORDER BY at LIMIT $2 FOR UPDATE SKIP LOCKED) old
		WHERE h.box = old.box AND h.n = old.n RETURNING h.target`
	unusedTargets = `SELECT id FROM hook_targets t WHERE id = ANY($1) AND NOT EXISTS (SELECT 1 FROM hooks WHERE target = t.id)
		ORDER BY id FOR UPDATE OF t SKIP LOCKED`
	// A target that is neither set nor has hooks. That nobody can add one any more is known when it is locked, so it is
	// looked at again.
	trimTargets = `DELETE FROM hook_targets t WHERE id = ANY($1) AND NOT EXISTS (SELECT 1 FROM hooks WHERE target = t.id)`
)

func (q *queries) TrimHooks(_ context.Context, before time.Time, limit int) (removed int, more bool, err error) {
	var targets, unused []int64
	n := 0
	err = q.sql(trimHooks).time(before).int(int64(limit)).each(func(r row) error {
		if n++; !slices.Contains(targets, r.Int(0)) {
			targets = append(targets, r.Int(0))
		}
		return nil
	})
	if err == nil {
		err = q.sql(unusedTargets).ints(targets).each(func(r row) error {
			unused = append(unused,
				r.Int(0))
			return nil
		})
	}
	if err != nil || len(unused) == 0 {
		return n, n >= limit, err
	}
	return n, n >= limit, q.sql(trimTargets).ints(unused).run()
}
