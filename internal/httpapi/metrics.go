package httpapi

import (
	"net/http"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// classes are the values of the label status.
var classes = [...]string{1: "1xx", 2: "2xx", 3: "3xx", 4: "4xx", 5: "5xx"}

// metrics are the collectors of the interface. Their labels have few values: methods and routes come from the table,
// never from a request.
type metrics struct {
	requests *prometheus.CounterVec
	seconds  *prometheus.HistogramVec
	inFlight prometheus.Gauge
	page     http.Handler
}

func newMetrics(registry *prometheus.Registry) *metrics {
	m := &metrics{
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "mailkin_http_requests_total", Help: "HTTP requests by route and class of status.",
		}, []string{"method", "route", "status"}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "mailkin_http_request_seconds", Help: "Time from a request's headers to the end of its answer.",
			Buckets: []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60},
		}, []string{"method", "route"}),
		inFlight: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "mailkin_http_requests_in_flight", Help: "HTTP requests that are being answered.",
		}),
		page: promhttp.HandlerFor(registry, promhttp.HandlerOpts{}),
	}
	registry.MustRegister(m.requests, m.seconds, m.inFlight,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// meter counts one route's requests. Its series begin with the first request that they count: a table of all that could
// be asked would be thousands of zeros.
type meter struct {
	of     *metrics
	labels [2]string // method and route

	requests [len(classes)]atomic.Pointer[prometheus.Counter]
	seconds  atomic.Pointer[prometheus.Observer]
}

func (m *metrics) meter(method, route string) *meter {
	return &meter{of: m, labels: [2]string{method, route}}
}

// observe counts a request. One that was cut off before it had a status was our fault.
func (m *meter) observe(status int, took time.Duration) {
	class := status / 100
	if class < 1 || class >= len(classes) {
		class = 5
	}
	requests := m.requests[class].Load()
	if requests == nil {
		made := m.of.requests.WithLabelValues(m.labels[0], m.labels[1], classes[class])
		requests = &made
		m.requests[class].Store(requests)
	}
	(*requests).Inc()
	seconds := m.seconds.Load()
	if seconds == nil {
		made := m.of.seconds.WithLabelValues(m.labels[:]...)
		seconds = &made
		m.seconds.Store(seconds)
	}
	(*seconds).Observe(took.Seconds())
}

func (a *API) metricsPage(c *call) error {
	a.metrics.page.ServeHTTP(c.out, c.Request)
	return nil
}
