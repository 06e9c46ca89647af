package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"sync"
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/client"
)

// HandlerConfig is what the server at /mcp is made from.
type HandlerConfig struct {
	API     http.Handler // the interface, which the tools call
	Version string
	Hosts   []string // names by which the deployment is known; see sameOrigin
	Log     *slog.Logger
}

// Handler serves the tools over HTTP, without sessions: every request is for itself, with its own key. The caller
// it has checked that the key is one.
func Handler(cfg HandlerConfig) http.Handler {
	// made for the first request: the schemas of the tools take milliseconds, and most deployments have no use for them
	server := sync.OnceValue(func() *mcp.Server {
		return New(Config{Version: cfg.Version, Source: visitor{cfg.API}, Log: cfg.Log})
	})
	return &handler{hosts: newHosts(cfg.Hosts), mcp: mcp.NewStreamableHTTPHandler(
		func(*http.Request) *mcp.Server { return server() },
		&mcp.StreamableHTTPOptions{
			Stateless: true, JSONResponse: true, MaxRequestBodyBytes: bodyLimit, PropagateRequestCancellation: true,
			// behind a proxy on the same machine every request would be refused; hosts has the rule that fits
			DisableLocalhostProtection: true,
		},
	)}
}

type handler struct {
	hosts hosts
	mcp   http.Handler
}

// ServeHTTP implements http.Handler.
func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !h.hosts.allow(r) {
		refuse(w, http.StatusForbidden, "forbidden_origin", "A page of that origin may not use this address.")
		return
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, bodyLimit+1))
	if err != nil {
		refuse(w, http.StatusBadRequest, "invalid_request", "The message could not be read.")
		return
	}
	if len(body) <= bodyLimit {
		if m := misread(body); m != nil {
			m.tell(w, r)
			return
		}
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	h.mcp.ServeHTTP(&plainly{ResponseWriter: w}, r.WithContext(context.WithValue(r.Context(), visitKey{}, newVisit(r))))
}

// tell answers a request with what is wrong with its message. An answer to a message that can be told from others is no
// failure of HTTP, except that the newest revision has a status for methods that are not there.
func (m *mistake) tell(w http.ResponseWriter, r *http.Request) {
	status := http.StatusOK
	switch {
	case !m.id.IsValid():
		status = http.StatusBadRequest
	case m.code == jsonrpc.CodeMethodNotFound && r.Header.Get("Mcp-Protocol-Version") >= "2026-07-28":
		status = http.StatusNotFound
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(m.answer())
}

func refuse(w http.ResponseWriter, status int, code, sentence string) {
	body, err := json.Marshal(map[string]string{"error": sentence, "code": code})
	if err != nil {
		status = http.StatusInternalServerError
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(body)
}

// visit is an HTTP request with messages of the protocol. Old revisions have several in one.
type visit struct {
	request  *http.Request
	messages atomic.Int32
	working  chan struct{} // held by the messages that are being answered
}

func newVisit(r *http.Request) *visit {
	return &visit{request: r, working: make(chan struct{}, mostWorking)}
}

// enter waits until another message may be answered. Every caller then calls leave.
func (v *visit) enter(ctx context.Context) (leave func(), err error) {
	select {
	case v.working <- struct{}{}:
		return func() { <-v.working }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-v.request.Context().Done():
		return nil, v.request.Context().Err()
	}
}

// mostMessages is how many messages of one HTTP request are answered: their answers are held until all are there.
const mostMessages = 20

// mostWorking is how many of them are answered at a time.
const mostWorking = 4

// visitKey is where the context of a call has its visit. The protocol's library gives tools no other way to the HTTP
// request, and ends their context only with the newest revision of the protocol when the client hangs up.
type visitKey struct{}

// visitOf is the visit of a call; nil: it did not come over HTTP.
func visitOf(ctx context.Context) *visit {
	v, _ := ctx.Value(visitKey{}).(*visit)
	return v
}

// untilHungUp gives a context that also ends when the client of the HTTP request hangs up.
func untilHungUp(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	v := visitOf(ctx)
	if v == nil {
		return ctx, cancel
	}
	stop := context.AfterFunc(v.request.Context(), cancel)
	return ctx, func() { stop(); cancel() }
}

// visitor is the source of a server that anybody with a key may use: each call is made with the key of its request.
type visitor struct{ api http.Handler }

// Access implements Source.
func (v visitor) Access(ctx context.Context) (Access, error) {
	c, err := v.client(ctx)
	return Access{Client: c}, err
}

func (v visitor) client(ctx context.Context) (*client.Client, error) {
	at := visitOf(ctx)
	if at == nil {
		return nil, advice("The call did not come over HTTP.")
	}
	c, err := client.New("http://mailkin.internal", "", client.WithTransport(local{v.api, at.request}),
		client.WithRetries(0), client.WithUserAgent("Mailkin-MCP"))
	if box := at.request.URL.Query().Get("mailbox"); err == nil && box != "" {
		c = c.For(box) // whether the key opens it, the interface says
	}
	return c, err
}

// Kind implements Source.
func (v visitor) Kind(ctx context.Context) keyKind {
	me, err := v.me(ctx)
	if err != nil {
		return keyKind{} // all tools are shown: a call says what is wrong
	}
	return kindOf(me)
}

// scopeProvisional is the scope of a temporary mailbox's key.
const scopeProvisional = "provisional"

func (v visitor) me(ctx context.Context) (*api.Me, error) {
	c, err := v.client(ctx)
	if err != nil {
		return nil, err
	}
	return c.Me(ctx)
}

// Create implements Source. A server without sessions cannot go over to the new mailbox, so its key is handed out.
func (v visitor) Create(ctx context.Context, another bool) (Created, error) {
	me, err := v.me(ctx)
	if err != nil {
		return Created{}, err
	}
	if me.Scope == scopeProvisional && !another {
		return Created{Mailbox: me.Mailbox, ExpiresAt: me.ExpiresAt.Time, Note: "This is the mailbox that the tools " +
			"already use. Give its address out, then call wait_for_code or wait_for_email."}, nil
	}
	c, err := v.client(ctx)
	if err != nil {
		return Created{}, err
	}
	made, err := c.Bootstrap(ctx, "")
	if err != nil {
		return Created{}, err
	}
	return Created{Mailbox: made.Mailbox, Key: made.APIKey, ExpiresAt: made.ExpiresAt.Time,
		Note: "The tools of this connection stay with " + me.Mailbox + ". To use the new mailbox, connect to the " +
			"same address with api_key as the bearer key."}, nil
}
