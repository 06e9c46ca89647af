package service

import (
	"context"
	"iter"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mailkin/mailkin/internal/catalogue"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

// Captured mail is listed and searched from memory: Mailpit's interface wants exact counters and parts of words with
// every answer, and tests ask it several times a second. The list is made when the service starts, or by the first who
// asks. It follows the store by the Seqs of what was changed: a transaction that changed a message marks it after its
// commit, and the next who asks reads the marked rows again. Marks carry no data, so it does not matter in which order
// they come. Bodies are in the list while somebody searches them, and for a while after that.

const (
	// catalogueText is how many bytes of text are kept for searches. A search reads from the store what is not.
	catalogueText = 64 << 20
	// catalogueQuiet is for how long they are kept after the last search that asked for them.
	catalogueQuiet = time.Minute
	// catalogueStep is how many rows are read or changed at a time.
	catalogueStep = 500
	// catalogueFresh is how many cards of messages that were just stored wait to be looked at.
	catalogueFresh = 1000
)

// catalogued is the list of captured mail.
type catalogued struct {
	mu   sync.Mutex
	list *catalogue.List // nil: it was not made
	num  mailbox.Num     // of the mailbox that it lists

	marks marks

	reading  sync.Mutex    // held by the one who reads the texts for a search
	searched atomic.Int64  // when texts were last asked for, in nanoseconds of Unix time; 0: never
	asked    chan struct{} // texts are asked for that were not
}

// textLeft is for how long texts are still wanted; 0: they are not.
func (c *catalogued) textLeft(now time.Time) time.Duration {
	at := c.searched.Load()
	if at == 0 {
		return 0
	}
	return max(0, time.Unix(0, at).Add(catalogueQuiet).Sub(now))
}

// wantText notes that somebody searches texts.
func (c *catalogued) wantText(now time.Time) {
	c.searched.Store(now.UnixNano())
	select {
	case c.asked <- struct{}{}:
	default: // it is known
	}
}

// marks are the messages that have changed since the list was read.
type marks struct {
	mu    sync.Mutex
	num   mailbox.Num // of the mailbox that is listed; 0: none is
	seqs  map[int64]struct{}
	cards map[int64]*catalogue.Card // of some that are new
	ears  map[chan struct{}]struct{}
}

// begin marks from now on.
func (m *marks) begin(num mailbox.Num) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.num, m.seqs, m.cards = num, make(map[int64]struct{}), make(map[int64]*catalogue.Card)
}

// end marks no more.
func (m *marks) end() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.num, m.seqs, m.cards = 0, nil, nil
}

// take returns what was marked, and starts over. What it returns is the caller's alone.
func (m *marks) take() (seqs map[int64]struct{}, cards map[int64]*catalogue.Card) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.seqs) > 0 {
		seqs, m.seqs = m.seqs, make(map[int64]struct{})
	}
	if len(m.cards) > 0 {
		cards, m.cards = m.cards, make(map[int64]*catalogue.Card)
	}
	return seqs, cards
}

// restore marks again what could not be read.
func (m *marks) restore(seqs map[int64]struct{}) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for seq := range seqs {
		if m.seqs != nil {
			m.seqs[seq] = struct{}{}
		}
	}
}

func (m *marks) note(touched []touchedMessage) {
	m.mu.Lock()
	defer m.mu.Unlock()
	news := false
	for _, t := range touched {
		if t.num == m.num && m.num != 0 {
			m.seqs[t.seq] = struct{}{}
			news = true
		}
	}
	if !news {
		return
	}
	for ear := range m.ears {
		select {
		case ear <- struct{}{}:
		default: // it has not yet heard the last one
		}
	}
}

// wants tells whether the card of a new message is of use.
func (m *marks) wants(num mailbox.Num) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.num != 0 && num == m.num && len(m.cards) < catalogueFresh
}

// fresh keeps the card of a message that was just stored, which has been taken apart already.
func (c *catalogued) fresh(copies iter.Seq[*mailbox.Message], d *mailbox.Detail, now time.Time) {
	for stored := range copies {
		if !c.marks.wants(stored.Mailbox) {
			continue
		}
		card := newCard(stored, d, c.textLeft(now) > 0)
		c.marks.mu.Lock()
		if c.marks.cards != nil {
			c.marks.cards[stored.Seq] = card
		}
		c.marks.mu.Unlock()
	}
}

// listen returns a channel that has something when a message was marked; nil: so many listen already.
func (m *marks) listen(most int) chan struct{} {
	ear := make(chan struct{}, 1)
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.ears) >= most {
		return nil
	}
	if m.ears == nil {
		m.ears = make(map[chan struct{}]struct{})
	}
	m.ears[ear] = struct{}{}
	return ear
}

