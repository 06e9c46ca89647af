package app

import (
	"context"
	"net/netip"
	"slices"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/mailkin/mailkin/internal/config"
	"github.com/mailkin/mailkin/internal/scanner"
	"github.com/mailkin/mailkin/internal/sender"
	"github.com/mailkin/mailkin/internal/service"
)

// scans is what looks at mail from outside for spam and viruses, with its metrics. Either may be nil: it is off.
type scans struct {
	scanner    *scanner.Scanner
	blocklists *sender.Blocklists
	total      *prometheus.CounterVec
	seconds    prometheus.Histogram
}

// hygiene makes what the settings ask for against spam and viruses.
func (a *App) hygiene() (service.Hygiene, error) {
	c := a.cfg.Scanner
	h := service.Hygiene{DeferFailed: c.Failure == config.ScannerDefer,
		RejectVirus: c.Reject == config.ScannerRejectVirus, RejectSpam: c.Reject == config.ScannerRejectSpam,
		RejectListed: a.cfg.DNSBL.Action == config.DNSBLReject}
	a.scans = &scans{}
	if c.URL != "" {
		a.scans.measure()
		var err error
		o := scanner.Options{URL: string(c.URL), Timeout: c.Timeout, Connections: c.Connections, MaxSize: c.MaxSize,
			Observe: a.scans.observe, Log: a.log}
		if a.dns != nil {
			o.Host = func(ctx context.Context, addr netip.Addr) string { return sender.HostOf(ctx, a.dns, addr) }
		}
		a.scans.scanner, err = scanner.New(o)
		if err != nil {
			return h, &config.SettingError{Key: "scanner_url", Err: err}
		}
		h.Scanner = a.scans.scanner
	}
	if len(a.cfg.DNSBL.Zones) > 0 {
		a.scans.blocklists = sender.NewBlocklists(a.dns, a.cfg.DNSBL.Zones, a.trusted)
		h.Blocklists = a.scans.blocklists
	}
	return h, nil
}

// trusted tells whether an address is one of our own proxies.
func (a *App) trusted(addr netip.Addr) bool {
	return slices.ContainsFunc(a.cfg.TrustedProxies, func(n netip.Prefix) bool { return n.Contains(addr.Unmap()) })
}

func (s *scans) measure() {
	s.total = prometheus.NewCounterVec(prometheus.CounterOpts{Name: "mailkin_scans_total", Help: "Messages shown to " +
		"the scanner, by its verdict, and those that it could not be asked about."}, []string{"outcome"})
	for _, outcome := range scanner.Outcomes() {
		s.total.WithLabelValues(outcome)
	}
	s.seconds = prometheus.NewHistogram(prometheus.HistogramOpts{Name: "mailkin_scan_seconds", Help: "Time of scans, " +
		"failed ones included.", Buckets: []float64{0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30}})
}

func (s *scans) observe(outcome string, took time.Duration) {
	s.total.WithLabelValues(outcome).Inc()
	if took > 0 {
		s.seconds.Observe(took.Seconds())
	}
}

// register shows what is on as metrics.
func (s *scans) register(registry *prometheus.Registry) {
	if s.scanner != nil {
		registry.MustRegister(s.total, s.seconds)
	}
	if s.blocklists == nil {
		return
	}
	for outcome := range s.blocklists.Counts() {
		registry.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts{Name: "mailkin_dnsbl_total",
			Help: "Client addresses looked up in DNS block lists, those that were listed, and questions that " +
				"a list did not answer.", ConstLabels: prometheus.Labels{"outcome": outcome},
		}, func() float64 { return float64(s.blocklists.Counts()[outcome]) }))
	}
}

// problems are those of what runs beside the service.
func (a *App) problems() []service.Problem {
	list := a.certificateProblems()
	if p := a.lostKeys.problem(); p != nil {
		list = append(list, *p)
	}
	if p := a.lateKeys(); p != nil {
		list = append(list, *p)
	}
	if s := a.scans.scanner; s != nil && s.Problem() != "" {
		next := "Mail is taken without being scanned, with the label unscanned. "
		if a.cfg.Scanner.Failure == config.ScannerDefer {
			next = "Mail is put off until it answers. "
		}
		list = append(list, service.Problem{Check: "scanner", Severe: a.cfg.Scanner.Failure == config.ScannerDefer,
			Found: s.Problem(), Next: next + "See whether the scanner of scanner_url runs."})
	}
	return list
}
