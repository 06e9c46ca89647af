package transport

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/dns/dnstest"
	"github.com/mailkin/mailkin/internal/mailbox"
)

// policyServer is a web server for mta-sts.a.example on loopback.
func policyServer(t *testing.T, ca *authority, name string, handler http.HandlerFunc) (port uint16) {
	t.Helper()
	s := httptest.NewUnstartedServer(handler)
	s.TLS = ca.server(t, name)
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.StartTLS()
	t.Cleanup(s.Close)
	return netip.MustParseAddrPort(s.Listener.Addr().String()).Port()
}

func text(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/.well-known/mta-sts.txt" || !strings.HasPrefix(r.Host, "mta-sts.a.example") {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		_, _ = io.WriteString(w, body)
	}
}

const enforce = "version: STSv1\r\nmode: enforce\r\nmx: mx.a.example\r\nmx: *.b.example\r\nmax_age: 86400\r\n"

func stsZone(t testing.TB) *dnstest.Zone {
	return dnstest.New(t, "a.example. MX 10 mx.a.example.", "mx.a.example. A 127.0.0.2",
		"mta-sts.a.example. A 127.0.0.1").
		Text("_mta-sts.a.example", "v=STSv1; id=1;")
}

func TestMTASTS(t *testing.T) {
	ca, stranger := newAuthority(t), newAuthority(t)
	good := func() *server { return &server{offer: []string{"STARTTLS"}, tls: ca.server(t, "mx.a.example")} }
	trial := strings.Replace(enforce, "enforce", "testing", 1)
	elsewhere := strings.Replace(enforce, "mx: mx.a.example", "mx: other.example", 1)
	for _, tt := range []struct {
		name     string
		policy   http.HandlerFunc
		server   *server
		outcome  Outcome
		verified bool
		text     string
	}{
		{"good", text(enforce), good(), Delivered, true, ""},
		{"certificate of a stranger", text(enforce), &server{offer: []string{"STARTTLS"},
			tls: stranger.server(t, "mx.a.example")}, Temporary, false, "MTA-STS"},
		{"certificate for another name", text(enforce), &server{offer: []string{"STARTTLS"},
			tls: ca.server(t, "x.example")}, Temporary, false, "MTA-STS"},
		{"certificate is over", text(enforce), &server{offer: []string{"STARTTLS"},
			tls: ca.serverUntil(t, time.Now().Add(-time.Hour), "mx.a.example")}, Temporary, false, "MTA-STS"},
		{"no STARTTLS", text(enforce), &server{}, Temporary, false, "does not offer it"},
		{"STARTTLS refused", text(enforce), &server{offer: []string{"STARTTLS"},
			says: map[string]string{"STARTTLS": "454 no"}}, Temporary, false, "no"},
		{"broken handshake", text(enforce), &server{offer: []string{"STARTTLS"}}, Temporary, false, "MTA-STS"},
		{"another server", text(elsewhere), good(), Temporary, false, "no server that the MTA-STS policy"},
		{"testing", text(trial), good(), Delivered, true, ""},
		{"testing, stranger", text(trial), &server{offer: []string{"STARTTLS"},
			tls: stranger.server(t, "mx.a.example")}, Delivered, false, ""},
		{"testing, no STARTTLS", text(trial), &server{}, Delivered, false, ""},
		{"testing, another server", text(strings.Replace(elsewhere, "enforce", "testing", 1)), good(), Delivered, false,
			""},
		{"none", text("version: STSv1\nmode: none\nmax_age: 1"), &server{}, Delivered, false, ""},
		{"not a policy", text("hello"), &server{}, Delivered, false, ""},
		{"not found", http.NotFound, &server{}, Delivered, false, ""},
		{"another type", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			_, _ = io.WriteString(w, enforce)
		}, &server{}, Delivered, false, ""},
		{"redirect", func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/there" {
				w.Header().Set("Content-Type", "text/plain")
				_, _ = io.WriteString(w, enforce)
				return
			}
			http.Redirect(w, r, "/there", http.StatusFound)
		}, &server{}, Delivered, false, ""},
		{"too long", text(enforce + strings.Repeat("x: y\n", 20000)), &server{}, Delivered, false, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			port := ring(t, tt.server)
			https := policyServer(t, ca, "mta-sts.a.example", tt.policy)
			d := direct(t, stsZone(t), port, func(o *DirectOptions) { o.Roots, o.HTTPSPort = ca.pool, https })
			r := deliver(t, d, "a.example")
			if r.Outcome != tt.outcome || r.Verified != tt.verified || !strings.Contains(r.Text, tt.text) {
				t.Errorf("%+v", r)
			}
			if want, ok := seenOfSTS[tt.name]; ok {
				if got := watched(t, d, "a.example", false); got != want {
					t.Errorf("%s, want %s", got, want)
				}
			}
			if got := watched(t, d, "a.example", true); !strings.HasSuffix(got, "session true") { // for reports alone
				t.Errorf("not strictly: %s", got)
			}
		})
	}
}

