package client

import (
	"bytes"
	"context"
	"io"
	"iter"
	"net/http"
	"net/url"
	"strconv"

	"github.com/mailkin/mailkin/api"
)

const draftsPath = "/v1/drafts"

func draftPath(id string) string { return draftsPath + "/" + url.PathEscape(id) }

// CreateDraft keeps a message that is not to be sent yet. Everything in it may be missing or unfinished until then.
func (c *Client) CreateDraft(ctx context.Context, d Draft) (*api.StoredDraft, error) {
	return c.createDraft(ctx, d, d.head(""))
}

// CreateReplyDraft keeps an answer to a message, which SendDraft sends as Reply would do then.
func (c *Client) CreateReplyDraft(ctx context.Context, emailID string, d Draft) (*api.StoredDraft, error) {
	head := d.head(emailID)
	head.Reply = true
	return c.createDraft(ctx, d, head)
}

// CreateForwardDraft keeps a draft that sends a message on, as Forward would do when it is sent.
func (c *Client) CreateForwardDraft(ctx context.Context, emailID string, d Draft) (*api.StoredDraft, error) {
	head := d.head(emailID)
	head.Forward = true
	return c.createDraft(ctx, d, head)
}

func (c *Client) createDraft(ctx context.Context, d Draft, head api.Draft) (*api.StoredDraft, error) {
	r := call{method: http.MethodPost, path: draftsPath, body: withFiles(newObject(head), d.Files)}
	return fetch[api.StoredDraft](ctx, c, r)
}

// Drafts lists the drafts that were not sent, newest first, without their bodies.
func (c *Client) Drafts(ctx context.Context, p Page) (*api.Drafts, error) {
	return fetch[api.Drafts](ctx, c, get(draftsPath, p.query()))
}

// DraftsAll walks over all of them.
func (c *Client) DraftsAll(ctx context.Context, p Page) iter.Seq2[api.DraftSummary, error] {
	return all(ctx, p, c.Drafts, func(l *api.Drafts) ([]api.DraftSummary, api.NullString) { return l.Drafts, l.Next })
}

// SentDrafts lists the drafts that were sent within the last 30 days.
func (c *Client) SentDrafts(ctx context.Context, p Page) (*api.Drafts, error) {
	query := p.query()
	if query == nil {
		query = url.Values{}
	}
	query.Set("status", "sent")
	return fetch[api.Drafts](ctx, c, get(draftsPath, query))
}

// Draft reads a draft.
func (c *Client) Draft(ctx context.Context, id string) (*api.StoredDraft, error) {
	return fetch[api.StoredDraft](ctx, c, get(draftPath(id), nil))
}

// EditDraft changes a draft. If somebody has changed it since the version that the change is based on, nothing is
// changed, and the error is ErrConflict with the code draft_changed and the version that it has now.
func (c *Client) EditDraft(ctx context.Context, id string, change api.DraftChange) (*api.StoredDraft, error) {
	r := call{method: http.MethodPatch, path: draftPath(id), body: newObject(change)}
	return fetch[api.StoredDraft](ctx, c, r)
}

// DeleteDraft throws a draft away.
func (c *Client) DeleteDraft(ctx context.Context, id string) error {
	_, err := fetch[struct{}](ctx, c, change(http.MethodDelete, draftPath(id), nil))
	return err
}

// AttachToDraft attaches a file to a draft.
func (c *Client) AttachToDraft(ctx context.Context, id string, f File) (*api.StoredDraft, error) {
	if f.Content == nil {
		f.Content = bytes.NewReader(nil)
	}
	from := newSource(f.Content)
	s := &stream{media: object(nil).mediaType(), sources: []*source{from},
		build: func() io.Reader { return fileReader(f, from) }}
	return fetch[api.StoredDraft](ctx, c, call{method: http.MethodPost, path: draftPath(id) + "/attachments", body: s})
}

// DetachFromDraft takes an attachment off a draft, by its N.
func (c *Client) DetachFromDraft(ctx context.Context, id string, n int) (*api.StoredDraft, error) {
	r := change(http.MethodDelete, draftPath(id)+"/attachments/"+strconv.Itoa(n), nil)
	return fetch[api.StoredDraft](ctx, c, r)
}

// SendDraft sends a draft: the version that is named, or with 0 whichever it has. It is sent once: calling it again
// gives the answer of the first time.
func (c *Client) SendDraft(ctx context.Context, id string, version int64) (*api.Sending, error) {
	return fetch[api.Sending](ctx, c, sendDraft(id, api.DraftSend{Version: version}))
}

// PreviewDraft tells what SendDraft would do. Nothing is sent, counted or stored.
func (c *Client) PreviewDraft(ctx context.Context, id string, version int64) (*api.Preview, error) {
	return fetch[api.Preview](ctx, c, sendDraft(id, api.DraftSend{Version: version, DryRun: true}))
}

func sendDraft(id string, how api.DraftSend) call {
	return call{method: http.MethodPost, path: draftPath(id) + "/send", body: newObject(how), again: ifUnknown}
}
