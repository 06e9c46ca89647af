package client

import (
	"context"
	"crypto/rand"
	"net/http"
	"net/url"
	"time"

	"github.com/mailkin/mailkin/api"
)

// Bootstrap makes a temporary mailbox. It needs no key. It receives and reads, sends nothing, and is gone after 72
// hours. Go on with WithKey.
//
// The same idempotency key (16 to 128 of A-Za-z0-9._:-) from the same machine gives the same mailbox while it lives;
// the empty one always makes a new mailbox.
func (c *Client) Bootstrap(ctx context.Context, idempotencyKey string) (*api.Bootstrapped, error) {
	r := call{method: http.MethodPost, path: "/v1/bootstrap", open: true, again: ifUnknown}
	r.header = idempotency(idempotencyKey)
	return fetch[api.Bootstrapped](ctx, c, r)
}

// idempotency is the header that makes it safe to ask twice, with a random key where there is none.
func idempotency(key string) http.Header {
	if key == "" {
		key = rand.Text()
	}
	return http.Header{"Idempotency-Key": {key}}
}

// StartClaim asks for a permanent mailbox. With the key of a temporary one, that becomes permanent: under its own
// address if the name is empty, or under the name, with the old address as alias. Without a key it asks for a new one,
// and needs the name. A person confirms it on the page that is named in URL.
func (c *Client) StartClaim(ctx context.Context, name string) (*api.StartedClaim, error) {
	r := post("/v1/claim/start", texts{"name": name})
	r.open = true
	return fetch[api.StartedClaim](ctx, c, r)
}

// PollClaim tells how far a claim has come.
func (c *Client) PollClaim(ctx context.Context, session string) (*api.Claim, error) {
	r := get("/v1/claim/poll", url.Values{"session": {session}})
	r.open = true
	return fetch[api.Claim](ctx, c, r)
}

// claimPause is how often a claim is asked for.
const claimPause = 2 * time.Second

// AwaitClaim polls a claim until it is complete or expired, or ctx ends.
func (c *Client) AwaitClaim(ctx context.Context, session string) (*api.Claim, error) {
	for {
		claim, err := c.PollClaim(ctx, session)
		if err != nil || claim.Status != api.ClaimPending {
			return claim, err
		}
		if err := sleep(ctx, claimPause); err != nil {
			return nil, err
		}
	}
}

// ConfirmClaim confirms a claim without a browser. By default only the operator may.
func (c *Client) ConfirmClaim(ctx context.Context, session string) (*api.ConfirmedClaim, error) {
	r := post("/v1/claim/confirm", texts{"session_id": session})
	r.open = true
	return fetch[api.ConfirmedClaim](ctx, c, r)
}

// PendingClaims lists the claims that wait for a person, as operator.
func (c *Client) PendingClaims(ctx context.Context) (*api.PendingClaims, error) {
	r := get("/v1/claims", nil)
	r.open = true
	return fetch[api.PendingClaims](ctx, c, r)
}

// ConfirmPending confirms a claim that PendingClaims lists, as operator with the role admin. Only the agent that
// started it gets the key.
func (c *Client) ConfirmPending(ctx context.Context, id string) (*api.ConfirmedClaim, error) {
	r := post("/v1/claims/"+url.PathEscape(id)+"/confirm", nil)
	r.open = true
	return fetch[api.ConfirmedClaim](ctx, c, r)
}

// DenyClaim ends a claim that PendingClaims lists, as operator with the role admin.
func (c *Client) DenyClaim(ctx context.Context, id string) (*api.Deleted, error) {
	return c.end(ctx, "/v1/claims/"+url.PathEscape(id))
}

// AutoClaim makes a mailbox of that name without a claim, as operator. It is CreateMailbox under another name.
func (c *Client) AutoClaim(ctx context.Context, name string) (*api.CreatedMailbox, error) {
	r := post("/v1/claim/auto", api.NewMailbox{Name: name})
	r.open = true
	return fetch[api.CreatedMailbox](ctx, c, r)
}
