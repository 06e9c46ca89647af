package service

import (
	"strings"
	"sync"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// A code is handed in memory from the delivery that stored it to the calls that wait for one, so that they need not
// find, read, unpack and parse a message that was in memory a moment ago. It is a shortcut and nothing else: who was
// woken and has nothing in their hands looks into the store, and so does everybody where several nodes work on it.

// handMost is how long a text may be to be handed over: of long ones reading is the smaller part of the work.
const handMost = 64 << 10

// handover is where deliveries and waiting calls meet. Its zero value is ready to use.
type handover struct {
	mu      sync.RWMutex
	waiters map[mailbox.Num]map[chan *FullMessage]struct{}
}

// open returns a hand that a message with a code is put into. It is to be closed.
func (h *handover) open(num mailbox.Num) chan *FullMessage {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.waiters == nil {
		h.waiters = make(map[mailbox.Num]map[chan *FullMessage]struct{})
	}
	others := h.waiters[num]
	if others == nil {
		others = make(map[chan *FullMessage]struct{})
		h.waiters[num] = others
	}
	hand := make(chan *FullMessage, 1)
	others[hand] = struct{}{}
	return hand
}

func (h *handover) close(num mailbox.Num, hand chan *FullMessage) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.waiters[num], hand)
	if len(h.waiters[num]) == 0 {
		delete(h.waiters, num)
	}
}

// wanted tells whether anybody waits for a code in a mailbox.
func (h *handover) wanted(num mailbox.Num) bool {
	h.mu.RLock()
	defer h.mu.RUnlock()
	return len(h.waiters[num]) > 0
}

// give puts a message into every hand that is empty. All of them get the same one, to read.
func (h *handover) give(num mailbox.Num, m *FullMessage) {
	h.mu.RLock()
	defer h.mu.RUnlock()
	for hand := range h.waiters[num] {
		select {
		case hand <- m:
		default: // its owner has yet to look at an earlier one
		}
	}
}

// handOver passes what was just stored to those who wait for a code. They are yet to be woken.
func (s *Service) handOver(in *intake, d mailbox.Detail, copies []*mailCopy) {
	if !s.opt.Alone || in.draft != nil || len(d.Text)+len(d.HTML) > handMost {
		return
	}
	for _, c := range copies {
		if !c.isNew() || c.stored.Code == "" || !s.handover.wanted(c.box.Num) {
			continue
		}
		// Nothing of it may be part of the buffers that the delivery gives back.
		m := &FullMessage{Message: c.stored, Address: c.box.Address, Detail: mailbox.Detail{Text: strings.Clone(d.Text),
			HTML:         strings.Clone(d.HTML),
			TextFromHTML: d.TextFromHTML, Alternative: d.Alternative}}
		m.Subject, m.Code = strings.Clone(m.Subject), strings.Clone(m.Code)
		m.From = m.From.Clone()
		for _, f := range d.Headers {
			if strings.EqualFold(f.Name, unsubscribe) {
				m.Detail.Headers = append(m.Detail.Headers, mailbox.Field{Name: f.Name, Value: strings.Clone(f.Value)})
			}
		}
		s.handover.give(c.box.Num, m)
	}
}

// pending returns the message that a waiting call was handed, if it is the one that it wants and nothing has changed
// since it last looked into the store that could keep it from seeing it. Of the message there is what a code is shown
// with.
func (s *Service) pending(in *Access, w *wanted) *FullMessage {
	select {
	case m := <-w.handed:
		if w.begun && m.Seq > w.seen && w.changes == s.changes.Load() && s.lifetime(in) > 0 && w.takes(m.Message) {
			found := *m
			w.finish(&found)
			return &found
		}
	default:
	}
	return nil
}

// takes tells what the filter of a call that waits for a code would say of a message that just came.
func (w *wanted) takes(m mailbox.Message) bool {
	inTime := w.mark > 0 || !w.said || !m.ReceivedAt.Before(w.after())
	return inTime && m.From.Has(w.filter.From) && (w.listed == nil || w.listed(m))
}

// after is the first moment that is later than what was waited from, at the precision that is stored.
func (w *wanted) after() time.Time { return w.since.Truncate(time.Millisecond).Add(time.Millisecond) }
