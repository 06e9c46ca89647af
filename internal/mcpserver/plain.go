package mcpserver

import (
	"net/http"
	"strings"
)

// plainly turns what the library says in plain text into the form of the interface's errors.
type plainly struct {
	http.ResponseWriter
	status int // of an answer in plain text, from its header on
}

// Unwrap lets a http.ResponseController at the writer.
func (w *plainly) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// WriteHeader implements http.ResponseWriter.
func (w *plainly) WriteHeader(status int) {
	if status >= http.StatusBadRequest && strings.HasPrefix(w.Header().Get("Content-Type"), "text/plain") {
		w.status = status
		return
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter. The library writes such an answer in one piece.
func (w *plainly) Write(p []byte) (int, error) {
	switch {
	case w.status == 0:
		return w.ResponseWriter.Write(p)
	case w.status > 0:
		code, sentence := inWords(w.status, string(p))
		refuse(w.ResponseWriter, w.status, code, sentence)
		w.status = -1
	}
	return len(p), nil
}

// inWords returns the code and the sentence for what the library says.
func inWords(status int, said string) (code, sentence string) {
	for _, known := range []struct{ part, code, sentence string }{
		{"Accept must", "invalid_header", "The header Accept must allow application/json and text/event-stream."},
		{"rotocol version", "unsupported_version", "The header Mcp-Protocol-Version names no revision that is " +
			"spoken here."},
		{"batching", "invalid_request", "This revision of the protocol has one message in a request."},
		{"Last-Event-ID", "invalid_header", "There are no streams here that Last-Event-ID could continue."},
	} {
		if strings.Contains(said, known.part) {
			return known.code, known.sentence
		}
	}
	switch {
	case status == http.StatusRequestEntityTooLarge:
		return "body_too_large", "The message is too large."
	case status >= http.StatusInternalServerError:
		return "internal_error", "The message could not be answered."
	}
	return "invalid_request", "This is not a request of the Model Context Protocol."
}
