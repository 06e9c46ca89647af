package service

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/wake"
)

// The queue of deliveries as operators see it and work on it, over all mailboxes.

const (
	queueRead     = 500    // deliveries read at a time
	queueScan     = 10_000 // deliveries that one request looks at
	queueChanges  = 1000   // deliveries that one request changes
	queueUpdate   = 100    // deliveries changed in a transaction
	queueSumsMost = 100
)

// QueueQuery says which deliveries are meant, over all mailboxes or in one.
type QueueQuery struct {
	mailbox.QueueMatch
	Mailbox string // address; empty: all
	Page
}

// empty tells whether a query is for the whole queue.
func (q QueueQuery) empty() bool { return q.Mailbox == "" && q.QueueMatch == mailbox.QueueMatch{} }

// QueuedDelivery is a delivery in the queue, with the address of its mailbox.
type QueuedDelivery struct {
	mailbox.Delivery
	Address string
}

// Queue lists deliveries in the queue, oldest first. Where few of many match, a page may have fewer
// than were asked for, or none, and still a next one.
func (s *Service) Queue(ctx context.Context, _ Access, q QueueQuery) (List[QueuedDelivery], error) {
	found, next, err := s.findInQueue(ctx, q, q.Offset+q.Limit)
	if err != nil {
		return List[QueuedDelivery]{}, err
	}
	out := List[QueuedDelivery]{Next: next}
	addresses := map[mailbox.Num]string{}
	err = s.view(ctx, func(r store.Reader) error {
		for _, d := range found[min(q.Offset, len(found)):] {
			if _, ok := addresses[d.Mailbox]; !ok {
				box, err := r.Mailbox(ctx, d.Mailbox)
				if err != nil && !errors.Is(err, store.ErrNotFound) { // it is being deleted
					return err
				}
				addresses[d.Mailbox] = box.Address
			}
			out.Items = append(out.Items, QueuedDelivery{d, addresses[d.Mailbox]})
		}
		return nil
	})
	return out, err
}

// findInQueue lists up to limit deliveries that match, and says where the list goes on.
func (s *Service) findInQueue(ctx context.Context, q QueueQuery, limit int) (found []mailbox.Delivery, next string,
	err error) {
	if err := checkQueueMatch(q.QueueMatch); err != nil {
		return nil, "", err
	}
	f := store.QueueFilter{Destination: strings.ToLower(strings.TrimSpace(q.Destination)), Limit: queueRead}
	if f.After, err = decodeQueueCursor(q.Cursor); err != nil {
		return nil, "", err
	}
	if q.Mailbox != "" {
		box, err := s.mailboxAt(ctx, canonical(q.Mailbox))
		if err != nil {
			return nil, "", err
		}
		f.Mailbox = box.Num
	}
	for scanned := 0; scanned < queueScan; scanned += queueRead {
		var list []mailbox.Delivery
		err := s.ask(ctx, func(r store.Reader) (err error) {
			list, err = r.Queue(ctx, f)
			return err
		})
		if err != nil {
			return nil, "", err
		}
		for _, d := range list {
			if q.Matches(d) && len(found) == limit {
				return found, encodeQueueCursor(f.After), nil
			}
			if q.Matches(d) {
				found = append(found, d)
			}
			f.After = store.PlaceInQueue(d)
		}
		if len(list) < queueRead {
			return found, "", nil
		}
	}
	return found, encodeQueueCursor(f.After), nil
}

func checkQueueMatch(q mailbox.QueueMatch) error {
	if q.State != "" && !slices.Contains(mailbox.QueueStates(), q.State) {
		return mailbox.InvalidField("state", "The state is waiting, sending, scheduled or on_hold.")
	}
	return nil
}

var errNotQueued = mailbox.Errorf(mailbox.NotFound, "not_found", "This is not in the queue.")

// QueuedDelivery shows a delivery in the queue.
func (s *Service) QueuedDelivery(ctx context.Context, _ Access, id mailbox.ID) (q QueuedDelivery, err error) {
	err = s.view(ctx, func(r store.Reader) error {
		d, err := named(ctx, r, id)
		if err != nil {
			return err
		}
		box, err := r.Mailbox(ctx, d.Mailbox)
		q = QueuedDelivery{d, box.Address}
		return err
	})
	if errors.Is(err, store.ErrNotFound) || err == nil && !q.InQueue() {
		err = errNotQueued
	}
	return q, err
}

// QueueSums says what waits for each destination: for those with most, up to a hundred.
func (s *Service) QueueSums(ctx context.Context, _ Access) (sums []mailbox.QueueSum, err error) {
	err = s.view(ctx, func(r store.Reader) (err error) {
		sums, err = r.QueueSums(ctx, queueSumsMost)
		return err
	})
	return sums, err
}

// QueueChange is what is to be done with deliveries in the queue: those named, or those that match.
type QueueChange struct {
	Action mailbox.QueueAction
	IDs    []mailbox.ID // of deliveries, or of messages for all recipients of those
	Match  QueueQuery   // where no ids are given; its Page names the place to go on from
	All    bool         // the match may be empty
}

