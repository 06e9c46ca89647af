package resend

import (
	"encoding/base64"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/mailkin/mailkin/internal/door"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/wire"
)

// downloadTime is how long a download_url works.
const downloadTime = time.Hour

// head is what sent and received messages have in lists.
type head struct {
	Object    string   `json:"object,omitempty"`
	ID        string   `json:"id"`
	MessageID string   `json:"message_id"`
	From      string   `json:"from"`
	To        []string `json:"to"`
	Cc        []string `json:"cc"`
	Bcc       []string `json:"bcc"`
	ReplyTo   []string `json:"reply_to"`
	Subject   string   `json:"subject"`
	CreatedAt *string  `json:"created_at"`
}

// sentMail is a message that was sent.
type sentMail struct {
	head
	ScheduledAt *string `json:"scheduled_at"`
	LastEvent   string  `json:"last_event"`
}

type wholeSent struct {
	sentMail
	HTML *string `json:"html"`
	Text *string `json:"text"`
	Tags []tag   `json:"tags,omitempty"`
}

// lastEvents are the words there for what became of a message, where they are others than ours.
var lastEvents = map[mailbox.DeliveryStatus]string{mailbox.Held: "queued", mailbox.Rejected: "canceled",
	mailbox.Expired: "canceled", mailbox.Captured: "delivered"}

func lastEvent(status string) string {
	if event, ok := lastEvents[mailbox.DeliveryStatus(status)]; ok {
		return event
	}
	return status
}

// shown is a person as programs there read one.
func shown(a mailbox.Address) string {
	switch {
	case a.Name == "":
		return a.Address
	case strings.ContainsAny(a.Name, "\",<>@;:()[]\\\r\n"):
		return a.Text()
	}
	return a.Name + " <" + a.Address + ">"
}

func shownAll(list []mailbox.Address) (out []string) {
	for _, a := range list {
		out = append(out, shown(a))
	}
	return out
}

func bracketed(id string) string {
	if id == "" {
		return ""
	}
	return "<" + id + ">"
}

func headOf(m service.FullMessage) head {
	to := shownAll(m.Detail.To)
	if to == nil {
		to = []string{}
	}
	return head{ID: m.ID.String(), MessageID: bracketed(m.MessageID), From: shown(m.From), To: to,
		Cc: shownAll(m.Detail.Cc), Bcc: shownAll(m.Detail.Bcc), ReplyTo: shownAll(m.Detail.ReplyTo),
		Subject: m.Detail.Subject, CreatedAt: moment(m.ReceivedAt)}
}

func sentOf(m service.FullMessage) sentMail {
	return sentMail{head: headOf(m), ScheduledAt: moment(m.SendAt(m.Detail.Deliveries)),
		LastEvent: lastEvent(m.Status)}
}

// answerPage answers with messages of a direction. One at a time is read, so that of a long one only its row is kept.
func answerPage[T any](e *edge, c *door.Call, d mailbox.Direction, row func(service.FullMessage) T) error {
	p, err := pageOf(c)
	if err != nil {
		return err
	}
	list, err := e.svc.Inbox(c.Context(), c.In, service.InboxQuery{Direction: d, Older: p.after, Newer: p.before,
		Whole: true, Page: service.Page{Limit: p.limit}})
	if err != nil {
		return err
	}
	var rows []T
	for _, m := range list.Items { // none where it was deleted meanwhile
		whole, err := e.svc.Details(c.Context(), c.In, []mailbox.Message{m})
		if err != nil {
			return err
		}
		for _, m := range whole {
			rows = append(rows, row(m))
		}
	}
	return c.JSON(http.StatusOK, listOf(rows, list.Next != ""))
}

func (e *edge) sent(c *door.Call) error { return answerPage(e, c, mailbox.Outbound, sentOf) }

// message finds the message that the path names, which went a way; either where it is empty.
func (e *edge) message(c *door.Call, d mailbox.Direction) (service.FullMessage, error) {
	id, err := idOf(c, "id")
	if err != nil {
		return service.FullMessage{}, err
	}
	m, err := e.svc.Message(c.Context(), c.In, id, service.MessageOptions{})
	if err == nil && m.Direction != d {
		err = mailbox.Errorf(mailbox.NotFound, "not_found", "Email not found")
	}
	return m, err
}

