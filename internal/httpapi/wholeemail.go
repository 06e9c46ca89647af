package httpapi

import (
	"bufio"
	"bytes"
	"compress/flate"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"
	"unicode/utf8"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

// wholeTime is how long a client may take for a whole email, however fast it is.
const wholeTime = time.Hour

// wholeEmail answers with bodies that may be too long for other answers. Such an answer may have some hundred
// megabytes, so it is written as it is read from the store, and its size is not known before.
func (a *API) wholeEmail(c *call, id mailbox.ID, o service.MessageOptions) error {
	m, err := a.svc.WholeMessage(c.Context(), c.in, id, o)
	if err != nil {
		return err
	}
	if m.WriteText == nil {
		return a.answer(c, http.StatusOK, c.newEmail(m.FullMessage))
	}
	defer func() { _ = m.Close() }() // only read from
	to := &pacedWriter{call: c, began: time.Now(), most: wholeTime}
	if err = c.writeEmail(to, m); err != nil && c.out.status != 0 {
		a.note(c, c.out.status, err)
		panic(http.ErrAbortHandler) // nobody is to take half an answer for a whole one
	}
	return err
}

// jsonHead begins an answer of a length that nobody knows.
func (c *call) jsonHead() {
	h := c.out.Header()
	h["Content-Type"], h["Cache-Control"] = jsonType, noStore
	c.out.WriteHeader(http.StatusOK)
}

// pacedWriter gives a client an answer of any length. What the client takes puts its end off, as for the body of a
// request.
type pacedWriter struct {
	*call
	began time.Time
	most  time.Duration // that the client has, however fast it is
	sent  int64
}

func (w *pacedWriter) Write(p []byte) (int, error) {
	if w.out.status == 0 {
		w.jsonHead()
	}
	w.out.end = w.began.Add(min(largeTime+time.Duration(w.sent)*time.Second/largeRate, w.most))
	n, err := w.out.Write(p)
	w.sent += int64(n)
	return n, err
}

// writeEmail writes the detail form of a message. Its bodies are written piece by piece, as they come from the store.
func (c *call) writeEmail(to io.Writer, m *service.WholeMessage) error {
	marks := [2]string{"text-" + newRequestID() + newRequestID(), "html-" + newRequestID() + newRequestID()}
	m.Detail.Text, m.Detail.HTML = marks[0], marks[1]
	var around bytes.Buffer
	enc := json.NewEncoder(&around)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(c.inForm(c.newEmail(m.FullMessage))); err != nil {
		return fmt.Errorf("encode answer: %w", err)
	}
	m.FullMessage = service.FullMessage{} // it need not be in memory while the client is slow
	out := bufio.NewWriterSize(to, stringPiece)
	left := bytes.TrimRight(around.Bytes(), "\n")
	before, left, ok := bytes.Cut(left, []byte(marks[0]))
	between, after, all := bytes.Cut(left, []byte(marks[1]))
	if !ok || !all {
		return fmt.Errorf("encode answer: no place for a body")
	}
	rest, err := packRest(after)
	if err != nil {
		return fmt.Errorf("encode answer: %w", err)
	}
	before, between = bytes.Clone(before), bytes.Clone(between) // the rest of around need not be in memory either
	if err := c.hold(2*streamBytes + len(before) + len(between) + len(rest)); err != nil {
		return err
	}
	if err := writeBody(out, before, m.WriteText); err != nil {
		return err
	}
	if err := writeBody(out, between, m.WriteHTML); err != nil {
		return err
	}
	if _, err := io.Copy(out, flate.NewReader(bytes.NewReader(rest))); err != nil {
		return err
	}
	return out.Flush()
}

// packRest packs what comes after the bodies, a megabyte or more, since the client may take long until it is there.
func packRest(b []byte) ([]byte, error) {
	var packed bytes.Buffer
	w, err := flate.NewWriter(&packed, flate.BestSpeed)
	if err != nil {
		return nil, err
	}
	if _, err = w.Write(b); err == nil {
		err = w.Close()
	}
	return bytes.Clone(packed.Bytes()), err
}

// writeBody writes a body, as a string in JSON, and what comes before it.
func writeBody(out *bufio.Writer, before []byte, write func(io.Writer) error) error {
	_, _ = out.Write(before) // its error stays until Flush
	body := &stringWriter{to: out}
	if err := write(body); err != nil {
		return err
	}
	return body.flush(true)
}

// stringPiece is how much of a string is made JSON at a time.
const stringPiece = 32 << 10

// stringWriter writes what stands between the quotes of a string in JSON.
type stringWriter struct {
	to   io.Writer
	held []byte
	json bytes.Buffer
}

func (w *stringWriter) Write(p []byte) (n int, err error) {
	for n = len(p); len(p) > 0; {
		took := min(len(p), stringPiece)
		w.held, p = append(w.held, p[:took]...), p[took:]
		if len(w.held) >= stringPiece {
			if err := w.flush(false); err != nil {
				return 0, err
			}
		}
	}
	return n, nil
}

// flush writes what is held, but for half a character at its end unless that is the end of all.
func (w *stringWriter) flush(end bool) error {
	n := len(w.held)
	for back := 1; !end && back < utf8.UTFMax && back <= len(w.held); back++ {
		if i := len(w.held) - back; utf8.RuneStart(w.held[i]) {
			if !utf8.FullRune(w.held[i:]) {
				n = i
			}
			break
		}
	}
	w.json.Reset()
	enc := json.NewEncoder(&w.json)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(string(w.held[:n])); err != nil {
		return err
	}
	w.held = w.held[:copy(w.held, w.held[n:])]
	_, err := w.to.Write(w.json.Bytes()[1 : w.json.Len()-2]) // without quotes and line end
	return err
}
