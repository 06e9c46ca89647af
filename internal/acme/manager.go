package acme

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/caddyserver/certmagic"
)

// Protocol is what the authority speaks when it asks within a TLS handshake (RFC 8737 3).
const Protocol = "acme-tls/1"

// Options are what a Manager needs.
type Options struct {
	Names     []string // what certificates are for; the first is for clients that ask for none of them
	Email     string   // whom the authority writes to
	Directory string   // URL of the authority
	Storage   Storage
	Fallback  func() (*tls.Certificate, error) // while there is no certificate
	Roots     *x509.CertPool                   // of the authority's own server; nil: the system's
	Log       *slog.Logger
}

// Manager has certificates. It must be closed, also when it was never run.
type Manager struct {
	opt    Options
	config *certmagic.Config
	issuer *certmagic.ACMEIssuer
	cache  *certmagic.Cache
	close  sync.Once

	mu    sync.Mutex
	state map[string]State // by name
}

// State is how far a certificate is.
type State struct {
	Has   bool   // there is one
	Error string // why the last try to get one, or to renew it, failed; empty: it did not
}

// States returns how far the certificates for all names are.
func (m *Manager) States() map[string]State {
	m.mu.Lock()
	defer m.mu.Unlock()
	out := make(map[string]State, len(m.opt.Names))
	for _, name := range m.opt.Names {
		out[name] = m.state[name]
	}
	return out
}

// Expiries returns when the certificates end that are in use, by name.
func (m *Manager) Expiries() map[string]time.Time {
	ends := make(map[string]time.Time, len(m.opt.Names))
	for _, name := range m.opt.Names {
		for _, cert := range m.cache.AllMatchingCertificates(name) {
			if cert.Leaf != nil && cert.Leaf.NotAfter.After(ends[name]) {
				ends[name] = cert.Leaf.NotAfter
			}
		}
	}
	return ends
}

// note changes how far the certificate for a name is.
func (m *Manager) note(name string, change func(*State)) {
	m.mu.Lock()
	defer m.mu.Unlock()
	s := m.state[name]
	change(&s)
	m.state[name] = s
}

// New makes a Manager that has nothing yet.
func New(o Options) *Manager {
	m := &Manager{opt: o, state: make(map[string]State)}
	log := bridge(o.Log)
	m.cache = certmagic.NewCache(certmagic.CacheOptions{
		GetConfigForCert: func(certmagic.Certificate) (*certmagic.Config, error) { return m.config, nil },
		Logger:           log,
	})
	m.config = certmagic.New(m.cache, certmagic.Config{
		Storage: o.Storage, Logger: log, OnEvent: m.event,
		ShouldEmitFunc: func(name string) bool { return name == obtained || name == failed },
	})
	m.issuer = certmagic.NewACMEIssuer(m.config, certmagic.ACMEIssuer{
		CA: o.Directory, Email: o.Email, Agreed: true, TrustedRoots: o.Roots, Logger: log,
	})
	m.config.Issuers = []certmagic.Issuer{m.issuer}
	return m
}

// Close ends what keeps the certificates fresh.
func (m *Manager) Close() error {
	m.close.Do(m.cache.Stop)
	return nil
}

// Doors are the addresses of the listeners at which the authority can ask, as host:port.
type Doors struct {
	TLS  string // HTTPS, with Certificate
	HTTP string // plain, with Handler; empty: there is none
}

// Run obtains certificates for all names and keeps them fresh until ctx ends. The listeners must be there already. What
// fails is tried again after a minute, then less and less often.
func (m *Manager) Run(ctx context.Context, d Doors) error {
	if err := m.stand(d); err != nil {
		return err
	}
	var names sync.WaitGroup
	for _, name := range m.opt.Names {
		names.Go(func() { m.keep(ctx, name) })
	}
	names.Wait()
	if ctx.Err() == nil {
		// Those that were in the storage may be at their end; later ones are found by the cache itself.
		if err := m.cache.RenewManagedCertificates(ctx); err != nil {
			m.opt.Log.Warn("renew certificates", "error", err)
		}
	}
	<-ctx.Done()
	return nil
}

