package agentmail

import (
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"time"

	"github.com/mailkin/mailkin/internal/door"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

func (e *edge) draftRoutes() []door.Route {
	const path = "/v0/inboxes/{inbox}/drafts"
	return []door.Route{
		{Method: "POST", Path: path, Support: door.Partly, Need: mailbox.DraftMail, Box: "inbox",
			Handle: e.createDraft, Note: "`client_id` is not kept. With `send_at` it is sent then."},
		{Method: "GET", Path: path, Support: door.Yes, Need: mailbox.DraftMail, Box: "inbox", Handle: e.drafts},
		{Method: "GET", Path: path + "/{draft}", Support: door.Yes, Need: mailbox.DraftMail, Box: "inbox",
			Handle: e.showDraft},
		{Method: "PATCH", Path: path + "/{draft}", Support: door.Yes, Need: mailbox.DraftMail, Box: "inbox",
			Handle: e.changeDraft, Note: "Of a draft that is scheduled, only `send_at`."},
		{Method: "DELETE", Path: path + "/{draft}", Support: door.Yes, Need: mailbox.DraftMail, Box: "inbox",
			Handle: e.deleteDraft},
		{Method: "POST", Path: path + "/{draft}/send", Support: door.Yes, Need: mailbox.SendMail, Box: "inbox",
			Handle: e.sendDraft},
		{Method: "GET", Path: path + "/{draft}/attachments/{attachment}", Support: door.No,
			Note: "Attachments of drafts cannot be downloaded."},
		{Method: "GET", Path: "/v0/drafts", Support: door.Partly, Need: mailbox.DraftMail, Handle: e.drafts,
			Note: "Of the newest 100 inboxes of the key; on one page where there are several."},
		{Method: "GET", Path: "/v0/drafts/{draft}", Support: door.Yes, Need: mailbox.DraftMail, Handle: e.showDraft},
	}
}

// draftJSON is the JSON of a draft. Its labels are the tags of ours.
type draftJSON struct {
	InboxID     string     `json:"inbox_id"`
	DraftID     string     `json:"draft_id"`
	Labels      []string   `json:"labels"`
	ReplyTo     []string   `json:"reply_to,omitempty"`
	To          []string   `json:"to,omitempty"`
	Cc          []string   `json:"cc,omitempty"`
	Bcc         []string   `json:"bcc,omitempty"`
	Subject     string     `json:"subject,omitempty"`
	Preview     string     `json:"preview,omitempty"`
	Text        string     `json:"text,omitempty"`
	HTML        string     `json:"html,omitempty"`
	Attachments []file     `json:"attachments,omitempty"`
	InReplyTo   string     `json:"in_reply_to,omitempty"`
	ForwardOf   string     `json:"forward_of,omitempty"`
	SendStatus  string     `json:"send_status,omitempty"`
	SendAt      *time.Time `json:"send_at,omitempty"`
	UpdatedAt   time.Time  `json:"updated_at"`
	CreatedAt   time.Time  `json:"created_at"`
}

func newDraft(d service.FullDraft) draftJSON {
	out := draftJSON{InboxID: d.Address, DraftID: d.ID.String(), Labels: append([]string{}, d.Tags...),
		ReplyTo: d.ReplyTo, To: d.To, Cc: d.Cc, Bcc: d.Bcc, Subject: d.Subject, Preview: d.Snippet, Text: d.Text,
		HTML: d.HTML, UpdatedAt: d.UpdatedAt, CreatedAt: d.CreatedAt}
	for _, f := range d.Files {
		out.Attachments = append(out.Attachments, file{ID: d.ID.Part(f.N).String(), Filename: f.Filename, Size: f.Size,
			Type: f.ContentType, ContentID: f.ContentID})
	}
	switch {
	case d.Reply:
		out.InReplyTo = d.EmailID
	case d.Forward:
		out.ForwardOf = d.EmailID
	}
	if at := d.SendAt; !at.IsZero() {
		out.SendAt = &at
	}
	return out
}

// draftBody is the JSON of a draft to be kept, or of what is to be changed.
type draftBody struct {
	To           words      `json:"to"`
	Cc           words      `json:"cc"`
	Bcc          words      `json:"bcc"`
	ReplyTo      words      `json:"reply_to"`
	Subject      string     `json:"subject"`
	Text         string     `json:"text"`
	HTML         string     `json:"html"`
	Labels       words      `json:"labels"`
	Attachments  []sentFile `json:"attachments"`
	SendAt       instant    `json:"send_at"`
	InReplyTo    string     `json:"in_reply_to"`
	ReplyAll     bool       `json:"reply_all"`
	ForwardOf    string     `json:"forward_of"`
	AddLabels    words      `json:"add_labels"`
	RemoveLabels words      `json:"remove_labels"`
	AddFiles     []sentFile `json:"add_attachments"`
	RemoveFiles  []string   `json:"remove_attachments"`
}

// edit reads a body; a member that is null is given, and empty.
func (e *edge) edit(c *door.Call) (edit mailbox.DraftEdit, body draftBody, err error) {
	raw, err := c.Body(sendLimit)
	if err != nil {
		return edit, body, err
	}
	given := map[string]json.RawMessage{}
	if err := door.Decode(raw, &given); err != nil {
		return edit, body, err
	}
	if err := door.Decode(raw, &body); err != nil {
		return edit, body, err
	}
	for member, labels := range map[string]words{"labels": body.Labels, "add_labels": body.AddLabels} {
		if err := checkLabels(member, labels); err != nil {
			return edit, body, err
		}
	}
	for _, name := range []string{"to", "cc", "bcc", "reply_to", "subject", "text", "html", "send_at"} {
		if given[name] != nil {
			edit.Given = append(edit.Given, name)
		}
	}
	edit.Draft = mailbox.Draft{To: body.To, Cc: body.Cc, Bcc: body.Bcc, ReplyTo: body.ReplyTo, Subject: body.Subject,
		Text: body.Text, HasText: body.Text != "", HTML: body.HTML, HasHTML: body.HTML != "", SendAt: body.SendAt.Time,
		Tags: body.Labels, All: body.ReplyAll, Force: true}
	for name, about := range map[string]string{"reply": body.InReplyTo, "forward": body.ForwardOf} {
		if about == "" {
			continue
		}
		id, err := e.svc.FindMessage(c.Context(), c.In, about)
		if err != nil {
			return edit, body, err
		}
		edit.EmailID = id.String()
		edit.Reply, edit.Forward = edit.Reply || name == "reply", edit.Forward || name == "forward"
		edit.Given = append(edit.Given, "email_id", name, "all", "force")
	}
	return edit, body, nil
}

func (e *edge) createDraft(c *door.Call) error {
	edit, body, err := e.edit(c)
	if err != nil {
		return err
	}
	if edit.Attachments, err = e.attachments(c, "attachments", body.Attachments); err != nil {
		return err
	}
	edit.Given = append(edit.Given, "tags", "attachments")
	later := edit.SendAt.After(time.Now())
	if later { // it is to be sent: that is another leave
		if err := c.EnterFor(mailbox.SendMail, c.Value("inbox")); err != nil {
			return err
		}
	}
	d, err := e.svc.CreateDraft(c.Context(), c.In, edit)
	if err != nil {
		return err
	}
	out := newDraft(d)
	if later {
		if _, err := e.dispatch(c, d, nil); err != nil {
			return errors.Join(err, e.svc.DeleteDraft(c.Context(), c.In, mailbox.DraftRef{ID: d.ID}))
		}
		out.SendStatus = scheduled
	}
	return c.JSON(http.StatusOK, out)
}

// drafts lists those that are kept, and with them on the first page those that are scheduled.
func (e *edge) drafts(c *door.Call) error {
	p, err := page(c)
	if err != nil {
		return err
	}
	rows, out := []draftJSON{}, paged{Limit: p.Limit}
	err = e.eachOpen(c, func(only bool) (bool, error) {
		if p.Cursor == "" {
			waiting, err := e.scheduled(c)
			if err != nil {
				return true, err
			}
			rows = append(rows, waiting...)
		}
		found, err := e.svc.Drafts(c.Context(), c.In, service.DraftsQuery{Page: p})
		if rows = append(rows, each(found.Items, newDraft)...); only {
			out.Next = found.Next
		}
		return false, err
	})
	if err != nil {
		return err
	}
	out.Count = len(rows)
	return c.JSON(http.StatusOK, struct {
		paged
		Drafts []draftJSON `json:"drafts"`
	}{out, rows})
}

// scheduled are the drafts whose messages wait to be sent.
func (e *edge) scheduled(c *door.Call) (rows []draftJSON, err error) {
	q := service.DraftsQuery{Status: "sent", Page: service.Page{Limit: pageMost}}
	sent, err := e.svc.Drafts(c.Context(), c.In, q)
	for _, d := range sent.Items {
		if err != nil {
			return nil, err
		}
		var waits bool
		if waits, err = e.waits(c, &d); waits {
			row := newDraft(d)
			row.SendStatus = scheduled
			rows = append(rows, row)
		}
	}
	return rows, err
}

// waits tells whether the message that a draft was is still to be sent. The draft itself has given its content up: it
// is filled in from the message.
func (e *edge) waits(c *door.Call, d *service.FullDraft) (bool, error) {
	m, err := e.svc.Message(c.Context(), c.In, d.Sent.Message, service.MessageOptions{})
	if err != nil && mailbox.KindOf(err) == mailbox.NotFound {
		return false, nil
	}
	if err != nil || mailbox.DeliveryStatus(m.Status) != mailbox.Scheduled {
		return false, err
	}
	d.To, d.Cc, d.Bcc, d.ReplyTo = texts(m.Detail.To), texts(m.Detail.Cc), texts(m.Detail.Bcc), texts(m.Detail.ReplyTo)
	d.Subject, d.Text, d.HTML, d.Snippet, d.Tags = m.Subject, m.Detail.Text, m.Detail.HTML, m.Snippet, m.Labels
	if sent := m.Detail.Deliveries; len(sent) > 0 {
		d.SendAt = sent[0].QueuedAt
	}
	return true, nil
}

// enterDraft finds the draft that the path names, and enters its mailbox where the path does not say which.
func (e *edge) enterDraft(c *door.Call) (d service.FullDraft, err error) {
	id, ok := mailbox.ParseID(c.Value("draft"))
	if !ok {
		return d, notFound("draft")
	}
	if c.Route.Box == "" {
		address, err := e.svc.DraftBox(c.Context(), id)
		if err := enterAt(c, address, err, "draft"); err != nil {
			return d, err
		}
	}
	if d, err = e.svc.Draft(c.Context(), c.In, id); err != nil || d.Sent == nil {
		return d, err
	}
	waits, err := e.waits(c, &d)
	if err == nil && !waits {
		err = notFound("draft")
	}
	return d, err
}

func (e *edge) showDraft(c *door.Call) error {
	d, err := e.enterDraft(c)
	if err != nil {
		return err
	}
	out := newDraft(d)
	if d.Sent != nil {
		out.SendStatus = scheduled
	}
	return c.JSON(http.StatusOK, out)
}

// changeScheduled changes when a draft is sent that is scheduled.
func (e *edge) changeScheduled(c *door.Call, d service.FullDraft, edit mailbox.DraftEdit) error {
	if !slices.Equal(edit.Given, []string{"send_at"}) {
		return door.Refuse(http.StatusConflict, "conflict", "The draft is scheduled: only send_at can be changed.")
	}
	if err := c.EnterFor(mailbox.SendMail, c.Value("inbox")); err != nil {
		return err
	}
	change := service.MessageChange{SendAt: edit.SendAt}
	if _, err := e.svc.ChangeMessage(c.Context(), c.In, d.Sent.Message, change); err != nil {
		return err
	}
	out := newDraft(d)
	out.SendStatus, out.SendAt = scheduled, &edit.SendAt
	return c.JSON(http.StatusOK, out)
}

func (e *edge) changeDraft(c *door.Call) error {
	d, err := e.enterDraft(c)
	if err != nil {
		return err
	}
	edit, body, err := e.edit(c)
	if err != nil {
		return err
	}
	if d.Sent != nil {
		return e.changeScheduled(c, d, edit)
	}
	edit.Version, edit.Tags = d.Version, relabel(d.Tags, body)
	edit.Given = append(edit.Given, "tags")
	if d, err = e.svc.EditDraft(c.Context(), c.In, d.ID, edit); err == nil {
		d, err = e.changeFiles(c, d, body)
	}
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, newDraft(d))
}

