package service_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net/netip"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/mailkin/mailkin/internal/blob"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/store/sqlite"
)

const (
	operatorToken mailbox.Secret = "operator-token-for-tests"
	configured    string         = "ops@example.test"
)

// noon is when a kit's clock starts.
var noon = time.Date(2026, time.March, 14, 12, 0, 0, 0, time.UTC)

// clock is a time that only the test moves.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) set(t time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = t
}

func (c *clock) advance(d time.Duration) { c.set(c.Now().Add(d)) }

// kit is a service on a real store and real blobs, with the steps that most tests need. A step that fails ends the test.
type kit struct {
	*testing.T
	svc   *service.Service
	opt   service.Options
	db    *sqlite.DB
	clock *clock
	blobs string // folder
	path  string // of the store
}

// newService starts a service with an empty store. change may change what it is made of.
func newService(t *testing.T, change ...func(*service.Options)) *kit {
	t.Helper()
	k := &kit{T: t, clock: &clock{now: noon}, blobs: filepath.Join(t.TempDir(), "blobs"), path: filepath.Join(t.TempDir(), "mail.db")}
	var err error
	if k.db, err = sqlite.Open(k.path); err != nil {
		t.Fatal(err)
	}
	dir, err := blob.OpenDir(k.blobs)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(k.db.Close(), dir.Close()); err != nil {
			t.Error(err)
		}
	})
	k.opt = service.Options{
		Store: k.db, Blobs: dir, Domains: []string{"example.test", "xn--bcher-kva.test"}, Configured: configured, Operator: operatorToken,
		Limits: mailbox.DefaultLimits(), Version: "test", AllowPrivate: func(netip.Addr) bool { return false },
		MinFree: func(uint64) uint64 { return 0 }, RejectsKept: 100, Now: k.clock.Now, Log: slog.New(slog.DiscardHandler),
		Root: "root-secret-for-tests", Bootstrap: true, BootstrapClientLimit: 100, BootstrapTotalLimit: 10000,
		Way: service.WayCapture, RetryTime: 48 * time.Hour, LoopThread: 20, LoopPeer: 60, Alone: true,
		Claim: service.ClaimOperator, CodeWindow: 15 * time.Minute, EventsKept: 7 * 24 * time.Hour, RetireAddresses: 90 * 24 * time.Hour,
	}
	for _, c := range change {
		c(&k.opt)
	}
	if k.svc, err = service.Open(t.Context(), k.opt); err != nil {
		t.Fatal(err)
	}
	return k
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
	in, err := k.svc.Enter(k.Context(), k.login(token), service.Act{Need: c, Verb: c.String(), Mailbox: named})
	if err != nil {
		k.Fatalf("Enter: %v", err)
	}
	return in
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
	made, err := k.svc.CreateMailbox(k.Context(), k.operator(mailbox.Moderate, ""), service.NewMailbox{Name: name})
	if err != nil {
		k.Fatalf("CreateMailbox: %v", err)
	}
	return box{made, k}
}

// insert puts a mailbox into the store, for what no verb makes: temporary ones, aliases.
func (k *kit) insert(m mailbox.Mailbox) box {
	k.Helper()
	made := service.CreatedMailbox{Mailbox: m, Key: mailbox.NewSecret()}
	made.Status, made.CreatedAt = mailbox.Active, k.clock.Now()
	k.update(func(tx store.Tx) (err error) {
		if made.Num, err = tx.InsertMailbox(k.Context(), made.Mailbox); err != nil {
			return err
		}
		return tx.InsertKey(k.Context(), mailbox.Key{ID: mailbox.NewID(k.clock.Now()), Mailbox: made.Num, Scope: m.Scope,
			Digest: made.Key.Digest(), Hint: made.Key.Hint(), CreatedAt: k.clock.Now(), ExpiresAt: m.ExpiresAt})
	})
	return box{made, k}
}

func (k *kit) provisional(name string) box {
	k.Helper()
	return k.insert(mailbox.Mailbox{Address: name + "@example.test", Scope: mailbox.Provisional, ExpiresAt: k.clock.Now().Add(72 * time.Hour)})
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
	env := mailbox.Envelope{Trace: mailbox.Trace{From: "sender@sender.test", Remote: "192.0.2.1", Helo: "mx.sender.test", Proto: "ESMTP"}}
	for _, a := range to {
		rcpt, err := k.svc.Recipient(k.Context(), a)
		if err != nil {
			k.Fatalf("Recipient %s: %v", a, err)
		}
		env.Recipients = append(env.Recipients, rcpt)
	}
	return env
}

// receive takes a message for recipients, each of which must get it.
func (k *kit) receive(raw string, to ...string) []mailbox.Receipt {
	k.Helper()
	receipts, err := k.svc.Receive(k.Context(), k.envelope(to...), strings.NewReader(raw))
	if err != nil {
		k.Fatalf("Receive: %v", err)
	}
	for _, r := range receipts {
		if r.Err != nil {
			k.Fatalf("Receive for %s: %v", r.Recipient, r.Err)
		}
	}
	return receipts
}

// letter is a small message: its Message-ID is its subject.
func letter(subject string, fields ...string) string {
	head := fmt.Sprintf("From: Ada <ada@sender.test>\r\nTo: bo@example.test\r\nSubject: %s\r\nMessage-ID: <%s@sender.test>\r\n"+
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
	m, err := k.svc.Message(k.Context(), in, id, service.MessageOptions{})
	if err != nil {
		k.Fatalf("Message: %v", err)
	}
	return m
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
	if d := cmp.Diff(want, got, cmpopts.EquateEmpty()); d != "" {
		k.Errorf("%s (-want +got):\n%s", what, d)
	}
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

// meet gives a function in which n callers wait for each other.
func meet(n int) func() error {
	var all sync.WaitGroup
	all.Add(n)
	return func() error {
		all.Done()
		all.Wait()
		return nil
	}
}