// QueueChanged is what became of it.
type QueueChanged struct {
	Changed   int
	Unchanged int    // they were being sent, or there was nothing to do
	Next      string // where to go on; empty: that was all
}

// ChangeQueue retries, cancels, holds or releases deliveries. One that is being sent is left alone. It is done again
// without harm: what is done already counts as unchanged.
func (s *Service) ChangeQueue(ctx context.Context, in Access, c QueueChange) (out QueueChanged, err error) {
	list, err := s.namedInQueue(ctx, c.IDs)
	switch {
	case err != nil:
		return out, err
	case len(c.IDs) > 0 && (c.All || !c.Match.empty()):
		return out, mailbox.InvalidField("ids", "Name deliveries by their ids or by what they have in common, not both.")
	case len(c.IDs) == 0 && !c.All && c.Match.empty():
		return out, mailbox.InvalidField("ids", "Say which deliveries: ids, a filter, or all.")
	case len(c.IDs) == 0:
		if list, out.Next, err = s.findInQueue(ctx, c.Match, queueChanges); err != nil {
			return out, err
		}
	}
	slices.SortFunc(list, func(a, b mailbox.Delivery) int { // as every transaction takes mailboxes
		return cmp.Or(cmp.Compare(a.Mailbox, b.Mailbox), cmp.Compare(a.Seq, b.Seq), cmp.Compare(a.N, b.N))
	})
	list = slices.CompactFunc(list, func(a, b mailbox.Delivery) bool { return a.ID() == b.ID() })
	var changed []mailbox.Delivery
	for some := range slices.Chunk(list, queueUpdate) {
		var done []mailbox.Delivery
		err := s.update(ctx, func(tx store.Tx) (err error) {
			done, err = s.changeQueued(ctx, tx, in, c, some)
			return err
		})
		if err != nil {
			return out, err
		}
		changed = append(changed, done...)
	}
	out.Changed, out.Unchanged = len(changed), len(list)-len(changed)
	s.tellQueue(c.Action, changed)
	return out, nil
}

// namedInQueue finds the deliveries that ids name.
func (s *Service) namedInQueue(ctx context.Context, ids []mailbox.ID) (list []mailbox.Delivery, err error) {
	if len(ids) > queueChanges {
		return nil, mailbox.InvalidField("ids", "There are at most %d ids.", queueChanges)
	}
	err = s.view(ctx, func(r store.Reader) error {
		list = nil
		for _, id := range ids {
			message, n := id.Whole()
			m, err := r.Message(ctx, 0, message)
			if err != nil {
				return err
			}
			all, err := r.Deliveries(ctx, m)
			if err != nil {
				return err
			}
			some := slices.DeleteFunc(all, func(d mailbox.Delivery) bool { return n > 0 && d.N != n })
			if len(some) == 0 {
				return store.ErrNotFound
			}
			list = append(list, some...)
		}
		return nil
	})
	if errors.Is(err, store.ErrNotFound) {
		err = errNotQueued
	}
	return list, err
}

// tellQueue wakes those who wait for what was changed.
func (s *Service) tellQueue(action mailbox.QueueAction, changed []mailbox.Delivery) {
	var destinations []string
	var box mailbox.Num
	for _, d := range changed {
		if d.Mailbox != box {
			box = d.Mailbox
			s.wakeChanged(box)
		}
		destinations = append(destinations, d.Destination)
	}
	if len(changed) == 0 || action != mailbox.QueueRetry && action != mailbox.QueueRelease {
		return
	}
	if s.outlet != nil {
		slices.Sort(destinations)
		s.outlet.Hurry(slices.Compact(destinations))
	}
	s.wake(wake.Queue, 0)
}

// changeQueued changes some deliveries, message by message, and returns those that were changed. They are as they are
// now: a worker may have leased, begun or ended them since they were found.
func (s *Service) changeQueued(ctx context.Context, tx store.Tx, in Access, c QueueChange,
	list []mailbox.Delivery) (changed []mailbox.Delivery, err error) {
	for len(list) > 0 {
		same := 1
		for same < len(list) && list[same].Message == list[0].Message {
			same++
		}
		some, err := s.changeQueuedMessage(ctx, tx, in, c, list[:same])
		if err != nil && !errors.Is(err, store.ErrNotFound) { // it was deleted meanwhile
			return nil, err
		}
		changed, list = append(changed, some...), list[same:]
	}
	for num, n := mailbox.Num(0), 0; n < len(changed); n++ {
		if changed[n].Mailbox == num {
			continue
		}
		num = changed[n].Mailbox
		box, err := tx.Mailbox(ctx, num)
		if err != nil {
			return nil, err
		}
		if err := tx.AppendAudit(ctx, s.audited(in, box.Address, queueNote(changed[n:], num))); err != nil {
			return nil, err
		}
	}
	return changed, nil
}

