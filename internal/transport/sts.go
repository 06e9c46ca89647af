package transport

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"mime"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"sync"
	"time"

	"github.com/mailkin/mailkin/internal/dns"
	"github.com/mailkin/mailkin/internal/mailbox"
)

const (
	policyTime  = 10 * time.Second // for fetching one
	policyRetry = 5 * time.Minute  // before a policy that could not be fetched is tried again (RFC 8461 3.3)
	maxPolicies = 1000             // that are remembered
)

// policies finds the MTA-STS policies of domains (RFC 8461), and remembers them for as long as they say.
type policies struct {
	dns          *dns.Resolver
	http         *http.Client
	port         uint16
	allowPrivate func(netip.Addr) bool
	dial         dialFunc
	now          func() time.Time
	log          *slog.Logger
	store        PolicyStore // nil: they are remembered here alone

	mu      sync.Mutex
	known   map[string]knownPolicy   // by domain
	flights map[string]chan struct{} // fetches under way, closed when they are over
}

// PolicyStore keeps policies over restarts, and for all nodes.
type PolicyStore interface {
	// Policy returns the policy of a domain; one without a domain: none is known.
	Policy(ctx context.Context, domain string) (mailbox.Policy, error)
	KeepPolicy(ctx context.Context, p mailbox.Policy) error
	// DuePolicies returns policies that are to be fetched again, each to one caller.
	DuePolicies(ctx context.Context) ([]mailbox.Policy, error)
}

// knownPolicy is what is remembered of a domain: its last policy, if one could be had, and the last id that was fetched
// for.
type knownPolicy struct {
	policy  stsPolicy
	expires time.Time
	id      string // of what was tried last
	failed  string // the type of its failure; empty: it could be had
	retry   time.Time
}

func newPolicies(o DirectOptions, c client) *policies {
	p := &policies{
		dns: o.DNS, port: o.HTTPSPort, allowPrivate: o.AllowPrivate, dial: c.dial, now: o.Now, log: c.log,
		store: o.Policies,
		known: make(map[string]knownPolicy), flights: make(map[string]chan struct{}),
	}
	p.http = &http.Client{
		Timeout:       policyTime,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }, // 3.3: none
		Transport: &http.Transport{
			DialContext:            p.connect,
			TLSClientConfig:        &tls.Config{RootCAs: o.Roots, MinVersion: tls.VersionTLS12, Time: o.Now},
			DisableKeepAlives:      true,
			DisableCompression:     true,
			MaxResponseHeaderBytes: 16 << 10,
		},
	}
	return p
}

// of returns the policy of a domain. One that was had before counts until its time is over, even where the domain seems
// to have none now: else anyone who can make the DNS fail could switch it off (5.1). An error is the store's, and then
// nobody knows.
func (p *policies) of(ctx context.Context, domain string) (stsPolicy, error) {
	if _, known := p.valid(domain); !known {
		if _, err := p.recall(ctx, domain, ""); err != nil {
			return stsPolicy{}, err
		}
	}
	a := p.dns.Lookup(ctx, "_mta-sts."+domain, dns.TXT)
	id, announced := stsID(a.Texts)
	for announced && ctx.Err() == nil {
		end, mine := p.board(domain, id)
		if end == nil {
			break
		}
		if mine {
			p.fetch(ctx, domain, id, end)
			continue
		}
		select {
		case <-end:
		case <-ctx.Done():
		}
	}
	if !announced {
		p.forgive(domain)
	}
	policy, _ := p.valid(domain)
	return policy, nil
}

// failed is the type of the failure to have a policy that a domain announces (RFC 8460 4.3.2.2).
func (p *policies) failed(domain string) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.known[domain].failed
}

// forgive forgets a failure to have a policy: it is not announced any more.
func (p *policies) forgive(domain string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if k, known := p.known[domain]; known {
		k.failed = ""
		p.known[domain] = k
	}
}

