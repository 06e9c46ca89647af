package agentmail

import (
	"html"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/mailkin/mailkin/internal/door"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

const messagesPath = "/v0/inboxes/{inbox}/messages"

func (e *edge) messageRoutes() []door.Route {
	return []door.Route{
		{Method: "GET", Path: messagesPath, Support: door.Yes, Need: mailbox.ReadMail, Box: "inbox", Handle: e.messages,
			Note: "`to` looks at the first recipient and at the address that the message came to."},
		{Method: "GET", Path: messagesPath + "/search", Support: door.Yes, Need: mailbox.ReadMail, Box: "inbox",
			Handle: e.search, Note: "By words, with the query language of `/v1/search`; the best come first."},
		{Method: "POST", Path: messagesPath + "/batch-get", Support: door.Yes, Need: mailbox.ReadMail, Box: "inbox",
			Handle: e.batchGet},
		{Method: "POST", Path: messagesPath + "/batch-update", Support: door.Yes, Need: mailbox.ChangeMail,
			Box: "inbox", Handle: e.batchUpdate, Note: "One by one, not all or none."},
		{Method: "GET", Path: messagesPath + "/{message}", Support: door.Yes, Need: mailbox.ReadMail, Box: "inbox",
			Handle: e.message, Note: "Bodies of up to 1 MB; `raw` has all of it."},
		{Method: "PATCH", Path: messagesPath + "/{message}", Support: door.Yes, Need: mailbox.ChangeMail, Box: "inbox",
			Handle: e.changeMessage, Note: "Labels are 1 to 32 of `a-z0-9_-`."},
		{Method: "DELETE", Path: messagesPath + "/{message}", Support: door.Yes, Need: mailbox.ChangeMail, Box: "inbox",
			Handle: e.deleteMessage, Note: "At once and for good: there is no trash."},
		{Method: "GET", Path: messagesPath + "/{message}/raw", Support: door.Yes, Need: mailbox.ReadAttachment,
			Box: "inbox", Handle: e.raw},
		{Method: "GET", Path: messagesPath + "/{message}/attachments/{attachment}", Support: door.Yes,
			Need: mailbox.ReadAttachment, Box: "inbox", Handle: e.attachment},
	}
}

// item is the JSON of a message in a list.
type item struct {
	InboxID     string            `json:"inbox_id"`
	ThreadID    string            `json:"thread_id"`
	MessageID   string            `json:"message_id"`
	Labels      []string          `json:"labels"`
	Timestamp   time.Time         `json:"timestamp"`
	From        string            `json:"from"`
	To          []string          `json:"to"`
	Cc          []string          `json:"cc,omitempty"`
	Bcc         []string          `json:"bcc,omitempty"`
	Subject     string            `json:"subject,omitempty"`
	Preview     string            `json:"preview,omitempty"`
	Attachments []file            `json:"attachments,omitempty"`
	InReplyTo   string            `json:"in_reply_to,omitempty"`
	References  []string          `json:"references,omitempty"`
	Headers     map[string]string `json:"headers,omitempty"`
	Size        int64             `json:"size"`
	UpdatedAt   time.Time         `json:"updated_at"`
	CreatedAt   time.Time         `json:"created_at"`

	Highlights map[string][]string `json:"highlights,omitempty"`
}

// message is the JSON of a whole message.
type message struct {
	item
	ReplyTo       []string `json:"reply_to,omitempty"`
	Text          string   `json:"text,omitempty"`
	HTML          string   `json:"html,omitempty"`
	ExtractedText string   `json:"extracted_text,omitempty"`
	ExtractedHTML string   `json:"extracted_html,omitempty"`
}

// file is the JSON of an attachment.
type file struct {
	ID          string `json:"attachment_id"`
	Filename    string `json:"filename,omitempty"`
	Size        int64  `json:"size"`
	Type        string `json:"content_type,omitempty"`
	Disposition string `json:"content_disposition,omitempty"`
	ContentID   string `json:"content_id,omitempty"`
}

func newFile(id mailbox.ID, p mailbox.Part) file {
	return file{ID: id.Part(p.Index).String(), Filename: p.Filename, Size: p.Size, Type: p.ContentType,
		Disposition: p.Disposition, ContentID: p.ContentID}
}

func texts(list []mailbox.Address) []string {
	return each(list, func(a mailbox.Address) string { return person(a) })
}

// person writes an address as a header does.
func person(a mailbox.Address) string {
	if strings.ContainsAny(a.Name, `"\()<>[]:;@,.`) {
		return a.Text()
	}
	if a.Name == "" {
		return a.Address
	}
	return a.Name + " <" + a.Address + ">"
}

// named is a Message-ID as they write it; a message that has none is named by its id.
func named(m mailbox.Message) string {
	if m.MessageID == "" {
		return m.ID.String()
	}
	return "<" + m.MessageID + ">"
}

func bracketed(id string) string {
	if id == "" {
		return ""
	}
	return "<" + id + ">"
}

func newItem(m service.FullMessage) item {
	d := m.Detail
	to := texts(d.To)
	if len(to) == 0 && m.To != "" {
		to = []string{m.To}
	}
	out := item{InboxID: m.Address, ThreadID: m.Thread.String(), MessageID: named(m.Message),
		Labels: labelsOf(m.Message), Timestamp: m.ReceivedAt, From: person(m.From), To: to,
		Cc: texts(d.Cc), Bcc: texts(d.Bcc), Subject: m.Subject, Preview: m.Snippet,
		InReplyTo: bracketed(d.InReplyTo), References: each(d.References, bracketed), Size: m.Size,
		UpdatedAt: m.ReceivedAt, CreatedAt: m.ReceivedAt, Headers: map[string]string{}}
	for _, p := range d.Parts {
		out.Attachments = append(out.Attachments, newFile(m.ID, p))
	}
	for _, f := range slices.Backward(d.Headers) { // of several the first counts
		out.Headers[f.Name] = f.Value
	}
	return out
}

func newMessage(m service.FullMessage) message {
	d := m.Detail
	out := message{item: newItem(m), ReplyTo: texts(d.ReplyTo), Text: d.Text, HTML: d.HTML, ExtractedText: d.ReplyText}
	if d.HTML != "" && d.ReplyText != "" {
		out.ExtractedHTML = "<div>" + strings.ReplaceAll(html.EscapeString(d.ReplyText), "\n", "<br>\n") + "</div>"
	}
	return out
}

func (e *edge) messages(c *door.Call) error {
	q, err := selection(c, "from", "to")
	if err != nil {
		return err
	}
	found, err := e.svc.Select(c.Context(), c.In, q)
	if err != nil {
		return err
	}
	full, err := e.svc.Details(c.Context(), c.In, found.Items)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, struct {
		paged
		Messages []item `json:"messages"`
	}{paged{len(full), q.Page.Limit, seal(c, found.Next)}, each(full, newItem)})
}

