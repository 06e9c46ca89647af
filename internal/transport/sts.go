package transport

import (
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

	mu      sync.Mutex
	known   map[string]knownPolicy   // by domain
	flights map[string]chan struct{} // fetches under way, closed when they are over
}

// knownPolicy is what is remembered of a domain: its last policy, if one could be had, and the last id that was fetched for.
type knownPolicy struct {
	policy  stsPolicy
	expires time.Time
	id      string // of what was tried last
	retry   time.Time
}

func newPolicies(o DirectOptions, c client) *policies {
	p := &policies{
		dns: o.DNS, port: o.HTTPSPort, allowPrivate: o.AllowPrivate, dial: c.dial, now: o.Now, log: c.log,
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

// of gives the policy of a domain. One that was had before counts until its time is over, even where the domain seems to have
// none now: else whoever can make the DNS fail could switch it off (5.1).
func (p *policies) of(ctx context.Context, domain string) stsPolicy {
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
	p.mu.Lock()
	defer p.mu.Unlock()
	if k := p.known[domain]; p.now().Before(k.expires) {
		return k.policy
	}
	return stsPolicy{}
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
	policy, err := p.get(ctx, domain)
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.flights, domain)
	close(end)
	if ctx.Err() != nil {
		return // who asked has no more time; that says nothing about the domain
	}
	k := p.known[domain]
	k.id, k.retry = id, time.Time{}
	if err != nil {
		p.log.Info("a domain announces an MTA-STS policy that cannot be had", "domain", domain, "err", err)
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

func (p *policies) get(ctx context.Context, domain string) (stsPolicy, error) {
	host := "mta-sts." + domain
	if p.port != httpsPort {
		host = net.JoinHostPort(host, strconv.Itoa(int(p.port)))
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "https://"+host+"/.well-known/mta-sts.txt", nil)
	if err != nil {
		return stsPolicy{}, err
	}
	res, err := p.http.Do(req)
	if err != nil {
		return stsPolicy{}, err
	}
	defer res.Body.Close()
	kind, _, _ := mime.ParseMediaType(res.Header.Get("Content-Type"))
	if res.StatusCode != http.StatusOK || kind != "text/plain" {
		return stsPolicy{}, fmt.Errorf("status %d, type %q", res.StatusCode, oneLine(kind))
	}
	text, err := io.ReadAll(io.LimitReader(res.Body, maxPolicy+1))
	if err != nil {
		return stsPolicy{}, err
	}
	policy, ok := parsePolicy(string(text))
	if len(text) > maxPolicy || !ok {
		return stsPolicy{}, errors.New("not a policy")
	}
	return policy, nil
}

// connect is for the HTTP client. A stranger has chosen the name, so its address is looked at like a mail server's.
func (p *policies) connect(ctx context.Context, network, address string) (net.Conn, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	var addrs []netip.Addr
	for _, a := range p.dns.LookupAll(ctx, dns.Question{Name: host, Type: dns.AAAA}, dns.Question{Name: host, Type: dns.A}) {
		for _, addr := range a.Addrs {
			if permitted(addr, p.allowPrivate) {
				addrs = append(addrs, addr)
			}
		}
	}
	err = fmt.Errorf("%s has no public address", host)
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