// seenOfSTS is what is told for reports.
var seenOfSTS = map[string]string{
	"good":                         "sts ; session true",
	"certificate of a stranger":    "sts certificate-not-trusted; session false",
	"certificate for another name": "sts certificate-host-mismatch; session false",
	"certificate is over":          "sts certificate-expired; session false",
	"no STARTTLS":                  "sts starttls-not-supported; session false",
	"STARTTLS refused":             "sts starttls-not-supported; session false",
	"broken handshake":             "sts validation-failure; session false",
	"another server":               "sts validation-failure; session false",
	"testing":                      "sts ; session true",
	"testing, stranger":            "sts certificate-not-trusted; session true",
	"testing, no STARTTLS":         "sts starttls-not-supported; session true",
	"testing, another server":      "sts validation-failure; session true",
	"none":                         "no-policy-found starttls-not-supported; session true",
	"not a policy":                 "sts sts-policy-invalid; session true",
	"too long":                     "sts sts-policy-invalid; session true",
	"not found":                    "sts sts-policy-fetch-error; session true",
}

// A policy is fetched from who it says it is, and from nobody in our own network.
func TestPolicyServer(t *testing.T) {
	ca, stranger := newAuthority(t), newAuthority(t)
	for _, tt := range []struct {
		name   string
		by     *authority
		host   string
		allow  func(netip.Addr) bool
		want   stsMode
		failed string
	}{
		{"right", ca, "mta-sts.a.example", anyAddr, stsEnforce, ""},
		{"certificate of a stranger", stranger, "mta-sts.a.example", anyAddr, stsNone, failedWebPKI},
		{"certificate for the domain", ca, "a.example", anyAddr, stsNone, failedWebPKI},
		{"private address", ca, "mta-sts.a.example", nil, stsNone, failedFetch},
	} {
		t.Run(tt.name, func(t *testing.T) {
			https := policyServer(t, tt.by, tt.host, text(enforce))
			d := direct(t, stsZone(t), 25, func(o *DirectOptions) {
				o.Roots, o.HTTPSPort, o.AllowPrivate = ca.pool,
					https, tt.allow
			})
			if p, _ := d.policies.of(t.Context(), "a.example"); p.mode != tt.want {
				t.Errorf("%+v", p)
			}
			if got := d.policies.failed("a.example"); got != tt.failed {
				t.Errorf("failed with %q, want %q", got, tt.failed)
			}
		})
	}
}

// clock is a time that tests move.
type clock struct{ now atomic.Int64 }

func (c *clock) time() time.Time         { return time.Unix(c.now.Load(), 0) }
func (c *clock) advance(d time.Duration) { c.now.Add(int64(d / time.Second)) }

// countedPolicy serves a policy that is good for a given number of seconds, counts who fetches it, and fails while it
// is broken.
func countedPolicy(t *testing.T, age string, fetched *atomic.Int64, broken *atomic.Bool) (ca *authority, port uint16) {
	ca = newAuthority(t)
	return ca, policyServer(t, ca, "mta-sts.a.example", func(w http.ResponseWriter, r *http.Request) {
		fetched.Add(1)
		if broken.Load() {
			http.Error(w, "down", http.StatusServiceUnavailable)
			return
		}
		text(strings.Replace(enforce, "86400", age, 1))(w, r)
	})
}

func TestPolicyIsRemembered(t *testing.T) {
	var fetched atomic.Int64
	var broken atomic.Bool
	ca, https := countedPolicy(t, "3600", &fetched, &broken)
	now := new(clock)
	now.now.Store(time.Now().Unix())
	z := stsZone(t)
	d := direct(t, z, 25, func(o *DirectOptions) { o.Roots, o.HTTPSPort, o.Now = ca.pool, https, now.time })
	look := func(step string, want stsMode, times int64) {
		t.Helper()
		d.policies.dns = resolver(t, z) // without what the last one remembers
		if p, _ := d.policies.of(t.Context(), "a.example"); p.mode != want || fetched.Load() != times {
			t.Errorf("%s: mode %d after %d fetches, want %d after %d", step, p.mode, fetched.Load(), want, times)
		}
	}
	look("first", stsEnforce, 1)
	look("again", stsEnforce, 1)
	z.Remove("_mta-sts.a.example")
	look("record is gone", stsEnforce, 1)
	z.Text("_mta-sts.a.example", "v=STSv1; id=2;")
	look("new id", stsEnforce, 2)
	broken.Store(true)
	z.Remove("_mta-sts.a.example")
	z.Text("_mta-sts.a.example", "v=STSv1; id=3;")
	look("new id that cannot be fetched", stsEnforce, 3)
	look("too soon to try again", stsEnforce, 3)
	now.advance(policyRetry + time.Second)
	look("tried again", stsEnforce, 4)
	now.advance(time.Hour)
	look("too old", stsNone, 5)
	broken.Store(false)
	look("too soon", stsNone, 5)
	now.advance(policyRetry + time.Second)
	look("back", stsEnforce, 6)
}

