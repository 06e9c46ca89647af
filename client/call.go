package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"time"
)

// Bounds of a call.
const (
	answerLimit = 16 << 20  // of an answer in JSON
	wholeLimit  = 256 << 20 // the same where whole messages are in it
	stallTime   = time.Minute
)

// call is one request of the interface.
type call struct {
	method string
	path   string     // escaped, with a leading slash
	query  url.Values // may be nil
	header http.Header
	body   payload // nil: none
	open   bool    // no mailbox can be named
	again  again   // whether it may be tried again
	limit  int64   // of the answer; 0: answerLimit
	// how long it asks the service to wait, and the service may rightly say nothing, in addition to what every call has
	quiet time.Duration
}

// again is after what a call may be tried again.
type again uint8

const (
	never     again = iota
	ifRefused       // the service said that it did nothing
	ifUnknown       // also if it is not known whether it did
)

func get(path string, query url.Values) call {
	return call{method: http.MethodGet, path: path, query: query, again: ifUnknown}
}

func post(path string, body any) call { return change(http.MethodPost, path, body) }

// texts is a body of texts alone. The empty ones are left out.
type texts map[string]string

// change is a call that changes something; nil for one without a body.
func change(method, path string, body any) call {
	r := call{method: method, path: path}
	if members, ok := body.(texts); ok {
		maps.DeleteFunc(members, func(_, text string) bool { return text == "" })
	}
	if body != nil {
		r.body = newObject(body)
	}
	return r
}

// fetch makes a call whose answer is the JSON of a T.
func fetch[T any](ctx context.Context, c *Client, r call) (*T, error) {
	out := new(T)
	if _, err := c.ask(ctx, r, out); err != nil {
		return nil, err
	}
	return out, nil
}

// ask is fetch for those who want to know what the service's clock said; zero: nothing.
func (c *Client) ask(ctx context.Context, r call, into any) (time.Time, error) {
	resp, err := c.send(ctx, r)
	if err != nil {
		return dateOf(err), err
	}
	defer func() { _ = resp.Body.Close() }()
	limit := r.limit
	if limit == 0 {
		limit = answerLimit
	}
	if err := decode(resp.Body, limit, into); err != nil {
		return date(resp.Header), r.failed(err)
	}
	return date(resp.Header), nil
}

// date is what the service's clock said.
func date(h http.Header) time.Time {
	at, err := http.ParseTime(h.Get("Date"))
	if err != nil {
		return time.Time{}
	}
	return at
}

// dateOf is what it said in a refusal.
func dateOf(err error) time.Time {
	var refused *Error
	if errors.As(err, &refused) {
		return refused.date
	}
	return time.Time{}
}

// decode reads an answer to its end, so that the connection can be used again.
func decode(body io.Reader, limit int64, into any) error {
	bounded := &io.LimitedReader{R: body, N: limit + 1}
	raw, err := io.ReadAll(bounded)
	switch {
	case err != nil:
		return fmt.Errorf("read the answer: %w", err)
	case bounded.N == 0:
		return fmt.Errorf("the answer has more than %d bytes: %w", limit, ErrTooLarge)
	}
	if err := json.Unmarshal(raw, into); err != nil {
		return fmt.Errorf("%w: %w", ErrNotMail, err)
	}
	return nil
}

// failed says what was being done. The query is left out: it can hold what a log should not.
func (r call) failed(err error) error { return fmt.Errorf("%s %s: %w", r.method, r.path, err) }

// send makes a call, again where it may, and returns an answer that is not a refusal. Its body must be closed.
func (c *Client) send(ctx context.Context, r call) (*http.Response, error) {
	if err := checkKey(c.key); err != nil {
		return nil, err
	}
	began, waits := time.Now(), r.quiet
	for tried := 0; ; tried++ {
		resp, err := c.attempt(ctx, r)
		if err == nil {
			return resp, nil
		}
		err = r.failed(err)
		pause, worth := c.pause(ctx, r, tried, err)
		left := waits - time.Since(began) - pause
		if !worth || waits > 0 && left <= 0 {
			return nil, err
		}
		c.tellWaiting(pause, err)
		if sleep(ctx, pause) != nil {
			return nil, err
		}
		if waits > 0 {
			r = r.waiting(left)
		}
	}
}

// attempt makes a call once.
func (c *Client) attempt(ctx context.Context, r call) (*http.Response, error) {
	ctx, watch := newWatch(ctx, stallTime+r.quiet)
	req, err := c.request(ctx, r, watch)
	if err != nil {
		watch.end()
		return nil, err
	}
	resp, err := c.http.Do(req)
	if err == nil {
		resp.Body = &watchedBody{resp.Body, watch}
		if resp.StatusCode >= http.StatusMultipleChoices {
			err = refusal(resp)
		}
	}
	// A refusal may come before the whole body was read. The readers in it belong to the caller again when we return.
	if detachErr := detach(ctx, req.Body); err == nil {
		err = detachErr
	}
	if err != nil {
		err = watch.cause(plain(err))
		watch.end()
		if resp != nil {
			_ = resp.Body.Close()
		}
		return nil, err
	}
	watch.pause()
	return resp, nil
}

// plain takes away what net/http wraps around an error: the whole address, with its query.
func plain(err error) error {
	var outer *url.Error
	if errors.As(err, &outer) {
		return outer.Err
	}
	return err
}

// request builds the request of a call.
func (c *Client) request(ctx context.Context, r call, w *watch) (*http.Request, error) {
	query := url.Values{}
	for name, values := range r.query {
		query[name] = values
	}
	if c.mailbox != "" && !r.open {
		query.Set("mailbox", c.mailbox)
	}
	address := c.base.String() + r.path
	if len(query) > 0 {
		address += "?" + query.Encode()
	}
	req, err := http.NewRequestWithContext(ctx, r.method, address, nil)
	if err != nil {
		return nil, fmt.Errorf("build the request: %w", plain(err))
	}
	for name, values := range r.header {
		req.Header[name] = values
	}
	req.Header.Set("User-Agent", c.agent)
	if c.key != "" {
		req.Header.Set("Authorization", "Bearer "+c.key)
	}
	if r.body == nil {
		return req, nil
	}
	req.Header.Set("Content-Type", r.body.mediaType())
	if err := r.body.attach(req, w); err != nil {
		return nil, err
	}
	return req, nil
}
