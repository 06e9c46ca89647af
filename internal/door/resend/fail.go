package resend

import (
	"errors"
	"net/http"
	"strings"

	"github.com/mailkin/mailkin/internal/door"
	"github.com/mailkin/mailkin/internal/mailbox"
)

// failure is the JSON of an error.
type failure struct {
	StatusCode int    `json:"statusCode"`
	Name       string `json:"name"`
	Message    string `json:"message"`
}

func fail(c *door.Call, err error) {
	status, name := classify(err)
	c.Origin.Note(status, err)
	c.RetryAfter(err)
	message := door.Message(err)
	if status == http.StatusNotFound && c.Route == nil {
		if note := outside(c.URL.Path); note != "" {
			message = note
		}
	}
	_ = c.JSON(status, failure{status, name, message}) // there is nothing more to say
}

// outside says why something of the other service is not here; nothing of what nobody has.
func outside(path string) string {
	path = strings.TrimPrefix(path, "/resend")
	for _, r := range absent() {
		if prefix, _, _ := strings.Cut(r.Path, "/{"); r.Path == prefix &&
			(path == prefix || strings.HasPrefix(path, prefix+"/")) {
			return "This is not here: " + r.Note
		}
	}
	if strings.HasSuffix(path, "/share") {
		return "This is not here: " + noSharing
	}
	return ""
}

// names are those of errors that have one of their own there, by their code here.
var names = map[string]struct {
	status int
	name   string
}{
	"missing_key":             {http.StatusUnauthorized, "missing_api_key"},
	"idempotency_mismatch":    {http.StatusConflict, "invalid_idempotent_request"},
	"idempotency_in_progress": {http.StatusConflict, "concurrent_idempotent_requests"},
	"invalid_idempotency_key": {http.StatusBadRequest, "invalid_idempotency_key"},
	"invalid_from":            {http.StatusUnprocessableEntity, "invalid_from_address"},
	"invalid_to":              {http.StatusUnprocessableEntity, "validation_error"},
	"invalid_after":           {http.StatusUnprocessableEntity, "validation_error"},
	"invalid_before":          {http.StatusUnprocessableEntity, "validation_error"},
	"invalid_attachments":     {http.StatusUnprocessableEntity, "invalid_attachment"},
	"attachment_too_large":    {http.StatusUnprocessableEntity, "invalid_attachment"},
	"daily_send_limit":        {http.StatusTooManyRequests, "daily_quota_exceeded"},
	"global_send_limit":       {http.StatusTooManyRequests, "daily_quota_exceeded"},
	"scope_denied":            {http.StatusUnauthorized, "restricted_api_key"},
	"network_denied":          {http.StatusUnauthorized, "restricted_api_key"},

	"provisional_capability_denied": {http.StatusUnauthorized, "restricted_api_key"},
}

// classify is the status and the name of an error there.
func classify(err error) (status int, name string) {
	var refused *door.Refusal
	if known, ok := names[door.Code(err)]; ok {
		return known.status, known.name
	}
	if errors.As(err, &refused) {
		switch refused.Status {
		case http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusRequestTimeout:
			return refused.Status, "validation_error"
		}
		return refused.Status, refused.Code
	}
	switch status := door.Status(err); mailbox.KindOf(err) {
	case mailbox.Unauthorized:
		return http.StatusForbidden, "invalid_api_key"
	case mailbox.NotFound, mailbox.NoSuchRecipient:
		return http.StatusNotFound, "not_found"
	case mailbox.Limited:
		return status, "rate_limit_exceeded"
	case mailbox.Invalid, mailbox.Forbidden, mailbox.Denied, mailbox.Paused, mailbox.Lapsed, mailbox.TooManyHops:
		return status, "validation_error"
	case mailbox.Conflict, mailbox.TooLarge, mailbox.QuotaFull, mailbox.NoRoom, mailbox.Unimplemented:
		return http.StatusUnprocessableEntity, "validation_error"
	default:
		if status == http.StatusInternalServerError {
			return status, "internal_server_error"
		}
		return status, "application_error"
	}
}
