package app

import (
	"log/slog"
	"os"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/mailkin/mailkin/internal/config"
	"github.com/mailkin/mailkin/internal/trace"
)

// newTracer makes what sends traces to where the settings say, and a log whose lines name them. Where they say nowhere,
// the tracer is nil, and the log as it is.
func newTracer(cfg config.Config, log *slog.Logger) (*trace.Tracer, *slog.Logger, error) {
	if cfg.Trace.URL == "" {
		return nil, log, nil
	}
	headers := make(map[string]string, len(cfg.Trace.Headers))
	for name, value := range cfg.Trace.Headers {
		headers[name] = string(value)
	}
	host, _ := os.Hostname() // only for people who look
	log = slog.New(trace.Handler(log.Handler()))
	t, err := trace.New(trace.Options{Endpoint: cfg.Trace.URL, Headers: headers, Ratio: cfg.Trace.Ratio, Node: host,
		Version: Version(), Log: log})
	if err != nil {
		return nil, nil, &config.SettingError{Key: "trace_url", Err: err}
	}
	return t, log, nil
}

// countSpans shows what became of spans as metrics.
func countSpans(registry *prometheus.Registry, t *trace.Tracer) {
	if t == nil {
		return
	}
	registry.MustRegister(
		prometheus.NewCounterFunc(prometheus.CounterOpts{Name: "mailkin_spans_sent_total",
			Help: "Spans of traces that the collector took; missing while trace_url is empty."},
			func() float64 { sent, _ := t.Counts(); return float64(sent) }),
		prometheus.NewCounterFunc(prometheus.CounterOpts{Name: "mailkin_spans_dropped_total",
			Help: "Spans that were dropped because the collector did not take them in time; missing while trace_url " +
				"is empty."},
			func() float64 { _, dropped := t.Counts(); return float64(dropped) }))
}
