package client

import (
	"context"
	"iter"
	"net/http"
	"net/url"

	"github.com/mailkin/mailkin/api"
)

// Quarantine lists mail that the receiving lists keep apart, newest first: that of the mailbox, or of all for an
// operator who names none. It needs the operator's token, or a key with the capability review, as all of this does.
func (c *Client) Quarantine(ctx context.Context, p Page) (*api.Quarantine, error) {
	return fetch[api.Quarantine](ctx, c, get("/v1/quarantine", p.query()))
}

// QuarantineAll walks over all of it.
func (c *Client) QuarantineAll(ctx context.Context, p Page) iter.Seq2[api.Quarantined, error] {
	return all(ctx, p, c.Quarantine, func(l *api.Quarantine) ([]api.Quarantined, api.NullString) {
		return l.Emails, l.Next
	})
}

// QuarantinedEmail is mail in quarantine, whole. Its attachments cannot be downloaded until it is released.
func (c *Client) QuarantinedEmail(ctx context.Context, id string) (*api.Email, error) {
	r := get("/v1/quarantine/"+url.PathEscape(id), nil)
	r.limit = wholeLimit
	return fetch[api.Email](ctx, c, r)
}

// ReleaseQuarantined puts mail from the quarantine into its mailbox. Releasing it again changes nothing.
func (c *Client) ReleaseQuarantined(ctx context.Context, id string) (*api.Released, error) {
	r := change(http.MethodPost, "/v1/quarantine/"+url.PathEscape(id)+"/release", nil)
	r.again = ifUnknown
	return fetch[api.Released](ctx, c, r)
}

// DeleteQuarantined deletes mail from the quarantine for good.
func (c *Client) DeleteQuarantined(ctx context.Context, id string) error {
	_, err := fetch[struct{}](ctx, c, change(http.MethodDelete, "/v1/quarantine/"+url.PathEscape(id), nil))
	return err
}