// stand tells certmagic where we listen, so that it neither listens itself nor takes a door for closed.
func (m *Manager) stand(d Doors) error {
	host, port, err := splitPort(d.TLS)
	if err != nil {
		return fmt.Errorf("address of the HTTPS listener: %w", err)
	}
	m.issuer.ListenHost, m.issuer.AltTLSALPNPort = host, port
	m.issuer.DisableHTTPChallenge = d.HTTP == ""
	if d.HTTP == "" {
		return nil
	}
	if host, port, err = splitPort(d.HTTP); err != nil {
		return fmt.Errorf("address of the listener for challenges: %w", err)
	}
	if m.issuer.AltHTTPPort = port; m.issuer.ListenHost == "" {
		m.issuer.ListenHost = host // one on every interface is also reached there
	}
	return nil
}

// splitPort takes an address apart; a host that means every interface is empty.
func splitPort(addr string) (host string, port int, err error) {
	host, text, err := net.SplitHostPort(addr)
	if err != nil {
		return "", 0, err
	}
	if ip := net.ParseIP(host); ip != nil && ip.IsUnspecified() {
		host = ""
	}
	port, err = strconv.Atoi(text)
	return host, port, err
}

// retry is how long keep waits after what certmagic does not try again by itself, such as a storage that cannot be
// read.
const retry = time.Minute

// keep has a certificate for a name, sooner or later.
func (m *Manager) keep(ctx context.Context, name string) {
	for {
		err := m.obtain(ctx, name)
		if err == nil {
			m.note(name, func(s *State) { s.Has = true })
		}
		if err == nil || ctx.Err() != nil {
			return
		}
		m.note(name, func(s *State) { s.Error = err.Error() })
		m.opt.Log.Warn("no certificate yet", "name", name, "error", err)
		t := time.NewTimer(retry)
		select {
		case <-t.C:
		case <-ctx.Done():
			t.Stop()
			return
		}
	}
}

// obtain takes the certificate from the storage, or from the authority.
func (m *Manager) obtain(ctx context.Context, name string) error {
	_, err := m.config.CacheManagedCertificate(ctx, name)
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := m.config.ObtainCertAsync(ctx, name); err != nil { // it returns when it has it
		return err
	}
	_, err = m.config.CacheManagedCertificate(ctx, name)
	return err
}

// Certificate is for tls.Config.GetCertificate.
func (m *Manager) Certificate(hello *tls.ClientHelloInfo) (*tls.Certificate, error) {
	if slices.Equal(hello.SupportedProtos, []string{Protocol}) {
		return m.config.GetCertificate(hello)
	}
	ours := *hello
	if ours.ServerName = strings.ToLower(strings.TrimSuffix(hello.ServerName, ".")); !slices.Contains(m.opt.Names,
		ours.ServerName) {
		ours.ServerName = m.opt.Names[0]
	}
	cert, err := m.config.GetCertificate(&ours)
	if err != nil || len(cert.Certificate) == 0 {
		return m.opt.Fallback()
	}
	return cert, nil
}

// What certmagic calls the events that somebody should know of.
const (
	obtained = "cert_obtained"
	failed   = "cert_failed"
)

func (m *Manager) event(_ context.Context, name string, data map[string]any) error {
	of, _ := data["identifier"].(string)
	switch name {
	case obtained:
		m.note(of, func(s *State) { *s = State{Has: true} })
		m.opt.Log.Info("certificate obtained", "name", data["identifier"], "renewal", data["renewal"])
	case failed:
		m.note(of, func(s *State) { s.Error = fmt.Sprint(data["error"]) })
		m.opt.Log.Warn("certificate refused", "name", data["identifier"], "renewal", data["renewal"], "error",
			data["error"])
	}
	return nil
}
