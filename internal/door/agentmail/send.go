package agentmail

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/mailkin/mailkin/internal/door"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

func (e *edge) sendRoutes() []door.Route {
	const files = "Up to 30 MB of JSON."
	return []door.Route{
		{Method: "POST", Path: messagesPath + "/send", Support: door.Partly, Need: mailbox.SendMail, Box: "inbox",
			Handle: e.send, Note: files + " Attachments by `content`, not by `url`; opens are not tracked."},
		{Method: "POST", Path: messagesPath + "/{message}/reply", Support: door.Partly, Need: mailbox.SendMail,
			Box: "inbox", Handle: e.reply, Note: "As `send`."},
		{Method: "POST", Path: messagesPath + "/{message}/reply-all", Support: door.Partly, Need: mailbox.SendMail,
			Box: "inbox", Handle: e.replyAll, Note: "As `send`."},
		{Method: "POST", Path: messagesPath + "/{message}/forward", Support: door.Partly, Need: mailbox.SendMail,
			Box: "inbox", Handle: e.forward, Note: "As `send`."},
	}
}

// sendLimit is the most bytes of a body with attachments: it is in memory while it is read.
const sendLimit = 30_000_000

// outgoing is the JSON of a message to be sent.
type outgoing struct {
	To          words             `json:"to"`
	Cc          words             `json:"cc"`
	Bcc         words             `json:"bcc"`
	ReplyTo     words             `json:"reply_to"`
	ReplyAll    bool              `json:"reply_all"`
	Subject     string            `json:"subject"`
	Text        string            `json:"text"`
	HTML        string            `json:"html"`
	Labels      words             `json:"labels"`
	Headers     map[string]string `json:"headers"`
	Attachments []sentFile        `json:"attachments"`
}

// sentFile is the JSON of an attachment to be sent.
type sentFile struct {
	Filename    string  `json:"filename"`
	Type        string  `json:"content_type"`
	Disposition string  `json:"content_disposition"`
	ContentID   string  `json:"content_id"`
	Content     *string `json:"content"`
	URL         string  `json:"url"`
}

func (f sentFile) attachment(n int) (mailbox.Attachment, error) {
	if f.URL != "" || f.Content == nil {
		return mailbox.Attachment{}, invalid("attachments", "Attachment %d has no content; url is not supported.",
			n)
	}
	b, err := base64.StdEncoding.DecodeString(*f.Content)
	if err != nil {
		return mailbox.Attachment{}, invalid("attachments", "The content of attachment %d is not base64.", n)
	}
	if f.Filename == "" {
		f.Filename = fmt.Sprintf("attachment-%d", n)
	}
	return mailbox.Attachment{Filename: f.Filename, ContentType: f.Type, ContentID: f.ContentID, Size: int64(len(b)),
		Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(b)), nil }}, nil
}

func attachments(files []sentFile) (list []mailbox.Attachment, err error) {
	for i, f := range files {
		a, err := f.attachment(i + 1)
		if err != nil {
			return nil, err
		}
		list = append(list, a)
	}
	return list, nil
}

// noSubject is the subject of a message that is sent without one.
const noSubject = "(no subject)"

