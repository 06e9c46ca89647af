package index

import (
	"bytes"
	"io"
	"iter"
	"strings"
	"sync"
	"time"

	"github.com/mailkin/mailkin/internal/extract/document"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/rawmail"
	"github.com/mailkin/mailkin/internal/search"
)

// What was just received or sent has been taken apart already: its words are handed to the indexer in memory, so that
// it need not read, unpack and parse the same message again. It is a shortcut and nothing else: what is not there is
// read from the store.

const (
	// freshBytes is how much text may wait. More than that is read from the store when its turn comes.
	freshBytes = 8 << 20
	// freshMany is how much of it wakes the indexer, however short a time ago it worked.
	freshMany = 5 << 20
	// freshMost is how long a text may be to wait in memory: of long ones reading is the smaller part of the work.
	freshMost = 64 << 10
	// freshAge is how long a text is kept that nobody asks for: its message was deleted, or another node indexes.
	freshAge = 3 * putOffMost
	// freshCost is what one takes besides its text, and personCost what each person and file does.
	freshCost, personCost = 600, 100
	// freshParts is how many attachments are looked at.
	freshParts = 8
)

// fresh holds the texts of messages that were stored a moment ago.
type fresh struct {
	mu    sync.Mutex
	mails map[freshKey]freshMail
	order []freshKey // oldest first, with those that were taken since
	bytes int
	many  chan struct{} // has one when freshMany wait
}

type freshKey struct {
	num mailbox.Num
	seq int64
}

type freshMail struct {
	search.Mail
	at   time.Time
	size int
}

// put keeps a text, if there is room. The oldest are wanted first, so it is the newest that is left out.
func (f *fresh) put(key freshKey, m search.Mail, now time.Time) {
	size := len(m.Body) + len(m.Subject) + freshCost + (len(m.To)+len(m.Files))*personCost
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.bytes+size > freshBytes {
		f.forget(now.Add(-freshAge))
	}
	if f.bytes+size > freshBytes {
		return
	}
	if f.mails == nil {
		f.mails = make(map[freshKey]freshMail)
	}
	f.mails[key] = freshMail{m, now, size}
	f.order = append(f.order, key)
	if f.bytes += size; f.bytes >= freshMany && f.many != nil {
		select {
		case f.many <- struct{}{}:
		default:
		}
	}
}

// take gives a text away.
func (f *fresh) take(key freshKey) (search.Mail, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	m, ok := f.mails[key]
	if ok {
		delete(f.mails, key)
		f.bytes -= m.size
	}
	return m.Mail, ok
}

// settle forgets the texts that were taken.
func (f *fresh) settle(now time.Time) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.forget(now.Add(-freshAge))
}

// forget takes those off the head of the list that were taken, and those that are older than a time.
func (f *fresh) forget(old time.Time) {
	for len(f.order) > 0 {
		m, ok := f.mails[f.order[0]]
		if ok && !m.at.Before(old) {
			break
		}
		delete(f.mails, f.order[0])
		f.bytes -= m.size
		f.order = f.order[1:]
	}
	if len(f.order) == 0 { // a map keeps the room of its fullest time
		f.mails, f.order = nil, nil
	}
}

// Fresh hands the words of a message to the indexer that was stored a moment ago, as these copies. raw is the message
// as it lies in memory; nil: it does not. One with attachments that have a text is read from the store, because they
// are.
func (ix *Index) Fresh(d mailbox.Detail, raw []byte, copies iter.Seq[*mailbox.Message]) {
	now := time.Now()
	ix.opt.Pressure.arrived(now)
	if ix.opt.Index == nil || ix.undemanded(now) || len(d.Text) > freshMost || !textless(d.Parts, raw) {
		return
	}
	body := d.Text
	if d.TextFromHTML { // else it has memory of its own, with little to spare
		body = strings.Clone(body)
	}
	for c := range copies {
		m := searchMail(*c, d)
		m.Body, m.Subject = body, strings.Clone(m.Subject)
		clonePeople(m.From)
		clonePeople(m.To)
		for i, name := range m.Files {
			m.Files[i] = strings.Clone(name)
		}
		ix.fresh.put(freshKey{c.Mailbox, c.Seq}, m, now)
	}
}

// textless tells whether attachments are known to have no text.
func textless(parts []mailbox.Part, raw []byte) bool {
	if len(parts) > freshParts {
		return false
	}
	for _, p := range parts {
		if readable(p) && (raw == nil || document.Glance(documentPart(p), head(p, raw)) != document.Unreadable) {
			return false
		}
	}
	return true
}

// head is the beginning of an attachment of a message in memory.
func head(p mailbox.Part, raw []byte) []byte {
	head := make([]byte, document.HeadBytes)
	// what cannot be decoded is not read later either
	n, _ := io.ReadFull(rawmail.Decode(p, bytes.NewReader(raw)), head)
	return head[:n]
}

// clonePeople lets go of the header that addresses are parts of.
func clonePeople(list []mailbox.Address) {
	for i, a := range list {
		list[i] = a.Clone()
	}
}
