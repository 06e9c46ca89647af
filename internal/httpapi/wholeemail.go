package httpapi

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

// wholeTime is how long a client may take for a whole email, however fast it is: the message may be deleted by then, and
// nothing of it is to stay.
const wholeTime = time.Hour

// wholeEmail answers with bodies that are too long for other answers. Such an answer may have some hundred megabytes, so
// it is written to a file without a name first, and the client takes it from there: however slow it is, it holds no
// memory and nobody up. The service ends such answers where they take up too much of the disk.
func (a *API) wholeEmail(c *call, id mailbox.ID) error {
	w := &wholeAnswer{out: c.out}
	defer w.close()
	err := a.svc.WholeMessage(c.Context(), c.in, id, func(m service.FullMessage) (err error) {
		if c.Method != http.MethodHead { // of which only the size is needed
			if w.file, err = a.tempFile(); err != nil {
				return err
			}
			w.held = a.svc.FullAnswer(c.in, w.end)
		}
		return c.writeEmail(w, m)
	})
	if err != nil {
		return err
	}
	h := c.out.Header()
	h["Content-Type"], h["Cache-Control"] = jsonType, noStore
	h["Content-Length"] = []string{strconv.FormatInt(w.size, 10)}
	if w.file == nil {
		c.out.WriteHeader(http.StatusOK)
		return nil
	}
	w.send()
	return nil
}

// wholeAnswer is an answer in a file.
type wholeAnswer struct {
	out  *response
	file *os.File // nil: only its size is wanted
	held *service.FullAnswer
	size int64
}

// Write asks for room before it writes to the file.
func (w *wholeAnswer) Write(p []byte) (n int, err error) {
	if n = len(p); w.file != nil {
		if err := w.held.Take(int64(n)); err != nil {
			return 0, err
		}
		n, err = w.file.Write(p)
	}
	w.size += int64(n)
	return n, err
}

// send gives the client the file. What the client takes puts its end off, as for the body of a request.
func (w *wholeAnswer) send() {
	began := time.Now()
	w.out.end = began.Add(largeTime)
	w.held.Ready()
	w.out.WriteHeader(http.StatusOK)
	buf, sent := make([]byte, pieceSize), int64(0)
	for sent < w.size {
		n, err := w.file.ReadAt(buf[:min(pieceSize, w.size-sent)], sent)
		if n > 0 {
			n, err = w.out.Write(buf[:n])
		}
		if err != nil {
			panic(http.ErrAbortHandler) // nobody is to take half an answer for a whole one
		}
		sent += int64(n)
		w.held.Moved()
		w.out.end = began.Add(min(largeTime+time.Duration(sent)*time.Second/largeRate, wholeTime))
	}
}

// end cuts the client off and gives the disk back at once, before the client's goroutine has noticed.
func (w *wholeAnswer) end() {
	w.out.cut()
	_ = w.file.Truncate(0) // closing it gives the disk back as well
}

func (w *wholeAnswer) close() {
	w.held.Close() // first: nothing ends it after that
	if w.file != nil {
		_ = w.file.Close() // it has no name: nothing is left of it
	}
}

// tempFile makes a file that is gone when it is closed.
func (a *API) tempFile() (*os.File, error) {
	file, err := os.CreateTemp(a.spool, "email-*") // mode 0600
	if err != nil {
		return nil, fmt.Errorf("create file for an answer: %w", err)
	}
	if err := os.Remove(file.Name()); err != nil {
		return nil, fmt.Errorf("take the name of an answer's file: %w", err)
	}
	return file, nil
}

// writeEmail writes the detail form of a message. Its bodies are written piece by piece: as JSON they would be in memory once more.
func (c *call) writeEmail(to io.Writer, m service.FullMessage) error {
	bodies := [2]string{m.Detail.Text, m.Detail.HTML}
	marks := [2]string{"text-" + newRequestID() + newRequestID(), "html-" + newRequestID() + newRequestID()}
	m.Detail.Text, m.Detail.HTML = marks[0], marks[1]
	var around bytes.Buffer
	enc := json.NewEncoder(&around)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(c.inForm(c.newEmail(m))); err != nil {
		return fmt.Errorf("encode answer: %w", err)
	}
	out := bufio.NewWriterSize(to, pieceSize)
	left := bytes.TrimRight(around.Bytes(), "\n")
	for i, mark := range marks {
		before, after, ok := bytes.Cut(left, []byte(mark))
		if !ok {
			return fmt.Errorf("encode answer: no place for a body")
		}
		_, _ = out.Write(before) // its error stays until Flush
		if err := writeString(out, bodies[i]); err != nil {
			return err
		}
		left = after
	}
	_, _ = out.Write(left)
	return out.Flush()
}

// writeString writes what stands between the quotes of a string in JSON.
func writeString(out io.Writer, s string) error {
	const piece = 32 << 10
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	for len(s) > 0 {
		n := min(len(s), piece)
		for n < len(s) && !utf8.RuneStart(s[n]) {
			n++
		}
		buf.Reset()
		if err := enc.Encode(s[:n]); err != nil {
			return err
		}
		if _, err := out.Write(buf.Bytes()[1 : buf.Len()-2]); err != nil { // quotes and line end
			return err
		}
		s = s[n:]
	}
	return nil
}