// found searches the mailbox, and gives rows with what was found in each.
func (e *edge) found(c *door.Call, p service.Page) (list service.List[item], err error) {
	// By words: by their meaning, every message of a small inbox is near enough.
	q := service.InboxQuery{Query: c.URL.Query().Get("q"), Mode: "keyword", Page: p}
	if strings.TrimSpace(q.Query) == "" {
		return list, invalid("q", "q is needed: what to look for.")
	}
	if q.Until, err = moment(c, "before"); err != nil {
		return list, err
	}
	if q.Since, err = moment(c, "after"); err != nil {
		return list, err
	}
	without, err := concealed(c, nil)
	if err != nil {
		return list, err
	}
	hits, err := e.svc.Search(c.Context(), c.In, q)
	if err != nil {
		return list, err
	}
	for _, hit := range hits.Items {
		if slices.ContainsFunc(hit.Labels, func(l string) bool { return slices.Contains(without, l) }) {
			continue // the page is a shorter one
		}
		full, err := e.svc.Details(c.Context(), c.In, []mailbox.Message{hit.Message})
		if err != nil {
			return list, err
		}
		for _, m := range full {
			row := newItem(m)
			row.Highlights = highlights(hit)
			list.Items = append(list.Items, row)
		}
	}
	list.Next = hits.Next
	return list, nil
}

func highlights(hit service.Found) map[string][]string {
	out := make(map[string][]string)
	for _, h := range hit.Highlights {
		marked, last := "", 0
		for _, span := range h.Spans {
			marked += h.Text[last:span.Start] + "**" + h.Text[span.Start:span.End] + "**"
			last = span.End
		}
		out[h.Field] = append(out[h.Field], marked+h.Text[last:])
	}
	return out
}

