package service_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/service/servicetest"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/store/sqlite"
)

const (
	operatorToken = servicetest.OperatorToken
	configured    = servicetest.Configured
)

var noon = servicetest.Noon

// clock is a time that only the test moves.
type clock struct{ *servicetest.Clock }

func (c *clock) set(t time.Time)         { c.Set(t) }
func (c *clock) advance(d time.Duration) { c.Advance(d) }

// kit is a service on a real store and real blobs, with the steps that most tests need. A step that fails ends the
// test.
type kit struct {
	*testing.T
	svc   *service.Service
	opt   service.Options
	db    *sqlite.DB
	clock *clock
	blobs string // folder
	path  string // of the store
	base  servicetest.Base
}

// newService starts a service with an empty store. change may change what it is made of.
func newService(t *testing.T, change ...func(*service.Options)) *kit {
	t.Helper()
	svc, b := servicetest.New(t, change...)
	return &kit{T: t, svc: svc, opt: b.Options, db: b.DB, clock: &clock{b.Clock}, blobs: b.Blobs, path: b.Path, base: b}
}

func (k *kit) login(token mailbox.Secret) mailbox.Caller {
	k.Helper()
	who, err := k.svc.Authenticate(k.Context(), token)
	if err != nil {
		k.Fatalf("Authenticate: %v", err)
	}
	return who
}

func (k *kit) enter(token mailbox.Secret, c mailbox.Capability, named string) service.Access {
	k.Helper()
	return servicetest.Enter(k.T, k.svc, token, service.Act{Need: c, Verb: c.String(), Mailbox: named})
}

// operator enters as the operator, who names a mailbox or none.
func (k *kit) operator(c mailbox.Capability, named string) service.Access {
	k.Helper()
	return k.enter(operatorToken, c, named)
}

// box is a mailbox of the test with its key.
type box struct {
	service.CreatedMailbox
	k *kit
}

// in enters the mailbox with its own key.
func (b box) in(c mailbox.Capability) service.Access {
	b.k.Helper()
	return b.k.enter(b.Key, c, "")
}

func (b box) read() service.Access   { b.k.Helper(); return b.in(mailbox.ReadMail) }
func (b box) change() service.Access { b.k.Helper(); return b.in(mailbox.ChangeMail) }

// permanent makes a mailbox as the operator does.
func (k *kit) permanent(name string) box {
	k.Helper()
	return box{servicetest.Permanent(k.T, k.svc, name), k}
}

// insert puts a mailbox into the store, for what no verb makes: temporary ones, aliases.
func (k *kit) insert(m mailbox.Mailbox) box {
	k.Helper()
	return box{servicetest.Insert(k.T, k.base, m), k}
}

func (k *kit) provisional(name string) box {
	k.Helper()
	return box{servicetest.Provisional(k.T, k.base, name), k}
}

func (k *kit) update(fn func(store.Tx) error) {
	k.Helper()
	if err := k.db.Update(k.Context(), fn); err != nil {
		k.Fatal(err)
	}
}

func (k *kit) view(fn func(store.Reader) error) {
	k.Helper()
	if err := k.db.View(k.Context(), fn); err != nil {
		k.Fatal(err)
	}
}

// envelope asks for each recipient as RCPT does.
func (k *kit) envelope(to ...string) mailbox.Envelope {
	k.Helper()
	return servicetest.Envelope(k.T, k.svc, to...)
}

// receive takes a message for recipients, each of which must get it.
func (k *kit) receive(raw string, to ...string) []mailbox.Receipt {
	k.Helper()
	return servicetest.Receive(k.T, k.svc, raw, to...)
}

// letter is a small message: its Message-ID is its subject.
func letter(subject string, fields ...string) string {
	head := fmt.Sprintf("From: Ada <ada@sender.test>\r\nTo: bo@example.test\r\nSubject: %s\r\nMessage-ID: "+
		"<%s@sender.test>\r\n"+
		"Date: Sat, 14 Mar 2026 12:00:00 +0000\r\n", subject, subject)
	for _, f := range fields {
		head += f + "\r\n"
	}
	return head + "\r\nThe text of " + subject + ".\r\n"
}

