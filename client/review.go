package client

import (
	"context"
	"iter"
	"net/http"
	"net/url"

	"github.com/mailkin/mailkin/api"
)

const reviewsPath = "/v1/reviews"

func reviewPath(id string) string { return reviewsPath + "/" + url.PathEscape(id) }

// Reviews lists messages that need approval, newest first: those with a status (held, approved, rejected, expired,
// canceled), or with "" all. An operator sees those of every mailbox, unless For names one.
func (c *Client) Reviews(ctx context.Context, status string, p Page) (*api.Reviews, error) {
	query := p.query()
	if query == nil {
		query = url.Values{}
	}
	if status != "" {
		query.Set("status", status)
	}
	return fetch[api.Reviews](ctx, c, get(reviewsPath, query))
}

// ReviewsAll walks over all of them.
func (c *Client) ReviewsAll(ctx context.Context, status string, p Page) iter.Seq2[api.ReviewSummary, error] {
	page := func(ctx context.Context, p Page) (*api.Reviews, error) { return c.Reviews(ctx, status, p) }
	return all(ctx, p, page, func(l *api.Reviews) ([]api.ReviewSummary, api.NullString) { return l.Reviews, l.Next })
}

// Review reads a message that needs approval, as its recipients would see it.
func (c *Client) Review(ctx context.Context, id string) (*api.ReviewPage, error) {
	return fetch[api.ReviewPage](ctx, c, get(reviewPath(id), nil))
}

// EditReview changes a message that is held. It stays held, in its next version. Where the change names a version and
// the message was edited since, nothing is changed, and the error is ErrConflict with the code review_changed.
func (c *Client) EditReview(ctx context.Context, id string, change api.DraftChange) (*api.ReviewPage, error) {
	r := call{method: http.MethodPatch, path: reviewPath(id), body: newObject(change)}
	return fetch[api.ReviewPage](ctx, c, r)
}

// Approve sends a message that is held: the version that is named, or with 0 whichever it has. It is sent once: calling
// it again gives the answer of the first time.
func (c *Client) Approve(ctx context.Context, id string, version int64) (*api.ReviewSummary, error) {
	return c.decide(ctx, id, "/approve", api.ReviewDecision{Version: version})
}

// Reject ends a message that is held without sending it: the version that is named, or with 0 whichever it has. The
// mailbox can read the reason, which may be empty.
func (c *Client) Reject(ctx context.Context, id, reason string, version int64) (*api.ReviewSummary, error) {
	return c.decide(ctx, id, "/reject", api.ReviewDecision{Version: version, Reason: reason})
}

func (c *Client) decide(ctx context.Context, id, how string, d api.ReviewDecision) (*api.ReviewSummary, error) {
	r := call{method: http.MethodPost, path: reviewPath(id) + how, body: newObject(d), again: ifUnknown}
	return fetch[api.ReviewSummary](ctx, c, r)
}

// ApproveAll approves up to 100 messages, each for itself, and says of each what became of it.
func (c *Client) ApproveAll(ctx context.Context, ids []string) (*api.Approvals, error) {
	r := post(reviewsPath+"/approve", map[string]any{"ids": ids})
	r.again = ifUnknown // twice is once
	return fetch[api.Approvals](ctx, c, r)
}
