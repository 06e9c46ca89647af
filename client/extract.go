package client

import (
	"context"

	"github.com/mailkin/mailkin/api"
)

// Extract returns the structured data of a message, of one kind or, with ExtractAll or nothing, of all.
func (c *Client) Extract(ctx context.Context, emailID, kind string) (*api.Extraction, error) {
	r := post("/v1/extract", texts{"email_id": emailID, "type": kind})
	r.again = ifUnknown // it changes nothing
	return fetch[api.Extraction](ctx, c, r)
}
