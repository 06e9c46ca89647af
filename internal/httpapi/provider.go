package httpapi

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/wire"
)

// providers hears what providers say of mail that went out.
type providers interface {
	HearProvider(ctx context.Context, p service.ProviderWord) error
}

// resendCallback hears what the provider Resend says about mail that it took. The same word twice changes nothing, so a
// callback that is sent again, by whomever, does no harm.
func (a *API) resendCallback(c *call) error {
	if a.resend == nil {
		return mailbox.Errorf(mailbox.NotFound, "not_found", "There is nothing at this address.")
	}
	given, ok := signatureOf(c.Header)
	if !ok || !given.isFresh(time.Now()) {
		return errUnsigned
	}
	buf := a.buffer()
	defer a.release(buf)
	if err := c.read(buf); err != nil {
		return err
	}
	if !a.resend.signed(given, buf.Bytes()) {
		return errUnsigned
	}
	var event wire.ResendEvent
	if json.Unmarshal(buf.Bytes(), &event) != nil {
		return badBody("The body is not an event of Resend.")
	}
	if err := a.hear(c, event); err != nil {
		return err
	}
	return a.answer(c, http.StatusOK, api.Done{OK: true})
}

var errUnsigned = mailbox.Errorf(mailbox.Unauthorized, "unauthorized", "The callback is not signed with our secret, "+
	"or not now.")

// hear passes an event on, if it is about a delivery.
func (a *API) hear(c *call, e wire.ResendEvent) error {
	word, known := e.Word()
	if !known {
		return nil
	}
	id := e.Data.EmailID
	if id == "" { // it would stand for whatever no provider has
		return mailbox.InvalidField("email_id", "The event has no data.email_id.")
	}
	if err := checkText("email_id", id); err != nil {
		return err
	}
	return a.svc.HearProvider(c.Context(), service.ProviderWord{Provider: id, Word: word, Hard: e.Hard()})
}
