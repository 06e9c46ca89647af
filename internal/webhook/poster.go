package webhook

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/trace"
)

const (
	// defaultTimeout is how long an exchange may take where nothing is set (API 9).
	defaultTimeout = 10 * time.Second
	// maxAnswer is how much of an answer's body is read, and how large its headers may be (API 9).
	maxAnswer = 64 << 10
	// maxKept is how much of it is kept for the list of deliveries.
	maxKept = 1 << 10

	// Connections that wait for the next event: enough for a host that many mailboxes post to, few over all.
	idlePerHost = 64
	idleInAll   = 256
	idleFor     = 30 * time.Second
)

// Options says how posts are made.
type Options struct {
	Timeout      time.Duration         // for the whole exchange; 0: 10 s
	AllowPrivate func(netip.Addr) bool // targets that are allowed although they are not public; nil: none
	Version      string                // of this program, for the User-Agent
	Resolver     *net.Resolver         // nil: the system's
	RootCAs      *x509.CertPool        // nil: the system's
	Log          *slog.Logger          // nil: none
}

// Shipment is an event on its way to a target.
type Shipment struct {
	URL           string
	Event         string // its kind
	EmailID       string
	ID            string // webhook-id: own to event and target, the same over its retries
	Body          []byte
	Secret        []byte // the deployment's
	MailboxSecret []byte
	OldSecrets    [][]byte        // the mailbox's of before that still count
	Headers       []mailbox.Field // besides ours
	At            time.Time       // of the attempt
}

// Poster posts events. It is safe for concurrent use; how many posts run at a time is the caller's choice.
type Poster struct {
	timeout   time.Duration
	agent     string
	transport *http.Transport
	log       *slog.Logger
}

