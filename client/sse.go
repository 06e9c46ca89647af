package client

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strconv"
	"time"
)

// Bounds of a stream of events.
const (
	lineLimit = 1 << 20 // bytes of a line
	dataLimit = 1 << 20 // bytes of an event
)

var errLongEvent = errors.New("an event of the stream is too long")

// frame is an event as a stream carries it.
type frame struct {
	id, kind string
	data     []byte
}

// frames reads a stream of server-sent events, as the HTML standard has them.
type frames struct {
	from    *bufio.Reader
	id      string        // of the last event that had one
	retry   time.Duration // what the stream asked for; 0: nothing
	line    []byte
	afterCR bool // a line feed that comes next belongs to the line before
	begun   bool
}

func newFrames(r io.Reader) *frames { return &frames{from: bufio.NewReader(r)} }

// next returns the next event. What stands unfinished at the end is no event: the error is io.EOF.
func (f *frames) next() (frame, error) {
	out := frame{}
	has := false
	for {
		line, err := f.readLine()
		if err != nil {
			return frame{}, err
		}
		if len(line) == 0 {
			if has {
				out.id = f.id
				return out, nil
			}
			out = frame{}
			continue
		}
		name, value, _ := bytes.Cut(line, []byte(":"))
		value = bytes.TrimPrefix(value, []byte(" "))
		switch string(name) {
		case "data":
			if has {
				out.data = append(out.data, '\n')
			}
			has = true
			if out.data = append(out.data, value...); len(out.data) > dataLimit {
				return frame{}, errLongEvent
			}
		case "event":
			out.kind = string(value)
		case "id":
			if bytes.IndexByte(value, 0) < 0 {
				f.id = string(value)
			}
		case "retry":
			f.takeRetry(value)
		}
	}
}

// Bounds of what a stream may ask for.
const (
	leastRetry = 100 * time.Millisecond
	mostRetry  = 5 * time.Minute
)

func (f *frames) takeRetry(value []byte) {
	for _, c := range value {
		if c < '0' || c > '9' {
			return
		}
	}
	ms, err := strconv.ParseInt(string(value), 10, 32)
	if err == nil {
		f.retry = min(max(time.Duration(ms)*time.Millisecond, leastRetry), mostRetry)
	}
}

// readLine returns a line without its end, which is CR LF, LF or CR. A line that is not ended is none.
func (f *frames) readLine() ([]byte, error) {
	f.line = f.line[:0]
	for {
		c, err := f.from.ReadByte()
		if err != nil {
			return nil, err
		}
		follows := f.afterCR
		f.afterCR = c == '\r'
		switch {
		case c == '\n' && follows:
			continue
		case c == '\n' || c == '\r':
			return f.withoutMark(f.line), nil
		case len(f.line) == lineLimit:
			return nil, errLongEvent
		}
		f.line = append(f.line, c)
	}
}

// withoutMark takes the byte order mark off the first line.
func (f *frames) withoutMark(line []byte) []byte {
	if !f.begun {
		f.begun = true
		return bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))
	}
	return line
}