// wholeMessage is message with bodies that are not cut.
func (e *edge) wholeMessage(c *door.Call, d mailbox.Direction) (service.FullMessage, error) {
	m, err := e.message(c, d)
	if err != nil || !m.Detail.TextTruncated && !m.Detail.HTMLTruncated {
		return m, err
	}
	whole, err := e.svc.WholeMessage(c.Context(), c.In, m.ID, service.MessageOptions{})
	if err != nil || whole.Close == nil {
		return m, err
	}
	var text, html strings.Builder
	err = errors.Join(whole.WriteText(&text), whole.WriteHTML(&html), whole.Close())
	m.Detail.Text, m.Detail.HTML = text.String(), html.String()
	return m, err
}

// maxInline is how many bytes of pictures an answer has in its HTML; those beyond keep their cid: references.
const maxInline = 10 << 20

// inline puts the pictures that the HTML shows into it.
func (e *edge) inline(c *door.Call, m *service.FullMessage) error {
	left := int64(maxInline)
	for _, p := range m.Detail.Parts {
		reference := "cid:" + p.ContentID
		if p.ContentID == "" || !strings.HasPrefix(p.ContentType, "image/") || p.Size > left ||
			!strings.Contains(m.Detail.HTML, reference) {
			continue
		}
		content, err := e.bytesOf(c, m.ID.Part(p.Index))
		if err != nil {
			return err
		}
		uri := "data:" + p.ContentType + ";base64," + base64.StdEncoding.EncodeToString(content)
		for _, end := range []string{`"`, `'`, `)`} { // no cid: of which this one is only the beginning
			left -= int64(strings.Count(m.Detail.HTML, reference+end)) * p.Size
			m.Detail.HTML = strings.ReplaceAll(m.Detail.HTML, reference+end, uri+end)
			if left < 0 {
				return nil
			}
		}
	}
	return nil
}

// bytesOf reads an attachment.
func (e *edge) bytesOf(c *door.Call, id mailbox.ID) ([]byte, error) {
	a, err := e.svc.Attachment(c.Context(), c.In, id)
	if err != nil {
		return nil, err
	}
	content, err := io.ReadAll(io.LimitReader(a, maxInline))
	return content, errors.Join(err, a.Close())
}

func (e *edge) sentOne(c *door.Call) error {
	m, err := e.wholeMessage(c, mailbox.Outbound)
	if err != nil {
		return err
	}
	out := wholeSent{sentMail: sentOf(m), HTML: body(asGiven(m.Detail.HTML)),
		Text: body(asGiven(m.Detail.Text))}
	out.Object = "email"
	if m.Detail.TextFromHTML {
		out.Text = nil
	}
	for _, t := range m.Detail.Tags {
		name, value, _ := strings.Cut(t, "=")
		out.Tags = append(out.Tags, tag{name, value})
	}
	return c.JSON(http.StatusOK, out)
}

func body(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// asGiven is a body without the line end that every body of a mail has.
func asGiven(text string) string { return strings.TrimSuffix(text, "\n") }

func (e *edge) reschedule(c *door.Call) error {
	id, err := idOf(c, "id")
	if err != nil {
		return err
	}
	var in struct {
		ScheduledAt string `json:"scheduled_at"`
	}
	if err := c.Read(&in, door.ObjectLimit); err != nil {
		return err
	}
	if in.ScheduledAt == "" {
		return missing("scheduled_at")
	}
	at, err := scheduled(in.ScheduledAt)
	if err != nil {
		return err
	}
	if _, err := e.svc.ChangeMessage(c.Context(), c.In, id, service.MessageChange{SendAt: at}); err != nil {
		return err
	}
	return c.JSON(http.StatusOK, identified{Object: "email", ID: id.String()})
}

func (e *edge) cancel(c *door.Call) error {
	id, err := idOf(c, "id")
	if err != nil {
		return err
	}
	if _, err := e.svc.Cancel(c.Context(), c.In, id, ""); err != nil {
		return err
	}
	return c.JSON(http.StatusOK, identified{Object: "email", ID: id.String()})
}

// fileHead is an attachment in the list of a message that came in.
type fileHead struct {
	ID          string  `json:"id"`
	Filename    *string `json:"filename"`
	Size        int64   `json:"size"`
	ContentType string  `json:"content_type"`
	Disposition *string `json:"content_disposition"`
	ContentID   *string `json:"content_id"`
}

func fileOf(m service.FullMessage, p mailbox.Part) fileHead {
	name, disposition := wire.Filename(p), p.Disposition
	if disposition == "" {
		disposition = "attachment"
	}
	return fileHead{ID: m.ID.Part(p.Index).String(), Filename: &name, Size: p.Size, ContentType: p.ContentType,
		Disposition: &disposition, ContentID: body(p.ContentID)}
}

// linked is something that can be downloaded for a while.
type linked struct {
	DownloadURL string  `json:"download_url"`
	ExpiresAt   *string `json:"expires_at"`
}

func (e *edge) link(c *door.Call, m service.FullMessage, id mailbox.ID) (linked, error) {
	until := time.Now().Add(downloadTime)
	token, err := e.svc.DownloadToken(c.In, m.Mailbox, id, until)
	return linked{c.Address("/download/" + token), moment(until)}, err
}

type linkedFile struct {
	Object string `json:"object,omitempty"`
	fileHead
	linked
}

// filesIn lists the attachments of the message that the path names.
func (e *edge) filesIn(c *door.Call) (list []linkedFile, err error) {
	way := mailbox.Outbound
	if strings.HasPrefix(c.Route.Path, "/emails/receiving/") {
		way = mailbox.Inbound
	}
	m, err := e.message(c, way)
	if err != nil {
		return nil, err
	}
	for _, p := range m.Detail.Parts {
		at, err := e.link(c, m, m.ID.Part(p.Index))
		if err != nil {
			return nil, err
		}
		list = append(list, linkedFile{fileHead: fileOf(m, p), linked: at})
	}
	return list, nil
}

func (e *edge) attachments(c *door.Call) error {
	p, err := pageOf(c)
	if err != nil {
		return err
	}
	list, err := e.filesIn(c)
	if err != nil {
		return err
	}
	rows, more, err := cut(list, p, func(f linkedFile) mailbox.ID { id, _ := mailbox.ParseID(f.ID); return id })
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, listOf(rows, more))
}

