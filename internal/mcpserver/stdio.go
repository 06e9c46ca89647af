package mcpserver

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// inputLimit is the most bytes that a message on standard input may have.
const inputLimit = 4 << 20

// Stdio carries messages over two streams, one message in a line. A line that is no message is answered with an error,
// and the next one is read.
func Stdio(in io.Reader, out io.Writer) mcp.Transport {
	w := &lineWriter{w: out}
	return &mcp.IOTransport{Reader: &lineReader{in: bufio.NewReader(in), out: w}, Writer: w,
		MaxLineLength: inputLimit + 1}
}

// lineWriter writes what comes from two sides. Both write whole lines. It is not ours to close.
type lineWriter struct {
	mu sync.Mutex
	w  io.Writer
}

func (l *lineWriter) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.Write(p)
}

func (*lineWriter) Close() error { return nil }

// lineReader returns the lines that are messages, and answers the others.
type lineReader struct {
	in     *bufio.Reader
	out    io.Writer
	unread []byte // what Read has not returned yet, with the end of its line
	err    error
}

func (*lineReader) Close() error { return nil }

func (l *lineReader) Read(p []byte) (int, error) {
	for len(l.unread) == 0 {
		if l.err != nil {
			return 0, l.err
		}
		var line []byte
		line, l.err = l.line()
		if l.err != nil && l.err != io.EOF {
			return 0, l.err
		}
		if err := l.take(bytes.TrimSpace(line)); err != nil {
			l.err = err
		}
	}
	n := copy(p, l.unread)
	l.unread = l.unread[n:]
	return n, nil
}

// line reads a line. Of one that is too long it gives more than the limit, which is no message any more.
func (l *lineReader) line() (line []byte, err error) {
	for {
		piece, err := l.in.ReadSlice('\n')
		if len(line) <= inputLimit {
			line = append(line, piece...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}

// take has the messages of a line read, or answers it. Old revisions have several messages in one line.
func (l *lineReader) take(line []byte) error {
	if len(line) > inputLimit {
		return l.answer(&mistake{code: jsonrpc.CodeParseError, said: "The message is too large."})
	}
	if len(line) == 0 {
		return nil
	}
	var messages []json.RawMessage
	if json.Unmarshal(line, &messages) != nil || len(messages) == 0 {
		if wrong := misread(line); wrong != nil {
			return l.answer(wrong)
		}
		messages = []json.RawMessage{line}
	}
	for _, one := range messages {
		if wrong := misreadOne(one); wrong == nil {
			l.unread = append(append(l.unread, one...), '\n')
		} else if err := l.answer(wrong); err != nil {
			return err
		}
	}
	return nil
}

func (l *lineReader) answer(m *mistake) error {
	if m.silent {
		return nil
	}
	_, err := l.out.Write(append(m.answer(), '\n'))
	return err
}
