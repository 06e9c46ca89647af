package app

import (
	"github.com/prometheus/client_golang/prometheus"

	"github.com/mailkin/mailkin/internal/connlimit"
	"github.com/mailkin/mailkin/internal/proxyproto"
)

// manyFiles stands for a limit on open files that is none.
const manyFiles = 1 << 20

// connBounds is how many connections are taken. Half of the files that may be open are for HTTP and a quarter is for
// mail, of which every listener has its part; a sixteenth is for connections of trusted proxies that have not said
// whose they are. The rest is for the store, for mail and webhooks on their way out, and for attachments.
type connBounds struct {
	http, perClient int
	mail            int // of each listener
	pending         int // from trusted proxies, before it is known whose they are
}

func (a *App) connBounds(files int) connBounds {
	b := connBounds{http: a.cfg.HTTP.MaxConns, perClient: a.cfg.HTTP.MaxConnsPerAddr}
	if b.http == 0 {
		b.http = max(files/2, 1)
	}
	if b.perClient == 0 {
		b.perClient = max(b.http/4, 1)
	}
	listeners := 0
	for _, addr := range []string{a.cfg.SMTPAddr, a.cfg.LMTPAddr, a.cfg.SubmitAddr} {
		if addr != "" {
			listeners++
		}
	}
	b.pending = min(1024, max(files/16, 1))
	b.mail = min(a.cfg.SMTP.MaxConns, max(files/4/max(listeners, 1), 1))
	return b
}

// limitConns says how many connections are taken, and whether the settings ask for more than the system gives.
func (a *App) limitConns(registry *prometheus.Registry) {
	files := openFiles()
	a.bounds = a.connBounds(files)
	if a.bounds.mail < a.cfg.SMTP.MaxConns || a.bounds.http > files*3/4 {
		a.log.Warn("the limit on open files is low for the settings", "open_files", files, "http_max_conns",
			a.bounds.http,
			"smtp_max_conns", a.bounds.mail, "smtp_max_conns_set", a.cfg.SMTP.MaxConns)
	}
	a.pending = proxyproto.NewPending(a.bounds.pending)
	a.conns = connlimit.New(connlimit.Options{Max: a.bounds.http, PerClient: a.bounds.perClient,
		Trusted: a.cfg.TrustedProxies})
	registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "mailkin_http_connections", Help: "HTTP connections open now.",
	}, func() float64 { return float64(a.conns.Stats().Open) }))
	registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "mailkin_http_connections_max", Help: "How many HTTP connections may be open.",
	}, func() float64 { return float64(a.bounds.http) }))
	registry.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts{
		Name: "mailkin_http_connections_closed_total", Help: "Idle HTTP connections closed to make room for new ones.",
	}, func() float64 { return float64(a.conns.Stats().Closed) }))
	registry.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts{
		Name: "mailkin_http_connections_refused_total", Help: "HTTP connections, and requests through proxies, " +
			"refused because there were too many.",
	}, func() float64 { return float64(a.conns.Stats().Refused) }))
}
