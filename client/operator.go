package client

import (
	"context"
	"net/http"
	"net/url"

	"github.com/mailkin/mailkin/api"
)

// CreateOperator makes a named operator, as operator with the role admin. The key is shown this once.
func (c *Client) CreateOperator(ctx context.Context, n api.NewOperator) (*api.CreatedOperator, error) {
	r := post("/v1/operators", n)
	r.open = true
	return fetch[api.CreatedOperator](ctx, c, r)
}

// Operators lists the named operators, as operator with the role admin.
func (c *Client) Operators(ctx context.Context) (*api.Operators, error) {
	r := get("/v1/operators", nil)
	r.open = true
	return fetch[api.Operators](ctx, c, r)
}

// UpdateOperator changes a named operator, and with it the sessions, as operator with the role admin.
func (c *Client) UpdateOperator(ctx context.Context, id string, to api.OperatorChange) (*api.Operator, error) {
	r := change(http.MethodPatch, "/v1/operators/"+url.PathEscape(id), to)
	r.open = true
	return fetch[api.Operator](ctx, c, r)
}

// DeleteOperator ends a named operator and the sessions at once, as operator with the role admin.
func (c *Client) DeleteOperator(ctx context.Context, id string) (*api.Deleted, error) {
	return c.end(ctx, "/v1/operators/"+url.PathEscape(id))
}

// Sessions lists the sessions of operators that are open, as operator with the role admin.
func (c *Client) Sessions(ctx context.Context) (*api.Sessions, error) {
	r := get("/v1/sessions", nil)
	r.open = true
	return fetch[api.Sessions](ctx, c, r)
}

// EndSession ends a session at once, as operator with the role admin.
func (c *Client) EndSession(ctx context.Context, id string) (*api.Deleted, error) {
	return c.end(ctx, "/v1/sessions/"+url.PathEscape(id))
}

// EndSessions ends all sessions of an operator at once, as operator with the role admin.
func (c *Client) EndSessions(ctx context.Context, operator string) (*api.EndedSessions, error) {
	r := change(http.MethodDelete, "/v1/operators/"+url.PathEscape(operator)+"/sessions", nil)
	r.open = true
	return fetch[api.EndedSessions](ctx, c, r)
}

func (c *Client) end(ctx context.Context, path string) (*api.Deleted, error) {
	r := change(http.MethodDelete, path, nil)
	r.open = true
	return fetch[api.Deleted](ctx, c, r)
}
