package httpapi

import (
	"bytes"
	"log/slog"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/mailkin/mailkin/internal/door"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/trace"
)

// Config is what the interface needs to know of the deployment.
type Config struct {
	Log      *slog.Logger
	Registry *prometheus.Registry // the interface registers its own collectors and those of Go and the process
	Version  string
	Limits   mailbox.Limits

	TrustedProxies []netip.Prefix // whose forwarding headers are believed
	PublicURL      string         // how people and agents reach the service; empty: as the request says
	RefusalPause   time.Duration  // before a client is told that it makes too many requests

	// for the attachments of mail that is being sent; empty: the system's folder for such files
	SpoolDir string
	Console  http.Handler  // serves /console and what is under it; nil: there is none
	OpenID   OpenID        // says who a person is; nil: nobody signs in with a provider
	MCP      http.Handler  // serves /mcp, to callers with a key; nil: there is none
	Tracer   *trace.Tracer // nil: nothing is traced
	Doors    []*door.Door  // the interfaces of other services that are served too
	// whsec_…, which the provider Resend signs its callbacks with; empty: they are not taken
	ResendSecret mailbox.Secret
}

// API is the HTTP interface of one service.
type API struct {
	svc     Service
	tracer  *trace.Tracer
	log     *slog.Logger
	version string
	limits  mailbox.Limits
	proxies proxies
	public  string // base of the addresses that are handed out; empty: as the request says
	spool   string // folder

	refusalPause time.Duration
	resend       *callbackKey
	page         *htmlPage    // of a claim, and for what went wrong on a page
	asks         *htmlPage    // about a message that waits for approval
	leaves       *htmlPage    // for recipients who want no more mail
	console      http.Handler // nil: there is none
	openID       OpenID       // nil: nobody signs in with a provider
	shown        *endpoint    // the console's place in the metrics
	mcp          http.Handler // nil: there is none
	mcpAt        *endpoint    // its place in the metrics
	doors        []doorway
	router       *router
	metrics      *metrics
	manual       func() (*manual, error) // made at its first use
	buffers      sync.Pool               // of *bytes.Buffer, for answers
	answers      longAnswers
}

// New makes the interface of a service.
func New(svc Service, cfg Config) *API {
	m := newMetrics(cfg.Registry)
	return &API{
		svc: svc, tracer: cfg.Tracer, log: cfg.Log, version: cfg.Version, limits: cfg.Limits,
		proxies: newProxies(cfg.TrustedProxies), public: strings.TrimRight(cfg.PublicURL, "/"),
		spool: cfg.SpoolDir, resend: newCallbackKey(cfg.ResendSecret, cfg.Log), page: newPage(claimHTML),
		asks: newPage(reviewHTML), leaves: newPage(unsubscribeHTML),
		doors: newDoorways(cfg.Doors, m), router: newRouter(routes, m), metrics: m,
		refusalPause: cfg.RefusalPause, console: cfg.Console, openID: cfg.OpenID,
		shown: &endpoint{route: route{path: consolePath}, meter: m.meter("any", consolePath)},
		mcp:   cfg.MCP, mcpAt: &endpoint{route: route{path: mcpPath}, meter: m.meter("any", mcpPath)},
		manual:  sync.OnceValues(func() (*manual, error) { return newManual(routes) }),
		buffers: sync.Pool{New: func() any { return new(bytes.Buffer) }},
	}
}

// Handler serves the whole interface.
func (a *API) Handler() http.Handler { return a }

// MetricsHandler serves the metrics alone, to anyone who asks: for an address of its own (API 12).
func (a *API) MetricsHandler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", a.metrics.page)
	return mux
}

// IdleTimeout is how long a connection may be without a request.
const IdleTimeout = 2 * time.Minute

// NewServer makes a server that cannot be held up by clients that are slow to ask. There is no limit on most
// answers: a large download may take its time, as long as it moves.
func NewServer(h http.Handler, log *slog.Logger) *http.Server {
	return &http.Server{
		Handler:           h,
		ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout:       IdleTimeout,
		MaxHeaderBytes:    64 << 10,
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelWarn),

		DisableGeneralOptionsHandler: true, // its answer to OPTIONS * has no X-Request-Id
	}
}
