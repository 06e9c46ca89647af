package httpapi

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strconv"
	"time"

	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/wire"
)

// reply is how a kind of error is told. An exact body is written as it is.
type reply struct {
	status int
	code   string // where the error has none
	retry  int    // seconds for Retry-After; 0: none
	exact  string
}

// replies is the one table from the kind of an error to what the caller sees (STYLE 7).
var replies = map[mailbox.Kind]reply{
	mailbox.Internal:        {status: http.StatusInternalServerError, code: "internal"},
	mailbox.Invalid:         {status: http.StatusBadRequest, code: "invalid"},
	mailbox.Unauthorized:    {status: http.StatusUnauthorized, exact: wire.Unauthorized},
	mailbox.Forbidden:       {status: http.StatusForbidden, exact: wire.Forbidden},
	mailbox.Denied:          {status: http.StatusForbidden, code: "scope_denied"},
	mailbox.Paused:          {status: http.StatusForbidden, exact: wire.MailboxPaused},
	mailbox.NotFound:        {status: http.StatusNotFound, code: "not_found"},
	mailbox.Conflict:        {status: http.StatusConflict, code: "conflict"},
	mailbox.TooLarge:        {status: http.StatusRequestEntityTooLarge, code: "too_large"},
	mailbox.Limited:         {status: http.StatusTooManyRequests, code: "rate_limited", retry: 60},
	mailbox.Unimplemented:   {status: http.StatusNotImplemented, code: "unavailable_here"},
	mailbox.Unavailable:     {status: http.StatusServiceUnavailable, code: "unavailable", retry: 5},
	mailbox.DiskFull:        {status: http.StatusServiceUnavailable, code: "disk_full", retry: 60},
	mailbox.QuotaFull:       {status: http.StatusInsufficientStorage, code: "mailbox_full"},
	mailbox.NoRoom:          {status: http.StatusConflict, code: "storage_limit"},
	mailbox.NoSuchRecipient: {status: http.StatusNotFound, code: "no_such_mailbox"},
	mailbox.TooManyHops:     {status: http.StatusBadRequest, code: "mail_loop"},
	mailbox.Lapsed:          {status: http.StatusForbidden, code: "domain_lapsed"},
	mailbox.KeyLost:         {status: http.StatusServiceUnavailable, code: "mailbox_key_lost", retry: 300},
}

// refusal is an error that only HTTP knows: a method, a media type, a range.
type refusal struct {
	status        int
	code, message string
}

func (r *refusal) Error() string { return r.code + ": " + r.message }

// fail tells the caller what went wrong, and the log what the caller must not know.
func (a *API) fail(c *call, err error) {
	var refused *refusal
	if errors.As(err, &refused) {
		a.refuse(c, refused.status, api.Error{Error: refused.message, Code: refused.code})
		return
	}
	if c.Context().Err() != nil && errors.Is(err, context.Canceled) {
		// The client has gone, or the server is being stopped.
		err = mailbox.Errorf(mailbox.Unavailable, "interrupted", "The request was interrupted.")
	}
	r, known := replies[mailbox.KindOf(err)]
	if !known {
		r = replies[mailbox.Internal]
	}
	a.note(c, r.status, err)
	switch {
	case c.out.status != 0: // the answer is under way; it ends early
		return
	case r.exact != "" && !c.at.page():
		c.exact(r.status, r.exact)
		return
	}
	if seconds := r.retryAfter(err); seconds > 0 {
		c.out.Header().Set("Retry-After", strconv.Itoa(seconds))
	}
	a.refuse(c, r.status, a.describe(c, r, err))
}

// retryAfter is when to come back, in seconds: as the error says, or else the table; 0: nobody knows.
func (r reply) retryAfter(err error) int {
	var e *mailbox.Error
	if errors.As(err, &e) && e.RetryAfter > 0 {
		return int((e.RetryAfter + time.Second - 1) / time.Second)
	}
	return r.retry
}

// describe returns the body of an error.
func (a *API) describe(c *call, r reply, err error) api.Error {
	var e *mailbox.Error
	if r.status == http.StatusInternalServerError || !errors.As(err, &e) {
		return api.Error{Error: "Internal server error", Code: "internal", RequestID: c.id}
	}
	body := api.Error{Error: e.Message, Code: e.Code, Field: e.Field}
	if body.Error == "" {
		body.Error = http.StatusText(r.status)
	}
	if body.Code == "" {
		body.Code = r.code
	}
	if e.Version != 0 {
		body.Version = &e.Version
	}
	if q := e.Quota; q != nil {
		body.Limit, body.Used, body.ResetsAt = &q.Limit, &q.Used, api.Time{Time: q.ResetsAt}
	}
	if body.Code == "provisional_capability_denied" {
		up := a.upgrade(c)
		body.Upgrade = &up
	}
	return body
}

// note logs what the caller is not told: why we could not do what was rightly asked.
func (a *API) note(c *call, status int, err error) {
	level := slog.LevelDebug
	switch {
	case c.Context().Err() != nil:
	case mailbox.KindOf(err) == mailbox.DiskFull, // the service says once that nothing can be stored
		mailbox.KindOf(err) == mailbox.KeyLost: // and the program once that a key is lost
	case status == http.StatusInternalServerError:
		level = slog.LevelError
	case status == http.StatusServiceUnavailable:
		level = slog.LevelWarn
	}
	a.log.Log(c.Context(), level, "request failed", "request_id", c.id, "method", c.Method, "route", c.at.path, "error",
		err)
}

func (a *API) refuse(c *call, status int, body api.Error) {
	tell := func() error { return a.answer(c, status, body) }
	if c.at.page() {
		tell = func() error { return a.failurePage(c, status, body) }
	}
	if err := tell(); err != nil {
		a.note(c, http.StatusInternalServerError, err)
	}
}

// exact writes a body that SPEC 7 gives whole.
func (c *call) exact(status int, body string) {
	if status == http.StatusUnauthorized {
		c.out.Header().Set("WWW-Authenticate", "Bearer")
	}
	c.send(status, []byte(body))
}

// recover turns a panic of a handler into a 500. If the answer is under way, the connection is cut, so that nobody
// takes half an answer for a whole one.
func (a *API) recover(c *call) {
	p := recover()
	switch {
	case p == nil:
		return
	case p == http.ErrAbortHandler:
		panic(p)
	}
	a.log.ErrorContext(c.Context(), "panic", "request_id", c.id, "method", c.Method, "route", c.at.path,
		"panic", p, "stack", string(debug.Stack()))
	if c.out.status != 0 {
		panic(http.ErrAbortHandler)
	}
	a.refuse(c, http.StatusInternalServerError, a.describe(c, replies[mailbox.Internal], nil))
}