func (e *edge) search(c *door.Call) error {
	p, err := page(c)
	if err != nil {
		return err
	}
	list, err := e.found(c, p)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, struct {
		paged
		Messages []item `json:"messages"`
	}{newPaged(c, list, p), append([]item{}, list.Items...)})
}

// find is the id of the message that the path names.
func (e *edge) find(c *door.Call) (mailbox.ID, error) {
	return e.svc.FindMessage(c.Context(), c.In, c.Value("message"))
}

// read reads the message that the path names.
func (e *edge) read(c *door.Call) (m service.FullMessage, err error) {
	id, err := e.find(c)
	if err != nil {
		return m, err
	}
	return e.svc.Message(c.Context(), c.In, id, service.MessageOptions{})
}

func (e *edge) message(c *door.Call) error {
	m, err := e.read(c)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, newMessage(m))
}

func (e *edge) changeMessage(c *door.Call) error {
	id, err := e.find(c)
	if err != nil {
		return err
	}
	change, err := readChange(c)
	if err != nil {
		return err
	}
	m, err := e.svc.ChangeMessage(c.Context(), c.In, id, change)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, relabeled{MessageID: named(m.Message), Labels: labelsOf(m.Message)})
}

// relabeled is the JSON of a message whose labels were changed.
type relabeled struct {
	MessageID string   `json:"message_id"`
	Labels    []string `json:"labels"`
}

func (e *edge) deleteMessage(c *door.Call) error {
	id, err := e.find(c)
	if err == nil {
		err = e.svc.DeleteMessage(c.Context(), c.In, id)
	}
	if err != nil {
		return err
	}
	return done(c)
}

const (
	batchGetMost    = 500
	batchUpdateMost = 50
)

// batch reads which messages are meant; those that are not there are left out.
func (e *edge) batch(c *door.Call, ids []string, most int) (found []mailbox.ID, err error) {
	sorted := slices.Sorted(slices.Values(ids))
	switch {
	case len(ids) == 0 || len(ids) > most:
		return nil, invalid("message_ids", "Name 1 to %d messages.", most)
	case len(slices.Compact(sorted)) < len(ids):
		return nil, invalid("message_ids", "A message is named twice.")
	}
	for _, name := range ids {
		id, err := e.svc.FindMessage(c.Context(), c.In, name)
		switch {
		case err == nil:
			found = append(found, id)
		case mailbox.KindOf(err) != mailbox.NotFound:
			return nil, err
		}
	}
	return found, nil
}

func (e *edge) batchGet(c *door.Call) error {
	var body struct {
		IDs []string `json:"message_ids"`
	}
	if err := c.Read(&body, door.ObjectLimit); err != nil {
		return err
	}
	ids, err := e.batch(c, body.IDs, batchGetMost)
	if err != nil {
		return err
	}
	list := []item{}
	for _, id := range ids {
		m, err := e.svc.Message(c.Context(), c.In, id, service.MessageOptions{})
		switch {
		case err == nil:
			list = append(list, newItem(m))
		case mailbox.KindOf(err) != mailbox.NotFound:
			return err
		}
	}
	return c.JSON(http.StatusOK, struct {
		Limit    int    `json:"limit"`
		Count    int    `json:"count"`
		Messages []item `json:"messages"`
	}{len(body.IDs), len(list), list})
}

func (e *edge) batchUpdate(c *door.Call) error {
	var body struct {
		IDs []string `json:"message_ids"`
		relabeling
	}
	if err := c.Read(&body, door.ObjectLimit); err != nil {
		return err
	}
	change, err := body.change()
	if err != nil {
		return err
	}
	ids, err := e.batch(c, body.IDs, batchUpdateMost)
	if err != nil {
		return err
	}
	list := []relabeled{}
	for _, id := range ids {
		m, err := e.svc.ChangeMessage(c.Context(), c.In, id, change)
		switch {
		case err == nil:
			list = append(list, relabeled{named(m.Message), labelsOf(m.Message)})
		case mailbox.KindOf(err) != mailbox.NotFound:
			return err
		}
	}
	return c.JSON(http.StatusOK, struct {
		Limit   int         `json:"limit"`
		Count   int         `json:"count"`
		Updates []relabeled `json:"updates"`
	}{len(body.IDs), len(list), list})
}