func policyFailure(err error) string {
	var untrusted *tls.CertificateVerificationError
	switch {
	case err == nil:
		return ""
	case errors.Is(err, errNotPolicy):
		return failedPolicy
	case errors.As(err, &untrusted):
		return failedWebPKI
	}
	return failedFetch
}

// valid returns the policy that is remembered of a domain and not over.
func (p *policies) valid(domain string) (stsPolicy, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	k := p.known[domain]
	if !p.now().Before(k.expires) {
		return stsPolicy{}, false
	}
	return k.policy, true
}

// recall remembers what the store has of a domain: what was fetched before a restart, or by another node. With an id it
// takes only the policy that has it.
func (p *policies) recall(ctx context.Context, domain, id string) (found bool, err error) {
	if p.store == nil {
		return false, nil
	}
	stored, err := p.store.Policy(ctx, domain)
	policy, ok := parsePolicy(stored.Text)
	if err != nil || !ok || !p.now().Before(stored.ExpiresAt) || id != "" && stored.ID != id {
		return false, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	k := p.known[domain]
	k.policy, k.expires = policy, stored.ExpiresAt
	if k.id == "" || id != "" { // else it is known that a newer one could not be had
		k.id, k.retry = stored.ID, time.Time{}
	}
	p.known[domain] = k
	p.forget()
	return true, nil
}

// board joins the fetch of a policy, or starts one. end is nil where there is nothing to fetch.
func (p *policies) board(domain, id string) (end chan struct{}, mine bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	k, known := p.known[domain]
	if now := p.now(); known && k.id == id && (now.Before(k.expires) && k.retry.IsZero() || now.Before(k.retry)) {
		return nil, false
	}
	if end = p.flights[domain]; end != nil {
		return end, false
	}
	end = make(chan struct{})
	p.flights[domain] = end
	return end, true
}

// fetch gets a policy and remembers it, or that it could not be had.
func (p *policies) fetch(ctx context.Context, domain, id string, end chan struct{}) {
	defer func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.flights, domain)
		close(end)
	}()
	if found, err := p.recall(ctx, domain, id); found && err == nil {
		return // another node was faster
	}
	policy, err := p.get(ctx, domain)
	if ctx.Err() != nil {
		return // who asked has no more time; that says nothing about the domain
	}
	p.remember(domain, id, policy, err)
	if err == nil {
		p.keep(ctx, domain, id, policy)
	}
}

// keep stores a policy that was fetched.
func (p *policies) keep(ctx context.Context, domain, id string, policy stsPolicy) {
	if p.store == nil {
		return
	}
	now := p.now()
	err := p.store.KeepPolicy(ctx, mailbox.Policy{Domain: domain, ID: id, Text: policy.String(),
		ExpiresAt: now.Add(policy.maxAge), RefreshAt: now.Add(policy.maxAge / 2)})
	if err != nil {
		p.log.Warn("keep an MTA-STS policy", "domain", domain, "error", err) // it counts here, until the next start
	}
}

// refresh fetches the policies again that are due. One that cannot be had stays until its end.
func (p *policies) refresh(ctx context.Context) error {
	if p.store == nil {
		return nil
	}
	for ctx.Err() == nil {
		list, err := p.store.DuePolicies(ctx)
		if err != nil || len(list) == 0 {
			return err
		}
		for _, old := range list {
			if id, announced := stsID(p.dns.Lookup(ctx, "_mta-sts."+old.Domain, dns.TXT).Texts); announced {
				policy, err := p.get(ctx, old.Domain)
				if err != nil {
					p.log.Info("an MTA-STS policy cannot be fetched again", "domain", old.Domain, "until",
						old.ExpiresAt, "error", err)
					continue
				}
				p.remember(old.Domain, id, policy, nil)
				p.keep(ctx, old.Domain, id, policy)
			}
		}
	}
	return ctx.Err()
}

