// Package trace follows a mail through the program as a tree of spans, and sends them to a collector by OTLP over HTTP.
//
// Edges begin a tree with Root; what they call adds to it with Start. A nil *Tracer is tracing that is off: its methods
// do nothing and allocate nothing, and so do those of a nil *Span, which is what is not sampled. The span travels in
// the context. What happens later and elsewhere, such as posting an event, finds its tree by the message: Keep
// remembers it, in this process and for the newest few thousand messages, and Recall puts it back into a context.
//
// Spans have what the log lines have: ids, addresses, results and times; never a subject, a body, a code or a key.
package trace

import (
	"context"
	"encoding/binary"
	"encoding/hex"
	"log/slog"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Kind says which side of an exchange a span is, by the numbers of OTLP.
type Kind int

// The kinds.
const (
	Internal Kind = 1
	Server   Kind = 2
	Client   Kind = 3
)

// Place is a span as others know it: what traceparent says. Its zero value is none.
type Place struct {
	Trace   [16]byte
	Span    [8]byte
	Sampled bool
}

// Parse reads the header traceparent (https://www.w3.org/TR/trace-context/).
func Parse(header string) (p Place, ok bool) {
	parts := strings.Split(header, "-")
	if len(parts) < 4 || len(parts[0]) != 2 || parts[0] == "ff" || len(parts[1]) != 32 || len(parts[2]) != 16 ||
		len(parts[3]) != 2 || parts[0] == "00" && len(parts) > 4 || strings.ToLower(header) != header {
		return Place{}, false
	}
	var version, flags [1]byte
	for _, f := range []struct {
		to   []byte
		text string
	}{{version[:], parts[0]}, {p.Trace[:], parts[1]}, {p.Span[:], parts[2]}, {flags[:], parts[3]}} {
		if _, err := hex.Decode(f.to, []byte(f.text)); err != nil {
			return Place{}, false
		}
	}
	if p.Trace == [16]byte{} || p.Span == [8]byte{} {
		return Place{}, false
	}
	p.Sampled = flags[0]&1 == 1
	return p, true
}

// ID is that of the trace, as logs and collectors write it.
func (p Place) ID() string { return hex.EncodeToString(p.Trace[:]) }

// String is the place as a traceparent.
func (p Place) String() string {
	flags := "00"
	if p.Sampled {
		flags = "01"
	}
	return "00-" + hex.EncodeToString(p.Trace[:]) + "-" + hex.EncodeToString(p.Span[:]) + "-" + flags
}

// Span is one step. One goroutine at a time may use it.
type Span struct {
	tracer     *Tracer // nil: the span is known from elsewhere, and only has a place
	place      Place
	parent     [8]byte
	name       string
	kind       Kind
	began      time.Time
	ended      time.Time
	failed     bool
	attributes []attribute
}

type attribute struct {
	key, text string
	number    int64
	isNumber  bool
}

// Place tells where the span is.
func (s *Span) Place() Place {
	if s == nil {
		return Place{}
	}
	return s.place
}

// Name renames the span.
func (s *Span) Name(name string) {
	if s != nil {
		s.name = name
	}
}

// Text notes a value. An empty one is left out.
func (s *Span) Text(key, value string) {
	if s != nil && value != "" {
		s.attributes = append(s.attributes, attribute{key: key, text: value})
	}
}

// Number notes a number.
func (s *Span) Number(key string, value int64) {
	if s != nil {
		s.attributes = append(s.attributes, attribute{key: key, number: value, isNumber: true})
	}
}

// Fail notes that the step failed.
func (s *Span) Fail() {
	if s != nil {
		s.failed = true
	}
}

// End ends the span and hands it over. It never waits.
func (s *Span) End() {
	if s == nil || s.tracer == nil {
		return
	}
	s.ended = s.began.Add(time.Since(s.began))
	select {
	case s.tracer.spans <- s:
	default:
		s.tracer.dropped.Add(1)
	}
}

// EndWith ends the span of a step that ended with err.
func (s *Span) EndWith(err error) {
	if err != nil {
		s.Fail()
	}
	s.End()
}

type spanKey struct{}

// From is the span that a context is in; nil: none.
func From(ctx context.Context) *Span {
	s, _ := ctx.Value(spanKey{}).(*Span)
	return s
}

// Tracer makes spans. Nil is one that makes none.
type Tracer struct {
	opt     Options
	spans   chan *Span
	sent    atomic.Int64
	dropped atomic.Int64

	mu    sync.Mutex
	known map[[16]byte]Place
	order [][16]byte // of known, as a ring
	next  int
}

const (
	maxWaiting = 4096 // spans that wait to be sent
	maxKnown   = 4096 // messages whose trees are remembered
)

// Counts tells how many spans were sent, and how many were not because the collector did not take them in time.
func (t *Tracer) Counts() (sent, dropped int64) { return t.sent.Load(), t.dropped.Load() }

// Root begins the span of an edge: within the one that ctx is in, else within that of the caller, else by itself, if it
// is among the share that is sampled.
func (t *Tracer) Root(ctx context.Context, name string, kind Kind, caller Place) (context.Context, *Span) {
	if t == nil {
		return ctx, nil
	}
	if From(ctx) != nil {
		return t.start(ctx, name, kind, From(ctx).place)
	}
	if caller == (Place{}) {
		binary.BigEndian.PutUint64(caller.Trace[:8], rand.Uint64())
		binary.BigEndian.PutUint64(caller.Trace[8:], rand.Uint64()|1)
		caller.Sampled = rand.Float64() < t.opt.Ratio
	}
	if !caller.Sampled {
		return ctx, nil
	}
	return t.start(ctx, name, kind, caller)
}

// Start begins a span within the one that ctx is in, if there is one.
func (t *Tracer) Start(ctx context.Context, name string) (context.Context, *Span) {
	if t == nil {
		return ctx, nil
	}
	within := From(ctx)
	if within == nil {
		return ctx, nil
	}
	return t.start(ctx, name, Internal, within.place)
}

func (t *Tracer) start(ctx context.Context, name string, kind Kind, within Place) (context.Context, *Span) {
	s := &Span{tracer: t, place: Place{Trace: within.Trace, Sampled: true}, parent: within.Span, name: name, kind: kind,
		began: time.Now()}
	binary.BigEndian.PutUint64(s.place.Span[:], rand.Uint64()|1)
	return context.WithValue(ctx, spanKey{}, s), s
}

// Keep remembers the span that ctx is in for a message.
func (t *Tracer) Keep(ctx context.Context, message [16]byte) {
	if t == nil {
		return
	}
	s := From(ctx)
	if s == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if _, ok := t.known[message]; !ok {
		delete(t.known, t.order[t.next])
		t.order[t.next] = message
		t.next = (t.next + 1) % maxKnown
	}
	t.known[message] = s.place
}

// Recall returns ctx within the span that was kept for a message, if it is still known and ctx is in none.
func (t *Tracer) Recall(ctx context.Context, message [16]byte) context.Context {
	if t == nil || From(ctx) != nil {
		return ctx
	}
	t.mu.Lock()
	p, ok := t.known[message]
	t.mu.Unlock()
	if !ok {
		return ctx
	}
	return context.WithValue(ctx, spanKey{}, &Span{place: p})
}

// Handler adds the trace's id to lines of the log that are written within a span.
func Handler(h slog.Handler) slog.Handler { return handler{h} }

type handler struct{ slog.Handler }

func (h handler) Handle(ctx context.Context, r slog.Record) error {
	if s := From(ctx); s != nil {
		r.AddAttrs(slog.String("trace_id", s.place.ID()))
	}
	return h.Handler.Handle(ctx, r)
}

func (h handler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return handler{h.Handler.WithAttrs(attrs)}
}
func (h handler) WithGroup(name string) slog.Handler { return handler{h.Handler.WithGroup(name)} }
