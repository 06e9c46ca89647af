// Package openid asks an OpenID provider who a person is, in the authorization code flow with PKCE (OpenID Connect
// Core 1.0, RFC 7636): Begin says where to send the browser, Finish reads what it brings back. What the person may do
// is not decided here.
//
// The provider may be slow, down or wrong at any time. It is asked when somebody signs in and never before, every
// question has a deadline, and an answer has a size.
package openid

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// Options says which provider, and what we are to it.
type Options struct {
	Issuer, ClientID string
	ClientSecret     mailbox.Secret
	Scopes           []string
	Claim            string // whose values give roles
	Redirect         string // where the provider sends people back to
	After            string // and where to after they have signed out there
	Now              func() time.Time
	Log              *slog.Logger
}

const (
	patience   = 10 * time.Second // with all that is asked for one sign-in
	retryAfter = 3 * time.Second  // a provider that failed is left alone
	knownFor   = time.Hour        // what discovery found
	answerMost = 1 << 20          // bytes of an answer
	valuesMost = 1000             // of a claim
	textMost   = 255              // bytes of a subject, of an address, and of a name
)

// Provider is one OpenID provider.
type Provider struct {
	opt    Options
	client *http.Client
	turn   chan struct{} // held by who looks at what follows
	known  *known        // nil: discovery has not worked yet
	failed error         // the last discovery; nil: it worked
	asked  time.Time     // the last discovery
}

// known is what discovery found.
type known struct {
	provider *oidc.Provider
	config   oauth2.Config
	logout   string // where a person signs out; empty: the provider has no such page
}

