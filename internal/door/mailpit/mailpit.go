// Package mailpit is the door for programs that were written for Mailpit, or for MailHog before it: their routes at the
// root of the server, their JSON and their errors. It needs no key: it is there only where all mail is captured mail,
// and shows nothing else. docs/mailpit.md says what differs.
package mailpit

import (
	"errors"
	"net/http"
	"path"
	"strings"
	"sync/atomic"
	"time"

	"github.com/mailkin/mailkin/internal/door"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

// Options is what the door knows of the server.
type Options struct {
	Version string
	Local   *door.Local  // who may ask
	Usage   func() Usage // what the server has done and holds
}

// Usage is what a server has done since its start, and holds.
type Usage struct {
	Database      string // where it is
	DatabaseSize  int64
	Memory        uint64
	Started       time.Time
	Accepted      int64 // messages by SMTP
	AcceptedBytes int64
	Rejected      int64 // recipients
}

// edge answers the routes.
type edge struct {
	svc    *service.Service
	opt    Options
	thumbs chan struct{} // has one while a picture is read

	sent, sentBytes atomic.Int64 // messages that were handed in over HTTP
}

// New makes the door.
func New(svc *service.Service, opt Options) *door.Door {
	e := &edge{svc: svc, opt: opt, thumbs: make(chan struct{}, 1)}
	return &door.Door{Name: "mailpit", Gate: svc, Local: opt.Local, Options: true, Fail: fail, Owns: owns,
		Routes: e.routes(),
		Token:  func(*http.Request) mailbox.Secret { return "" }} // what programs send is for another server
}

// owns tells which requests are Mailpit's. /api is also another name of /v1, whose events are a stream: what wants a
// WebSocket is Mailpit's.
func owns(r *http.Request) bool {
	p := path.Clean(r.URL.Path) // base URLs are written in every way
	switch {
	case p == "/api/v1", p == "/api/v2", p == "/livez", p == "/readyz", strings.HasPrefix(p, "/view/"):
		return true
	case p == "/api/events":
		return strings.EqualFold(r.Header.Get("Upgrade"), "websocket")
	}
	return strings.HasPrefix(p, "/api/v1/") || strings.HasPrefix(p, "/api/v2/")
}

// open makes a handler of one that needs captured mail.
func (e *edge) open(handle func(*door.Call, service.Access) error) func(*door.Call) error {
	return func(c *door.Call) error {
		in, err := e.svc.Captured(c.Context())
		if err != nil {
			return err
		}
		in.Client = c.Origin.Client
		return handle(c, in)
	}
}

// fail tells an error as Mailpit does: in plain text, and to those who send in JSON.
func fail(c *door.Call, err error) {
	status := statusOf(err)
	c.Origin.Note(status, err)
	c.RetryAfter(err)
	text := door.Message(err)
	var refused *door.Refusal
	if status == http.StatusNotFound && !errors.As(err, &refused) || refused != nil && refused.Code == "not_found" {
		text = "404 page not found"
	}
	if c.Route != nil && c.Route.Path == sendPath {
		_ = c.JSON(status, struct{ Error string }{text}) // there is nothing more to say
		return
	}
	_ = c.Bytes(status, "text/plain", []byte(text))
}

// statusOf is the status of an error: Mailpit knows few.
func statusOf(err error) int {
	var refused *door.Refusal
	if errors.As(err, &refused) {
		return refused.Status
	}
	switch status := door.Status(err); status {
	case http.StatusConflict, http.StatusForbidden, http.StatusUnprocessableEntity:
		return http.StatusBadRequest
	default:
		return status
	}
}

func bad(format string, args ...any) error {
	return door.Refuse(http.StatusBadRequest, "bad_request", format, args...)
}

func ok(c *door.Call) error { return c.Bytes(http.StatusOK, "text/plain", []byte("ok")) }

// bodyMost is how large a body may be that is no message.
const bodyMost = 5 << 20
