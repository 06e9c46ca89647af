package app

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/mailkin/mailkin/internal/aggregate"
	"github.com/mailkin/mailkin/internal/config"
	"github.com/mailkin/mailkin/internal/dns"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/outbound"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/transport"
	"github.com/mailkin/mailkin/internal/zone"
)

// ways are the service's names for how mail leaves.
var ways = map[config.OutboundMode]service.Way{
	config.OutboundOff: service.WayOff, config.OutboundCapture: service.WayCapture,
	config.OutboundDirect: service.WayDirect,
	config.OutboundRelay:  service.WayRelay, config.OutboundResend: service.WayProvider,
}

// outbound makes what works through the queue; nil where nothing is sent.
func (a *App) outbound(registry *prometheus.Registry) (*outbound.Runner, error) {
	carrier, err := a.carrier()
	if err != nil {
		return nil, &config.SettingError{Key: "outbound", Err: err}
	}
	o := a.cfg.Outbound
	options := outbound.Options{Connections: o.Connections, PerDestination: o.PerDestination,
		Idle: 5 * time.Second, Grace: a.cfg.ShutdownGrace, Log: a.log, Now: a.clock.now,
		Worker: a.workers.Worker("outbound"), Tracer: a.tracer}
	if a.several() {
		options.Renew, options.Look = nodeRenew, nodeLook
	}
	r := outbound.New(a.svc, carrier, options)
	countOutbound(registry, r, a.svc)
	return r, nil
}

// carrier is the way that mail takes. Mail between mailboxes of ours takes none of them.
func (a *App) carrier() (outbound.Carrier, error) {
	o := a.cfg.Outbound
	switch o.Mode {
	case config.OutboundDirect:
		way, err := transport.NewDirect(transport.DirectOptions{DNS: a.dns, Hostname: a.cfg.Hostname,
			Names:     a.cfg.Domains,
			Listening: a.listening(), AllowPrivate: o.AllowPrivate.Allows, Port: uint16(o.Port), Log: a.log,
			Policies: a.svc})
		a.direct = way
		return &outbound.SMTP{Way: way, Letters: a.svc, Trial: trial{way, a.svc}}, err
	case config.OutboundRelay:
		relay, err := transport.ParseRelay(o.Relay.String())
		if err != nil {
			return nil, err
		}
		way := transport.NewSmarthost(relay, transport.SmarthostOptions{Hostname: a.cfg.Hostname, Log: a.log})
		return &outbound.SMTP{Way: way, Letters: a.svc, Relay: o.Relay.Hostname()}, nil
	case config.OutboundResend:
		return outbound.NewResend(a.svc, o.ProviderURL, o.ProviderKey), nil
	case config.OutboundOff:
		return outbound.Held{}, nil
	}
	return &outbound.Capture{Domains: a.cfg.Domains, Now: time.Now}, nil
}

// trial opens sessions for mail, and tells the service how TLS went, for reports on that.
type trial struct {
	way *transport.Direct
	svc *service.Service
}

// Try implements outbound.Trial.
func (t trial) Try(ctx context.Context, d mailbox.Delivery) (s transport.Session, failed *transport.Result, lax bool) {
	own, lax := t.svc.OwnReport(ctx, d)
	how := transport.Trial{Lax: lax}
	if !own {
		how.Observe = func(h transport.Handshake) {
			t.svc.SawTLS(h.Domain, aggregate.TLS{Policy: h.Policy, Result: h.Result, Sender: h.Local, MX: h.Host,
				Addr: h.Addr})
		}
	}
	s, failed = t.way.Try(ctx, d.Destination, how)
	return s, failed, lax
}

// refreshTime is how often it is looked whether an MTA-STS policy is to be fetched again.
const policyLook = 10 * time.Minute

// refreshPolicies fetches MTA-STS policies again before they end, until ctx ends. Any node may, and each policy is one
// node's at a time.
func (a *App) refreshPolicies(ctx context.Context) {
	if a.direct == nil {
		return
	}
	for ctx.Err() == nil {
		a.report("fetch MTA-STS policies again", a.direct.RefreshPolicies(ctx))
		select {
		case <-time.After(policyLook):
		case <-ctx.Done():
		}
	}
}

// listening is where this server takes mail, so that it does not send to itself.
func (a *App) listening() []netip.AddrPort {
	addr, err := netip.ParseAddrPort(a.addrs.SMTP)
	if err != nil {
		return nil
	}
	return []netip.AddrPort{addr}
}