func TestPolicyIsFetchedOnce(t *testing.T) {
	ca := newAuthority(t)
	var fetched atomic.Int64
	https := policyServer(t, ca, "mta-sts.a.example", func(w http.ResponseWriter, r *http.Request) {
		fetched.Add(1)
		text(enforce)(w, r)
	})
	d := direct(t, stsZone(t), 25, func(o *DirectOptions) { o.Roots, o.HTTPSPort = ca.pool, https })
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			if p, _ := d.policies.of(t.Context(), "a.example"); p.mode != stsEnforce {
				t.Errorf("%+v", p)
			}
		})
	}
	wg.Wait()
	if fetched.Load() != 1 {
		t.Errorf("fetched %d times", fetched.Load())
	}
}

func TestPoliciesAreBounded(t *testing.T) {
	d := direct(t, stsZone(t), 25, func(o *DirectOptions) {
		o.Dial = func(context.Context, string, string) (net.Conn, error) { return nil, io.EOF }
	})
	for i := range maxPolicies + 100 {
		d.policies.fetch(t.Context(), fmt.Sprintf("d%d.example", i), "1", make(chan struct{}))
	}
	if n := len(d.policies.known); n != maxPolicies {
		t.Errorf("%d policies", n)
	}
}

// DANE comes before MTA-STS.
func TestDANEBeforeMTASTS(t *testing.T) {
	ca := newAuthority(t)
	s := &server{offer: []string{"STARTTLS"}, tls: ca.server(t, "mx.a.example")}
	port := ring(t, s)
	https := policyServer(t, ca, "mta-sts.a.example",
		text(strings.Replace(enforce, "mx: mx.a.example", "mx: other.example", 1)))
	z := stsZone(t)
	z.Add(t, "a.example SECURE", tlsa(port, "mx.a.example", fmt.Sprintf("3 0 0 %x", s.tls.Certificates[0].Leaf.Raw)))
	r := deliver(t, direct(t, z, port, func(o *DirectOptions) { o.Roots, o.HTTPSPort = ca.pool, https }), "a.example")
	if r.Outcome != Delivered || !r.Verified {
		t.Errorf("%+v", r)
	}
}

// policyStore is a store of policies.
type policyStore struct {
	mu   sync.Mutex
	all  map[string]mailbox.Policy
	away error
	now  func() time.Time
}

func (s *policyStore) Policy(_ context.Context, domain string) (mailbox.Policy, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.all[domain], s.away
}

func (s *policyStore) KeepPolicy(_ context.Context, p mailbox.Policy) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.all == nil {
		s.all = make(map[string]mailbox.Policy)
	}
	s.all[p.Domain] = p
	return s.away
}

func (s *policyStore) DuePolicies(context.Context) (list []mailbox.Policy, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range s.all {
		if !s.now().Before(p.RefreshAt) {
			list = append(list, p)
			p.RefreshAt = s.now().Add(time.Hour)
			s.all[p.Domain] = p
		}
	}
	return list, s.away
}

// A policy that was had counts after a restart and on another node too, is fetched again before its end, and counts to
// its end where that fails. Where the store does not answer nothing is sent: nobody knows what is demanded.
func TestPolicyIsKept(t *testing.T) {
	var fetched atomic.Int64
	var broken atomic.Bool
	ca, https := countedPolicy(t, "36000", &fetched, &broken)
	now, z := new(clock), stsZone(t)
	now.now.Store(time.Now().Unix())
	kept := &policyStore{now: now.time}
	var d *Direct
	start := func() {
		d = direct(t, z, 25, func(o *DirectOptions) {
			o.Roots, o.HTTPSPort, o.Now, o.Policies = ca.pool, https,
				now.time, kept
		})
	}
	look := func(step string, want stsMode, times int64) {
		t.Helper()
		p, err := d.policies.of(t.Context(), "a.example")
		if err != nil || p.mode != want || fetched.Load() != times || want == stsEnforce && !p.allows("mx.a.example") {
			t.Errorf("%s: mode %d after %d fetches, want %d after %d (%v)", step, p.mode, fetched.Load(), want, times,
				err)
		}
	}
	refresh := func() {
		t.Helper()
		if err := d.RefreshPolicies(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	start()
	look("first", stsEnforce, 1)
	start()
	look("after a restart", stsEnforce, 1)
	refresh()
	look("not due", stsEnforce, 1)
	now.advance(6 * time.Hour)
	refresh()
	look("fetched again in time", stsEnforce, 2)
	broken.Store(true)
	now.advance(6 * time.Hour)
	refresh()
	look("cannot be fetched", stsEnforce, 3)
	z.Remove("_mta-sts.a.example")
	start()
	look("its record is gone as well, after a restart", stsEnforce, 3)
	kept.away = errors.New("away")
	start()
	if _, why := d.Open(t.Context(), "a.example"); why == nil || why.Outcome != Temporary || !why.Here {
		t.Errorf("without the store: %+v", why)
	}
	kept.away = nil
	now.advance(5 * time.Hour)
	look("over", stsNone, 3)
}
