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

// wholeRate is how fast a client must take a whole email, in bytes a second, after the first minute.
const wholeRate = 64 << 10

// wholeEmail answers with bodies that are too long for other answers. Such an answer may have some hundred megabytes, so it is written to a
// file without a name first, and the client takes it from there: however slow it is, it holds no memory and nobody up. What it holds of the
// disk counts with the mailbox's unfinished sends.
func (a *API) wholeEmail(c *call, id mailbox.ID) error {
	up, err := a.svc.Upload(c.in, 0)
	if err != nil {
		return err
	}
	defer up.Close()
	file, err := a.tempFile()
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }() // it has no name: nothing is left of it
	to := &counted{to: file, take: up.Take}
	err = a.svc.WholeMessage(c.Context(), c.in, id, func(m service.FullMessage) error { return c.writeEmail(to, m) })
	if err == nil {
		_, err = file.Seek(0, io.SeekStart)
	}
	if err != nil {
		return err
	}
	h := c.out.Header()
	h["Content-Type"], h["Cache-Control"] = jsonType, noStore
	h["Content-Length"] = []string{strconv.FormatInt(to.size, 10)}
	c.out.end = time.Now().Add(time.Minute + time.Duration(to.size/wholeRate)*time.Second)
	c.out.WriteHeader(http.StatusOK)
	_, _ = io.CopyBuffer(struct{ io.Writer }{c.out}, file, make([]byte, pieceSize)) // a client that is gone is nobody's error
	return nil
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

// counted asks for room before it writes.
type counted struct {
	to   io.Writer
	take func(n int64) error
	size int64
}

func (w *counted) Write(p []byte) (int, error) {
	if err := w.take(int64(len(p))); err != nil {
		return 0, err
	}
	n, err := w.to.Write(p)
	w.size += int64(n)
	return n, err
}

// writeEmail writes the detail form of a message. Its bodies are written piece by piece: as JSON they would be in memory once more.
func (c *call) writeEmail(to io.Writer, m service.FullMessage) error {
	bodies := [2]string{m.Detail.Text, m.Detail.HTML}
	marks := [2]string{"text-" + newRequestID() + newRequestID(), "html-" + newRequestID() + newRequestID()}
	m.Detail.Text, m.Detail.HTML = marks[0], marks[1]
	var around bytes.Buffer
	enc := json.NewEncoder(&around)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(c.newEmail(m)); err != nil {
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