func (k *kit) inbox(in service.Access, q service.InboxQuery) service.List[mailbox.Message] {
	k.Helper()
	if q.Page.Limit == 0 {
		q.Page.Limit = 100
	}
	list, err := k.svc.Inbox(k.Context(), in, q)
	if err != nil {
		k.Fatalf("Inbox: %v", err)
	}
	return list
}

// subjects lists a mailbox's messages, newest first.
func (k *kit) subjects(b box) []string {
	k.Helper()
	return subjects(k.inbox(b.read(), service.InboxQuery{}).Items)
}

func subjects(list []mailbox.Message) []string {
	out := make([]string, len(list))
	for i, m := range list {
		out[i] = m.Subject
	}
	return out
}

func (k *kit) message(in service.Access, id mailbox.ID) service.FullMessage {
	k.Helper()
	return servicetest.Message(k.T, k.svc, in, id)
}

// files lists the files of the blob store.
func (k *kit) files() (list []string) {
	k.Helper()
	err := filepath.WalkDir(k.blobs, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			list = append(list, path)
		}
		return err
	})
	if err != nil {
		k.Fatal(err)
	}
	return list
}

func (k *kit) noFiles(when string) {
	k.Helper()
	if left := k.files(); len(left) > 0 {
		k.Errorf("%s: files are left: %v", when, left)
	}
}

func (k *kit) same(what string, got, want any) {
	k.Helper()
	servicetest.Same(k.T, what, got, want)
}

// kind checks the kind and the code of an error.
func (k *kit) kind(what string, err error, kind mailbox.Kind, code string) {
	k.Helper()
	var e *mailbox.Error
	if !errors.As(err, &e) || e.Kind != kind || e.Code != code {
		k.Errorf("%s: %v, want kind %d and code %s", what, err, kind, code)
	}
}

// works is an error that must be none.
func (k *kit) works(what string, err error) {
	k.Helper()
	if err != nil {
		k.Fatalf("%s: %v", what, err)
	}
}

func readAll(k *kit, r io.Reader) string {
	k.Helper()
	b, err := io.ReadAll(r)
	if err != nil {
		k.Fatal(err)
	}
	return string(b)
}

// storeWith is a store whose updates go through a function first, and after whose views a function is called.
type storeWith struct {
	store.Store
	before func() error
	looked func()
}

// newServiceOver is newService with a store that a test can get in between.
func newServiceOver(t *testing.T) (*kit, *storeWith) {
	t.Helper()
	var with *storeWith
	k := newService(t, func(o *service.Options) {
		with = &storeWith{Store: o.Store}
		o.Store = with
	})
	return k, with
}

// thenReceive has a mail come after the next look and before the wait.
func (s *storeWith) thenReceive(k *kit, b box, raw string) {
	env := k.envelope(b.Address)
	s.looked = func() {
		s.looked = nil
		if _, err := k.svc.Receive(k.Context(), env, strings.NewReader(raw)); err != nil {
			k.Error(err)
		}
	}
}

func (s *storeWith) View(ctx context.Context, fn func(store.Reader) error) error {
	err := s.Store.View(ctx, fn)
	if looked := s.looked; looked != nil {
		looked()
	}
	return err
}

func (s *storeWith) Ask(ctx context.Context, fn func(store.Reader) error) error {
	err := s.Store.Ask(ctx, fn)
	if looked := s.looked; looked != nil {
		looked()
	}
	return err
}

func (s *storeWith) Update(ctx context.Context, fn func(store.Tx) error) error {
	if s.before != nil {
		if err := s.before(); err != nil {
			return err
		}
	}
	return s.Store.Update(ctx, fn)
}

// meet returns a function in which n callers wait for each other.
func meet(n int) func() error {
	var all sync.WaitGroup
	all.Add(n)
	return func() error {
		all.Done()
		all.Wait()
		return nil
	}
}
