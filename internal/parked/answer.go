package parked

import (
	"bytes"
	"net"
	"net/http"
	"strconv"
	"time"
)

// most is how many bytes of an answer are kept before they are written.
const most = 4 << 10

// answer is an http.ResponseWriter. It has a buffer only while something is in it.
type answer struct {
	conn   net.Conn
	header http.Header
	status int // 0: nothing is known yet
	body   []byte
	begun  bool // the headers are written
	pieces bool // the body is in chunks
	last   bool // the connection ends with it
	err    error
}

func (a *answer) Header() http.Header { return a.header }

func (a *answer) WriteHeader(status int) {
	if a.status == 0 {
		a.status = status
	}
}

func (a *answer) Write(p []byte) (int, error) {
	a.WriteHeader(http.StatusOK)
	if a.body = append(a.body, p...); len(a.body) >= most {
		a.push(false)
	}
	return len(p), a.err
}

// FlushError is for http.ResponseController.
func (a *answer) FlushError() error {
	a.WriteHeader(http.StatusOK)
	a.push(false)
	return a.err
}

func (a *answer) SetWriteDeadline(t time.Time) error { return a.conn.SetWriteDeadline(t) }

// finish writes what is left.
func (a *answer) finish() error {
	a.WriteHeader(http.StatusOK)
	a.push(true)
	return a.err
}

// push writes what there is, in one piece.
func (a *answer) push(end bool) {
	if a.err != nil {
		return
	}
	var out bytes.Buffer
	if !a.begun {
		a.begin(&out, end)
	}
	switch {
	case !a.pieces:
		out.Write(a.body)
	case len(a.body) > 0:
		out.WriteString(strconv.FormatInt(int64(len(a.body)), 16) + "\r\n")
		out.Write(a.body)
		out.WriteString("\r\n")
	}
	if a.pieces && end {
		out.WriteString("0\r\n\r\n")
	}
	a.body = nil
	if out.Len() > 0 {
		_, a.err = a.conn.Write(out.Bytes())
	}
}

// begin writes the headers. whole: the body is all there is.
func (a *answer) begin(out *bytes.Buffer, whole bool) {
	a.begun = true
	if a.header.Get("Connection") == "close" {
		a.last = true
	} else if a.last {
		a.header.Set("Connection", "close")
	}
	if a.header["Date"] == nil {
		a.header.Set("Date", time.Now().UTC().Format(http.TimeFormat))
	}
	if a.header["Content-Length"] == nil {
		if a.pieces = !whole; a.pieces {
			a.header.Set("Transfer-Encoding", "chunked")
		} else {
			a.header.Set("Content-Length", strconv.Itoa(len(a.body)))
		}
	}
	out.WriteString("HTTP/1.1 " + strconv.Itoa(a.status) + " " + http.StatusText(a.status) + "\r\n")
	_ = a.header.Write(out) // memory takes everything
	out.WriteString("\r\n")
}
