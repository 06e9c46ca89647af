package httpapi

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"time"

	"github.com/mailkin/mailkin/internal/door"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/trace"
)

// gate says who calls, how often they may, and whether they may do this to that mailbox.
type gate interface {
	door.Gate
	Admit(client netip.Addr, token mailbox.Secret) ([]service.Rate, error)
}

// call is one request on its way through: what is asked, by whom, of which mailbox, and the answer as it is written.
type call struct {
	*http.Request
	out    *response
	id     string // X-Request-Id
	at     *endpoint
	value  string         // of the path's first {segment}
	part   string         // of its second
	in     service.Access // its Caller is zero for nobody, and until it is known
	params params
	fields fields // of a JSON body
	form   params // of a page
	body   *body  // that the handler reads
	within bool   // it is part of a request that was counted
}

// ServeHTTP implements http.Handler.
func (a *API) ServeHTTP(w http.ResponseWriter, r *http.Request) { a.serve(w, r, false) }

// Within serves requests that are made on the way of answering another, which was counted.
func (a *API) Within() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { a.serve(w, r, true) })
}

func (a *API) serve(w http.ResponseWriter, r *http.Request, within bool) {
	caller, _ := trace.Parse(r.Header.Get("Traceparent"))
	ctx, span := a.tracer.Root(r.Context(), "HTTP", trace.Server, caller)
	if span != nil {
		r = r.WithContext(ctx)
	}
	c := &call{Request: r, out: newResponse(w), id: newRequestID(), at: a.router.unmatched, within: within}
	c.out.answers = &a.answers
	a.metrics.inFlight.Inc()
	defer a.finish(c, time.Now())
	defer a.recover(c)

	c.out.Header()["X-Request-Id"] = []string{c.id}
	allowOrigin(c.out.Header())
	if r.ContentLength != 0 {
		_ = c.out.control.SetReadDeadline(time.Now().Add(stallTime)) // also for a body that nobody reads
	}
	if err := a.dispatch(c); err != nil {
		if c.out.status == 0 {
			c.drainUnread()
		}
		a.fail(c, err)
	}
}

// finish counts and notes a request that is over.
func (a *API) finish(c *call, began time.Time) {
	a.answers.remove(c.out)
	took := time.Since(began)
	a.metrics.inFlight.Dec()
	a.endSpan(c)
	c.at.observe(c.out.status, took)
	if a.log.Enabled(c.Context(), slog.LevelDebug) {
		a.log.DebugContext(c.Context(), "request", "request_id", c.id, "method", c.Method, "route", c.at.path,
			"status", c.out.status, "client", a.origin(c.Request), "mailbox", c.mailbox(), "key", c.in.Caller.Key.Hint,
			"scope", c.in.Caller.Scope, "took", took)
	}
}

// endSpan ends the span of a request that is over, if it has one.
func (a *API) endSpan(c *call) {
	span := trace.From(c.Context())
	if a.tracer == nil || span == nil {
		return
	}
	method := c.at.labels[0] // as the table has it: a request may name anything
	span.Name(method + " " + c.at.labels[1])
	span.Text("http.request.method", method)
	span.Text("http.route", c.at.labels[1])
	span.Number("http.response.status_code", int64(c.out.status))
	span.Text("mailkin.request_id", c.id)
	span.Text("mailkin.mailbox", c.mailbox())
	if c.out.status/100 == 5 || c.out.status == 0 {
		span.Fail()
	}
	span.End()
}

// mailbox is the address of the mailbox that a request is about, as far as it is known.
func (c *call) mailbox() string {
	if c.in.Box.Address != "" {
		return c.in.Box.Address
	}
	return c.in.Caller.Mailbox.Address
}

// hold waits until there is room for n bytes of an answer that its client may be slow to take.
func (c *call) hold(n int) error {
	if n < longAnswer {
		return nil
	}
	if c.out.client = c.in.Caller.Mailbox.Address; c.out.client == "" {
		c.out.client = peerAddr(c.Request).String()
	}
	return c.out.answers.hold(c.Context(), c.out, n)
}

// dispatch answers a call. What it needs before that is in a function of its own: see wait.go.
func (a *API) dispatch(c *call) error {
	way := a.forDoor(c.Request)
	if way != nil && (c.Method != http.MethodOptions || way.Options) {
		return a.serveDoor(c, way)
	}
	if c.Method == http.MethodOptions {
		c.at = a.router.preflight
		c.drainUnread()
		return preflight(c)
	}
	if a.forConsole(c.URL.Path) {
		c.at = a.shown
		if c.Method != http.MethodPost { // which signs in, with a body
			c.drainUnread()
		}
		return a.showConsole(c)
	}
	if a.forMCP(c.URL.Path) {
		c.at = a.mcpAt
		return a.serveMCP(c)
	}
	if err := a.check(c); err != nil {
		return err
	}
	return c.at.handle(a, c)
}

// check takes a call through the checks, in the order of API 1.
func (a *API) check(c *call) error {
	res, values := a.router.find(c.URL)
	if res != nil {
		c.value, c.part = values[0], values[1]
		if e := res.at(c.Method); e != nil {
			c.at = e
		}
	}
	if err := a.meter(c); err != nil {
		return err
	}
	if c.at.reads() {
		c.Request = c.WithContext(service.Reading(c.Context()))
	}
	var who mailbox.Caller
	if res == nil && private(c.URL.Path) || res != nil && !res.public {
		var err error
		if who, err = a.caller(c); err != nil {
			return err
		}
		c.in.Caller = who
	}
	switch {
	case res == nil:
		return mailbox.Errorf(mailbox.NotFound, "not_found", "There is nothing at this address.")
	case c.at == a.router.unmatched:
		c.out.Header().Set("Allow", res.allow)
		return &refusal{http.StatusMethodNotAllowed, "method_not_allowed", "This address does not take that method; " +
			"it takes " + res.allow + "."}
	}
	return a.admit(c, who)
}

