package app

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io/fs"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mailkin/mailkin/internal/config"
	"github.com/mailkin/mailkin/internal/datadir"
	"github.com/mailkin/mailkin/internal/dns"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/store/sqlite"
	"github.com/mailkin/mailkin/internal/zone"
)

// certificateProblems tells which certificates an authority has not given.
func (a *App) certificateProblems() (list []service.Problem) {
	if a.certs.acme == nil {
		return nil
	}
	const next = "The authority must reach this server under that name on port 443, or on port 80 where " +
		"acme_http_addr answers it. The log has more."
	states := a.certs.acme.States()
	for _, name := range slices.Sorted(maps.Keys(states)) {
		what, from := "certificate for "+name, " from "+a.cfg.ACME.Directory
		switch s := states[name]; {
		case s.Has && s.Error != "":
			list = append(list, service.Problem{Check: what, Found: "it could not be renewed" + from + ": " + s.Error,
				Next: next})
		case s.Error != "":
			list = append(list, service.Problem{Check: what, Severe: true, Found: "it could not be obtained" + from +
				": " + s.Error, Next: next})
		case !s.Has:
			list = append(list, service.Problem{Check: what, Found: "it is not there yet: it is being obtained" + from,
				Next: "Look again in a minute."})
		}
	}
	return list
}

// LocalTransport talks to the server of the settings on this machine, whatever the DNS says of its name. Its self-made
// certificate is taken for good.
func LocalTransport(cfg config.Config, address string) http.RoundTripper {
	roots, err := x509.SystemCertPool()
	if err != nil {
		roots = x509.NewCertPool()
	}
	if own, err := os.ReadFile(filepath.Join(cfg.DataDir, "tls-cert.pem")); err == nil &&
		cfg.TLS.Mode != config.TLSFiles {
		roots.AppendCertsFromPEM(own)
	}
	dialer := &net.Dialer{Timeout: 5 * time.Second}
	return &http.Transport{
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return dialer.DialContext(ctx, "tcp", address)
		},
		TLSClientConfig: &tls.Config{RootCAs: roots, ServerName: cfg.Hostname},
	}
}

// Names asks the DNS as the server of the settings does: not the machine's own list of hosts.
type Names struct{ dns *dns.Resolver }

// NewNames asks the resolver of the setting dns; where that is off, the system's.
func NewNames(cfg config.Config) (*Names, error) {
	if cfg.DNS == config.DNSOff {
		cfg.DNS = config.DNSSystem
	}
	r, err := (&App{cfg: cfg, log: slog.New(slog.DiscardHandler)}).resolver()
	return &Names{r}, err
}

// answered returns the error of an answer as package net does.
func answered(name string, a dns.Answer) error {
	switch a.Outcome {
	case dns.Found:
		return nil
	case dns.NoData, dns.NoName:
		return &net.DNSError{Err: "no such record", Name: name, IsNotFound: true}
	}
	return &net.DNSError{Err: "the resolver did not answer, or failed", Name: name, IsTemporary: true}
}

// LookupMX lists the mail servers of a domain, the best first.
func (n *Names) LookupMX(ctx context.Context, name string) (list []*net.MX, err error) {
	a := n.dns.Lookup(ctx, name, dns.MX)
	for _, x := range a.MX {
		list = append(list, &net.MX{Host: x.Host + ".", Pref: x.Preference})
	}
	return list, answered(name, a)
}

// LookupHost lists the addresses of a host.
func (n *Names) LookupHost(ctx context.Context, host string) (list []string, err error) {
	if _, err := netip.ParseAddr(host); err == nil {
		return []string{host}, nil
	}
	name := strings.TrimSuffix(host, ".")
	answers := n.dns.LookupAll(ctx, dns.Question{Name: name, Type: dns.A}, dns.Question{Name: name, Type: dns.AAAA})
	for _, a := range answers {
		for _, addr := range a.Addrs {
			list = append(list, addr.String())
		}
		if e := answered(host, a); e != nil && (err == nil || a.Outcome == dns.Failed) {
			err = e
		}
	}
	if len(list) > 0 {
		err = nil
	}
	return list, err
}

// LookupAddr lists the names of an address.
func (n *Names) LookupAddr(ctx context.Context, addr string) ([]string, error) {
	ip, err := netip.ParseAddr(addr)
	if err != nil {
		return nil, err
	}
	a := n.dns.Lookup(ctx, zone.ReverseName(ip), dns.PTR)
	return a.Names, answered(addr, a)
}