// queueNote says in the audit log which deliveries of a mailbox were changed.
func queueNote(changed []mailbox.Delivery, num mailbox.Num) string {
	count := 0
	for _, d := range changed {
		if d.Mailbox == num {
			count++
		}
	}
	if count == 1 {
		return changed[0].ID().String()
	}
	return fmt.Sprintf("%d deliveries, the first %s", count, changed[0].ID())
}

// changeQueuedMessage changes deliveries of one message.
func (s *Service) changeQueuedMessage(ctx context.Context, tx store.Tx, in Access, c QueueChange,
	some []mailbox.Delivery) (changed []mailbox.Delivery, err error) {
	m, err := tx.Message(ctx, some[0].Mailbox, some[0].Message)
	if err != nil {
		return nil, err
	}
	all, err := tx.Deliveries(ctx, m)
	if err != nil {
		return nil, err
	}
	var kept []string
	for i, d := range all {
		named := slices.ContainsFunc(some, func(f mailbox.Delivery) bool { return f.N == d.N })
		next, ok := s.queueStep(d, c.Action)
		if !named || !ok || len(c.IDs) == 0 && !c.Match.Matches(d) {
			continue
		}
		if err := tx.UpdateDelivery(ctx, next); err != nil {
			return nil, err
		}
		if kind := queueHistory[c.Action]; kind != "" {
			e := mailbox.HistoryEntry{Kind: kind, Actor: in.Caller.Actor()}
			if err := s.recordDelivery(ctx, tx, d, e); err != nil {
				return nil, err
			}
		}
		all[i] = next
		changed, kept = append(changed, next), append(kept, d.Recipient)
	}
	if len(changed) == 0 {
		return nil, nil
	}
	m.Status = string(mailbox.StatusOf(all))
	if err := tx.UpdateStatus(ctx, m.Mailbox, m.Seq, m.Status); err != nil || c.Action != mailbox.QueueCancel {
		return changed, err
	}
	return changed, s.tellCanceled(ctx, tx, m, all, kept)
}

var queueHistory = map[mailbox.QueueAction]mailbox.HistoryKind{mailbox.QueueCancel: mailbox.HistoryCanceled,
	mailbox.QueueHold: mailbox.HistoryOnHold, mailbox.QueueRelease: mailbox.HistoryOffHold}

// queueStep is a delivery after what an operator does with it; ok tells whether that can be done.
func (s *Service) queueStep(d mailbox.Delivery, action mailbox.QueueAction) (next mailbox.Delivery, ok bool) {
	if !d.InQueue() {
		return d, false
	}
	next = d
	switch action {
	case mailbox.QueueRetry:
		ok = d.QueueState() == mailbox.QueueWaiting
		if now := s.now(); ok && next.NextAt.After(now) {
			next.NextAt = now
		}
	case mailbox.QueueRelease:
		ok = d.Status == mailbox.OnHold
		next = d.Release(s.now())
	case mailbox.QueueHold:
		ok = d.Status != mailbox.OnHold && s.stoppable(d)
		next = d.Hold()
	case mailbox.QueueCancel:
		ok = s.stoppable(d)
		next, _ = d.Learn(mailbox.Word{Status: mailbox.Canceled}, s.now())
	}
	return next, ok
}

// stoppable tells whether no worker can be sending the delivery: what recallable says, also of one that may have
// arrived before.
func (s *Service) stoppable(d mailbox.Delivery) bool {
	if !d.Leased {
		return true
	}
	d.Unknown = false
	return s.recallable(d)
}

// The cursor of the queue is a place in it.

func encodeQueueCursor(p store.QueuePlace) string {
	b := []byte{cursorVersion, byte(cursorQueue)}
	for _, v := range []int64{p.EnteredAt.UnixMilli(), int64(p.Mailbox), p.Seq, int64(p.N)} {
		b = binary.AppendUvarint(b, uint64(v))
	}
	return base64.RawURLEncoding.EncodeToString(b)
}

func decodeQueueCursor(s string) (p store.QueuePlace, err error) {
	if s == "" {
		return p, nil
	}
	b, err := base64.RawURLEncoding.Strict().DecodeString(s)
	if err != nil || len(b) < 2 || b[0] != cursorVersion || b[1] != byte(cursorQueue) {
		return p, errCursor
	}
	var v [4]uint64
	for i, b := 0, b[2:]; i < len(v); i++ {
		n := 0
		if v[i], n = binary.Uvarint(b); n <= 0 || v[i] > 1<<52 {
			return p, errCursor
		}
		b = b[n:]
	}
	p = store.QueuePlace{EnteredAt: time.UnixMilli(int64(v[0])).UTC(), Mailbox: mailbox.Num(v[1]), Seq: int64(v[2]),
		N: int(v[3])}
	if encodeQueueCursor(p) != s {
		return store.QueuePlace{}, errCursor
	}
	return p, nil
}
