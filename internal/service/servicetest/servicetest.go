// Package servicetest opens services on real stores for tests, and does the steps with which most tests begin. A step
// that fails ends the test.
package servicetest

import (
	"errors"
	"log/slog"
	"net/netip"
	"os"
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

// What a test's service is configured with.
const (
	OperatorToken mailbox.Secret = "operator-token-for-tests"
	Configured    string         = "ops@example.test"
)

// Noon is when a test's clock starts.
var Noon = time.Date(2026, time.March, 14, 12, 0, 0, 0, time.UTC)

// Clock is a time that only the test moves.
type Clock struct {
	mu  sync.Mutex
	now time.Time
}

// Now gives it.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Set moves it.
func (c *Clock) Set(t time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = t
}

// Advance moves it on.
func (c *Clock) Advance(d time.Duration) { c.Set(c.Now().Add(d)) }

// Base is what a test's service stands on.
type Base struct {
	Options service.Options
	DB      *sqlite.DB
	Clock   *Clock
	Blobs   string // folder
	Path    string // of the store
}

// emptyStore is the file of a store that nothing is in. Making its tables takes longer than most tests, so it is done
// once, and copied.
var emptyStore = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "mailkin-empty-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "mail.db")
	db, err := sqlite.Open(path)
	if err == nil {
		err = db.Close()
	}
	if err != nil {
		return nil, err
	}
	return os.ReadFile(path)
})

// New makes an empty store, and opens a service on it. change may change what it is made of.
func New(t *testing.T, change ...func(*service.Options)) (*service.Service, Base) {
	t.Helper()
	b := Base{Clock: &Clock{now: Noon}, Blobs: filepath.Join(t.TempDir(), "blobs"), Path: filepath.Join(t.TempDir(),
		"mail.db")}
	file, err := emptyStore()
	if err == nil {
		err = os.WriteFile(b.Path, file, 0o600)
	}
	if err == nil {
		b.DB, err = sqlite.Open(b.Path)
	}
	if err != nil {
		t.Fatal(err)
	}
	dir, err := blob.OpenDir(b.Blobs)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(b.DB.Close(), dir.Close()); err != nil {
			t.Error(err)
		}
	})
	b.Options = service.Options{
		Live: service.Live{Bootstrap: true, BootstrapClientLimit: 100, BootstrapTotalLimit: 10000, LoopThread: 20,
			LoopPeer: 60, CodeWindow: 15 * time.Minute, QuarantineKept: 30 * 24 * time.Hour,
			RetireAddresses: 90 * 24 * time.Hour},
		Store: b.DB, Blobs: dir, Domains: []string{"example.test", "xn--bcher-kva.test"}, Configured: Configured,
		Operator: OperatorToken,
		Limits:   mailbox.DefaultLimits(), Version: "test", AllowPrivate: func(netip.Addr) bool { return false },
		MinFree: func(uint64) uint64 { return 0 }, RejectsKept: 100, Now: b.Clock.Now,
		Log:  slog.New(slog.DiscardHandler),
		Root: "root-secret-for-tests",
		Way:  service.WayCapture, RetryTime: 48 * time.Hour, Alone: true,
		Claim: service.ClaimOperator, EventsKept: 7 * 24 * time.Hour,
	}
	for _, c := range change {
		c(&b.Options)
	}
	svc, err := service.Open(t.Context(), b.Options)
	if err != nil {
		t.Fatal(err)
	}
	return svc, b
}

// Enter enters as the owner of a token.
func Enter(t *testing.T, svc *service.Service, token mailbox.Secret, act service.Act) service.Access {
	t.Helper()
	who, err := svc.Authenticate(t.Context(), token)
	if err != nil {
		t.Fatalf("Authenticate: %v", err)
	}
	in, err := svc.Enter(t.Context(), who, act)
	if err != nil {
		t.Fatalf("Enter: %v", err)
	}
	return in
}

// Permanent makes a mailbox as the operator does.
func Permanent(t *testing.T, svc *service.Service, name string) service.CreatedMailbox {
	t.Helper()
	in := Enter(t, svc, OperatorToken, service.Act{Need: mailbox.Moderate, Verb: mailbox.Moderate.String()})
	made, err := svc.CreateMailbox(t.Context(), in, service.NewMailbox{Name: name})
	if err != nil {
		t.Fatalf("CreateMailbox: %v", err)
	}
	return made
}

// Insert puts a mailbox into the store, for what no verb makes: temporary ones, aliases.
func Insert(t *testing.T, b Base, m mailbox.Mailbox) service.CreatedMailbox {
	t.Helper()
	made := service.CreatedMailbox{Mailbox: m, Key: mailbox.NewSecret()}
	made.Status, made.CreatedAt = mailbox.Active, b.Clock.Now()
	err := b.DB.Update(t.Context(), func(tx store.Tx) (err error) {
		if made.Num, err = tx.InsertMailbox(t.Context(), made.Mailbox); err != nil {
			return err
		}
		return tx.InsertKey(t.Context(), mailbox.Key{ID: mailbox.NewID(b.Clock.Now()), Mailbox: made.Num,
			Scope:  m.Scope,
			Digest: made.Key.Digest(), Hint: made.Key.Hint(), CreatedAt: b.Clock.Now(), ExpiresAt: m.ExpiresAt})
	})
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// Provisional makes a temporary mailbox.
func Provisional(t *testing.T, b Base, name string) service.CreatedMailbox {
	t.Helper()
	return Insert(t, b, mailbox.Mailbox{Address: name + "@example.test", Scope: mailbox.Provisional,
		ExpiresAt: b.Clock.Now().Add(72 * time.Hour)})
}

// Envelope asks for each recipient as RCPT does.
func Envelope(t *testing.T, svc *service.Service, to ...string) mailbox.Envelope {
	t.Helper()
	env := mailbox.Envelope{Trace: mailbox.Trace{From: "sender@sender.test", Remote: "192.0.2.1",
		Helo: "mx.sender.test", Proto: "ESMTP"}}
	for _, a := range to {
		rcpt, err := svc.Recipient(t.Context(), a)
		if err != nil {
			t.Fatalf("Recipient %s: %v", a, err)
		}
		env.Recipients = append(env.Recipients, rcpt)
	}
	return env
}

// Receive takes a message for recipients, each of which must get it.
func Receive(t *testing.T, svc *service.Service, raw string, to ...string) []mailbox.Receipt {
	t.Helper()
	receipts, err := svc.Receive(t.Context(), Envelope(t, svc, to...), strings.NewReader(raw))
	if err != nil {
		t.Fatalf("Receive: %v", err)
	}
	for _, r := range receipts {
		if r.Err != nil {
			t.Fatalf("Receive for %s: %v", r.Recipient, r.Err)
		}
	}
	return receipts
}

// Message reads a message.
func Message(t *testing.T, svc *service.Service, in service.Access, id mailbox.ID) service.FullMessage {
	t.Helper()
	m, err := svc.Message(t.Context(), in, id, service.MessageOptions{})
	if err != nil {
		t.Fatalf("Message: %v", err)
	}
	return m
}

// Same compares two values.
func Same(t *testing.T, what string, got, want any) {
	t.Helper()
	if d := cmp.Diff(want, got, cmpopts.EquateEmpty(), cmpopts.IgnoreUnexported(mailbox.Detail{})); d != "" {
		t.Errorf("%s (-want +got):\n%s", what, d)
	}
}
