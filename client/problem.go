package client

import "context"

// Problem is something about the deployment that its operator should do something about.
type Problem struct {
	Check  string `json:"check"`
	Status string `json:"status"` // fail: mail does not come or go because of it; else warn
	Found  string `json:"found"`
	Next   string `json:"next"` // what to do
}

// Problems are all that the service knows of itself.
type Problems struct {
	Problems []Problem `json:"problems"`
}

// Problems asks, as operator, what is wrong with the deployment: keys that cannot be opened, domains that have lapsed, mailboxes whose
// domain is not served, certificates that could not be obtained.
func (c *Client) Problems(ctx context.Context) (*Problems, error) {
	return fetch[Problems](ctx, c, get("/v1/problems", nil))
}
