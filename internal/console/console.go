package console

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"net/netip"
	"strings"
	"sync"

	"github.com/mailkin/mailkin/api"
)

// Config is what the console needs to know of the deployment.
type Config struct {
	Log            *slog.Logger
	SignIn         *SignIn        // nil: no link can be printed
	TrustedProxies []netip.Prefix // who passes on requests of others
	SMTP           func() string  // where mail is taken, once the server listens; empty: nowhere
	Provider       string         // host of the OpenID provider at which people sign in; empty: none
}

// Console serves the pages, under /console.
type Console struct {
	log     *slog.Logger
	links   *SignIn
	proxies []netip.Prefix
	files   func() *files // made at the first request: most starts are not for people
}

// New makes the console.
func New(cfg Config) *Console {
	return &Console{log: cfg.Log, links: cfg.SignIn, proxies: cfg.TrustedProxies,
		files: sync.OnceValue(func() *files { return newFiles(cfg.smtp(), cfg.Provider) })}
}

func (cfg Config) smtp() string {
	if cfg.SMTP == nil {
		return ""
	}
	return cfg.SMTP()
}

// Handler makes the console and returns what serves it.
func Handler(cfg Config) http.Handler { return New(cfg) }

// Prefix is the path that everything is served under.
const Prefix = "/console"

// ServeHTTP implements http.Handler.
func (c *Console) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	path, ok := strings.CutPrefix(r.URL.Path, Prefix)
	if ok && path == "/signin" && r.Method == http.MethodPost {
		c.signIn(w, r)
		return
	}
	files := c.files()
	d, known := files.documents[path]
	if !known && len(path) > 1 && path[0] == '/' && ok {
		d, known = files.place(r.URL.EscapedPath())
	}
	file, inside := strings.CutPrefix(path, files.under())
	switch {
	case !ok:
		notFound(w)
	case path == "/signin":
		w.Header().Set("Allow", "POST")
		refuse(w, http.StatusMethodNotAllowed, api.Error{Error: "This address takes POST.", Code: "method_not_allowed"})
	case path != "/" && !known && (!inside || files.byName[file] == nil):
		notFound(w)
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		w.Header().Set("Allow", "GET, HEAD")
		refuse(w, http.StatusMethodNotAllowed, api.Error{Error: "This address takes GET and HEAD.",
			Code: "method_not_allowed"})
	case path == "/":
		w.Header().Set("Location", ".."+Prefix) // as seen from /console/, whatever stands before it
		w.WriteHeader(http.StatusPermanentRedirect)
	case known:
		guard(w.Header(), d.policy)
		w.Header().Set("Cache-Control", "no-cache")
		d.file.serve(w, r)
	default:
		guard(w.Header(), filePolicy)
		w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
		files.byName[file].serve(w, r)
	}
}

func notFound(w http.ResponseWriter) {
	refuse(w, http.StatusNotFound, api.Error{Error: "There is nothing at this address.", Code: "not_found"})
}

func refuse(w http.ResponseWriter, status int, body api.Error) { answer(w, status, body) }

// answer writes JSON. A client that is gone is nobody's error.
func answer(w http.ResponseWriter, status int, body any) {
	guard(w.Header(), filePolicy)
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body)
}
