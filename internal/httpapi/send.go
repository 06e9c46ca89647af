package httpapi

import (
	"context"
	"net/http"
	"strings"

	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/wire"
	drafts "github.com/mailkin/mailkin/internal/wire/draft"
)

// sending holds the verbs by which mail goes out.
type sending interface {
	Upload(in service.Access, size int64) (*service.Upload, error)
	Send(ctx context.Context, in service.Access, d mailbox.Draft) (service.Sending, error)
	Reply(ctx context.Context, in service.Access, d mailbox.Draft) (service.Sending, error)
	Forward(ctx context.Context, in service.Access, d mailbox.Draft) (service.Sending, error)
	Cancel(ctx context.Context, in service.Access, id mailbox.ID, recipient string) (service.Cancellation, error)
}

func (a *API) send(c *call) error    { return a.post(c, drafts.Send, a.svc.Send) }
func (a *API) reply(c *call) error   { return a.post(c, drafts.Reply, a.svc.Reply) }
func (a *API) forward(c *call) error { return a.post(c, drafts.Forward, a.svc.Forward) }

// post reads a draft as it comes in and has it sent. What is attached is never in memory as a whole.
func (a *API) post(c *call, kind drafts.Kind, verb func(context.Context, service.Access,
	mailbox.Draft) (service.Sending, error)) error {
	key, err := sendKey(c.Header)
	if err != nil {
		return err
	}
	return a.uploaded(c, func(spool *drafts.Spool) error {
		d, err := a.readDraft(c, kind, spool)
		if err != nil {
			return err
		}
		d.IdempotencyKey = key
		sent, err := verb(c.Context(), c.in, d)
		if err != nil {
			return err
		}
		return a.answerSending(c, sent)
	})
}

// uploaded runs what reads a body with attachments, with a spool for them.
func (a *API) uploaded(c *call, read func(*drafts.Spool) error) error {
	up, err := a.svc.Upload(c.in, max(c.ContentLength, 0)/4*3) // most of it is base64
	if err != nil {
		c.out.Header().Set("Connection", "close") // its body is not read
		return err
	}
	defer up.Close()
	spool := drafts.NewSpool(a.spool, up.Take)
	defer a.closeSpool(c, spool)
	return read(spool)
}

// answerSending tells what was sent, or what would be.
func (a *API) answerSending(c *call, sent service.Sending) error {
	if sent.Preview != nil {
		return a.answer(c, http.StatusOK, newPreview(*sent.Preview))
	}
	status := http.StatusOK
	if sent.Status == mailbox.Held {
		status = http.StatusAccepted
	}
	return a.answer(c, status, wire.NewSending(sent.ID, sent.Thread, sent.MessageID, sent.Status, sent.Review))
}

// cancelEmail calls a message back that waits to be sent, from everybody or from the one that recipient names.
func (a *API) cancelEmail(c *call) error {
	id, err := c.params.id("Email")
	if err != nil {
		return err
	}
	var recipient string
	if err := c.params.texts(named{"recipient", &recipient}); err != nil {
		return err
	}
	// QUIRK: a plus that was not escaped in a query. No address that mail is sent to has a space.
	recipient = strings.ReplaceAll(strings.TrimSpace(recipient), " ", "+")
	done, err := a.svc.Cancel(c.Context(), c.in, id, recipient)
	if err != nil {
		return err
	}
	return a.answer(c, http.StatusOK, wire.NewCancellation(done.ID, done.Status, done.Canceled, done.Sent))
}

// maxSendKey is how long an Idempotency-Key of a send may be (API 7). It is checked before the body is read, which may
// be long.
const maxSendKey = 255

func sendKey(h http.Header) (string, error) {
	key, err := idempotencyKey(h)
	if err == nil && len(key) > maxSendKey {
		err = mailbox.InvalidField("idempotency_key", "The header Idempotency-Key has 1 to %d characters.", maxSendKey)
	}
	return key, err
}

// readDraft reads the body of a request, or as much as shows what is wrong with it. Of the rest the server reads at
// most 256 KB, so that a client that sends everything before it listens hears of it, and then closes the connection.
func (a *API) readDraft(c *call, kind drafts.Kind, into *drafts.Spool) (mailbox.Draft, error) {
	d, err := drafts.Read(c.body, kind, a.limits, into)
	if failed := c.failure(); err != nil && failed != nil {
		return d, failed
	}
	return d, err
}

func (a *API) closeSpool(c *call, s *drafts.Spool) {
	if err := s.Close(); err != nil {
		a.log.WarnContext(c.Context(), "give back what was attached", "request_id", c.id, "error", err)
	}
}

// newPreview returns what a send would do.
func newPreview(p service.Preview) api.Preview {
	out := api.Preview{
		DryRun: true, From: p.From, To: wire.PreviewAddresses(p.To), Cc: wire.PreviewAddresses(p.Cc),
		Bcc:     wire.PreviewAddresses(p.Bcc),
		Subject: p.Subject, SizeBytes: p.Size, SendAt: api.Time{Time: p.SendAt}, Reasons: p.Reasons,
		Deliveries: make([]api.PreviewedRoute, len(p.Routes)),
	}
	for i, r := range p.Routes {
		out.Deliveries[i] = api.PreviewedRoute{Recipient: r.Recipient, Route: string(r.Way)}
	}
	return out
}
