package agentmail

import (
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/mailkin/mailkin/internal/door"
	"github.com/mailkin/mailkin/internal/mailbox"
)

// failure is the JSON of an error.
type failure struct {
	Name    string  `json:"name"`
	Code    string  `json:"code"`
	Message string  `json:"message"`
	Errors  []fault `json:"errors,omitempty"`
}

// fault is what is wrong with one member.
type fault struct {
	Path    []string `json:"path"`
	Message string   `json:"message"`
}

// names are theirs for our codes, where the status alone does not tell.
var names = map[string]string{
	"missing_key":          "missing_authorization",
	"name_taken":           "resource_taken",
	"address_retired":      "resource_taken",
	"domain_taken":         "resource_taken",
	"domain_not_verified":  "domain_not_verified",
	"domain_lapsed":        "domain_not_verified",
	"recipient_suppressed": "message_rejected",
	"recipient_denied":     "message_rejected",
	"send_blocked":         "message_rejected",
	"automated_message":    "message_rejected",
	"loop_detected":        "message_rejected",
	"sending_paused":       "message_rejected",
}

// statuses are theirs for our codes, where they differ.
var statuses = map[string]int{
	"name_taken":           http.StatusForbidden,
	"address_retired":      http.StatusForbidden,
	"domain_taken":         http.StatusForbidden,
	"recipient_suppressed": http.StatusForbidden,
	"automated_message":    http.StatusForbidden,
	"loop_detected":        http.StatusForbidden,
}

// byStatus are their names for what has no other.
var byStatus = map[int]string{
	http.StatusBadRequest:            "validation_error",
	http.StatusUnauthorized:          "unknown_api_key",
	http.StatusForbidden:             "missing_permission",
	http.StatusNotFound:              "not_found",
	http.StatusMethodNotAllowed:      "method_not_allowed",
	http.StatusConflict:              "conflict",
	http.StatusRequestEntityTooLarge: "limit_exceeded",
	http.StatusUnprocessableEntity:   "unprocessable",
	http.StatusTooManyRequests:       "rate_limit_exceeded",
}

// members are their names for members of ours, by what a route is about; those of all routes are under nothing.
var members = map[string]map[string]string{
	"": {"cursor": "page_token", "webhook_url": "url", "events": "event_types", "value": "entry", "note": "reason",
		"tags": "labels", "tag": "labels", "label": "labels", "capabilities": "permissions", "mailbox": "inbox_id",
		"email_id": "in_reply_to", "reply": "in_reply_to", "id": "message_id", "ids": "message_ids", "body": "text"},
	"inboxes": {"name": "username", "address": "username"},
	"domains": {"name": "domain"},
}

// pathOf is where in a request the fault is, in their words.
func pathOf(c *door.Call, err error) []string {
	var known *mailbox.Error
	var refused *door.Refusal
	field := ""
	switch {
	case errors.As(err, &refused):
		field = refused.Field
	case errors.As(err, &known):
		field = known.Field
	}
	if field == "" {
		return []string{}
	}
	path := strings.Split(field, ".")
	for _, about := range []string{"", subject(c)} {
		if theirs, ok := members[about][path[0]]; ok {
			path[0] = theirs
		}
	}
	return path
}

// subject is what the last plain part of a route's path names.
func subject(c *door.Call) string {
	if c.Route == nil {
		return ""
	}
	parts := slices.DeleteFunc(strings.Split(c.Route.Path, "/"),
		func(p string) bool { return strings.HasPrefix(p, "{") })
	return parts[len(parts)-1]
}

// renamed writes a member's name in a sentence as theirs.
func renamed(sentence, ours, theirs string) string {
	words := strings.Split(sentence, " ")
	for i, w := range words {
		if strings.Trim(w, ".,:;") == ours && strings.Contains(ours, "_") {
			words[i] = strings.Replace(w, ours, theirs, 1)
		}
	}
	return strings.Join(words, " ")
}

// fail tells an error in their shape. Mailboxes outside of what a key is for are not there.
func fail(c *door.Call, err error) {
	status, code := door.Status(err), door.Code(err)
	if other, ok := statuses[code]; ok {
		status = other
	}
	var known *mailbox.Error
	message := door.Message(err)
	errors.As(err, &known)
	switch {
	case mailbox.KindOf(err) == mailbox.Forbidden && known != nil:
		status, code, message = http.StatusNotFound, "not_found", "There is no such inbox."
	case status == http.StatusNotImplemented, status == http.StatusInsufficientStorage: // which SDKs would try again
		status = http.StatusForbidden
	}
	c.Origin.Note(status, err)
	if status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable {
		c.RetryAfter(err)
	}
	name := names[code]
	if name == "" {
		name = byStatus[status]
	}
	if name == "" {
		name = "internal_error"
	}
	out := failure{Name: name, Code: name, Message: message}
	if status == http.StatusBadRequest {
		path := pathOf(c, err)
		if len(path) > 0 && known != nil && known.Field != path[0] {
			out.Message = renamed(message, known.Field, path[0])
		}
		out.Errors = []fault{{Path: path, Message: out.Message}}
	}
	_ = c.JSON(status, out) // there is nothing more to say
}

// notFound is the error about something that is not there.
func notFound(what string) error {
	return door.Refuse(http.StatusNotFound, "not_found", "There is no such %s.", what)
}

// invalid is the error about a member or parameter.
func invalid(field, format string, args ...any) error {
	return mailbox.InvalidField(field, format, args...)
}