func (m *marks) unlisten(ear chan struct{}) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.ears, ear)
}

// touchedMessage is a message that a transaction changes.
type touchedMessage struct {
	num mailbox.Num
	seq int64
}

// touching is a transaction that notes the messages that it changes. Its function may run again, so it notes too many
// rather than too few.
type touching struct {
	store.Tx
	touched *[]touchedMessage
}

func (t touching) note(num mailbox.Num, seq int64) {
	*t.touched = append(*t.touched, touchedMessage{num, seq})
}

func (t touching) InsertMessage(ctx context.Context, m *mailbox.Message, c store.Content) error {
	err := t.Tx.InsertMessage(ctx, m, c)
	t.note(m.Mailbox, m.Seq)
	return err
}

func (t touching) UpdateMessage(ctx context.Context, m mailbox.Message) error {
	t.note(m.Mailbox, m.Seq)
	return t.Tx.UpdateMessage(ctx, m)
}

func (t touching) DeleteMessage(ctx context.Context, m mailbox.Message, answers []string) error {
	t.note(m.Mailbox, m.Seq)
	return t.Tx.DeleteMessage(ctx, m, answers)
}

// noteTouched returns fn so that it notes what it changes, and what is to be called when its transaction is over,
// whatever came of it: nobody may know.
func (c *catalogued) noteTouched(fn func(store.Tx) error) (noting func(store.Tx) error, over func()) {
	var touched []touchedMessage
	return func(tx store.Tx) error { return fn(touching{tx, &touched}) }, func() {
		if len(touched) > 0 {
			c.marks.note(touched)
		}
	}
}

// withCaptured runs fn on the list as the store has it now.
func (s *Service) withCaptured(ctx context.Context, in Access, fn func(*catalogue.List, catalogue.Load) error) error {
	c := &s.catalogued
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := s.refreshCaptured(ctx, in.Box.Num); err != nil {
		return err
	}
	return fn(c.list, func(m *mailbox.Message, text bool) (*catalogue.Card, error) { return s.readCard(ctx, m, text) })
}

// refreshCaptured brings the list up to the store. The caller has the lock.
func (s *Service) refreshCaptured(ctx context.Context, num mailbox.Num) error {
	c := &s.catalogued
	if c.list == nil || c.num != num { // the view was deleted, and made again
		return s.readCaptured(ctx, num)
	}
	seqs, cards := c.marks.take()
	if len(seqs) == 0 && len(cards) == 0 {
		return nil
	}
	wanted := make([]int64, 0, len(seqs))
	for seq := range seqs {
		wanted = append(wanted, seq)
	}
	if err := s.reread(ctx, num, wanted); err != nil {
		c.marks.restore(seqs)
		return err
	}
	for seq, card := range cards {
		c.list.SetCard(seq, card)
	}
	return nil
}

// reread reads rows of the list again.
func (s *Service) reread(ctx context.Context, num mailbox.Num, seqs []int64) error {
	slices.Sort(seqs) // so that what came is told in its order
	list := s.catalogued.list
	for some := range slices.Chunk(seqs, catalogueStep) {
		var rows []mailbox.Message
		err := s.ask(ctx, func(r store.Reader) (err error) {
			rows, err = r.MessagesAt(ctx, num, some...)
			return err
		})
		if err != nil {
			return err
		}
		found := make(map[int64]mailbox.Message, len(rows))
		for _, m := range rows {
			found[m.Seq] = m
		}
		for _, seq := range some {
			if m, ok := found[seq]; !ok {
				list.Remove(seq)
			} else if m.Direction == mailbox.Inbound {
				list.Put(m)
			}
		}
	}
	return nil
}

// readCaptured makes the list. What changes meanwhile is marked.
func (s *Service) readCaptured(ctx context.Context, num mailbox.Num) error {
	c := &s.catalogued
	c.list, c.num = nil, num
	c.marks.begin(num)
	list := catalogue.New(catalogueText)
	for f := (store.MessageFilter{Direction: mailbox.Inbound, Oldest: true, Limit: catalogueStep}); ; {
		var rows []mailbox.Message
		err := s.ask(ctx, func(r store.Reader) (err error) {
			rows, err = r.Messages(ctx, num, f)
			return err
		})
		if err != nil {
			c.marks.end()
			return err
		}
		for _, m := range rows {
			list.Put(m)
			f.After = m.Seq
		}
		if len(rows) < catalogueStep {
			break
		}
	}
	c.list = list
	return nil
}
