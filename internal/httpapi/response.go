package httpapi

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/mailkin/mailkin/internal/service"
)

const (
	// how long a client may neither take nor send anything, unless the answer says otherwise
	stallTime = time.Minute
	bodyTime  = 30 * time.Second // how long a body may take that is not a message
	largeTime = time.Minute      // how long a message may take, and a second more for
	largeRate = 8 << 10          // each of this many bytes
	pieceSize = 256 << 10        // what it has to take in that time
	keepSize  = 1 << 20          // larger buffers are not kept for the next answer
)

// Headers that most answers share.
var (
	jsonType = []string{"application/json"}
	noStore  = []string{"no-store"} // answers hold mail, and sometimes keys
)

func newRequestID() string { return fmt.Sprintf("%016x", rand.Uint64()) }

// response is an answer as it is written: it knows its status, and gives up on a client that does not read on.
type response struct {
	http.ResponseWriter
	control *http.ResponseController
	status  int           // 0: nothing is written yet
	stall   time.Duration // how long the client may take nothing
	end     time.Time     // when it must have taken everything; zero: whenever
	sent    int           // bytes
	answers *longAnswers  // nil: nobody stops it
	long    bool          // it is one of them
	client  string        // who takes it: the mailbox of its key, or else an address
	held    int           // bytes, under the lock of answers
	moved   atomic.Int64  // when the client last took something, in Unix nanoseconds
	cut     atomic.Bool   // it is cut off
}

func newResponse(w http.ResponseWriter) *response {
	return &response{ResponseWriter: w, control: http.NewResponseController(w), stall: stallTime}
}

// Unwrap is for http.ResponseController.
func (w *response) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func (w *response) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
	}
	w.awaitReader()
	w.ResponseWriter.WriteHeader(status)
}

func (w *response) Write(p []byte) (written int, err error) {
	if w.status == 0 {
		w.WriteHeader(http.StatusOK)
	}
	if !w.long && w.sent+len(p) >= longAnswer {
		w.answers.add(w)
	}
	w.moved.Store(time.Now().UnixNano())
	for due := 0; ; {
		if written >= due { // the rest of the piece has to be taken in the same time
			w.awaitReader()
			due += pieceSize
		}
		n, err := w.ResponseWriter.Write(p[:min(len(p), longAnswer)])
		written, p, w.sent = written+n, p[n:], w.sent+n
		if err != nil || len(p) == 0 {
			return written, err
		}
		w.moved.Store(time.Now().UnixNano())
	}
}

// awaitReader gives the client time to take the next piece. A server that cannot set deadlines, as in a test, does
// without.
func (w *response) awaitReader() {
	deadline := time.Now().Add(w.stall)
	if !w.end.IsZero() && w.end.Before(deadline) {
		deadline = w.end
	}
	_ = w.control.SetWriteDeadline(w.sooner(deadline))
	if again := w.sooner(deadline); again.Before(deadline) { // it may have been cut off in between
		_ = w.control.SetWriteDeadline(again)
	}
}

// longPast is the deadline of an answer that is cut off.
var longPast = time.Unix(1, 0)

// sooner is a deadline, or the one that there is because the answer is cut off or the server stops.
func (w *response) sooner(deadline time.Time) time.Time {
	if w.cut.Load() {
		return longPast
	}
	return w.answers.sooner(deadline)
}

// awaitBody gives the client time to send more of its body, until a moment if there is one, and reads it.
func (w *response) awaitBody(until time.Time, read func() (int, error)) (int, error) {
	deadline := time.Now().Add(stallTime)
	if !until.IsZero() && until.Before(deadline) {
		deadline = until
	}
	w.answers.await(w)
	_ = w.control.SetReadDeadline(w.answers.sooner(deadline))
	if again := w.answers.sooner(deadline); again.Before(deadline) { // as in awaitReader
		_ = w.control.SetReadDeadline(again)
	}
	n, err := read()
	if stops := w.answers.came(w); stops && (err == nil || err == io.EOF) {
		_ = w.control.SetReadDeadline(deadline)
	}
	return n, err
}

func (a *API) buffer() *bytes.Buffer {
	buf := a.buffers.Get().(*bytes.Buffer)
	buf.Reset()
	return buf
}

func (a *API) release(buf *bytes.Buffer) {
	if buf.Cap() <= keepSize {
		a.buffers.Put(buf)
	}
}

// answer writes a JSON answer from a value of package wire.
func (a *API) answer(c *call, status int, v any) error {
	buf := a.buffer()
	defer a.release(buf)
	enc := json.NewEncoder(buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(c.inForm(v)); err != nil {
		return fmt.Errorf("encode answer: %w", err)
	}
	return c.sendHeld(status, bytes.TrimRight(buf.Bytes(), "\n"))
}

// sendHeld is send for an answer that may be long: it is in memory until its client has taken it.
func (c *call) sendHeld(status int, body []byte) error {
	if err := c.hold(cap(body)); err != nil {
		return err
	}
	c.send(status, body)
	return nil
}

// answerTo answers what a verb gives for what the request asks.
func answerTo[Q, A, F any](a *API, c *call, question func() (Q, error),
	verb func(context.Context, service.Access, Q) (A, error), form func(A) F) error {
	q, err := question()
	if err != nil {
		return err
	}
	found, err := verb(c.Context(), c.in, q)
	if err != nil {
		return err
	}
	return a.answer(c, http.StatusOK, form(found))
}

// answerPage answers the page of a list that the request asks for.
func answerPage[T, F any](a *API, c *call, verb func(context.Context, service.Access, service.Page) (service.List[T],
	error),
	form func(list []T, next string) F) error {
	return answerTo(a, c, c.params.page, verb, formPage(form))
}

// formPage has the JSON of a page made from its rows and from where the list goes on.
func formPage[T, F any](form func(list []T, next string) F) func(service.List[T]) F {
	return func(l service.List[T]) F { return form(l.Items, l.Next) }
}

// send writes a JSON answer in one piece. A client that is gone is nobody's error.
func (c *call) send(status int, body []byte) {
	h := c.out.Header()
	h["Content-Type"] = jsonType
	h["Cache-Control"] = noStore
	h["Content-Length"] = []string{strconv.Itoa(len(body))}
	c.out.WriteHeader(status)
	_, _ = c.out.Write(body)
}