// draft reads a message that is to be sent.
func (e *edge) draft(c *door.Call) (d mailbox.Draft, o outgoing, err error) {
	raw, err := c.Body(sendLimit)
	if err != nil {
		return d, o, err
	}
	if len(bytes.TrimSpace(raw)) > 0 && json.Unmarshal(raw, &o) != nil {
		return d, o, door.Refuse(http.StatusBadRequest, "invalid_json", "The body is not JSON, or a member has "+
			"another type.")
	}
	d = mailbox.Draft{To: o.To, Cc: o.Cc, Bcc: o.Bcc, ReplyTo: o.ReplyTo, Subject: o.Subject, Text: o.Text,
		HTML: o.HTML, HasText: o.Text != "" || o.HTML == "", HasHTML: o.HTML != "", All: o.ReplyAll, Force: true}
	for name, value := range o.Headers {
		d.Headers = append(d.Headers, mailbox.Field{Name: name, Value: value})
	}
	slices.SortFunc(d.Headers, func(a, b mailbox.Field) int { return strings.Compare(a.Name, b.Name) })
	if d.Attachments, err = attachments(o.Attachments); err != nil {
		return d, o, err
	}
	for _, l := range o.Labels {
		if _, err := mailbox.ParseLabel("labels", l); err != nil {
			return d, o, err
		}
	}
	d.IdempotencyKey, err = idempotencyKey(c.Header)
	d.Body = sha256.Sum256(append([]byte(c.Route.Path+" "+c.Value("message")+"\n"), raw...))
	return d, o, err
}

const keySigns = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"

func idempotencyKey(h http.Header) (string, error) {
	values := h["Idempotency-Key"]
	if len(values) == 0 {
		return "", nil
	}
	key := values[0]
	if len(values) > 1 || key == "" || len(key) > 255 || strings.Trim(key, keySigns) != "" {
		return "", invalid("Idempotency-Key", "Idempotency-Key has 1 to 255 of A-Z, a-z, 0-9, -, ., _ and ~.")
	}
	return key, nil
}

type verb func(context.Context, service.Access, mailbox.Draft) (service.Sending, error)

// post sends a message, gives it its labels, and answers.
func (e *edge) post(c *door.Call, d mailbox.Draft, labels []string, send verb) error {
	sent, err := send(c.Context(), c.In, d)
	if err != nil {
		return err
	}
	if len(labels) > 0 {
		_, err := e.svc.ChangeMessage(c.Context(), c.In, sent.ID, service.MessageChange{Add: labels})
		if err != nil && mailbox.KindOf(err) != mailbox.NotFound { // it was deleted since
			return err
		}
	}
	return c.JSON(http.StatusOK, newSending(sent))
}

// sendingJSON is the answer to a send.
type sendingJSON struct {
	MessageID string `json:"message_id"`
	ThreadID  string `json:"thread_id"`
}

func newSending(s service.Sending) sendingJSON {
	return sendingJSON{bracketed(s.MessageID), s.Thread.String()}
}

func (e *edge) send(c *door.Call) error {
	d, o, err := e.draft(c)
	if err != nil {
		return err
	}
	if len(d.To)+len(d.Cc)+len(d.Bcc) == 0 {
		return door.Refuse(http.StatusUnprocessableEntity, "no_recipients", "At least one recipient is needed.")
	}
	if strings.TrimSpace(d.Subject) == "" {
		d.Subject = noSubject
	}
	return e.post(c, d, o.Labels, e.svc.Send)
}

// about is draft for a message about another one.
func (e *edge) about(c *door.Call) (d mailbox.Draft, o outgoing, err error) {
	id, err := e.find(c)
	if err != nil {
		return d, o, err
	}
	d, o, err = e.draft(c)
	d.EmailID = id.String()
	return d, o, err
}

func (e *edge) reply(c *door.Call) error {
	d, o, err := e.about(c)
	if err != nil {
		return err
	}
	return e.post(c, d, o.Labels, e.svc.Reply)
}

func (e *edge) replyAll(c *door.Call) error {
	d, o, err := e.about(c)
	if err != nil {
		return err
	}
	d.To, d.Cc, d.Bcc, d.All = nil, nil, nil, true
	return e.post(c, d, o.Labels, e.svc.Reply)
}

func (e *edge) forward(c *door.Call) error {
	d, o, err := e.about(c)
	if err != nil {
		return err
	}
	if len(d.To)+len(d.Cc)+len(d.Bcc) == 0 {
		return door.Refuse(http.StatusUnprocessableEntity, "no_recipients", "At least one recipient is needed.")
	}
	return e.post(c, d, o.Labels, e.svc.Forward)
}
