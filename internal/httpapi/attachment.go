package httpapi

import (
	"context"
	"encoding/hex"
	"io"
	"net/http"

	"github.com/mailkin/mailkin/internal/download"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/wire"
)

// originals holds the verbs that give bytes as they came.
type originals interface {
	Raw(ctx context.Context, in service.Access, id mailbox.ID) (*service.Raw, error)
	Attachment(ctx context.Context, in service.Access, id mailbox.ID) (*service.Attachment, error)
}

func (a *API) attachment(c *call) error {
	id, err := c.params.id("Attachment")
	if err != nil {
		return err
	}
	file, err := a.svc.Attachment(c.Context(), c.in, id)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }() // only read from
	return c.download(file, download.File{
		Type:     download.MediaType(file.Part),
		Name:     wire.Filename(file.Part),
		ETag:     hex.EncodeToString(file.Part.SHA256[:]),
		Modified: file.ReceivedAt,
	})
}

// rawEmail returns a message's bytes exactly as they came.
func (a *API) rawEmail(c *call) error {
	id, err := c.params.id("Email")
	if err != nil {
		return err
	}
	raw, err := a.svc.Raw(c.Context(), c.in, id)
	if err != nil {
		return err
	}
	defer func() { _ = raw.Close() }() // only read from
	return c.download(raw, download.File{
		Type:     "message/rfc822",
		Name:     raw.ID.String() + ".eml",
		ETag:     raw.ID.String(), // the bytes of an id never change
		Modified: raw.ReceivedAt,
	})
}

// download hands out bytes that came from a stranger, whole or in part.
func (c *call) download(file io.ReadSeeker, f download.File) error {
	if err := c.hold(streamBytes); err != nil {
		return err
	}
	refused, err := download.Serve(c.out, c.Request, file, f)
	switch {
	case err != nil || refused == 0:
		return err
	case refused == http.StatusPreconditionFailed:
		return &refusal{refused, "precondition_failed", "The file is another one by now."}
	}
	return &refusal{refused, "range_not_satisfiable", "There are no such bytes."}
}