// Published is what the DNS has of a record that mail from a domain needs.
type Published struct {
	Record  string // SPF, DKIM or DMARC
	Host    string
	Value   string // what is to be there
	Problem string // a sentence; empty: it is there
	Unknown bool   // the DNS did not answer
}

// Sender looks up the records that mail from a domain of the deployment needs. keys are its DKIM records by host.
func (n *Names) Sender(ctx context.Context, domain, hostname string, keys map[string]string) (list []Published) {
	p := zone.Plan{Domain: domain, Hostname: hostname, Own: true}
	for _, host := range slices.Sorted(maps.Keys(keys)) {
		p.Selectors = append(p.Selectors, zone.Selector{Name: strings.TrimSuffix(host, "._domainkey."+domain),
			Record: keys[host]})
	}
	names := map[string]string{zone.KindSPF: "SPF", zone.KindDKIM: "DKIM", zone.KindDMARC: "DMARC"}
	for _, f := range p.Check(ctx, zoneResolver{dns: n.dns}) {
		if name := names[f.Record.Kind]; name != "" {
			list = append(list, Published{Record: name, Host: f.Record.Host, Value: f.Record.Value, Problem: f.Problem,
				Unknown: f.Err != nil})
		}
	}
	return list
}

// Exposed lists what other users of the machine can get at of the data folder.
func Exposed(cfg config.Config) ([]string, error) { return datadir.Exposed(cfg.DataDir) }

// Serving tells whether a process works on the embedded store of the data folder.
func Serving(cfg config.Config) bool {
	path := filepath.Join(cfg.DataDir, datadir.Database)
	if _, err := os.Stat(path + ".lock"); err != nil || cfg.Database.URL != "" {
		return false
	}
	lock, err := sqlite.Lock(path)
	if err == nil {
		_ = lock.Close()
	}
	return err != nil
}

// Finding is something that is wrong with a deployment.
type Finding struct {
	Check, Found, Next string
	Severe             bool
}

// Stopped looks for what is wrong with a deployment on the embedded store that does not run. Nothing is written.
func Stopped(ctx context.Context, cfg config.Config) ([]Finding, error) {
	list, err := stored(ctx, cfg)
	if p := damagedDatabase(cfg, err); p != nil {
		return append(list, Finding{Check: p.Check, Found: p.Found, Next: p.Next, Severe: p.Severe}), nil
	}
	return list, err
}

func stored(ctx context.Context, cfg config.Config) (list []Finding, err error) {
	if cfg.Database.URL != "" {
		return nil, nil
	}
	if p := missingDatabase(cfg); p != nil {
		return []Finding{{Check: p.Check, Found: p.Found, Next: p.Next, Severe: p.Severe}}, nil
	}
	path, open := filepath.Join(cfg.DataDir, datadir.Database), sqlite.OpenCopy
	if info, err := os.Stat(path + "-wal"); err == nil && info.Size() > 0 {
		open = sqlite.OpenSnapshot // it did not end well: what it wrote last is in its log
	}
	snapshot, err := open(path)
	if errors.Is(err, fs.ErrNotExist) { // before the first start
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, snapshot.Close()) }()
	if version, err := snapshot.Version(); err != nil || version != sqlite.Known() {
		return nil, err // the next start brings its tables up to date
	}
	census, err := store.TakeCensus(ctx, snapshot.Reader(), cfg.Limits)
	if err != nil {
		return nil, err
	}
	opt := service.Options{Root: cfg.Secret, RootOld: cfg.SecretOld, Domains: cfg.Domains, Configured: cfg.Mailbox,
		SecretFiles: map[mailbox.SecretName]string{}, AllowMismatch: cfg.DomainMismatch == config.MismatchAllow}
	for _, k := range keptSecrets(cfg) {
		if k.read(cfg); k.err != nil {
			list = append(list, Finding{Check: "secrets", Found: k.err.Error(), Severe: true})
		}
		if opt.SecretFiles[k.name] = k.path; k.name == mailbox.SecretRoot {
			opt.Root = k.value
		}
	}
	for _, p := range service.StoredProblems(opt, census) {
		list = append(list, Finding{Check: p.Check, Found: p.Found, Next: p.Next, Severe: p.Severe})
	}
	p, err := storedKeys(ctx, cfg, snapshot.Reader())
	if p != nil {
		list = append(list, Finding{Check: p.Check, Found: p.Found, Next: p.Next, Severe: p.Severe})
	}
	return list, err
}
