package httpapi

import (
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/wire"
)

// events returns events as they come.
type events interface {
	Stream(ctx context.Context, in *service.Access, q service.StreamQuery) (service.Stream, error)
}

const (
	streamStall = 10 * time.Second // how long the reader of a stream may take nothing
	streamGrace = 2 * time.Second  // and how long after the stream's end
)

// What a stream says besides its events (API 9).
const (
	keepalive = ": keepalive\n\n"
	preamble  = "retry: 1000\n\n" + keepalive
)

// events streams what happens in the mailbox (SPEC 6.2). A HEAD opens no stream.
func (a *API) events(c *call) error {
	q, err := streamQuery(c)
	if err != nil {
		return err
	}
	if c.Method == http.MethodHead {
		c.streamHead()
		return nil
	}
	stream, err := a.svc.Stream(c.Context(), &c.in, q)
	if err != nil {
		return c.unlessGone(err)
	}
	defer stream.Close()
	c.out.stall, c.out.end = streamStall, time.Now().Add(a.limits.StreamTime+streamGrace)
	c.streamHead()
	return a.relay(c, stream)
}

func streamQuery(c *call) (q service.StreamQuery, err error) {
	q.Kinds = c.params.eventKinds()
	if q.Since, err = c.params.moment("since"); err != nil {
		return q, err
	}
	if q.Last = c.Header.Get("Last-Event-ID"); q.Last == "" {
		q.Last, err = c.params.text("last_event_id")
	}
	return q, err
}

// eventKinds are the kinds that the parameter types names; empty: it names none. A kind that does not exist, perhaps
// one of a newer version, matches no event: a client must not lose its stream over it, nor get events that it did not
// ask for.
func (p params) eventKinds() (kinds []mailbox.EventKind) {
	for _, values := range p["types"] {
		for value := range strings.SplitSeq(values, ",") {
			kind := mailbox.EventKind(strings.TrimSpace(value))
			if kind == "" {
				continue
			}
			if !kind.Known() {
				kind = noKind
			}
			if !slices.Contains(kinds, kind) {
				kinds = append(kinds, kind)
			}
		}
	}
	return kinds
}

// noKind is the kind of no event.
const noKind mailbox.EventKind = "unknown"

func (c *call) streamHead() {
	h := c.out.Header()
	h.Set("Content-Type", "text/event-stream")
	h["Cache-Control"] = noStore
	h.Set("X-Accel-Buffering", "no") // nginx would hold events back
	if c.ProtoMajor == 1 {
		h.Set("Connection", "close") // SPEC 6.2: the server closes the connection, not the stream alone
	}
	c.out.WriteHeader(http.StatusOK)
}

// relay writes events as they come, and a sign of life whenever nothing was written for a while. A client that is gone
// is nobody's error.
func (a *API) relay(c *call, stream service.Stream) error {
	defer c.out.awaitReader() // also for what the server itself writes at the end
	for heard := c.out.push([]byte(preamble)); heard; {
		events, err := upTo(c.Context(), stream, time.Now().Add(a.limits.Keepalive))
		switch {
		case len(events) > 0:
			heard = a.pushEvents(c, events, stream.Address())
		case err == nil:
			heard = c.out.push([]byte(keepalive))
		}
		if err != nil {
			return unlessOver(c.Context(), err)
		}
	}
	return nil
}

// pushEvents sends events in one piece. Only while it does so has a stream a buffer.
func (a *API) pushEvents(c *call, events []mailbox.Event, address string) bool {
	buf := a.buffer()
	defer a.release(buf)
	for i := range events {
		buf.Write(appendEvent(buf.AvailableBuffer(), &events[i], address))
	}
	return c.out.push(buf.Bytes())
}

// upTo waits for events until a moment; none if there are none until then.
func upTo(ctx context.Context, stream service.Stream, due time.Time) ([]mailbox.Event, error) {
	for {
		events, err := stream.Next(ctx, max(time.Until(due), 0))
		if len(events) > 0 || err != nil || !time.Now().Before(due) {
			return events, err
		}
	}
}

// unlessOver is an error that ended a stream, nil for one that had to end.
func unlessOver(ctx context.Context, err error) error {
	if errors.Is(err, io.EOF) || ctx.Err() != nil {
		return nil
	}
	return err
}

// appendEvent writes an event as a stream carries it.
func appendEvent(dst []byte, e *mailbox.Event, address string) []byte {
	dst = strconv.AppendInt(append(dst, "id: "...), e.Number, 10)
	dst = append(append(dst, "\nevent: "...), e.Kind...)
	dst = wire.AppendEvent(append(dst, "\ndata: "...), e, address)
	return append(dst, "\n\n"...)
}

// push sends a piece of a stream on its way, and tells whether somebody may still read it.
func (w *response) push(piece []byte) bool {
	_, err := w.Write(piece)
	if err == nil {
		w.awaitReader()
		err = w.control.Flush()
	}
	if err == nil {
		_ = w.control.SetWriteDeadline(time.Time{}) // over HTTP/2 one that passes ends also a stream that is quiet
	}
	return err == nil
}