func (e *edge) attachment(c *door.Call) error {
	id, err := idOf(c, "part")
	if err != nil {
		return err
	}
	list, err := e.filesIn(c)
	if err != nil {
		return err
	}
	for _, f := range list {
		if f.ID == id.String() {
			f.Object = "attachment"
			return c.JSON(http.StatusOK, f)
		}
	}
	return mailbox.Errorf(mailbox.NotFound, "not_found", "Attachment not found")
}

func (e *edge) download(c *door.Call) error {
	file, err := e.svc.Download(c.Context(), c.Value("token"))
	if err != nil {
		return err
	}
	return c.File(file)
}

// receivedMail is a message that came in.
type receivedMail struct {
	head
	ReceivedFor []string   `json:"received_for"`
	Attachments []fileHead `json:"attachments"`
}

type wholeReceived struct {
	receivedMail
	HTML    *string           `json:"html"`
	Text    *string           `json:"text"`
	Headers map[string]string `json:"headers"`
	Raw     *linked           `json:"raw"`
}

func receivedOf(m service.FullMessage) receivedMail {
	out := receivedMail{head: headOf(m), ReceivedFor: []string{m.Recipient}, Attachments: []fileHead{}}
	for _, p := range m.Detail.Parts {
		out.Attachments = append(out.Attachments, fileOf(m, p))
	}
	for _, list := range []*[]string{&out.Cc, &out.Bcc, &out.ReplyTo} {
		if *list == nil {
			*list = []string{}
		}
	}
	return out
}

func (e *edge) received(c *door.Call) error { return answerPage(e, c, mailbox.Inbound, receivedOf) }

func (e *edge) receivedOne(c *door.Call) error {
	format := c.URL.Query().Get("html_format")
	if format != "" && format != "data_uri" && format != "cid" {
		return door.Refuse(422, "validation_error", "`html_format` is data_uri or cid.")
	}
	m, err := e.wholeMessage(c, mailbox.Inbound)
	if err != nil {
		return err
	}
	if format != "cid" && c.Who().May(mailbox.ReadAttachment) {
		if err := e.inline(c, &m); err != nil {
			return err
		}
	}
	out := wholeReceived{receivedMail: receivedOf(m), HTML: body(m.Detail.HTML), Text: body(m.Detail.Text),
		Headers: make(map[string]string)}
	out.Object = "email"
	for _, f := range m.Detail.Headers {
		name := strings.ToLower(f.Name)
		if _, known := out.Headers[name]; !known {
			out.Headers[name] = f.Value
		}
	}
	if c.Who().May(mailbox.ReadAttachment) {
		raw, err := e.link(c, m, m.ID)
		if err != nil {
			return err
		}
		out.Raw = &raw
	}
	return c.JSON(http.StatusOK, out)
}
