package postgres

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

// A commit waits for the disk, and costs the server and the node more than what a mail writes. So an update that is
// done while another of its node waits, for the same mailbox or for a place in the room, does not commit: it hands
// its transaction over, with its locks, and waits for what becomes of it. The other runs its function in it and hands
// it on, until nobody waits or it is large or old. The last one commits for all, and each answers its caller only
// then. Those of one mailbox see each other's changes and number their events one after the other, as updates that
// follow each other do.
//
// Only updates that have locked nothing but the mailbox of their gate share. Nobody waits for a lock with others'
// work in hand: who finds that another node has the mailbox, or needs more than it, leaves, and runs again alone when
// those before it are committed. One that refuses has changed nothing, so the transaction goes on; where it has sent
// a change before it refuses, or a statement fails, the transaction is undone, and all that were in it run again,
// each alone.

const (
	groupMost  = 32                    // updates in one transaction
	groupTime  = 25 * time.Millisecond // after which it is not handed on
	groupBytes = 1 << 20               // of statements that were not sent
)

// group is a transaction on its way from one update to the next.
type group struct {
	conn    *pgxpool.Conn
	boxes   map[mailbox.Num]box // that are locked, as they were left
	turns   []mailbox.Num       // at the gates of these
	queue   []*stmt
	bytes   int
	places  int64
	ticket  ticket
	began   time.Time
	members []chan<- verdict // of those who wait for its end
}

// verdict is what became of a transaction that was handed over.
type verdict struct {
	ended  outcome
	err    error // nil: it is committed
	repeat bool  // it may be run again
}

// errAlone ends an attempt that needs more than it can have in another's transaction.
var errAlone = errors.New("the update needs a transaction of its own")

// errUndone is what became of an update whose transaction another one has undone.
var errUndone = fmt.Errorf("%w: the transaction was undone with another update's", store.ErrUnavailable)

// lockFree locks a mailbox that nobody has.
const lockFree = lockColumns + `= $1 FOR UPDATE SKIP LOCKED`

func (q *queries) lockIfFree(num mailbox.Num) {
	q.sql(lockFree).num(num).later(q.locked)
	q.asked, q.locks.boxes[num], q.locks.highest = num, new(box), num
}

// join goes on with a transaction that was handed over.
func (q *queries) join(g *group, num mailbox.Num) {
	q.shared, q.conn, q.begun = g, g.conn, true
	q.queue, q.bytes, q.own = g.queue, g.bytes, len(g.queue)
	q.places, q.ticket = g.places, g.ticket
	if b, locked := g.boxes[num]; locked {
		q.turns = g.turns
		q.locks.boxes[num], q.locks.highest = &b, num
		return
	}
	q.turns = append(g.turns, num)
	q.lockIfFree(num)
}

// gotLock looks, when something was sent, whether the lock that was asked for was free.
func (q *queries) gotLock() {
	if q.asked != 0 && q.failed == nil && !q.locks.boxes[q.asked].there {
		q.failed = errAlone
	}
	q.asked = 0
}

// alone is called before an update locks more than the mailbox of its gate: in another's transaction it ends there.
func (q *queries) alone() (leaves bool) {
	if q.shared == nil || len(q.shared.members) == 0 || q.wrote || q.failed != nil {
		return q.failed != nil
	}
	q.failed = errAlone
	return true
}

// noteSent notes whether an update has sent a change of its own.
func (q *queries) noteSent(list []*stmt) {
	for _, b := range list[min(q.own, len(list)):] {
		q.wrote = q.wrote || !strings.HasPrefix(b.code, "SELECT") && !strings.HasPrefix(b.code, "(SELECT")
	}
	q.own = 0
}

// stepBack leaves a transaction as the updates before this one have left it, if it has others' changes and none of this
// one's were sent.
func (q *queries) stepBack(err error) bool {
	if q.shared == nil || len(q.shared.members) == 0 || q.wrote || q.failed != nil && !errors.Is(q.failed, errAlone) {
		return false
	}
	q.failed, q.refusal, q.asked = nil, err, 0
	q.queue = q.queue[:q.own]
	q.audits = nil
	clear(q.locks.boxes)
	return true
}

// hand gives the transaction to one who waits, if it can be, and waits for its end.
func (q *queries) hand() (v verdict, handed bool) {
	if !q.inRoom || !q.begun || q.loner || len(q.locks.boxes) > 1 || q.locks.others || q.bytes > groupBytes {
		return verdict{}, false
	}
	g := &group{conn: q.conn, turns: q.turns, queue: q.queue, bytes: q.bytes, places: q.places, ticket: q.ticket}
	if q.shared != nil {
		g.members, g.began, g.boxes = q.shared.members, q.shared.began, q.shared.boxes
	} else {
		g.began, g.boxes = time.Now(), make(map[mailbox.Num]box)
	}
	if len(g.members)+1 >= groupMost || time.Since(g.began) > q.db.groupTime {
		return verdict{}, false
	}
	for num, b := range q.locks.boxes {
		if !b.there {
			return verdict{}, false
		}
		g.boxes[num] = *b
	}
	end := make(chan verdict, 1)
	g.members = append(slices.Clip(g.members), end)
	if !q.db.gates.hand(g, !q.db.distributed) {
		return verdict{}, false
	}
	q.turns, q.inRoom, q.conn, q.begun, q.shared, q.queue = nil, false, nil, false, nil, nil
	return <-end, true
}

// tell tells those who have handed over the transaction what became of it.
func (q *queries) tell(v verdict) {
	if q.shared == nil {
		return
	}
	if v.ended == undone || v.ended != committed && v.err == nil { // whatever undid it, theirs may be all right
		v = verdict{ended: undone, err: errUndone, repeat: true}
	}
	for _, m := range q.shared.members {
		m <- v
	}
	q.shared = nil
}
