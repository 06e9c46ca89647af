package webhook

import (
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/miekg/dns"

	"github.com/mailkin/mailkin/internal/blob"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/store/sqlite"
)

const (
	saysForbidden = "The receiver is not publicly reachable: loopback and private addresses are not allowed here."
	saysNoName    = "The receiver's host name does not exist."
	saysURL       = "The webhook URL cannot be posted to."
)

// names are what the tests' name server knows. Everything else, 127.1 and 0x7f000001 among it, is this machine, as it
// is to the resolvers that read such spellings as addresses.
var names = map[string][]string{
	"ten.example":              {"10.1.2.3"},
	"cgnat.example":            {"100.64.0.1"},
	"metadata.example":         {"169.254.169.254"},
	"metadata.google.internal": {"169.254.169.254"},
	"zero.example":             {"0.0.0.0"},
	"ula.example":              {"fd00:ec2::254"},
	"v6.example":               {"::1"},
	"mapped.example":           {"::ffff:127.0.0.1"},
	"nat64.example":            {"64:ff9b::7f00:1"},
	"6to4.example":             {"2002:7f00:1::1"},
	"linklocal.example":        {"fe80::1"},
	"many.example":             {"10.0.0.1", "127.0.0.1", "192.168.0.1", "::1", "fd00::1"},
}

func thisMachine(name string, _ uint16) []string {
	if known, ok := names[name]; ok {
		return known
	}
	return []string{"127.0.0.1", "::1"}
}

// trap notices connections to this machine's loopback addresses on one port.
type trap struct {
	port string
	hits atomic.Int32
	v6   bool // it listens on ::1 too
}

