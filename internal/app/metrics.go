package app

import (
	"github.com/prometheus/client_golang/prometheus"

	"github.com/mailkin/mailkin/internal/background"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/smtpd"
	"github.com/mailkin/mailkin/internal/store/postgres"
)

// countMail shows a mail listener's counts as metrics.
func countMail(registry *prometheus.Registry, listener string, stats func() smtpd.Stats) {
	labels := prometheus.Labels{"listener": listener}
	for _, m := range []struct {
		name, help string
		value      func(smtpd.Stats) int64
	}{
		{"mailkin_mail_sessions_total", "SMTP, LMTP and submission sessions begun.",
			func(s smtpd.Stats) int64 { return s.Total }},
		{"mailkin_mail_turned_away_total", "Connections refused: more than smtp_max_conns or " +
			"smtp_max_conns_per_addr, or shutting down.",
			func(s smtpd.Stats) int64 { return s.TurnedAway }},
		{"mailkin_mail_accepted_total", "Messages taken: answered with 250.",
			func(s smtpd.Stats) int64 { return s.Accepted }},
		{"mailkin_mail_put_off_total", "Recipients put off with a 4xx reply.",
			func(s smtpd.Stats) int64 { return s.Rejected4 }},
		{"mailkin_mail_refused_total", "Recipients refused with a 5xx reply.",
			func(s smtpd.Stats) int64 { return s.Rejected5 }},
	} {
		registry.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts{Name: m.name, Help: m.help,
			ConstLabels: labels},
			func() float64 { return float64(m.value(stats())) }))
	}
	registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "mailkin_mail_sessions",
		Help: "SMTP, LMTP and submission sessions open now.", ConstLabels: labels},
		func() float64 { return float64(stats().Open) }))
}

// ingestSeconds measures how long mail takes to be stored.
func ingestSeconds(registry *prometheus.Registry) *prometheus.HistogramVec {
	h := prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name: "mailkin_mail_ingest_seconds",
		Help: "Time from the last byte of a message to the reply that it was taken: parsing, the checks of the sender, " +
			"and storing it.",
		Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10},
	}, []string{"listener"})
	registry.MustRegister(h)
	return h
}

// countLogins shows the log-ins that failed as metrics.
func countLogins(registry *prometheus.Registry, svc *service.Service) {
	for _, edge := range service.Edges() {
		labels := prometheus.Labels{"edge": edge.String()}
		registry.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts{
			Name: "mailkin_auth_failures_total", ConstLabels: labels,
			Help: "Log-ins that failed because of a wrong key, over HTTP or submission.",
		}, func() float64 { failed, _ := svc.FailedLogins(edge); return float64(failed) }))
		registry.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts{
			Name: "mailkin_auth_limited_total", ConstLabels: labels,
			Help: "Failed log-ins that were told to wait, because there were too many from one address.",
		}, func() float64 { _, limited := svc.FailedLogins(edge); return float64(limited) }))
	}
}

// countRates shows the requests that were refused as metrics.
func countRates(registry *prometheus.Registry, svc *service.Service) {
	for _, of := range []service.RatePolicy{service.RateKey, service.RateAddress} {
		registry.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts{
			Name: "mailkin_rate_limited_total", Help: "Requests refused because one key or one client address made too many.",
			ConstLabels: prometheus.Labels{"by": string(of)},
		}, func() float64 { return float64(svc.RateLimited(of)) }))
	}
}

// countBackground shows, for every background worker, how often it found work and got nothing done.
func countBackground(registry *prometheus.Registry, workers *background.Workers) {
	registry.MustRegister(noProgress{workers, prometheus.NewDesc("mailkin_background_no_progress_total",
		"Rounds of background work that failed, or after which the same work was still there. The worker waits longer "+
			"after each of them, and logs the first.", []string{"worker"},
		nil)})
}

// noProgress collects the counts of all workers: some begin later than others.
type noProgress struct {
	workers *background.Workers
	desc    *prometheus.Desc
}

func (c noProgress) Describe(to chan<- *prometheus.Desc) { to <- c.desc }

func (c noProgress) Collect(to chan<- prometheus.Metric) {
	for name, n := range c.workers.NoProgress() {
		to <- prometheus.MustNewConstMetric(c.desc, prometheus.CounterValue, float64(n), name)
	}
}

// countQuarantine shows what happened to mail that the receiving lists keep apart as metrics.
func countQuarantine(registry *prometheus.Registry, svc *service.Service) {
	for action := range svc.QuarantineCounts() {
		registry.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts{
			Name:        "mailkin_quarantine_total",
			Help:        "Mail that the receiving lists put into quarantine, that a person released, or that was deleted there.",
			ConstLabels: prometheus.Labels{"action": action},
		}, func() float64 { return float64(svc.QuarantineCounts()[action]) }))
	}
}

// countLarge shows what large messages take up as metrics.
func countLarge(registry *prometheus.Registry, svc *service.Service) {
	registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "mailkin_upload_bytes",
		Help: "Bytes that unfinished sends have on the disk: attachments that are uploaded, and mail by submission.",
	}, func() float64 { return float64(svc.Uploads()) }))
	registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "mailkin_large_messages", Help: "Messages above 256 KB that are on their way in or out.",
	}, func() float64 { now, _ := svc.LargeMessages(); return float64(now) }))
	registry.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts{
		Name: "mailkin_large_messages_too_slow_total", Help: "Large messages put off because they came too slowly " +
			"while others waited.",
	}, func() float64 { _, ended := svc.LargeMessages(); return float64(ended) }))
}

// countStandby shows who answers what is only read as metrics.
func countStandby(registry *prometheus.Registry, db *postgres.DB) {
	for i, result := range []string{"answered", "late", "away"} {
		registry.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts{
			Name: "mailkin_standby_reads_total", ConstLabels: prometheus.Labels{"result": result},
			Help: "Reads that the standby of database_standby_url answered, or that it was asked for and the primary " +
				"answered, because the standby was behind or could not be asked.",
		}, func() float64 {
			answered, late, away, _ := db.StandbyStats()
			return float64([]int64{answered, late, away}[i])
		}))
	}
	registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "mailkin_standby_behind_bytes", Help: "Bytes of the log that the standby was behind when it was asked last.",
	}, func() float64 { _, _, _, behind := db.StandbyStats(); return float64(behind) }))
}
