package agentmail

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"path"
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
			Handle: e.send,
			Note:   files + " What is at a `url` is fetched as a webhook is posted; opens are not tracked."},
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

// filesLimit is the most bytes that the attachments of a message have that are fetched.
const filesLimit = 25 << 20

// attachments reads files, and fetches those that are given by their address.
func (e *edge) attachments(c *door.Call, member string, files []sentFile) (list []mailbox.Attachment, err error) {
	left := int64(filesLimit)
	for i, f := range files {
		a := mailbox.Attachment{Filename: f.Filename, ContentType: f.Type, ContentID: strings.Trim(f.ContentID, "<>")}
		switch f.Disposition {
		case "", "attachment":
		case "inline":
			a.Inline = true
		default:
			return nil, invalid(member, "content_disposition is inline or attachment.")
		}
		content, err := e.contentOf(c, f, left, &a)
		if err != nil {
			return nil, badFile(err, member, i+1)
		}
		if f.URL != "" {
			left -= int64(len(content))
		}
		if a.Filename == "" {
			a.Filename = fmt.Sprintf("attachment-%d", i+1)
		}
		a.Size = int64(len(content))
		a.Open = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(content)), nil }
		list = append(list, a)
	}
	return list, nil
}

// contentOf are the bytes of a file; one that is fetched is named after its address where it has no name.
func (e *edge) contentOf(c *door.Call, f sentFile, limit int64, a *mailbox.Attachment) ([]byte, error) {
	switch {
	case f.Content != nil && f.URL != "":
		return nil, errors.New("it has content or url, not both")
	case f.Content != nil:
		b, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(*f.Content, "="))
		if err != nil {
			return nil, errors.New("its content is not base64")
		}
		return b, nil
	case f.URL == "":
		return nil, errors.New("it has neither content nor url")
	}
	b, mediaType, err := e.svc.FetchFile(c.Context(), c.In, f.URL, limit)
	if err != nil {
		return nil, err
	}
	if u, err := url.Parse(f.URL); err == nil && a.Filename == "" && strings.Trim(path.Base(u.Path), "./") != "" {
		a.Filename = path.Base(u.Path)
	}
	if name, _, err := mime.ParseMediaType(mediaType); err == nil && a.ContentType == "" {
		a.ContentType = name
	}
	return b, nil
}

// badFile is what is wrong with the n-th file of a member.
func badFile(err error, member string, n int) error {
	var known *mailbox.Error
	switch {
	case !errors.As(err, &known):
		return invalid(member, "Attachment %d cannot be sent: %v.", n, err)
	case known.Kind == mailbox.Invalid:
		return invalid(member, "Attachment %d cannot be sent: %s", n, known.Message)
	}
	return err
}

// noSubject is the subject of a message that is sent without one.
const noSubject = "(no subject)"

// draft reads a message that is to be sent.
func (e *edge) draft(c *door.Call) (d mailbox.Draft, o outgoing, err error) {
	raw, err := c.Body(sendLimit)
	if err != nil {
		return d, o, err
	}
	if err := door.Decode(raw, &o); err != nil {
		return d, o, err
	}
	d = mailbox.Draft{To: o.To, Cc: o.Cc, Bcc: o.Bcc, ReplyTo: o.ReplyTo, Subject: o.Subject, Text: o.Text,
		HTML: o.HTML, HasText: o.Text != "" || o.HTML == "", HasHTML: o.HTML != "", All: o.ReplyAll, Force: true}
	for name, value := range o.Headers {
		d.Headers = append(d.Headers, mailbox.Field{Name: name, Value: value})
	}
	slices.SortFunc(d.Headers, func(a, b mailbox.Field) int { return strings.Compare(a.Name, b.Name) })
	if err := checkLabels("labels", o.Labels); err != nil {
		return d, o, err
	}
	if d.IdempotencyKey, err = idempotencyKey(c.Header); err != nil {
		return d, o, err
	}
	d.Body = sha256.Sum256(append([]byte(c.Route.Path+" "+c.Value("message")+"\n"), raw...))
	again, err := e.svc.SentBefore(c.Context(), c.In, d)
	if again == nil && err == nil { // files that were fetched may be gone when a request is repeated
		d.Attachments, err = e.attachments(c, "attachments", o.Attachments)
	}
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