// remember notes a policy that was fetched, or why it could not be had.
func (p *policies) remember(domain, id string, policy stsPolicy, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	k := p.known[domain]
	k.id, k.retry, k.failed = id, time.Time{}, policyFailure(err)
	if err != nil {
		p.log.Info("a domain announces an MTA-STS policy that cannot be had", "domain", domain, "error", err)
		k.retry = p.now().Add(policyRetry)
	} else {
		k.policy, k.expires = policy, p.now().Add(policy.maxAge)
		if policy.maxAge == 0 {
			k.retry = p.now().Add(policyRetry) // it may not be used at all: it need not be fetched for every mail
		}
	}
	p.known[domain] = k
	p.forget()
}

// forget keeps the number of policies within bounds: what is over soonest goes first.
func (p *policies) forget() {
	for len(p.known) > maxPolicies {
		var first string
		var when time.Time
		for domain, k := range p.known {
			over := k.expires
			if k.retry.After(over) {
				over = k.retry
			}
			if first == "" || over.Before(when) {
				first, when = domain, over
			}
		}
		delete(p.known, first)
	}
}

// FetchPolicy returns the text of the MTA-STS policy that a domain has now; empty: nothing answers under its name.
func FetchPolicy(ctx context.Context, o DirectOptions, domain string) (string, error) {
	o.HTTPSPort = cmp.Or(o.HTTPSPort, httpsPort)
	text, err := newPolicies(o, newClient(o.Hostname, o.Dial, o.Log)).text(ctx, domain)
	if errors.Is(err, errNoPolicyHost) {
		return "", nil
	}
	return text, err
}

func (p *policies) get(ctx context.Context, domain string) (stsPolicy, error) {
	text, err := p.text(ctx, domain)
	if err != nil {
		return stsPolicy{}, err
	}
	policy, ok := parsePolicy(text)
	if !ok {
		return stsPolicy{}, errNotPolicy
	}
	return policy, nil
}

// text fetches a policy as it is.
func (p *policies) text(ctx context.Context, domain string) (string, error) {
	host := "mta-sts." + domain
	if p.port != httpsPort {
		host = net.JoinHostPort(host, strconv.Itoa(int(p.port)))
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "https://"+host+"/.well-known/mta-sts.txt", nil)
	if err != nil {
		return "", err
	}
	res, err := p.http.Do(req)
	if err != nil {
		return "", err
	}
	defer res.Body.Close()
	kind, _, _ := mime.ParseMediaType(res.Header.Get("Content-Type"))
	if res.StatusCode != http.StatusOK || kind != "text/plain" {
		return "", fmt.Errorf("status %d, type %q", res.StatusCode, oneLine(kind))
	}
	text, err := io.ReadAll(io.LimitReader(res.Body, maxPolicy+1))
	if err == nil && len(text) > maxPolicy {
		err = errNotPolicy
	}
	return string(text), err
}

var (
	errNoPolicyHost = errors.New("no public address")
	errNotPolicy    = errors.New("not a policy")
)

// connect is for the HTTP client. A stranger has chosen the name, so its address is looked at like a mail server's.
func (p *policies) connect(ctx context.Context, network, address string) (net.Conn, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	var addrs []netip.Addr
	for _, a := range p.dns.LookupAll(ctx, dns.Question{Name: host, Type: dns.AAAA},
		dns.Question{Name: host, Type: dns.A}) {
		for _, addr := range a.Addrs {
			if permitted(addr, p.allowPrivate) {
				addrs = append(addrs, addr)
			}
		}
	}
	err = fmt.Errorf("%w: %s", errNoPolicyHost, host)
	for _, addr := range inTurn(addrs, hasIPv6())[:min(len(addrs), 4)] {
		var conn net.Conn
		attempt, cancel := context.WithTimeout(ctx, policyTime/4)
		conn, err = p.dial(attempt, network, net.JoinHostPort(addr.String(), port))
		cancel()
		if err == nil {
			return conn, nil
		}
	}
	return nil, err
}