func countOutbound(registry *prometheus.Registry, r *outbound.Runner, svc *service.Service) {
	for _, m := range []struct {
		name, help string
		value      func(outbound.Stats) int64
	}{
		{"mailkin_delivery_attempts_total", "Attempts to deliver.", func(s outbound.Stats) int64 { return s.Attempts }},
		{"mailkin_deliveries_accepted_total", "Deliveries that the next server took.",
			func(s outbound.Stats) int64 { return s.Delivered }},
		{"mailkin_deliveries_captured_total", "Deliveries that were kept here and not sent.",
			func(s outbound.Stats) int64 { return s.Captured }},
		{"mailkin_deliveries_deferred_total", "Attempts that were put off.",
			func(s outbound.Stats) int64 { return s.Deferred }},
		{"mailkin_deliveries_refused_total", "Deliveries that were refused for good.",
			func(s outbound.Stats) int64 { return s.Refused }},
		{"mailkin_deliveries_unknown_total", "Attempts that were cut off while the next server had the message.",
			func(s outbound.Stats) int64 { return s.Unknown }},
	} {
		registry.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts{Name: m.name, Help: m.help},
			func() float64 { return float64(m.value(r.Stats())) }))
	}
	registry.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts{Name: "mailkin_loops_stopped_total",
		Help: "Sends refused because they looked like part of a mail loop."},
		func() float64 { return float64(svc.LoopsStopped()) }))
	registry.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts{Name: "mailkin_reports_sent_total",
		Help: "DMARC and TLS reports to other domains that this node has queued."},
		func() float64 { return float64(svc.ReportsSent()) }))
	registry.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts{Name: "mailkin_sending_paused_total",
		Help: "How often the brakes stopped a mailbox."},
		func() float64 { return float64(svc.SendingStopped()) }))
	registry.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts{Name: "mailkin_retention_messages_total",
		Help: "Messages that this node deleted because their mailboxes keep them no longer."},
		func() float64 { n, _ := svc.Expunged(); return float64(n) }),
		prometheus.NewCounterFunc(prometheus.CounterOpts{Name: "mailkin_retention_bytes_total",
			Help: "Bytes of messages that this node deleted because their mailboxes keep them no longer."},
			func() float64 { _, n := svc.Expunged(); return float64(n) }))
	for _, status := range []mailbox.ReviewStatus{mailbox.ReviewHeld, mailbox.ReviewApproved, mailbox.ReviewRejected,
		mailbox.ReviewExpired} {
		registry.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts{Name: "mailkin_reviews_total",
			Help:        "Messages that were held for approval, and what was decided about them.",
			ConstLabels: prometheus.Labels{"status": string(status)}},
			func() float64 { return float64(svc.ReviewsCounted(status)) }))
	}
	registry.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts{Name: "mailkin_index_damaged_total",
		Help: "Parts of the index of words that could not be read and were rebuilt."},
		func() float64 { return float64(svc.Index().Damaged()) }))
	registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "mailkin_domains_lapsed",
		Help: "Verified domains whose record of ownership is gone from the DNS."},
		func() float64 { return float64(svc.LapsedDomains()) }))
}

// zones asks the DNS about domains that people bring: now, not from memory, because they have just changed it.
func (a *App) zones() func() zone.Resolver {
	if a.dns == nil {
		return nil
	}
	return func() zone.Resolver {
		fresh, err := a.resolver()
		if err != nil {
			fresh = a.dns
		}
		return zoneResolver{fresh, a.cfg.Outbound.AllowPrivate.Allows}
	}
}

type zoneResolver struct {
	dns          *dns.Resolver
	allowPrivate func(netip.Addr) bool
}

var errDNS = errors.New("the DNS did not answer")

func outcome(a dns.Answer) error {
	switch a.Outcome {
	case dns.Found:
		return nil
	case dns.NoData, dns.NoName:
		return zone.ErrNone
	}
	return errDNS
}

func (z zoneResolver) TXT(ctx context.Context, name string) ([]string, error) {
	a := z.dns.Lookup(ctx, name, dns.TXT)
	return a.Texts, outcome(a)
}

func (z zoneResolver) MX(ctx context.Context, name string) ([]zone.MX, error) {
	a := z.dns.Lookup(ctx, name, dns.MX)
	list := make([]zone.MX, len(a.MX))
	for i, x := range a.MX {
		list[i] = zone.MX{Host: x.Host, Preference: x.Preference}
	}
	return list, outcome(a)
}

func (z zoneResolver) Addrs(ctx context.Context, name string) (list []netip.Addr, err error) {
	answers := z.dns.LookupAll(ctx, dns.Question{Name: name, Type: dns.A}, dns.Question{Name: name, Type: dns.AAAA})
	for _, a := range answers {
		list = append(list, a.Addrs...)
		if e := outcome(a); err == nil || errors.Is(err, zone.ErrNone) && e != nil {
			err = e
		}
	}
	if len(list) > 0 {
		err = nil
	}
	return list, err
}

func (z zoneResolver) Names(ctx context.Context, addr netip.Addr) ([]string, error) {
	a := z.dns.Lookup(ctx, zone.ReverseName(addr), dns.PTR)
	return a.Names, outcome(a)
}

func (z zoneResolver) Policy(ctx context.Context, domain string) (string, error) {
	text, err := transport.FetchPolicy(ctx, transport.DirectOptions{DNS: z.dns, AllowPrivate: z.allowPrivate}, domain)
	if err == nil && text == "" {
		err = zone.ErrNone
	}
	return text, err
}

// publicAddresses are those of this machine that others can reach. Behind a router it does not know them.
func publicAddresses() (list []netip.Addr) {
	all, err := net.InterfaceAddrs()
	if err != nil {
		return nil
	}
	for _, a := range all {
		if p, err := netip.ParsePrefix(a.String()); err == nil && mailbox.Public(p.Addr()) {
			list = append(list, p.Addr())
		}
	}
	return list
}