// newTrap answers every connection with 204, so that a post that gets through is one that worked.
func newTrap(t *testing.T) *trap {
	t.Helper()
	for range 20 { // the other family's port may be taken
		tr := new(trap)
		l4, err := net.Listen("tcp4", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		tr.port = strconv.Itoa(l4.Addr().(*net.TCPAddr).Port)
		listeners := []net.Listener{l4}
		if probe, err := net.Listen("tcp6", "[::1]:0"); err == nil {
			probe.Close()
			l6, err := net.Listen("tcp6", "[::1]:"+tr.port)
			if err != nil {
				l4.Close()
				continue
			}
			listeners, tr.v6 = append(listeners, l6), true
		}
		for _, l := range listeners {
			r := newReceiver(t, nil)
			r.Listener.Close()
			r.Listener = l
			r.Config.ConnState = func(_ net.Conn, state http.ConnState) {
				if state == http.StateNew {
					tr.hits.Add(1)
				}
			}
			r.Start()
		}
		return tr
	}
	t.Fatal("no port is free on both loopback addresses")
	return nil
}

// patchCheck sets webhook URLs as PATCH /v1/mailbox does, and tells whether that refuses them.
func patchCheck(t *testing.T) (refused func(url string) bool) {
	t.Helper()
	db, err := sqlite.Open(filepath.Join(t.TempDir(), "mail.db"))
	if err != nil {
		t.Fatal(err)
	}
	dir, err := blob.OpenDir(filepath.Join(t.TempDir(), "blobs"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close(); dir.Close() })
	const operator mailbox.Secret = "operator-token-for-tests"
	svc, err := service.Open(t.Context(), service.Options{
		Store: db, Blobs: dir, Domains: []string{"example.test"}, Configured: "ops@example.test", Operator: operator,
		Limits:       mailbox.DefaultLimits(),
		AllowPrivate: func(netip.Addr) bool { return false }, MinFree: func(uint64) uint64 { return 0 }, Now: time.Now,
		Log:  slog.New(slog.DiscardHandler),
		Root: "root-secret-for-tests",
	})
	if err != nil {
		t.Fatal(err)
	}
	who, err := svc.Authenticate(t.Context(), operator)
	if err != nil {
		t.Fatal(err)
	}
	in, err := svc.Enter(t.Context(), who, service.Act{Need: mailbox.ManageMailbox, Verb: "test"})
	if err != nil {
		t.Fatal(err)
	}
	return func(url string) bool {
		_, err := svc.ChangeMailbox(t.Context(), in, service.MailboxChange{WebhookURL: &url})
		if err != nil && mailbox.KindOf(err) != mailbox.Invalid {
			t.Errorf("%s: %v", url, err)
		}
		return err != nil
	}
}

// No spelling of a forbidden target is connected to. Each row that names this machine does reach it when that is
// allowed: so it is the guard that keeps it away, and the trap works.
func TestForbiddenTargets(t *testing.T) {
	tr := newTrap(t)
	resolver := nameServer(t, thisMachine)
	guarded := newPoster(t, Options{Resolver: resolver, AllowPrivate: func(netip.Addr) bool { return false }})
	open := newPoster(t, Options{Resolver: resolver, Timeout: 5 * time.Second})
	system := newPoster(t, Options{AllowPrivate: func(netip.Addr) bool { return false }})
	refused := patchCheck(t)
	seen := map[string]bool{}
	for _, tt := range forbiddenTargets {
		if seen[tt.name] || seen[tt.url] {
			t.Errorf("%s, %s stands twice", tt.name, tt.url)
		}
		seen[tt.name], seen[tt.url] = true, true
		t.Run(tt.name, func(t *testing.T) {
			url := strings.ReplaceAll(tt.url, "PORT", tr.port)
			before := tr.hits.Load()
			o := guarded.Post(t.Context(), shipment(url))
			if n := tr.hits.Load() - before; n != 0 || o.OK() || o.Status != 0 || o.Response != "" {
				t.Errorf("%d connections, outcome %+v", n, o)
			}
			if v6 := strings.Contains(url, "["); o.Error != tt.says && (tr.v6 || !v6) {
				t.Errorf("says %q, want %q", o.Error, tt.says)
			}
			// the C library's resolver, where it is linked, needs no network
			if tt.says == saysNoName && !strings.Contains(tt.name, "overflow") {
				if o := system.Post(t.Context(), shipment(url)); o.Error != saysNoName && o.Error != saysForbidden ||
					tr.hits.Load() != before {
					t.Errorf("by the system's resolver: %+v", o)
				}
			}
			if got := refused(url); got != tt.patch {
				t.Errorf("refused when it is set: %v, want %v", got, tt.patch)
			}
			if !tt.here || strings.Contains(url, "[::1") && !tr.v6 {
				return
			}
			if o := open.Post(t.Context(), shipment(url)); !o.OK() || tr.hits.Load() == before {
				t.Errorf("where it is allowed: %+v", o)
			}
			open.Close() // the next row reconnects
		})
	}
	if n := len(forbiddenTargets); n < 60 {
		t.Errorf("only %d rows", n)
	}
}

// receiverBeside listens at another address of this machine, on the trap's port. It keeps no connections, so that every
// post looks its name up.
func receiverBeside(t *testing.T, tr *trap) *receiver {
	t.Helper()
	r := newReceiver(t, nil)
	r.Listener.Close()
	l, err := net.Listen("tcp4", "127.0.0.2:"+tr.port)
	if err != nil {
		t.Skipf("this machine has one loopback address, or the port is taken: %v", err)
	}
	r.Listener = l
	r.Config.SetKeepAlivesEnabled(false)
	r.Start()
	return r
}

// A name with addresses of both kinds is connected to at the allowed ones alone.
func TestMixedAddresses(t *testing.T) {
	tr := newTrap(t)
	allowed := receiverBeside(t, tr)
	resolver := nameServer(t, func(name string, _ uint16) []string {
		return map[string][]string{
			"forbidden-first.example": {"127.0.0.1", "10.0.0.1", "::1", "127.0.0.2"},
			"allowed-first.example":   {"127.0.0.2", "127.0.0.1", "::1"},
			"allowed-dead.example":    {"127.0.0.3", "127.0.0.1", "::1", "10.0.0.1"},
		}[name]
	})
	// 127.0.0.2 and 3 stand for the public addresses.
	p := newPoster(t, Options{Resolver: resolver, AllowPrivate: func(a netip.Addr) bool {
		return a == netip.MustParseAddr("127.0.0.2") || a == netip.MustParseAddr("127.0.0.3")
	}})
	for name, ok := range map[string]bool{"forbidden-first.example": true, "allowed-first.example": true,
		"allowed-dead.example": false} {
		t.Run(name, func(t *testing.T) {
			before := allowed.connections()
			o := p.Post(t.Context(), shipment("http://"+name+":"+tr.port))
			if o.OK() != ok || (allowed.connections() > before) != ok {
				t.Errorf("%+v, %d connections", o, allowed.connections()-before)
			}
			if n := tr.hits.Load(); n != 0 {
				t.Errorf("%d connections to forbidden addresses", n)
			}
		})
	}
}

// A name that is allowed at one look and forbidden at the next is refused at the next: nothing is remembered of the
// first.
func TestRebinding(t *testing.T) {
	tr := newTrap(t)
	receiverBeside(t, tr)
	var looks atomic.Int32
	resolver := nameServer(t, func(_ string, kind uint16) []string {
		if kind != dns.TypeA {
			return nil
		}
		if looks.Add(1) == 1 {
			return []string{"127.0.0.2"}
		}
		return []string{"127.0.0.1"}
	})
	p := newPoster(t, Options{Resolver: resolver, AllowPrivate: func(
		a netip.Addr) bool {
		return a == netip.MustParseAddr("127.0.0.2")
	}})
	url := "http://rebind.example:" + tr.port + "/"
	if o := p.Post(t.Context(), shipment(url)); !o.OK() {
		t.Fatalf("first: %+v", o)
	}
	for range 3 {
		if o := p.Post(t.Context(), shipment(url)); o.Error != saysForbidden {
			t.Errorf("second: %+v", o)
		}
	}
	if hits, n := tr.hits.Load(), looks.Load(); hits != 0 || n != 4 {
		t.Errorf("%d connections to the forbidden address, %d looks", hits, n)
	}
}

// What the guard cannot read, it refuses; what it asks the setting about has neither mapping nor zone.
func TestGuard(t *testing.T) {
	var asked []netip.Addr
	g := guard{func(a netip.Addr) bool { asked = append(asked, a); return false }}
	for _, address := range []string{"", "x", "127.0.0.1", "/run/socket", "[::ffff:10.0.0.1]:80", "[fe80::1%eth0]:80",
		"10.0.0.1:80"} {
		if g.control(t.Context(), "tcp", address, nil) == nil {
			t.Errorf("%q passes", address)
		}
	}
	want := []string{"10.0.0.1", "fe80::1", "10.0.0.1"}
	if len(asked) != len(want) {
		t.Fatalf("asked about %v", asked)
	}
	for i, a := range asked {
		if a.String() != want[i] {
			t.Errorf("asked about %v, want %s", a, want[i])
		}
	}
	for _, address := range []string{"8.8.8.8:443", "[2606:4700::1111]:443", "[::ffff:8.8.8.8]:80"} {
		if err := g.control(t.Context(), "tcp", address, nil); err != nil {
			t.Error(err)
		}
	}
}
