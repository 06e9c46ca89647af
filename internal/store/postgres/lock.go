package postgres

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

// Every lock of the store. All are held to the end of the transaction, and only updates take any.
//
//	what                        how                                        who takes it
//	a mailbox with all it has   its row in counters, FOR UPDATE            every method with a mailbox's number, of a message, delivery, key,
//	                                                                       hook or target; DeliveryByProvider for all it finds
//	mailboxes with work due     the same: waits for the one that is due    DueTargets, DueDeliveries, OldDeliveries
//	                            longest, passes over others that are busy
//	a mailbox being purged      its row in purges, FOR UPDATE              Purge
//	an address                  advisory, by its hash                      MailboxAt, InsertMailbox, RenameMailbox
//	the name of a domain        advisory                                   InsertDomain, DomainNamed
//	the deployment's secrets    advisory                                   Secrets
//	a domain                    its row, FOR UPDATE                        Domain
//	a quota of a day            advisory                                   Spent, Spend
//	a tally of the deployment   advisory                                   Tally and Count with mailbox 0
//	the named operators         advisory                                   Keys and InsertKey with mailbox 0
//	the end of the audit log    advisory, as the last lock                 every update with AppendAudit, before its
//	                                                                       commit; TrimAudits
//	a claim                     its row, FOR UPDATE                        Claim
//	an Idempotency-Key          advisory                                   Bootstrap, InsertBootstrap
//	who makes the index of what advisory, without waiting                  Share
//	a target of hooks           its row, FOR KEY SHARE                     HookTarget
//	                            FOR UPDATE, passing over those in use      TrimHooks, before it deletes one that has no hooks
//	old rows of all mailboxes   FOR UPDATE, passing over those in use      TrimEvents, TrimSends, TrimHooks
//	a key                       the same                                   TouchKey
//	policies to fetch again     the same                                   DuePolicies
//	the tables                  advisory                                   migrate, liftPlaces, Import
//	the probe for room          its table, without waiting                 Ping
//
// What is written is locked by its row as always; UpdateDelivery, UpdateHook and what trims take no more than that.
//
// Order: mailboxes by their numbers, before anything else. Whoever needs one out of that order, or while it has
// something else locked, waits for lockShort only, and is then run again with all mailboxes that it came by locked
// first, in order (Update).
type locks struct {
	boxes   map[mailbox.Num]*box
	highest mailbox.Num // of those
	keys    map[int64]bool
	others  bool // something else than a mailbox is locked
	patient bool // wait as long as it takes, in any order
	targets map[int64]mailbox.Num
}

const (
	lockWhole = "20s"  // how long a lock is waited for
	lockShort = "30ms" // and one that is out of order
)

// box is what an update knows of a mailbox that it has locked.
type box struct {
	there                      bool // it has its row
	num                        mailbox.Num
	seq, base, top, hooks, era int64
	use                        mailbox.Use
}

func newLocks(a attempt) *locks {
	return &locks{boxes: make(map[mailbox.Num]*box), keys: make(map[int64]bool), targets: make(map[int64]mailbox.Num),
		patient: a.patient}
}

const (
	lockColumns = `SELECT box, seq, event_base, top, hooks, era, bytes, inbound + outbound, ` + ticketColumns + ` FROM counters WHERE box `
	lockBox     = lockColumns + `= $1 FOR UPDATE`
	lockBoxes   = lockColumns + `= ANY($1) ORDER BY box FOR UPDATE`
	lockIdle    = lockColumns + `= ANY($1) ORDER BY box FOR UPDATE SKIP LOCKED`
)

// lock locks a mailbox, on the way of the next statement that is sent. Mailbox 0 is the deployment, and none.
func (q *queries) lock(num mailbox.Num) {
	l := q.locks
	if l == nil || num == 0 || l.boxes[num] != nil {
		return
	}
	if q.takeTurn(num); l.boxes[num] != nil || q.alone() {
		return
	}
	q.leaveRoom() // it may have to wait
	q.waiting(num > l.highest && !l.others, func() { q.sql(lockBox).num(num).later(q.locked) })
	l.boxes[num], l.highest = new(box), max(l.highest, num)
}

// lockAll locks mailboxes, which are sorted, in their order.
func (q *queries) lockAll(nums []mailbox.Num) {
	l := q.locks
	if l == nil {
		return
	}
	nums = slices.DeleteFunc(slices.Clone(nums), func(n mailbox.Num) bool { return n == 0 || l.boxes[n] != nil })
	if len(nums) == 0 {
		return
	}
	if q.takeTurn(nums[0]); l.boxes[nums[0]] != nil {
		nums = nums[1:]
	}
	if len(nums) == 0 || q.alone() {
		return
	}
	q.leaveRoom()
	q.waiting(nums[0] > l.highest && !l.others, func() { q.sql(lockBoxes).ints(numbers(nums)).later(q.locked) })
	for _, n := range nums {
		l.boxes[n], l.highest = new(box), max(l.highest, n)
	}
}

