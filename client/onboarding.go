package client

import (
	"context"
	"crypto/rand"
	"net/http"
	"net/url"
	"time"
)

// Bootstrapped is a temporary mailbox with its key.
type Bootstrapped struct {
	Mailbox      string   `json:"mailbox"`
	APIKey       string   `json:"api_key"`
	Scope        string   `json:"scope"`
	ExpiresAt    Time     `json:"expires_at"`
	Replayed     bool     `json:"replayed"` // there was one under this Idempotency-Key
	Capabilities []string `json:"capabilities"`
	Upgrade      Upgrade  `json:"upgrade"`
}

// Upgrade says how a temporary mailbox becomes a permanent one.
type Upgrade struct {
	Command string `json:"command"`
	URL     string `json:"url"` // a page for people
}

// Bootstrap makes a temporary mailbox. It needs no key. It receives and reads, sends nothing, and is gone after 72 hours. Go
// on with WithKey.
//
// The same idempotency key (16 to 128 of A-Za-z0-9._:-) from the same machine gives the same mailbox while it lives; the
// empty one always makes a new mailbox.
func (c *Client) Bootstrap(ctx context.Context, idempotencyKey string) (*Bootstrapped, error) {
	r := call{method: http.MethodPost, path: "/v1/bootstrap", open: true, again: ifUnknown}
	r.header = idempotency(idempotencyKey)
	return fetch[Bootstrapped](ctx, c, r)
}

// idempotency is the header that makes it safe to ask twice, with a random key where there is none.
func idempotency(key string) http.Header {
	if key == "" {
		key = rand.Text()
	}
	return http.Header{"Idempotency-Key": {key}}
}

// StartedClaim is a claim that waits for a person.
type StartedClaim struct {
	SessionID string `json:"session_id"`
	Name      string `json:"name"`
	Mailbox   string `json:"mailbox"` // that it will be
	URL       string `json:"url"`     // of the page on which the person confirms
	ExpiresIn int    `json:"expires_in"`
}

// StartClaim asks for a permanent mailbox. With the key of a temporary one, that becomes permanent: under its own address if
// the name is empty, or under the name, with the old address as alias. Without a key it asks for a new one, and needs
// the name. A person confirms it on the page that is named in URL.
func (c *Client) StartClaim(ctx context.Context, name string) (*StartedClaim, error) {
	r := post("/v1/claim/start", struct {
		Name string `json:"name,omitempty"`
	}{name})
	r.open = true
	return fetch[StartedClaim](ctx, c, r)
}

// Claim is how far a claim has come: pending, complete or expired. When it is complete, it has the mailbox and its key.
type Claim struct {
	Status  string `json:"status"`
	Mailbox string `json:"mailbox,omitempty"`
	APIKey  string `json:"api_key,omitempty"`
}

// The states of a claim.
const (
	ClaimPending  = "pending"
	ClaimComplete = "complete"
	ClaimExpired  = "expired"
)

// PollClaim tells how far a claim has come.
func (c *Client) PollClaim(ctx context.Context, session string) (*Claim, error) {
	r := get("/v1/claim/poll", url.Values{"session": {session}})
	r.open = true
	return fetch[Claim](ctx, c, r)
}

// claimPause is how often a claim is asked for.
const claimPause = 2 * time.Second

// AwaitClaim polls a claim until it is complete or expired, or ctx ends.
func (c *Client) AwaitClaim(ctx context.Context, session string) (*Claim, error) {
	for {
		claim, err := c.PollClaim(ctx, session)
		if err != nil || claim.Status != ClaimPending {
			return claim, err
		}
		if err := sleep(ctx, claimPause); err != nil {
			return nil, err
		}
	}
}

// ConfirmedClaim is a claim that was confirmed.
type ConfirmedClaim struct {
	Status  string `json:"status"`
	Mailbox string `json:"mailbox"`
	Already bool   `json:"already_confirmed"`
	APIKey  string `json:"api_key,omitempty"` // where the deployment lets anyone confirm, and session is that of StartClaim; else empty
}

// ConfirmClaim confirms a claim without a browser. By default only the operator may.
func (c *Client) ConfirmClaim(ctx context.Context, session string) (*ConfirmedClaim, error) {
	r := post("/v1/claim/confirm", struct {
		Session string `json:"session_id"`
	}{session})
	r.open = true
	return fetch[ConfirmedClaim](ctx, c, r)
}

// AutoClaim makes a mailbox of that name without a claim, as operator. It is CreateMailbox under another name.
func (c *Client) AutoClaim(ctx context.Context, name string) (*CreatedMailbox, error) {
	r := post("/v1/claim/auto", NewMailbox{Name: name})
	r.open = true
	return fetch[CreatedMailbox](ctx, c, r)
}
