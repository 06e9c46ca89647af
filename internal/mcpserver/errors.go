package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/mailkin/mailkin/client"
)

// advice is a failure that is told to the model: what is wrong, and what to do about it.
type advice string

func (a advice) Error() string { return string(a) }

// explain makes an error one that a model can act on. What is not the caller's to know is not in it: only what the
// service said of itself is repeated.
func explain(err error) error {
	var known advice
	var refused *client.Error
	switch {
	case errors.As(err, &known):
		return known
	case errors.As(err, &refused):
		return explainRefusal(refused)
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return advice("The call was ended before it was done. Call again.")
	case errors.Is(err, client.ErrTooLarge):
		return advice("The answer is too large for a tool. Ask for less: a smaller limit, or one message by its id.")
	case errors.Is(err, client.ErrNotMail):
		return advice("What answers at the configured address is not a Mailkin. Tell your user to check MAILKIN_URL.")
	}
	return advice("The mail service does not answer. Try again in a moment; if it stays so, tell your user to check " +
		"MAILKIN_URL and the network.")
}

// refusals are what to do about what the service refused, by the kind of the error. The first that fits counts.
var refusals = []struct {
	kind error
	next string
}{
	{client.ErrPaused, "Nothing works on it until its owner or the operator resumes it. Tell your user; do not " +
		"try again."},
	{client.ErrUnauthorized, "Tell your user to check MAILKIN_API_KEY."},
	{client.ErrForbidden, "Tell your user if it is needed; do not try again with the same key."},
	{client.ErrNotFound, "Ids are found with get_inbox, search_inbox, get_threads or get_email; a deleted message " +
		"is gone."},
	{client.ErrConflict, ""},
	{client.ErrTooLarge, "Send less: shorter text, or smaller or fewer attachments."},
	{client.ErrUnavailable, "Nothing was lost. Try again in a moment."},
	{client.ErrFull, "Delete messages that are not needed, then try again."},
	{client.ErrUnsupported, "This deployment is not set up for it; tell your user."},
	{client.ErrInvalid, "Correct the arguments and call again."},
}

func explainRefusal(e *client.Error) error {
	said := fieldNamed().ReplaceAllStringFunc(strings.TrimSpace(oneLine(e.Message)), argumentNamed)
	switch {
	case said == "":
		said = fmt.Sprintf("The mail service refused (status %d).", e.Status)
	case errors.Is(e, client.ErrUnauthorized):
		said = "The key is missing, wrong, expired or revoked."
	case !strings.HasSuffix(said, "."):
		said += "."
	}
	switch {
	case e.Upgrade != nil:
		return advice(said + " The mailbox is temporary. To make it permanent, ask your user to run \"" +
			oneLine(e.Upgrade.Command) + "\" or to open " + oneLine(e.Upgrade.URL) + ".")
	case errors.Is(e, client.ErrRateLimited):
		return advice(said + later(e))
	case e.Code == "idempotency_mismatch":
		return advice(said + " Use another idempotency_key for another message.")
	case e.Code == "bootstrap_disabled":
		return advice(said + " This deployment gives out no temporary mailboxes: ask your user for a key, and to set " +
			"MAILKIN_API_KEY.")
	case e.Code == "automated_message":
		return advice(said + " Set force to true only if your user wants an answer to go there.")
	}
	for _, r := range refusals {
		if errors.Is(e, r.kind) {
			return advice(strings.TrimSpace(said + " " + r.next))
		}
	}
	if e.RequestID != "" {
		said += " The server's log has it as request " + oneLine(e.RequestID) + "."
	}
	return advice(said + " Try again once; if it fails again, tell your user.")
}

// fieldNamed is how the service names what is wrong with a request; tools have arguments, some of another name.
var fieldNamed = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^The (?:field|parameter|value of) "?[a-z_]+"?`)
})

func argumentNamed(s string) string {
	name := strings.Trim(s[strings.LastIndexByte(s, ' ')+1:], `"`)
	switch name {
	case "text":
		name = "body"
	case "id":
		name = "email_id"
	}
	return "The argument " + name
}

// later says when to come back.
func later(e *client.Error) string {
	if e.RetryAfter <= 0 {
		return " Try again later."
	}
	if e.RetryAfter < 2*time.Minute {
		return fmt.Sprintf(" Try again in %d seconds.", int(e.RetryAfter.Seconds()))
	}
	text := fmt.Sprintf(" Try again in %s", e.RetryAfter.Round(time.Minute))
	if at, ok := e.Fields["resets_at"].(string); ok {
		text += ", at " + oneLine(at)
	}
	return text + "; do not try before."
}

// isEnded tells of a key that the service does not know any more.
func isEnded(err error) bool { return errors.Is(err, client.ErrUnauthorized) }
