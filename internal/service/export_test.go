package service

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"sync/atomic"

	"github.com/mailkin/mailkin/internal/extract/record"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/rawmail"
	"github.com/mailkin/mailkin/internal/rfc822"
	"github.com/mailkin/mailkin/internal/rfc822/report"
	"github.com/mailkin/mailkin/internal/screen"
	"github.com/mailkin/mailkin/internal/sender"
)

// EncodeCursor lets the tests make cursors that no list gave out.
func EncodeCursor(kind byte, place int64) string { return encodeCursor(cursorKind(kind), place) }

// SpreadDays makes a list of days of what was counted.
var SpreadDays = spreadDays

// LookAt has lists that a filter narrows look at n messages or mailboxes at a time.
func (s *Service) LookAt(n int) { s.lookMost = n }

// PurgeStep is how many messages of a deleted mailbox go at a time.
const PurgeStep = purgeStep

// MaxLarge is how many large messages may be on their way at a time.
const MaxLarge = maxLarge

// MaxFailures is how many clients with wrong keys are remembered.
const MaxFailures = maxFailures

// Failing counts them.
func (s *Service) Failing() int {
	s.wrong.mu.Lock()
	defer s.wrong.mu.Unlock()
	return len(s.wrong.clients)
}

// MaxLargeFrom is how many of them one client may have, OwnLarge how many are kept for those who send with a key.
const (
	MaxLargeFrom = maxLargeFrom
	OwnLarge     = ownLarge
)

// Behind tells whether a stream has events to read.
func Behind(st Stream) bool { return st.(*stream).behind }

// Hands counts the mailboxes in which a code is waited for.
func (s *Service) Hands() int {
	s.handover.mu.Lock()
	defer s.handover.mu.Unlock()
	return len(s.handover.waiters)
}

// CountKeys counts the private keys that are made from here on.
func (s *Service) CountKeys() *atomic.Int32 {
	var n atomic.Int32
	was := s.makeKey
	s.makeKey = func(kind string) ([]byte, error) { n.Add(1); return was(kind) }
	return &n
}

// ReturnPath is the return path of a delivery of mail from an address, and Returned tells whether an address is one.
func (s *Service) ReturnPath(d mailbox.Delivery, from string) string { return s.returnPath(d, from) }

func (s *Service) Returned(address string) bool {
	_, ok := s.returned(address)
	return ok
}

// FakeKeys has all domains get the same private keys from here on: making them takes long.
func (s *Service) FakeKeys() {
	known := make(map[string][]byte)
	make := s.makeKey
	s.makeKey = func(kind string) (key []byte, err error) { // one caller at a time
		if known[kind] == nil {
			known[kind], err = make(kind)
		}
		return known[kind], err
	}
}

// ReadMail does with a message all that is done at its receipt and when it is read, but for storing and the DNS.
func ReadMail(raw []byte) {
	in := &intake{parsed: rfc822.Parse(raw, rfc822.DefaultLimits())}
	d := rawmail.Detail(in.parsed)
	row := in.list()
	signs := mark(&row, d)
	_, fault := in.author(mailbox.Envelope{})
	j := newJudgement(row, d, signs, sender.Result{}, fault)
	screen.Judge(j.mail)
	answered(d)
	d.Report = rawmail.Report(report.Read(in.parsed, bytes.NewReader(raw)))
	full := FullMessage{Message: row, Detail: d}
	understand(&full)
	automated(original{Message: row, detail: d})
}

// NewSession makes the id of a claim's session.
func NewSession() string { return newSession() }

// Understood is all that is made of the body of a message.
func Understood(raw []byte) (mailbox.Message, mailbox.Detail, record.Found) {
	in := &intake{parsed: rfc822.Parse(raw, rfc822.DefaultLimits())}
	full := FullMessage{Message: in.list(), Detail: rawmail.Detail(in.parsed)}
	settle(&full.Message, &full.Detail)
	mark(&full.Message, full.Detail)
	understand(&full)
	b := bodyOf(&full.Detail)
	return full.Message, full.Detail, record.Find(record.Mail{From: full.From.Address, Subject: full.Subject,
		Text: b.text, View: b.view,
		Alternative: full.Detail.Alternative})
}

// TakeLargeTurn has the turn of a mailbox to read a large message.
func (s *Service) TakeLargeTurn(ctx context.Context, num mailbox.Num) (leave func(), err error) {
	return s.turnOf(ctx, num)
}

// LargeTurns counts those of a mailbox who have such a turn or wait for one.
func (s *Service) LargeTurns(num mailbox.Num) int {
	s.locks.mu.Lock()
	defer s.locks.mu.Unlock()
	if l := s.locks.held[largeKey(num)]; l != nil {
		return l.waiting
	}
	return 0
}

// RateBuckets is how many addresses are remembered.
func (s *Service) RateBuckets() int { return len(s.rates.addresses.by) }

// WaitForTasks waits until nothing is left that calls have left to the background.
func (s *Service) WaitForTasks() { s.looks.Wait() }

// FlushObserved adds what was seen of other domains to the store.
func (s *Service) FlushObserved(ctx context.Context) error { return s.flushObserved(ctx, true) }

// ReportTargets are the addresses in a list of URIs, with their limits.
func ReportTargets(uris string) string {
	var list []string
	for _, t := range parseTargets(uris) {
		list = append(list, fmt.Sprint(t.Address.Address, " ", t.most))
	}
	return strings.Join(list, ",")
}