// changeFiles takes attachments off a draft, and adds others.
func (e *edge) changeFiles(c *door.Call, d service.FullDraft, body draftBody) (service.FullDraft, error) {
	add, err := e.attachments(c, "add_attachments", body.AddFiles)
	for _, name := range body.RemoveFiles {
		id, ok := mailbox.ParseID(name)
		whole, n := id.Whole()
		if err == nil && (!ok || whole != d.ID) {
			err = notFound("attachment")
		}
		if err == nil {
			d, err = e.svc.DetachFromDraft(c.Context(), c.In, mailbox.DraftRef{ID: d.ID}, n)
		}
	}
	if err == nil && len(add) > 0 {
		d, err = e.svc.AttachToDraft(c.Context(), c.In, mailbox.DraftRef{ID: d.ID}, add)
	}
	return d, err
}

// relabel changes the labels of a draft.
func relabel(labels []string, body draftBody) []string {
	labels = slices.DeleteFunc(append(slices.Clone(labels), body.AddLabels...), func(l string) bool {
		return slices.Contains(body.RemoveLabels, l)
	})
	slices.Sort(labels)
	return slices.Compact(labels)
}

func (e *edge) deleteDraft(c *door.Call) error {
	d, err := e.enterDraft(c)
	switch {
	case err != nil:
	case d.Sent != nil:
		_, err = e.svc.Cancel(c.Context(), c.In, d.Sent.Message, "")
	default:
		err = e.svc.DeleteDraft(c.Context(), c.In, mailbox.DraftRef{ID: d.ID})
	}
	if err != nil {
		return err
	}
	return done(c)
}

