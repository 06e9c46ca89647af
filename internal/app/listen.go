package app

import (
	"context"
	"errors"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/mailkin/mailkin/internal/config"
	"github.com/mailkin/mailkin/internal/httpapi"
	"github.com/mailkin/mailkin/internal/parked"
	"github.com/mailkin/mailkin/internal/proxyproto"
	"github.com/mailkin/mailkin/internal/smtpd"
)

// listen opens every listener that the settings name.
func (a *App) listen() error {
	var err error
	if a.certs, err = a.certificates(); err != nil {
		return err
	}
	registry := prometheus.NewRegistry()
	a.api = httpapi.New(a.svc, httpapi.Config{Log: a.log, Registry: registry, Tracer: a.tracer,
		Version: Version(), Limits: a.cfg.Limits,
		TrustedProxies: a.cfg.TrustedProxies, PublicURL: a.cfg.PublicURL, SpoolDir: a.spool(),
		ResendSecret: a.cfg.Outbound.ProviderSecret, Doors: a.doors(), Console: a.console(), RefusalPause: time.Second,
		OpenID: a.openID(), MCP: a.tools(func() http.Handler { return a.api.Within() })})
	a.limitConns(registry)
	countLogins(registry, a.svc)
	countRates(registry, a.svc)
	countLarge(registry, a.svc)
	countStandby(registry, a.storage.shared)
	countQuarantine(registry, a.svc)
	a.scans.register(registry)
	a.ingest = ingestSeconds(registry)
	if err := a.listenHTTP("http", a.cfg.HTTPAddr, &a.addrs.HTTP, a.conns.Handler(a.api.Handler(), a.api.Client),
		a.cfg.TLS.Mode != config.TLSOff); err != nil {
		return err
	}
	if err := a.listenHTTP("metrics", a.cfg.MetricsAddr, &a.addrs.Metrics, a.api.MetricsHandler(), false); err != nil {
		return err
	}
	if err := a.listenMail("smtp", a.cfg.SMTPAddr, &a.addrs.SMTP, registry); err != nil {
		return err
	}
	if err := a.listenMail("lmtp", a.cfg.LMTPAddr, &a.addrs.LMTP, registry); err != nil {
		return err
	}
	if err := a.listenMail(submission, a.cfg.SubmitAddr, &a.addrs.Submission, registry); err != nil {
		return err
	}
	if err := a.listenACME(); err != nil {
		return err
	}
	countBackground(registry, a.workers)
	watchState(registry, a)
	countSpans(registry, a.tracer)
	a.pushes = a.webhooks(registry)
	if a.queue, err = a.outbound(registry); err == nil {
		a.svc.Attach(a.queue)
	}
	return err
}

func (a *App) listenHTTP(name, addr string, actual *string, h http.Handler, secure bool) error {
	l, err := a.bind(name, addr, actual)
	if err != nil || l == nil {
		return err
	}
	lot := parked.New(a.api.Waits, a.conns, httpapi.IdleTimeout, a.log)
	srv := httpapi.NewServer(lot.Handler(h), a.log)
	srv.ConnState = a.conns.State
	l = a.conns.Listen(l, !secure)
	if secure {
		l = httpapi.Secure(srv, l, a.certs.config(true))
	} else {
		l = httpapi.JSONErrors(l)
	}
	a.servers = append(a.servers, server{
		name: name, listener: l,
		serve: func(l net.Listener) error { return unless(lot.Serve(srv, l), http.ErrServerClosed) },
		shutdown: func(ctx context.Context) error {
			if err := a.shutdownHTTP(ctx, srv, lot); err != nil {
				return errors.Join(err, srv.Close())
			}
			return nil
		},
	})
	return nil
}

// shutdownHTTP lets requests finish. Connections on which none is complete are closed at once: net/http would wait for
// five seconds for the first one of each.
func (a *App) shutdownHTTP(ctx context.Context, srv *http.Server, lot *parked.Lot) error {
	over := make(chan error, 1)
	go func() { over <- errors.Join(srv.Shutdown(ctx), lot.Shutdown(ctx)) }()
	look := time.NewTicker(50 * time.Millisecond)
	defer look.Stop()
	for {
		select {
		case err := <-over:
			return err
		case <-look.C:
			a.conns.CloseIdle()
		}
	}
}

// submission names the listener on which mail is handed in to be sent.
const submission = "submission"

func (a *App) listenMail(name, addr string, actual *string, registry *prometheus.Registry) error {
	l, err := a.bind(name, addr, actual)
	if err != nil || l == nil {
		return err
	}
	limits := a.cfg.SMTP
	cfg := smtpd.Config{
		Hostname: a.cfg.Hostname, LMTP: name == "lmtp", TLS: a.startTLS(), MaxSize: a.cfg.Limits.WireBytes,
		MaxRecipients: limits.MaxRecipients, MaxErrors: limits.MaxErrors, MaxConns: a.bounds.mail,
		MaxConnsPerAddr: limits.MaxConnsPerAddr, CommandTimeout: limits.CommandTimeout,
		DataTimeout: limits.DataTimeout, SessionTimeout: limits.SessionTimeout, Log: a.log, Tracer: a.tracer,
		Took:              func(d time.Duration) { a.ingest.WithLabelValues(name).Observe(d.Seconds()) },
		PlainAuthLoopback: a.cfg.TLS.Mode == config.TLSOff,
	}
	if a.cfg.CatchAll.On && name == "smtp" {
		cfg.AnyLogin, cfg.Fault = true, a.svc.Fault
	}
	if a.cfg.DNSBL.Action == config.DNSBLReject && name == "smtp" {
		cfg.Welcome = a.svc.WelcomeClient
	}
	srv := smtpd.New(cfg, a.svc)
	if name == submission {
		cfg.MaxRecipients = a.cfg.Limits.Recipients
		srv = smtpd.NewSubmission(cfg, a.svc)
	}
	if name == "smtp" {
		a.mail = srv
	}
	countMail(registry, name, srv.Stats)
	a.servers = append(a.servers, server{
		name: name, listener: l,
		serve:    func(l net.Listener) error { return unless(srv.Serve(l), smtpd.ErrServerClosed) },
		shutdown: srv.Shutdown,
	})
	return nil
}

// bind listens on an address of the settings: host:port, unix:/path, or nothing for one that is off. Where a balancer
// is before it, connections are those of the balancer's clients.
func (a *App) bind(name, addr string, actual *string) (net.Listener, error) {
	if addr == "" {
		return nil, nil
	}
	network := "tcp"
	if path, ok := strings.CutPrefix(addr, "unix:"); ok {
		network, addr = "unix", path
		if err := removeSocket(path); err != nil {
			return nil, err
		}
	}
	l, err := net.Listen(network, addr)
	if err != nil {
		return nil, err
	}
	a.closers = append(a.closers, func() error { return unless(l.Close(), net.ErrClosed) })
	*actual = l.Addr().String()
	if network == "tcp" && slices.Contains(a.cfg.ProxyProtocol, name) {
		return proxyproto.Listen(l, a.cfg.TrustedProxies, a.pending, a.log), nil
	}
	return l, nil
}

// removeSocket takes away what an earlier run left behind, and nothing that is not a socket.
func removeSocket(path string) error {
	info, err := os.Lstat(path)
	if err != nil || info.Mode()&os.ModeSocket == 0 {
		return nil // listening says what is wrong with it
	}
	return os.Remove(path)
}