// New does not ask the provider anything.
func New(opt Options) *Provider {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxResponseHeaderBytes = 64 << 10
	return &Provider{opt: opt, turn: make(chan struct{}, 1), client: &http.Client{
		Transport: bounded{transport}, Timeout: patience,
		// the secret goes to the addresses that discovery found, and no further
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// bounded cuts answers off that are too long.
type bounded struct{ http.RoundTripper }

func (b bounded) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := b.RoundTripper.RoundTrip(r)
	if err == nil {
		resp.Body = http.MaxBytesReader(nil, resp.Body, answerMost)
	}
	return resp, err
}

// down is a provider that does not answer, or not as it should.
func down(err error) error {
	return &mailbox.Error{Kind: mailbox.Unavailable, Code: "provider_down", Err: err,
		Message: "The OpenID provider does not answer as it should."}
}

// untrue is an answer that must not be believed.
func untrue(err error) error {
	return &mailbox.Error{Kind: mailbox.Denied, Code: "signin_token", Err: err,
		Message: "The OpenID provider's answer cannot be believed."}
}

var (
	errState = mailbox.Errorf(mailbox.Denied, "signin_state",
		"This sign-in was not begun in this browser, or is over.")
	errRefused = mailbox.Errorf(mailbox.Denied, "signin_refused", "The OpenID provider did not sign the person in.")
)

// discover finds out where the provider's pages are, at most once at a time.
func (p *Provider) discover(ctx context.Context) (*known, error) {
	select {
	case p.turn <- struct{}{}:
		defer func() { <-p.turn }()
	case <-ctx.Done():
		return nil, down(ctx.Err())
	}
	now := p.opt.Now()
	age := now.Sub(p.asked)
	switch {
	case p.failed == nil && p.known != nil && age < knownFor, p.known != nil && age < retryAfter:
		return p.known, nil
	case p.failed != nil && age < retryAfter:
		return nil, down(p.failed)
	}
	found, err := p.ask(context.WithoutCancel(ctx)) // others wait for the answer, too
	p.asked, p.failed = now, err
	if err == nil {
		p.known = found
		return found, nil
	}
	p.opt.Log.Warn("the OpenID provider does not answer as it should", "issuer", p.opt.Issuer, "error", oneLine(err))
	if p.known != nil {
		return p.known, nil
	}
	return nil, down(err)
}

func (p *Provider) ask(ctx context.Context) (*known, error) {
	ctx, cancel := context.WithTimeout(ctx, patience/2)
	defer cancel()
	provider, err := oidc.NewProvider(oidc.ClientContext(ctx, p.client), p.opt.Issuer)
	if err != nil {
		return nil, err
	}
	var more struct {
		Logout string `json:"end_session_endpoint"`
		Keys   string `json:"jwks_uri"`
	}
	if err := provider.Claims(&more); err != nil {
		return nil, err
	}
	at := provider.Endpoint()
	for _, address := range []string{at.AuthURL, at.TokenURL, more.Keys} {
		if !p.allowed(address) {
			return nil, fmt.Errorf("discovery names %q, which is no address with TLS", mailbox.Clip(address, textMost))
		}
	}
	if !p.allowed(more.Logout) {
		more.Logout = ""
	}
	return &known{provider: provider, logout: more.Logout, config: oauth2.Config{ClientID: p.opt.ClientID,
		ClientSecret: string(p.opt.ClientSecret), Endpoint: at, RedirectURL: p.opt.Redirect, Scopes: p.opt.Scopes}}, nil
}

// allowed tells whether an address of the provider's is as safe as that of the settings.
func (p *Provider) allowed(address string) bool {
	u, err := url.Parse(address)
	return err == nil && u.Host != "" &&
		(u.Scheme == "https" || u.Scheme == "http" && strings.HasPrefix(p.opt.Issuer, "http://"))
}

// Check asks the provider where its pages are.
func (p *Provider) Check(ctx context.Context) error {
	_, err := p.discover(ctx)
	return err
}

// Begin says where to send a browser to sign in, and the secret that it must bring back beside the provider's answer.
func (p *Provider) Begin(ctx context.Context) (address, secret string, err error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	k, err := p.discover(ctx)
	if err != nil {
		return "", "", err
	}
	var random [32]byte
	_, _ = rand.Read(random[:]) // never fails since Go 1.24
	secret = base64.RawURLEncoding.EncodeToString(random[:])
	return k.config.AuthCodeURL(derived(secret, "state"), oidc.Nonce(derived(secret, "nonce")),
		oauth2.S256ChallengeOption(derived(secret, "verifier"))), secret, nil
}

// derived makes state, nonce and verifier from the one secret that the browser keeps. None of them tells another.
func derived(secret, purpose string) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(purpose))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// Finish reads what the browser brings back from the provider, and asks the provider who the person is.
func (p *Provider) Finish(ctx context.Context, secret string, answer url.Values) (mailbox.Identity, error) {
	if secret == "" || subtle.ConstantTimeCompare([]byte(answer.Get("state")), []byte(derived(secret, "state"))) != 1 {
		return mailbox.Identity{}, errState
	}
	if iss := answer.Get("iss"); iss != "" && iss != p.opt.Issuer { // RFC 9207
		return mailbox.Identity{}, untrue(fmt.Errorf("it is from the issuer %q", mailbox.Clip(iss, textMost)))
	}
	if why := answer.Get("error"); why != "" {
		refused := *errRefused
		refused.Err = errors.New(oneLine(errors.New(why + " " + answer.Get("error_description"))))
		return mailbox.Identity{}, &refused
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	k, err := p.discover(ctx)
	if err != nil {
		return mailbox.Identity{}, err
	}
	ctx = oidc.ClientContext(ctx, p.client)
	token, err := k.config.Exchange(ctx, answer.Get("code"), oauth2.VerifierOption(derived(secret, "verifier")))
	var told *oauth2.RetrieveError
	switch {
	case errors.As(err, &told) && told.ErrorCode != "": // its body may say more than a log is to have
		return mailbox.Identity{}, untrue(errors.New("the provider refuses the code: " +
			oneLine(errors.New(told.ErrorCode))))
	case told != nil:
		return mailbox.Identity{}, down(fmt.Errorf("it answers for the code with status %d", told.Response.StatusCode))
	case err != nil:
		return mailbox.Identity{}, down(err)
	}
	return p.identify(ctx, k, token, derived(secret, "nonce"))
}

// identify checks the provider's token, and reads who it is about.
func (p *Provider) identify(ctx context.Context, k *known, token *oauth2.Token,
	nonce string) (mailbox.Identity, error) {
	raw, _ := token.Extra("id_token").(string)
	id, err := k.provider.Verifier(&oidc.Config{ClientID: p.opt.ClientID, Now: p.opt.Now}).Verify(ctx, raw)
	if err != nil {
		return mailbox.Identity{}, untrue(err)
	}
	var c claims
	if err := id.Claims(&c); err != nil {
		return mailbox.Identity{}, untrue(err)
	}
	party, _ := c["azp"].(string)
	switch {
	case subtle.ConstantTimeCompare([]byte(id.Nonce), []byte(nonce)) != 1:
		err = errors.New("the token is for another sign-in (nonce)")
	case party != "" && party != p.opt.ClientID, party == "" && len(id.Audience) > 1:
		err = errors.New("the token is for another program (azp)")
	case id.Subject == "" || len(id.Subject) > textMost:
		err = errors.New("the token names nobody")
	case id.AccessTokenHash != "":
		err = id.VerifyAccessToken(token.AccessToken)
	}
	if err != nil {
		return mailbox.Identity{}, untrue(err)
	}
	if k.provider.UserInfoEndpoint() != "" && !(c.has("email_verified") && c.has("name") && c.has(p.opt.Claim)) {
		info, err := k.provider.UserInfo(ctx, oauth2.StaticTokenSource(token))
		if err != nil {
			return mailbox.Identity{}, down(fmt.Errorf("userinfo: %w", err))
		}
		var more claims
		if err := info.Claims(&more); err != nil || info.Subject != id.Subject {
			return mailbox.Identity{}, untrue(errors.New("userinfo is about somebody else"))
		}
		for name, value := range c { // what is signed counts more
			more[name] = value
		}
		c = more
	}
	return mailbox.Identity{Issuer: p.opt.Issuer, Subject: id.Subject, Email: c.email(),
		Name: mailbox.Clip(c.text("name"), textMost), Values: c.values(p.opt.Claim)}, nil
}

// SignOut is where a person signs out at the provider; empty: the provider has no such page, or does not answer soon.
func (p *Provider) SignOut(ctx context.Context) string {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	k, err := p.discover(ctx)
	if err != nil || k.logout == "" {
		return ""
	}
	u, err := url.Parse(k.logout)
	if err != nil {
		return ""
	}
	q := u.Query()
	q.Set("client_id", p.opt.ClientID)
	q.Set("post_logout_redirect_uri", p.opt.After)
	u.RawQuery = q.Encode()
	return u.String()
}

// oneLine is an error as a line of a log: parts of it may be a stranger's words.
func oneLine(err error) string {
	return mailbox.Clip(strings.Join(strings.Fields(err.Error()), " "), 500)
}