func (e *edge) sendDraft(c *door.Call) error {
	var body draftBody
	if err := c.Read(&body, door.ObjectLimit); err != nil {
		return err
	}
	id, ok := mailbox.ParseID(c.Value("draft"))
	if !ok {
		return notFound("draft")
	}
	d, err := e.svc.Draft(c.Context(), c.In, id)
	if err != nil {
		return err
	}
	sent, err := e.dispatch(c, d, relabel(d.Tags, body))
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, newSending(sent))
}

// dispatch sends a draft, and gives the message its labels; none: those of the draft.
func (e *edge) dispatch(c *door.Call, d service.FullDraft, labels []string) (sent service.Sending, err error) {
	if labels == nil {
		labels = d.Tags
	}
	if d.Sent == nil {
		if err := e.completeDraft(c, d); err != nil {
			return sent, err
		}
	}
	sent, err = e.svc.SendDraft(c.Context(), c.In, service.DraftSend{DraftRef: mailbox.DraftRef{ID: d.ID}})
	if err != nil || len(labels) == 0 || d.Sent != nil {
		return sent, err
	}
	_, err = e.svc.ChangeMessage(c.Context(), c.In, sent.ID, service.MessageChange{Add: labels})
	return sent, err
}

// completeDraft gives a draft what a message here must have.
func (e *edge) completeDraft(c *door.Call, d service.FullDraft) error {
	edit := mailbox.DraftEdit{Version: d.Version, Draft: mailbox.Draft{Subject: noSubject, HasText: true}}
	if d.Subject == "" && !d.Reply && !d.Forward {
		edit.Given = append(edit.Given, "subject")
	}
	if !d.HasText && !d.HasHTML {
		edit.Given = append(edit.Given, "text")
	}
	if len(edit.Given) == 0 {
		return nil
	}
	_, err := e.svc.EditDraft(c.Context(), c.In, d.ID, edit)
	return err
}