// meter counts a request against the limits of its key and its client. A wait or a stream counts once, when it begins.
// One too many is told so after a pause: a client that asks again at once, on however many connections, then costs next
// to nothing.
func (a *API) meter(c *call) error {
	key, _ := a.credentialOf(c.Request)
	return a.meterAs(c, key)
}

// meterAs is meter for a key that is not where ours are.
func (a *API) meterAs(c *call, token mailbox.Secret) error {
	if c.within || c.at.path == healthPath || c.at.path == readyPath { // balancers ask for these
		return nil
	}
	rates, err := a.svc.Admit(a.client(c.Request), token)
	if len(rates) > 0 {
		tellRates(c.out.Header(), rates)
	}
	if err != nil && a.refusalPause > 0 {
		pause := time.NewTimer(a.refusalPause)
		defer pause.Stop()
		select {
		case <-pause.C:
		case <-c.Context().Done():
		}
	}
	return err
}

// tellRates writes the headers of draft-ietf-httpapi-ratelimit-headers-10: what may be done, and what is left of it.
func tellRates(h http.Header, rates []service.Rate) {
	var policy, left []byte
	for i, r := range rates {
		if i > 0 {
			policy, left = append(policy, ", "...), append(left, ", "...)
		}
		policy = fmt.Appendf(policy, "%q;q=%d;w=%d", r.Policy, r.Quota, int(service.RateWindow.Seconds()))
		left = fmt.Appendf(left, "%q;r=%d;t=%d", r.Policy, r.Left, int((r.Reset+time.Second-1)/time.Second))
	}
	h.Set("RateLimit-Policy", string(policy))
	h.Set("RateLimit", string(left))
}

// caller says whose key the request carries. A key whose mailbox is paused is good for nothing but to resume it.
func (a *API) caller(c *call) (mailbox.Caller, error) {
	token, session := a.credentialOf(c.Request)
	if token == "" {
		return mailbox.Caller{}, mailbox.Errorf(mailbox.Unauthorized, "unauthorized", "A key is needed.")
	}
	who, err := a.svc.Authenticate(c.Context(), token)
	if err != nil && session { // one that has ended, which nobody guessed
		return mailbox.Caller{}, err
	}
	if err != nil {
		return mailbox.Caller{}, a.wrongKey(c, token, err)
	}
	if session != who.Named.Restriction().Session {
		return mailbox.Caller{}, mailbox.Errorf(mailbox.Unauthorized, "unauthorized", "A session is a cookie, and a "+
			"cookie a session.")
	}
	if who.Halted() && c.at.path != resumePath {
		tellPaused(c.out.Header(), who.Mailbox)
		return mailbox.Caller{}, mailbox.Errorf(mailbox.Paused, "mailbox_paused", "Mailbox is paused")
	}
	return who, nil
}

// tellPaused says in headers which mailbox was paused, by whom and why: the body is given whole by SPEC 7.
func tellPaused(h http.Header, box mailbox.Mailbox) {
	h.Set("Mailkin-Paused-Mailbox", url.PathEscape(box.Address))
	h.Set("Mailkin-Paused-By", string(box.PausedBy))
	if box.PauseReason != "" {
		h.Set("Mailkin-Pause-Reason", url.PathEscape(box.PauseReason))
	}
}

// wrongKey counts a key that is not one of ours. A client that sends too many is told so in place of the error (API 2).
func (a *API) wrongKey(c *call, key mailbox.Secret, err error) error {
	if key == "" || mailbox.KindOf(err) != mailbox.Unauthorized {
		return err
	}
	if limited := a.svc.WrongKey(a.origin(c.Request)); limited != nil {
		return limited
	}
	return err
}

// credential is the key of a request that needs none: empty if it has none, an error if it has something else.
func credential(h http.Header) (mailbox.Secret, error) {
	key := mailbox.Bearer(h["Authorization"])
	if _, given := h["Authorization"]; given && key == "" {
		return "", mailbox.Errorf(mailbox.Unauthorized, "unauthorized", "The header Authorization has no key.")
	}
	return key, nil
}

// admit checks scope, mailbox and body, and reads parameters and JSON.
func (a *API) admit(c *call, who mailbox.Caller) error {
	query, bad := parseParams(c.URL.RawQuery)
	c.params = query
	if c.at.target != open {
		named, unclear := c.named()
		in, err := a.svc.Enter(c.Context(), who, service.Act{Need: c.at.need, Verb: c.at.verb, Mailbox: named,
			Client: a.client(c.Request), Request: c.id, Peek: c.Method == http.MethodHead})
		switch {
		case mailbox.KindOf(err) == mailbox.Denied: // before anything that is wrong with the parameters
			return err
		case unclear != nil:
			return unclear
		case err != nil:
			return err
		}
		c.in = in
	}
	if bad != nil {
		return bad
	}
	return a.readBody(c)
}

// named is the mailbox that the request asks for, empty if it names none.
func (c *call) named() (string, error) {
	switch c.at.target {
	case own:
		return c.params.mailbox()
	case addressed:
		return c.value, checkText("address", c.value)
	}
	return "", nil
}