// lockOf locks the mailbox whose number a question finds.
func (q *queries) lockOf(find string, bind func(*stmt) *stmt) {
	l := q.locks
	if l == nil || q.alone() {
		return
	}
	q.leaveRoom()
	q.waiting(len(l.boxes) == 0 && !l.others, func() {
		bind(q.sql(lockColumns + `= (` + find + `) FOR UPDATE`)).later(q.locked)
	})
}

// lockDue locks the mailboxes of what is due, the longest due first: it waits for the first, and passes over others
// that are busy. It returns those that are locked. A View locks none, and has all.
func (q *queries) lockDue(due []mailbox.Num) ([]int64, error) {
	if q.locks == nil || len(due) == 0 {
		return numbers(due), nil
	}
	q.lock(due[0])
	q.sql(lockIdle).ints(numbers(due[1:])).later(q.locked)
	err := q.flush()
	return numbers(slices.DeleteFunc(due, func(n mailbox.Num) bool {
		b := q.locks.boxes[n]
		return b == nil ||
			!b.there
	})), err
}

// takeTurn waits at the gate of an update's first mailbox, and for a place in the room. There the mailbox's lock is
// asked for if it is free; who has to wait for it at the server does so alone, and outside.
func (q *queries) takeTurn(num mailbox.Num) {
	if q.conn != nil || len(q.queue) > 0 || len(q.turns) > 0 || q.failed != nil {
		return
	}
	var shares time.Time // never
	if end, ok := q.ctx.Deadline(); ok && !q.loner {
		shares = end.Add(-updateTime / 2) // so that others' work does not end with its time
	}
	shared, err := q.db.gates.enter(q.ctx, num, shares)
	if err == nil && shared == nil && !q.loner {
		if shared, err = q.db.gates.enterRoom(q.ctx, shares); err != nil {
			q.db.gates.leave(num)
		}
	}
	if err != nil {
		q.failed = fmt.Errorf("%w: wait for the mailbox: %w", store.ErrUnavailable, err)
		return
	}
	q.turns, q.inRoom = []mailbox.Num{num}, !q.loner
	switch {
	case shared != nil:
		q.join(shared, num)
	case q.inRoom:
		q.lockIfFree(num)
	}
}

// leave ends its turns there.
func (q *queries) leave() {
	q.leaveRoom()
	q.db.gates.leave(q.turns...)
	q.turns = nil
}

func (q *queries) leaveRoom() {
	if q.inRoom {
		q.db.gates.leaveRoom()
		q.inRoom = false
	}
}

func numbers(nums []mailbox.Num) []int64 {
	list := make([]int64, len(nums))
	for i, n := range nums {
		list[i] = int64(n)
	}
	return list
}

// locked notes a mailbox that the server has locked.
func (q *queries) locked(r row) {
	l, num := q.locks, r.Num(0)
	if l.boxes[num] == nil {
		l.boxes[num], l.highest = new(box), max(l.highest, num)
	}
	if b := l.boxes[num]; !b.there {
		*b = box{there: true, num: num, seq: r.Int(1), base: r.Int(2), top: r.Int(3), hooks: r.Int(4), era: r.Int(5),
			use: mailbox.Use{Bytes: r.Int(6), Messages: r.Int(7)}}
	}
	q.ticketed(r, 8)
}

// waiting runs what asks for a lock, so that one out of order is not waited for for long.
func (q *queries) waiting(inOrder bool, ask func()) {
	if inOrder || q.locks.patient {
		ask()
		return
	}
	q.sql(lockFor).word(lockShort).later(func(row) {})
	ask()
	q.sql(lockFor).word(lockWhole).later(func(row) {})
}

const lockFor = `SELECT set_config('lock_timeout', $1, true)`

// box returns a mailbox that is locked now, and what is known of it.
func (q *queries) box(num mailbox.Num) (*box, error) {
	q.lock(num)
	b := q.locks.boxes[num]
	if b != nil && !b.there {
		if err := q.flush(); err != nil {
			return nil, err
		}
	}
	if b == nil || !b.there {
		return nil, store.ErrNotFound
	}
	return b, q.failed
}

// advise takes an advisory lock on something that need not have a row.
func (q *queries) advise(kind string, name []byte) {
	if q.locks == nil {
		return
	}
	key := advisory(kind, name)
	if q.locks.keys[key] || q.alone() {
		return
	}
	q.leaveRoom()
	q.locks.keys[key], q.locks.others = true, true
	q.sql(`SELECT pg_advisory_xact_lock($1), ` + ticketColumns).int(key).later(func(r row) { q.ticketed(r, 1) })
}

// advisory is the number of an advisory lock. Two things that share one wait for each other without need.
func advisory(kind string, name []byte) int64 {
	sum := sha256.Sum256(append([]byte("mailkin "+kind+"\x00"), name...))
	return int64(binary.BigEndian.Uint64(sum[:8]))
}

// forUpdate locks the rows that a question finds, if it is an update that asks.
func (q *queries) forUpdate(code string) string {
	if q.locks == nil {
		return code
	}
	q.alone() // which the question that is asked next finds
	q.leaveRoom()
	q.locks.others = true
	return code + ` FOR UPDATE`
}
