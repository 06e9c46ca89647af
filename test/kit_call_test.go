package test

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"
)

// endlessStreams is a setting for tests of what ends a stream other than its time.
const endlessStreams = "MAILKIN_LIMIT_STREAM=1h"

// call is a request whose answer takes its time: a stream of events, or one that waits for mail. It has a connection of
// its own, on which the test can hang up.
type call struct {
	conn *net.TCPConn
	q    *http.Request
	resp *http.Response // once the answer has begun
	body *bufio.Reader
}

// ring asks the server at an address and does not wait for the answer.
func ring(base string, q request) (*call, error) {
	at, err := url.Parse(base)
	if err != nil {
		return nil, err
	}
	r, err := q.to(base)
	if err != nil {
		return nil, err
	}
	conn, err := net.DialTimeout("tcp", at.Host, patience)
	if err != nil {
		return nil, err
	}
	_ = conn.SetDeadline(time.Now().Add(2 * patience))
	if err := r.Write(conn); err != nil {
		conn.Close()
		return nil, err
	}
	return &call{conn: conn.(*net.TCPConn), q: r}, nil
}

// pickUp reads the beginning of the answer.
func (c *call) pickUp() (err error) {
	if c.resp, err = http.ReadResponse(bufio.NewReader(c.conn), c.q); err == nil {
		c.body = bufio.NewReader(c.resp.Body)
	}
	return err
}

// hangUp closes the connection, whatever is on its way.
func (c *call) hangUp() { c.conn.Close() }

// reset does so the hard way: what the server still sends is answered with a reset.
func (c *call) reset() {
	_ = c.conn.SetLinger(0)
	c.conn.Close()
}

// cutAfter lets no more than a given number of bytes of the answer be read.
func (c *call) cutAfter(n int64) { c.body = bufio.NewReader(io.LimitReader(c.resp.Body, n)) }

// event is an event of a stream, as far as the tests look at it.
type event struct {
	Number     int64     `json:"-"` // its id in the stream
	Kind       string    `json:"event"`
	EmailID    string    `json:"email_id"`
	Mailbox    string    `json:"mailbox"`
	Subject    string    `json:"subject"`
	ReceivedAt time.Time `json:"received_at"`
	MessageID  string    `json:"message_id"`
	Code       *string   `json:"code"`
	Deleted    bool      `json:"deleted"`
}

// errMalformed is a stream that is not as it should be, unlike one that ends or breaks.
var errMalformed = errors.New("not the stream that was expected")

// next returns the next event of a stream. io.EOF says that the server has ended it in good order; one that is cut in
// the middle gives another error, and what has come of an event is nothing.
func (c *call) next() (event, error) {
	var fields []string
	for {
		text, err := c.body.ReadString('\n')
		if err != nil {
			if err == io.EOF && (text != "" || fields != nil) {
				err = io.ErrUnexpectedEOF
			}
			return event{}, err
		}
		switch text = strings.TrimSuffix(text, "\n"); {
		case text != "" && text != ": keepalive" && text != "retry: 1000":
			fields = append(fields, text)
		case text == "" && fields != nil:
			return parseEvent(fields)
		}
	}
}

// parseEvent reads the lines of an event, of which there are three.
func parseEvent(fields []string) (e event, err error) {
	var values [3]string
	for i, name := range []string{"id: ", "event: ", "data: "} {
		ok := len(fields) == len(values)
		if ok {
			values[i], ok = strings.CutPrefix(fields[i], name)
		}
		if !ok {
			return e, fmt.Errorf("%w: event %q", errMalformed, fields)
		}
	}
	if err = json.Unmarshal([]byte(values[2]), &e); err == nil {
		e.Number, err = strconv.ParseInt(values[0], 10, 64)
	}
	if contract := agreed.contract.Load(); err == nil && contract != nil {
		err = contract.checkEvent(values[2])
	}
	if err != nil || e.Kind != values[1] {
		return e, fmt.Errorf("%w: event %q: %v", errMalformed, fields, err)
	}
	return e, nil
}

// dial asks the mailbox's own API with its key and does not wait for the answer. The call ends with the test.
func (b box) dial(t testing.TB, path string) *call {
	t.Helper()
	return b.dialWith(t, path, nil)
}

func (b box) dialWith(t testing.TB, path string, header http.Header) *call {
	t.Helper()
	c, err := ring(b.srv.http, request{path: b.prefix + path, key: b.key, header: header})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.hangUp)
	return c
}

// answer waits for the whole answer.
func (c *call) answer(t testing.TB) answer {
	t.Helper()
	a, err := c.whole()
	if err != nil {
		t.Fatalf("%s: no answer: %v", c.q.URL, err)
	}
	return a
}

func (c *call) whole() (answer, error) {
	if err := c.pickUp(); err != nil {
		return answer{}, err
	}
	body, err := io.ReadAll(c.body)
	if err == nil {
		err = checkCall(c.q, c.resp, body)
	}
	return answer{c.resp.StatusCode, c.resp.Header, body}, err
}

// stream opens a stream of the mailbox's events, with parameters as they stand after the question mark. When it
// returns the server is listening for the mailbox.
func (b box) stream(t testing.TB, params string, header http.Header) *call {
	t.Helper()
	c := b.dialWith(t, "/events?"+params, header)
	if err := c.pickUp(); err != nil {
		t.Fatal(err)
	}
	if c.resp.StatusCode != http.StatusOK || c.resp.Header.Get("Content-Type") != "text/event-stream" {
		body, _ := io.ReadAll(c.body)
		t.Fatalf("no stream: %d %s", c.resp.StatusCode, body)
	}
	if err := checkCall(c.q, c.resp, nil); err != nil {
		t.Error(err)
	}
	return c
}

// mustNext wants another event.
func (c *call) mustNext(t testing.TB) event {
	t.Helper()
	e, err := c.next()
	if err != nil {
		t.Fatalf("no event: %v", err)
	}
	return e
}

// until reads a stream up to the event of a message with a subject, which is the last of what it returns.
func (c *call) until(t testing.TB, subject string) (events []event) {
	t.Helper()
	for len(events) == 0 || events[len(events)-1].Subject != subject {
		events = append(events, c.mustNext(t))
	}
	return events
}

// mustEnd wants the server to end the stream in good order, with nothing more in it.
func (c *call) mustEnd(t testing.TB) {
	t.Helper()
	if e, err := c.next(); err != io.EOF {
		t.Errorf("the stream goes on with %+v, or breaks: %v", e, err)
	}
}