// New makes a Poster. Close it when it is no longer used.
func New(o Options) *Poster {
	if o.Timeout <= 0 {
		o.Timeout = defaultTimeout
	}
	if o.AllowPrivate == nil {
		o.AllowPrivate = func(netip.Addr) bool { return false }
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &Poster{
		timeout: o.Timeout,
		agent:   "Mailkin/" + o.Version + " (+webhook)",
		log:     o.Log,
		transport: &http.Transport{
			Proxy:               nil, // the guard would see the proxy's address instead of the target's
			DialContext:         guard{o.AllowPrivate}.dialer(o.Resolver, o.Timeout).DialContext,
			TLSClientConfig:     &tls.Config{RootCAs: o.RootCAs, MinVersion: tls.VersionTLS12},
			TLSHandshakeTimeout: o.Timeout, // for a dial that goes on after its post has ended
			ForceAttemptHTTP2:   true,
			HTTP2: &http.HTTP2Config{MaxReceiveBufferPerStream: maxAnswer,
				MaxReceiveBufferPerConnection: 8 * maxAnswer},
			DisableCompression:     true, // 64 KB are 64 KB
			MaxResponseHeaderBytes: maxAnswer,
			MaxIdleConns:           idleInAll,
			MaxIdleConnsPerHost:    idlePerHost,
			IdleConnTimeout:        idleFor,
		},
	}
}

// Close closes the connections that wait for the next event. Call it when no Post is running.
func (p *Poster) Close() { p.transport.CloseIdleConnections() }

// Post makes one attempt to bring s to its target.
func (p *Poster) Post(ctx context.Context, s Shipment) Outcome {
	began := time.Now()
	within, cancel := context.WithTimeout(ctx, p.timeout)
	defer cancel()
	var o Outcome
	req, err := p.request(within, s)
	if err == nil {
		err = p.exchange(req, &o)
	}
	o.Duration = time.Since(began)
	switch {
	case err != nil && ctx.Err() != nil:
		o.Error = "The attempt was broken off."
	case err != nil:
		o.Error = explain(err, p.timeout)
		p.note(ctx, req, s, err)
	case !success(o.Status):
		o.Error = refusal(o.Status)
	}
	return o
}

// Attempt makes one attempt for a job of the service. One that ends because ctx does is broken off, and tells nothing
// about the target.
func (p *Poster) Attempt(ctx context.Context, job service.HookJob) mailbox.HookAttempt {
	at := time.Now()
	o := p.Post(ctx, shipped(job, at))
	return mailbox.HookAttempt{At: at, Duration: o.Duration, Status: o.Status, Error: o.Error, Response: o.Response,
		Broken: !o.OK() && ctx.Err() != nil}
}

// Headers returns those of an attempt for a job of the service, as it was made at a time. What a URL has of a user and
// password is not said.
func (p *Poster) Headers(job service.HookJob, at time.Time) map[string]string {
	req, err := p.request(context.Background(), shipped(job, at))
	if err != nil {
		return nil
	}
	all := make(map[string]string, len(req.Header))
	for name, values := range req.Header {
		if len(values) > 0 {
			all[name] = values[0]
		}
	}
	if _, ok := all["Authorization"]; ok {
		all["Authorization"] = "Basic …"
	}
	return all
}

// about is the id of the message that an event is about, or the event's own where it is about the mailbox.
func about(job service.HookJob) string {
	if job.Message.IsZero() {
		return job.ID.String()
	}
	return job.Message.String()
}

func shipped(job service.HookJob, at time.Time) Shipment {
	return Shipment{URL: job.URL, Event: string(job.Kind), EmailID: about(job), ID: job.Name(),
		Body:   job.Body,
		Secret: job.Secret, MailboxSecret: job.MailboxSecret, OldSecrets: job.OldSecrets, At: at,
		Headers: job.Headers}
}

var (
	errURL    = errors.New("not a URL that can be posted to")
	errSecret = errors.New("a secret is missing")
)

// request is s as it goes over the wire.
func (p *Poster) request(ctx context.Context, s Shipment) (*http.Request, error) {
	if len(s.Secret) == 0 || len(s.MailboxSecret) == 0 {
		return nil, errSecret
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.URL, bytes.NewReader(s.Body))
	if err != nil {
		return nil, errURL // err quotes the URL
	}
	u := req.URL
	if (u.Scheme != "http" && u.Scheme != "https") || u.Hostname() == "" || u.Opaque != "" {
		return nil, errURL
	}
	at, signed := unixSeconds(s.At), s.standardSignatures()
	req.Header = http.Header{
		"Content-Type":        {"application/json"},
		"User-Agent":          {p.agent},
		"X-Webhook-Signature": {bodySignature(s.Secret, s.Body)},
		"X-Webhook-Event":     {s.Event},
		"X-Webhook-Id":        {s.EmailID},
		"X-Webhook-Timestamp": {at},
		"webhook-id":          {s.ID},
		"webhook-timestamp":   {at},
		"webhook-signature":   {signed},
		// The same under the names that programs read which were written for Svix.
		"svix-id":        {s.ID},
		"svix-timestamp": {at},
		"svix-signature": {signed},
		// Not sent, being empty: it tells the transport to post again where a kept connection turns out to be closed.
		"Idempotency-Key": nil,
	}
	if span := trace.From(ctx); span != nil {
		req.Header.Set("traceparent", span.Place().String())
	}
	for _, h := range s.Headers {
		req.Header.Set(h.Name, h.Value)
	}
	authorize(req, u.User)
	u.User = nil // so that nothing can print it
	return req, nil
}

// authorize sends the user and password of a URL the way people expect of one.
func authorize(req *http.Request, user *url.Userinfo) {
	if user != nil {
		password, _ := user.Password()
		req.SetBasicAuth(user.Username(), password)
	}
}

// exchange sends req and reads the answer. It goes to the transport and not through a client, which knows redirects
// and cookies.
func (p *Poster) exchange(req *http.Request, o *Outcome) error {
	resp, err := p.transport.RoundTrip(req)
	if err != nil {
		return err
	}
	defer func() { _ = resp.Body.Close() }() // only read from
	o.Status = resp.StatusCode
	if resp.StatusCode == http.StatusSwitchingProtocols || resp.Body == http.NoBody {
		return nil // what follows the former is not an answer
	}
	kept := make([]byte, maxKept)
	body := io.LimitReader(resp.Body, maxAnswer)
	n, err := io.ReadFull(body, kept)
	if err == nil {
		_, err = io.Copy(io.Discard, body) // to its end, so that the connection can be kept
	}
	o.Response = printable(kept[:n])
	if err != nil && req.Context().Err() != nil {
		return req.Context().Err()
	}
	return nil // QUIRK: answers with a wrong Content-Length, of scripts; the status came, and that is what counts
}

// note writes what the outcome does not say to the log.
func (p *Poster) note(ctx context.Context, req *http.Request, s Shipment, err error) {
	host := ""
	if req != nil {
		host = req.URL.Host
	}
	level := slog.LevelDebug
	if forbidden := (*forbiddenError)(nil); errors.As(err, &forbidden) {
		level = slog.LevelWarn
	}
	p.log.Log(ctx, level, "webhook attempt", "webhook_id", s.ID, "host", host, "error", err)
}
