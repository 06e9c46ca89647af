package catalogue

import (
	"bytes"
	"cmp"
	"maps"
	"slices"
	"sync/atomic"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// Entry is a message of a list. It never changes: what changes is another entry in its place, so that whoever has one
// may read it without a lock.
type Entry struct {
	mailbox.Message
	Card *Card // nil: it was not made yet

	shown atomic.Pointer[[]byte]
}

// shownMost is how many bytes of a message's form are kept.
const shownMost = 4 << 10

// Shown is the form in which a message with its card is shown in lists. It is made once, if it is short.
func (e *Entry) Shown(form func(*Entry) ([]byte, error)) ([]byte, error) {
	if b := e.shown.Load(); b != nil {
		return *b, nil
	}
	b, err := form(e)
	if err == nil && len(b) <= shownMost {
		b = bytes.Clone(b) // without the room behind it
		e.shown.Store(&b)
	}
	return b, err
}

// List is a mailbox's messages. It is for one goroutine at a time.
type List struct {
	entries []*Entry // by Seq, the oldest first
	ids     map[mailbox.ID]int64
	unread  int
	tags    map[string]int
	text    int // bytes of the bodies of all cards
	most    int // that they may have
	oldest  int // no message before this one has a body
	cards   int // messages that have a card
	texts   int // messages that have a body

	changes []Change
	changed int64 // how many there were
	removed int64 // messages
}

// New makes an empty list, whose texts may have that many bytes.
func New(textMost int) *List {
	return &List{ids: make(map[mailbox.ID]int64), tags: make(map[string]int), most: textMost}
}

// ChangeKind is what happened to a message.
type ChangeKind int

const (
	Came ChangeKind = iota
	Marked
	Retagged
	Gone
)

// Change is something that happened to a message.
type Change struct {
	Kind  ChangeKind
	Entry *Entry // as it is then; one that is gone: as it was
}

// changesKept is how many changes can be asked for later.
const changesKept = 512

// Len is how many messages there are, and Unread how many of them were not read.
func (l *List) Len() int    { return len(l.entries) }
func (l *List) Unread() int { return l.unread }

// Removed is how many messages were taken away.
func (l *List) Removed() int64 { return l.removed }

// Tags counts the messages of each tag.
func (l *List) Tags() map[string]int { return maps.Clone(l.tags) }

// Changed counts all changes so far, and Changes returns those after the first n of them; false: some of them were
// forgotten.
func (l *List) Changed() int64 { return l.changed }

func (l *List) Changes(n int64) ([]Change, bool) {
	missing := l.changed - n
	if missing < 0 || missing > int64(len(l.changes)) {
		return nil, false
	}
	return slices.Clone(l.changes[len(l.changes)-int(missing):]), true
}

func (l *List) note(c Change) {
	if len(l.changes) >= 2*changesKept {
		l.changes = append(l.changes[:0], l.changes[len(l.changes)-changesKept:]...)
	}
	l.changes = append(l.changes, c)
	l.changed++
}

func (l *List) at(seq int64) (int, bool) {
	return slices.BinarySearchFunc(l.entries, seq, func(e *Entry, seq int64) int { return cmp.Compare(e.Seq, seq) })
}

// Entry finds a message; nil: it is not there.
func (l *List) Entry(id mailbox.ID) *Entry {
	seq, ok := l.ids[id]
	if !ok {
		return nil
	}
	i, _ := l.at(seq)
	return l.entries[i]
}

// Put adds a message, or sets what has changed of it.
func (l *List) Put(m mailbox.Message) {
	i, known := l.at(m.Seq)
	if !known {
		e := &Entry{Message: m}
		l.entries = slices.Insert(l.entries, i, e)
		l.oldest = min(l.oldest, i)
		l.ids[m.ID] = m.Seq
		l.count(e, 1)
		l.note(Change{Came, e})
		return
	}
	old := l.entries[i]
	e := &Entry{Message: m, Card: old.Card}
	l.count(old, -1)
	l.count(e, 1)
	l.entries[i] = e
	if old.Seen != m.Seen {
		l.note(Change{Marked, e})
	}
	if !slices.Equal(mailbox.Tags(old.Labels), mailbox.Tags(m.Labels)) {
		l.note(Change{Retagged, e})
	}
}

// Remove takes a message away.
func (l *List) Remove(seq int64) {
	i, known := l.at(seq)
	if !known {
		return
	}
	e := l.entries[i]
	l.entries = slices.Delete(l.entries, i, i+1)
	if i < l.oldest {
		l.oldest--
	}
	delete(l.ids, e.ID)
	l.removed++
	l.count(e, -1)
	l.holds(e.Card, -1)
	l.note(Change{Gone, e})
}

func (l *List) count(e *Entry, by int) {
	if !e.Seen {
		l.unread += by
	}
	for _, t := range mailbox.Tags(e.Labels) {
		if l.tags[t] += by; l.tags[t] == 0 {
			delete(l.tags, t)
		}
	}
}

// holds counts a card that comes or goes.
func (l *List) holds(c *Card, by int) {
	if c == nil {
		return
	}
	l.cards += by
	l.text += by * c.size()
	if c.words.known {
		l.texts += by
	}
}

// setCard gives the message at a place its card as it is.
func (l *List) setCard(i int, c *Card) {
	l.holds(l.entries[i].Card, -1)
	l.holds(c, 1)
	l.entries[i] = &Entry{Message: l.entries[i].Message, Card: c}
}

// SetCard gives a message its card. A body for which there is no room any more is left out, and the bodies of older
// messages make room for that of a newer one.
func (l *List) SetCard(seq int64, c *Card) {
	i, known := l.at(seq)
	if !known {
		return
	}
	if old := l.entries[i].Card; old != nil && old.words.known {
		l.setCard(i, old.bare())
	}
	for ; l.oldest < i && l.text+c.size() > l.most; l.oldest++ {
		if older := l.entries[l.oldest].Card; older != nil && older.words.known {
			l.setCard(l.oldest, older.bare())
		}
	}
	if l.text+c.size() > l.most {
		c = c.bare()
	} else {
		l.oldest = min(l.oldest, i)
	}
	l.setCard(i, c)
}

// Texts is how many messages have a body, and DropTexts takes it from all of them.
func (l *List) Texts() int { return l.texts }

func (l *List) DropTexts() {
	for i, e := range l.entries {
		if e.Card != nil && e.Card.words.known {
			l.setCard(i, e.Card.bare())
		}
	}
	l.oldest = len(l.entries)
}

// Bare finds the newest messages that have no card, or no body where there is room for one and it is wanted. The search
// begins before the message of that number; 0: at the newest.
func (l *List) Bare(before int64, most int, text bool) (found []mailbox.Message) {
	missing := len(l.entries) - l.cards
	if text = text && l.text < l.most/10*9; text {
		missing = len(l.entries) - l.texts
	}
	i := len(l.entries)
	if before > 0 {
		i, _ = l.at(before)
	}
	for i--; i >= 0 && len(found) < min(most, missing); i-- {
		if e := l.entries[i]; e.Card == nil || text && !e.Card.words.known {
			found = append(found, e.Message)
		}
	}
	return found
}

// Page is a part of what matches a query, the newest first.
type Page struct {
	Entries       []*Entry // each with its card
	Count, Unread int      // of all that match
}

// Load makes the card of a message, with its body where text is set. It is called with the list unchanged meanwhile.
type Load func(m *mailbox.Message, text bool) (*Card, error)

// Find returns the entries from start on that match, at most limit; below 0: all.
func (l *List) Find(q Query, start, limit int, load Load) (p Page, err error) {
	if q.Everything() {
		p.Count, p.Unread = len(l.entries), l.unread
		end := len(l.entries) - min(start, len(l.entries))
		begin := 0
		if limit >= 0 {
			begin = max(0, end-limit)
		}
		for i := end - 1; i >= begin; i-- {
			e, err := l.carded(i, false, load)
			if err != nil {
				return Page{}, err
			}
			p.Entries = append(p.Entries, e)
		}
		return p, nil
	}
	for i := len(l.entries) - 1; i >= 0; i-- {
		ok, err := l.matches(i, &q, load)
		if err != nil {
			return Page{}, err
		}
		if !ok {
			continue
		}
		if !l.entries[i].Seen {
			p.Unread++
		}
		if p.Count++; p.Count > start && (limit < 0 || len(p.Entries) < limit) {
			e, err := l.carded(i, false, load)
			if err != nil {
				return Page{}, err
			}
			p.Entries = append(p.Entries, e)
		}
	}
	return p, nil
}

// matches tells whether a message matches. What the row decides is looked at first.
func (l *List) matches(i int, q *Query, load Load) (bool, error) {
	e := l.entries[i]
	if !q.Until.IsZero() && !e.ReceivedAt.Before(q.Until) {
		return false, nil
	}
	card, text := false, false
	for j := range q.Terms {
		t := &q.Terms[j]
		if t.needsCard() {
			card, text = true, text || t.needsText()
		} else if !t.matches(&e.Message, nil) {
			return false, nil
		}
	}
	if !card {
		return true, nil
	}
	e, err := l.carded(i, text, load)
	if err != nil {
		return false, err
	}
	for j := range q.Terms {
		if t := &q.Terms[j]; t.needsCard() && !t.matches(&e.Message, e.Card) {
			return false, nil
		}
	}
	return true, nil
}

// carded returns an entry with its card, and its text where that is wanted.
func (l *List) carded(i int, text bool, load Load) (*Entry, error) {
	e := l.entries[i]
	if e.Card != nil && (!text || e.Card.words.known) {
		return e, nil
	}
	c, err := load(&e.Message, text)
	if err != nil {
		return nil, err
	}
	l.SetCard(e.Seq, c)
	if text {
		return &Entry{Message: e.Message, Card: c}, nil // whose text was perhaps not kept
	}
	return l.entries[i], nil
}

// Carded returns a message with its card; nil: it is not there.
func (l *List) Carded(id mailbox.ID, load Load) (*Entry, error) {
	seq, ok := l.ids[id]
	if !ok {
		return nil, nil
	}
	i, _ := l.at(seq)
	return l.carded(i, false, load)
}

// All lists the messages that match a query, the oldest first.
func (l *List) All(q Query, load Load) ([]*Entry, error) {
	var out []*Entry
	for i := range l.entries {
		ok, err := l.matches(i, &q, load)
		if err != nil {
			return nil, err
		}
		if ok {
			out = append(out, l.entries[i])
		}
	}
	return out, nil
}
