package client

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/mailkin/mailkin/api"
)

// What errors.Is tells of an error.
var (
	// 400, 405, 415, 416; Error.Field says where
	ErrInvalid      = errors.New("client: the request is not right")
	ErrUnauthorized = errors.New("client: the key is missing, wrong, expired or ended") // 401
	ErrForbidden    = errors.New("client: the key may not do this")                     // 403
	// 403, also ErrForbidden; 503 for mail that is handed in
	ErrPaused   = errors.New("client: the mailbox is paused")
	ErrNotFound = errors.New("client: there is no such thing")          // 404
	ErrConflict = errors.New("client: it conflicts with what is there") // 409
	// 413; also an answer above the client's own bounds
	ErrTooLarge = errors.New("client: it is too large")
	// 429; Error.RetryAfter says until when
	ErrRateLimited = errors.New("client: too many requests, or a limit is reached")
	ErrUnsupported = errors.New("client: the service is not set up for this") // 501
	ErrUnavailable = errors.New("client: the service is not available now")   // 502, 503, 504
	ErrFull        = errors.New("client: the mailbox is full")                // 507

	ErrTimedOut = errors.New("client: nothing came in time")
	// ErrMaybeConsumed is that of a code which was to be consumed the answer was lost: no later call that consumes
	// would give it.
	ErrMaybeConsumed = errors.New("client: the answer was lost, and a code may have been consumed with it; ask " +
		"without consume")
	ErrSignature = errors.New("client: the webhook is not signed as it should be")
	ErrNotMail   = errors.New("client: the answer is not one of a Mailkin")
)

// Error is what the service refused, and why.
type Error struct {
	Status     int            // of HTTP
	Code       string         // a word for programs, such as daily_send_limit
	Message    string         // a sentence for people
	Field      string         // which part of the request is wrong; empty: it does not say
	RequestID  string         // by which the service's log knows the request
	RetryAfter time.Duration  // when to come back; 0: it does not say
	Mailbox    string         // of ErrPaused: the mailbox of the key
	Upgrade    *api.Upgrade   // how a temporary mailbox could come to do this
	Fields     map[string]any // what else the answer had, as JSON: limit, used, resets_at, …

	date time.Time // when it was said
}

// Error returns the sentence, with the status where there is none.
func (e *Error) Error() string {
	text := e.Message
	if text == "" {
		text = fmt.Sprintf("the service answered %d %s", e.Status, http.StatusText(e.Status))
	}
	if e.Code != "" {
		text += " (" + e.Code + ")"
	}
	return text
}

// Is makes errors.Is tell the kind of the error.
func (e *Error) Is(kind error) bool {
	switch kind {
	case ErrPaused:
		return e.Code == codePaused
	case ErrInvalid:
		switch e.Status {
		case http.StatusBadRequest, http.StatusMethodNotAllowed, http.StatusUnsupportedMediaType,
			http.StatusRequestedRangeNotSatisfiable:
			return true
		}
		return false
	}
	return kinds[e.Status] == kind && kind != nil
}

// kinds are the errors that a status alone tells.
var kinds = map[int]error{
	http.StatusUnauthorized:          ErrUnauthorized,
	http.StatusForbidden:             ErrForbidden,
	http.StatusNotFound:              ErrNotFound,
	http.StatusConflict:              ErrConflict,
	http.StatusRequestEntityTooLarge: ErrTooLarge,
	http.StatusTooManyRequests:       ErrRateLimited,
	http.StatusNotImplemented:        ErrUnsupported,
	http.StatusBadGateway:            ErrUnavailable,
	http.StatusServiceUnavailable:    ErrUnavailable,
	http.StatusGatewayTimeout:        ErrUnavailable,
	http.StatusInsufficientStorage:   ErrFull,
}

// Codes that the client gives to the answers of the service that have none, and to redirects.
const (
	codeUnauthorized = "unauthorized"
	codeForbidden    = "forbidden"
	codePaused       = "mailbox_paused"
	codeRedirect     = "redirect"
)

// errorLimit is how much of a refusal is read.
const errorLimit = 64 << 10

// refusal reads why a request was refused.
func refusal(resp *http.Response) *Error {
	e := &Error{Status: resp.StatusCode, RequestID: resp.Header.Get("X-Request-Id"), RetryAfter: retryAfter(resp.Header,
		time.Now()), date: date(resp.Header)}
	if resp.StatusCode < http.StatusBadRequest {
		e.Code, e.Message = codeRedirect, redirected(resp)
		return e
	}
	e.Mailbox, _ = url.PathUnescape(resp.Header.Get("Mailkin-Paused-Mailbox")) // empty where it is wrong
	var members map[string]any
	body, err := io.ReadAll(io.LimitReader(resp.Body, errorLimit))
	if err == nil && json.Unmarshal(body, &members) == nil {
		e.take(members)
	}
	if e.Code == "" {
		e.Code = codeOf(e.Status, e.Message)
	}
	return e
}

// take reads the members of a refusal. Two have no code, and one of these has its sentence in another place.
func (e *Error) take(members map[string]any) {
	text := func(name string) string {
		s, _ := members[name].(string)
		return s
	}
	e.Message, e.Code, e.Field = text("error"), text("code"), text("field")
	if more := text("message"); more != "" {
		if e.Code == "" {
			e.Code = e.Message
		}
		e.Message = more
	}
	if id := text("request_id"); id != "" {
		e.RequestID = id
	}
	if up, ok := members["upgrade"].(map[string]any); ok {
		command, _ := up["command"].(string)
		address, _ := up["url"].(string)
		e.Upgrade = &api.Upgrade{Command: command, URL: address}
	}
	maps.DeleteFunc(members, func(name string, _ any) bool {
		return name == "error" || name == "code" ||
			name == "message"
	})
	if len(members) > 0 {
		e.Fields = members
	}
}

func codeOf(status int, message string) string {
	switch {
	case status == http.StatusUnauthorized:
		return codeUnauthorized
	case status == http.StatusForbidden && message == "Mailbox is paused":
		return codePaused
	case status == http.StatusForbidden:
		return codeForbidden
	}
	return ""
}

// redirected says where the service sent us, as far as that helps: scheme and host.
func redirected(resp *http.Response) string {
	where := "another address"
	if u, err := resp.Location(); err == nil {
		where = (&url.URL{Scheme: u.Scheme, Host: u.Host}).String()
	}
	return "The service sends us on to " + where + ". Redirects are not followed; if that is the right address, use it."
}

// retryAfter reads a header Retry-After: seconds, or a date.
func retryAfter(h http.Header, now time.Time) time.Duration {
	value := strings.TrimSpace(h.Get("Retry-After"))
	if seconds, err := strconv.Atoi(value); err == nil {
		return time.Duration(min(max(seconds, 0), maxRetryAfter)) * time.Second
	}
	if at, err := http.ParseTime(value); err == nil {
		return min(max(at.Sub(now), 0), maxRetryAfter*time.Second)
	}
	return 0
}

// maxRetryAfter is the longest time, in seconds, that a service is believed.
const maxRetryAfter = 366 * 24 * 60 * 60
