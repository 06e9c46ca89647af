package service

import (
	"strings"
	"sync"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/search"
)

// What was just received has been taken apart already: its words are handed to the indexer in memory, so that it need not read, unpack and
// parse the same message again. It is a shortcut and nothing else: what is not there is read from the store.

const (
	// freshBytes is how much text may wait. More than that is read from the store when its turn comes.
	freshBytes = 6 << 20
	// freshMost is how long a text may be to wait in memory: of long ones reading is the smaller part of the work.
	freshMost = 64 << 10
	// freshAge is how long a text is kept that nobody asks for: its message was deleted, or another node indexes.
	freshAge = 5 * time.Second
	// freshCost is what one takes beside its text.
	freshCost = 600
)

// fresh holds the texts of messages that were stored a moment ago.
type fresh struct {
	mu    sync.Mutex
	mails map[freshKey]search.Mail
	order []freshMail // oldest first
	bytes int
}

type freshKey struct {
	num mailbox.Num
	seq int64
}

type freshMail struct {
	freshKey
	at   time.Time
	size int
}

// put keeps a text, if there is room. The oldest are wanted first, so it is the newest that is left out.
func (f *fresh) put(key freshKey, m search.Mail, now time.Time) {
	size := len(m.Body) + len(m.Subject) + freshCost
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.bytes+size > freshBytes {
		f.forget(now.Add(-freshAge))
	}
	if f.bytes+size > freshBytes {
		return
	}
	if f.mails == nil {
		f.mails = make(map[freshKey]search.Mail)
	}
	f.mails[key] = m
	f.order = append(f.order, freshMail{key, now, size})
	f.bytes += size
}

// take gives a text away.
func (f *fresh) take(key freshKey) (search.Mail, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	m, ok := f.mails[key]
	delete(f.mails, key)
	return m, ok
}

// settle forgets the texts that were taken.
func (f *fresh) settle(now time.Time) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.forget(now.Add(-freshAge))
}

// forget takes those off the list that were taken, and those that are older than a time.
func (f *fresh) forget(old time.Time) {
	kept := f.order[:0]
	f.bytes = 0
	for _, m := range f.order {
		if _, ok := f.mails[m.freshKey]; !ok {
			continue
		}
		if m.at.Before(old) {
			delete(f.mails, m.freshKey)
			continue
		}
		kept = append(kept, m)
		f.bytes += m.size
	}
	f.order = kept
	if len(kept) == 0 { // a map keeps the room of its fullest time
		f.mails, f.order = nil, nil
	}
}

// refresh hands the words of a message that was stored for these mailboxes to the indexer. One with attachments is read from the store,
// because they are.
func (s *Service) refresh(d mailbox.Detail, copies []*mailCopy) {
	if s.opt.Index == nil || len(d.Parts) > 0 || len(d.Text) > freshMost {
		return
	}
	now := time.Now()
	body := strings.Clone(d.Text)
	for _, c := range copies {
		if c.receipt.Err == nil && !c.receipt.Duplicate {
			m := searchMail(c.message, d)
			m.Body, m.Subject = body, strings.Clone(m.Subject)
			clonePeople(m.From)
			clonePeople(m.To)
			s.fresh.put(freshKey{c.box.Num, c.seq}, m, now)
		}
	}
}

// clonePeople lets go of the header that addresses are parts of.
func clonePeople(list []mailbox.Address) {
	for i, a := range list {
		list[i] = mailbox.Address{Name: strings.Clone(a.Name), Address: strings.Clone(a.Address)}
	}
}
