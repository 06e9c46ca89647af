package client

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Client speaks to one service with one key. Make it with New.
type Client struct {
	base    *url.URL // without a slash at its end
	key     string
	mailbox string // that calls name; empty: none
	agent   string
	retries int
	waiting func(time.Duration, *Error) // nil: nobody is told
	http    *http.Client
}

// Option changes how a client is made.
type Option func(*Client)

// WithHTTPClient has requests made by this client, with its transport, jar and time limit. A time limit there also ends
// streams and waits. Redirects are not followed, whatever it says of them.
func WithHTTPClient(h *http.Client) Option {
	return func(c *Client) { own := *h; c.http = &own }
}

// WithTransport has requests made by this transport: one with other certificates, or one that calls a handler in the
// same process.
func WithTransport(t http.RoundTripper) Option {
	return func(c *Client) { c.http = &http.Client{Transport: t} }
}

// WithUserAgent names the program in the header User-Agent.
func WithUserAgent(name string) Option {
	return func(c *Client) { c.agent = name }
}

// WithRetries says how often a call may be tried again; 0: never.
func WithRetries(n int) Option {
	return func(c *Client) { c.retries = max(n, 0) }
}

// WithWaiting has a program told of each wait that the service asks for with Retry-After, before it begins: how long it
// is, and with which answer. It is called in the goroutine that waits.
func WithWaiting(tell func(wait time.Duration, refused *Error)) Option {
	return func(c *Client) { c.waiting = tell }
}

// The defaults of options.
const (
	defaultAgent   = "Mailkin-Go-Client"
	defaultRetries = 3
)

// New makes a client of the service at an address such as https://mail.example.com, with a mailbox's key or the
// operator's token. The key may be empty: Bootstrap and the claim need none. Nothing is asked yet; Me tells whether the
// key is right.
func New(baseURL, key string, opts ...Option) (*Client, error) {
	base, err := parseBase(baseURL)
	if err != nil {
		return nil, err
	}
	if err := checkKey(key); err != nil {
		return nil, err
	}
	c := &Client{base: base, key: key, agent: defaultAgent, retries: defaultRetries, http: &http.Client{}}
	for _, o := range opts {
		o(c)
	}
	c.http.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return c, nil
}

func parseBase(s string) (*url.URL, error) {
	u, err := url.Parse(strings.TrimSpace(s))
	switch {
	case err != nil:
		return nil, errors.New("client: the address of the service is not a URL") // its text may hold a password
	case u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return nil, fmt.Errorf("client: the address of the service begins with https:// or http://, unlike %q",
			u.Redacted())
	case u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return nil, errors.New("client: the address of the service has a host and perhaps a path, and nothing else")
	}
	path := strings.TrimRight(u.Path, "/")
	path = strings.TrimSuffix(path, "/v1") // every call brings its own
	return &url.URL{Scheme: u.Scheme, Host: u.Host, Path: path}, nil
}

// checkKey refuses what would not survive in a header: a key with a line break was read from a file with too much in
// it.
func checkKey(key string) error {
	for _, r := range key {
		if r <= ' ' || r > '~' {
			return errors.New("client: the key has a character that no key has, perhaps a line break at its end")
		}
	}
	return nil
}

// For returns a client that acts on another mailbox. Only the operator's token may; a mailbox's own key may name
// itself.
func (c *Client) For(mailbox string) *Client {
	other := *c
	other.mailbox = mailbox
	return &other
}

// WithKey returns a client with another key, for example the one of a mailbox that was just made. It names no mailbox.
func (c *Client) WithKey(key string) *Client {
	other := *c
	other.key, other.mailbox = key, ""
	return &other
}

// BaseURL is the address of the service, without a slash at its end.
func (c *Client) BaseURL() string { return c.base.String() }

// String shows a client without its key.
func (c *Client) String() string { return "client of " + c.base.String() }

// GoString shows a client without its key.
func (c *Client) GoString() string { return c.String() }
