package trace

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"

	"google.golang.org/protobuf/encoding/protowire"
)

// Options say where spans go.
type Options struct {
	Endpoint string            // of the collector, as OTEL_EXPORTER_OTLP_ENDPOINT has it: without /v1/traces
	Headers  map[string]string // of each request to it
	Ratio    float64           // of trees that begin here, the share that is sampled
	Node     string            // names this process
	Version  string
	Log      *slog.Logger
}

const (
	batchMost = 512              // spans in a request
	batchTime = time.Second      // a span waits that long for others
	sendTime  = 10 * time.Second // for a request
	lastTime  = time.Second      // for all that is left when the program ends
)

// New makes a tracer. It sends nothing: Run does.
func New(o Options) (*Tracer, error) {
	u, err := url.Parse(o.Endpoint)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, errors.New("the collector is an http or https URL, such as http://127.0.0.1:4318")
	}
	o.Endpoint = strings.TrimRight(o.Endpoint, "/") + "/v1/traces"
	return &Tracer{opt: o, spans: make(chan *Span, maxWaiting), known: make(map[[16]byte]Place),
		order: make([][16]byte, maxKnown)}, nil
}

// Run sends spans until ctx ends, and then those that are left. What cannot be sent is dropped and counted: a collector
// that is down costs no memory and delays nobody. While there are no spans it does nothing.
func (t *Tracer) Run(ctx context.Context) {
	client := &http.Client{Timeout: sendTime}
	defer client.CloseIdleConnections()
	sending, cut := context.WithCancel(context.WithoutCancel(ctx))
	defer cut()
	defer context.AfterFunc(ctx, func() { time.AfterFunc(lastTime, cut) })()
	down := false
	for {
		select {
		case s := <-t.spans:
			err := t.send(sending, client, t.gather(ctx, s))
			switch {
			case err != nil && !down:
				t.opt.Log.Warn("spans cannot be sent, and are dropped until the collector takes them", "error", err)
			case err == nil && down:
				t.opt.Log.Info("the collector takes spans again")
			}
			down = err != nil
		case <-ctx.Done():
			for len(t.spans) > 0 {
				_ = t.send(sending, client, t.gather(ctx, <-t.spans)) // it is counted
			}
			return
		}
	}
}

// gather waits a moment for spans to send with the first; when ctx has ended, it takes those that are there.
func (t *Tracer) gather(ctx context.Context, first *Span) []*Span {
	batch, wait := []*Span{first}, time.NewTimer(batchTime)
	defer wait.Stop()
	for len(batch) < batchMost {
		select {
		case s := <-t.spans:
			batch = append(batch, s)
			continue
		default:
		}
		select {
		case s := <-t.spans:
			batch = append(batch, s)
		case <-wait.C:
			return batch
		case <-ctx.Done():
			return batch
		}
	}
	return batch
}

func (t *Tracer) send(ctx context.Context, client *http.Client, batch []*Span) error {
	err := t.post(ctx, client, t.encode(batch))
	if err != nil {
		t.dropped.Add(int64(len(batch)))
		return err
	}
	t.sent.Add(int64(len(batch)))
	return nil
}

func (t *Tracer) post(ctx context.Context, client *http.Client, body []byte) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, t.opt.Endpoint, bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/x-protobuf")
	for name, value := range t.opt.Headers {
		req.Header.Set(name, value)
	}
	resp, err := client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(resp.Body, 64<<10)) // so that the connection can be used again
	if resp.StatusCode/100 != 2 {
		return fmt.Errorf("the collector answered %s", resp.Status)
	}
	return nil
}

// encode makes an ExportTraceServiceRequest of opentelemetry-proto 1, by its numbers of fields.
func (t *Tracer) encode(batch []*Span) []byte {
	var resource, scope, spans, within []byte
	for _, a := range []attribute{{key: "service.name", text: "mailkin"}, {key: "service.version", text: t.opt.Version},
		{key: "service.instance.id", text: t.opt.Node}} {
		resource = field(resource, 1, a.encode())
	}
	scope = field(scope, 1, []byte("mailkin"))
	spans = field(spans, 1, scope)
	for _, s := range batch {
		spans = field(spans, 2, s.encode())
	}
	within = field(within, 1, resource)
	within = field(within, 2, spans)
	return field(nil, 1, within)
}

func (s *Span) encode() []byte {
	b := field(nil, 1, s.place.Trace[:])
	b = field(b, 2, s.place.Span[:])
	if s.parent != [8]byte{} {
		b = field(b, 4, s.parent[:])
	}
	b = field(b, 5, []byte(s.name))
	b = number(b, 6, int64(s.kind))
	b = protowire.AppendFixed64(protowire.AppendTag(b, 7, protowire.Fixed64Type), uint64(s.began.UnixNano()))
	b = protowire.AppendFixed64(protowire.AppendTag(b, 8, protowire.Fixed64Type), uint64(s.ended.UnixNano()))
	for _, a := range s.attributes {
		b = field(b, 9, a.encode())
	}
	if s.failed {
		b = field(b, 15, number(nil, 3, 2)) // STATUS_CODE_ERROR
	}
	return b
}

func (a attribute) encode() []byte {
	value := field(nil, 1, []byte(a.text))
	if a.isNumber {
		value = number(nil, 3, a.number)
	}
	return field(field(nil, 1, []byte(a.key)), 2, value)
}

func field(b []byte, n protowire.Number, value []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(b, n, protowire.BytesType), value)
}

func number(b []byte, n protowire.Number, value int64) []byte {
	return protowire.AppendVarint(protowire.AppendTag(b, n, protowire.VarintType), uint64(value))
}
