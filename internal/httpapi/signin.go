package httpapi

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

// OpenID says who a person is, by asking an OpenID provider.
type OpenID interface {
	// Begin says where to send the browser, and the secret that it must bring back beside the provider's answer.
	Begin(ctx context.Context) (address, secret string, err error)
	Finish(ctx context.Context, secret string, answer url.Values) (mailbox.Identity, error)
	// SignOut is where the person signs out at the provider; empty: nowhere.
	SignOut(ctx context.Context) string
}

// Signing in takes a browser to the provider and back to the console, to nowhere else: there is no parameter that says
// where. What went wrong is a word after the #, for which the console has a sentence. Nodes share nothing for this:
// what one began, the browser brings to another in a cookie.

var errNoProvider = mailbox.Errorf(mailbox.NotFound, "not_found", "Nobody signs in here with an OpenID provider.")

func (a *API) beginSignIn(c *call) error {
	if a.openID == nil {
		return errNoProvider
	}
	address, secret, err := a.openID.Begin(c.Context())
	if err != nil {
		return a.toConsole(c, err)
	}
	a.setCookie(c.out.Header(), signInCookie, secret, signInTime, http.SameSiteLaxMode) // it comes back from elsewhere
	return a.send303(c, address)
}

func (a *API) finishSignIn(c *call) error {
	if a.openID == nil {
		return errNoProvider
	}
	secret := a.cookie(c.Request, signInCookie)
	a.setCookie(c.out.Header(), signInCookie, "", 0, http.SameSiteLaxMode) // once
	made, err := a.identify(c, secret)
	if err != nil {
		return a.toConsole(c, err)
	}
	a.setCookie(c.out.Header(), sessionCookie, string(made.Secret), time.Until(made.ExpiresAt),
		http.SameSiteStrictMode)
	return a.send303(c, a.address(c.Request, consolePath+"#signed-in"))
}

// identify asks the provider who the person is, and begins a session.
func (a *API) identify(c *call, secret string) (service.CreatedKey, error) {
	answer, err := url.ParseQuery(c.URL.RawQuery)
	if err != nil {
		answer = nil // which no sign-in asked for
	}
	id, err := a.openID.Finish(c.Context(), secret, answer)
	reason := ""
	var made service.CreatedKey
	if err == nil {
		reason = " (" + id.Who() + " " + id.Email + ")"
		made, err = a.svc.SignIn(c.Context(), id, service.Origin{Client: a.origin(c.Request), Request: c.id})
	}
	if err == nil || c.Context().Err() != nil {
		return made, err
	}
	var known *mailbox.Error
	if errors.As(err, &known) && known.Kind == mailbox.Denied {
		reason = strings.Join(strings.Fields(known.Error()+reason), " ")
		if limited := a.svc.SignInFailed(a.origin(c.Request), reason); limited != nil {
			err = limited
		}
	}
	return made, err
}

// toConsole shows a person in the console why the sign-in did not work.
func (a *API) toConsole(c *call, err error) error {
	word := "internal"
	var known *mailbox.Error
	if errors.As(err, &known) {
		word = known.Code
	}
	a.note(c, replies[mailbox.KindOf(err)].status, err)
	return a.send303(c, a.address(c.Request, consolePath+"#signin-failed="+url.QueryEscape(word)))
}

// send303 sends a browser elsewhere. Nothing of this address goes along, and nobody keeps the answer.
func (a *API) send303(c *call, address string) error {
	h := c.out.Header()
	h["Cache-Control"] = noStore
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Location", address)
	c.out.WriteHeader(http.StatusSeeOther)
	return nil
}
