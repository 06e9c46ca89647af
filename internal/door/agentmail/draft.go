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
		{Method: "POST", Path: path, Support: door.Yes, Need: mailbox.DraftMail, Box: "inbox",
			Handle: e.createDraft, Note: "With `send_at` it is sent then."},
		{Method: "GET", Path: path, Support: door.Yes, Need: mailbox.DraftMail, Box: "inbox", Handle: e.drafts},
		{Method: "GET", Path: path + "/{draft}", Support: door.Yes, Need: mailbox.DraftMail, Box: "inbox",
			Handle: e.showDraft},
		{Method: "PATCH", Path: path + "/{draft}", Support: door.Yes, Need: mailbox.DraftMail, Box: "inbox",
			Handle: e.changeDraft, Note: "Of a draft that is scheduled, only `send_at`."},
		{Method: "DELETE", Path: path + "/{draft}", Support: door.Yes, Need: mailbox.DraftMail, Box: "inbox",
			Handle: e.deleteDraft},
		{Method: "POST", Path: path + "/{draft}/send", Support: door.Yes, Need: mailbox.SendMail, Box: "inbox",
			Handle: e.sendDraft},
		{Method: "GET", Path: path + "/{draft}/attachments/{attachment}", Support: door.Yes, Need: mailbox.DraftMail,
			Box: "inbox", Handle: e.draftAttachment},
		{Method: "GET", Path: "/v0/drafts", Support: door.Partly, Need: mailbox.DraftMail, Handle: e.drafts,
			Note: "Inbox by inbox, of the newest 1,000 of the key."},
		{Method: "GET", Path: "/v0/drafts/{draft}", Support: door.Yes, Need: mailbox.DraftMail, Handle: e.showDraft},
		{Method: "GET", Path: "/v0/drafts/{draft}/attachments/{attachment}", Support: door.Yes, Need: mailbox.DraftMail,
			Handle: e.draftAttachment},
	}
}

// draftJSON is the JSON of a draft. Its labels are the tags of ours.
type draftJSON struct {
	InboxID     string     `json:"inbox_id"`
	DraftID     string     `json:"draft_id"`
	ClientID    string     `json:"client_id,omitempty"`
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
	References  []string   `json:"references,omitempty"`
	SendStatus  string     `json:"send_status,omitempty"`
	SendAt      *time.Time `json:"send_at,omitempty"`
	UpdatedAt   time.Time  `json:"updated_at"`
	CreatedAt   time.Time  `json:"created_at"`
}

// newDraft is a draft in their JSON.
func (e *edge) newDraft(c *door.Call, d service.FullDraft) (draftJSON, error) {
	out := draftJSON{InboxID: d.Address, DraftID: d.ID.String(), ClientID: d.ClientID,
		Labels: append([]string{}, d.Tags...), ReplyTo: d.ReplyTo, To: d.To, Cc: d.Cc, Bcc: d.Bcc, Subject: d.Subject,
		Preview: d.Snippet, Text: d.Text, HTML: d.HTML, UpdatedAt: d.UpdatedAt, CreatedAt: d.CreatedAt}
	for _, f := range d.Files {
		row := file{ID: d.ID.Part(f.N).String(), Filename: f.Filename, Size: f.Size, Type: f.ContentType,
			ContentID: f.ContentID, Disposition: "attachment"}
		if f.Inline {
			row.Disposition = "inline"
		}
		out.Attachments = append(out.Attachments, row)
	}
	if at := d.SendAt; !at.IsZero() {
		out.SendAt = &at
	}
	return out, e.relate(c, d, &out)
}

// relate names the message that a draft is about; one that is gone has its id alone.
func (e *edge) relate(c *door.Call, d service.FullDraft, out *draftJSON) error {
	id, ok := mailbox.ParseID(d.EmailID)
	if !ok {
		return nil
	}
	name := d.EmailID
	m, err := e.svc.Message(c.Context(), c.In, id, service.MessageOptions{})
	switch {
	case err == nil:
		name = named(m.Message)
		if d.Reply && m.MessageID != "" {
			out.References = append(each(m.Detail.References, bracketed), name)
		}
	case mailbox.KindOf(err) != mailbox.NotFound:
		return err
	}
	if d.Reply {
		out.InReplyTo = name
	} else {
		out.ForwardOf = name
	}
	return nil
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
	ClientID     string     `json:"client_id"`
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
	edit.ClientID = body.ClientID
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
	later := !edit.SendAt.IsZero()
	if err := enterToSend(c, later); err != nil {
		return err
	}
	d, err := e.svc.CreateDraft(c.Context(), c.In, edit)
	if err != nil {
		return err
	}
	if d.Sent != nil { // it was made before
		return e.showMade(c, d)
	}
	if later { // also where a stop came between making and sending it
		if _, err := e.dispatch(c, d, nil); err != nil {
			if !d.Replayed {
				err = errors.Join(err, e.svc.DeleteDraft(c.Context(), c.In, mailbox.DraftRef{ID: d.ID}))
			}
			return err
		}
	}
	out, err := e.newDraft(c, d)
	if later {
		out.SendStatus = scheduled
	}
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, out)
}

// enterToSend asks for the leave to send, which is another than that to write drafts, where something is to be sent.
func enterToSend(c *door.Call, sends bool) error {
	if !sends {
		return nil
	}
	return c.EnterFor(mailbox.SendMail, c.Value("inbox"))
}

// showMade answers with a draft that was made before under the same client_id, and is scheduled.
func (e *edge) showMade(c *door.Call, d service.FullDraft) error {
	waits, err := e.waits(c, &d)
	if err == nil && !waits {
		err = door.Refuse(http.StatusConflict, "already_exists", "The draft with this client_id was sent.")
	}
	if err != nil {
		return err
	}
	return e.answerDraft(c, d)
}

// answerDraft answers with a draft; one that was sent is scheduled.
func (e *edge) answerDraft(c *door.Call, d service.FullDraft) error {
	out, err := e.newDraft(c, d)
	if err != nil {
		return err
	}
	if d.Sent != nil {
		out.SendStatus = scheduled
	}
	return c.JSON(http.StatusOK, out)
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
	return e.answerDraft(c, d)
}

// draftAttachment says where an attachment of a draft can be had. Those of one that is scheduled are its message's.
func (e *edge) draftAttachment(c *door.Call) error {
	d, err := e.enterDraft(c)
	if err != nil {
		return err
	}
	out, err := e.newDraft(c, d)
	if err != nil {
		return err
	}
	for _, f := range out.Attachments {
		if f.ID != c.Value("attachment") {
			continue
		}
		id, _ := mailbox.ParseID(f.ID)
		to, err := e.link(c, id)
		if err != nil {
			return err
		}
		return c.JSON(http.StatusOK, struct {
			file
			link
		}{f, to})
	}
	return notFound("attachment")
}

// changeScheduled changes when a draft is sent that is scheduled.
func (e *edge) changeScheduled(c *door.Call, d service.FullDraft, edit mailbox.DraftEdit) error {
	if !slices.Equal(edit.Given, []string{"send_at"}) {
		return door.Refuse(http.StatusConflict, "conflict", "The draft is scheduled: only send_at can be changed.")
	}
	if edit.SendAt.IsZero() {
		return door.Refuse(http.StatusConflict, "conflict", "The draft is scheduled: delete it to call it off.")
	}
	if err := enterToSend(c, true); err != nil {
		return err
	}
	change := service.MessageChange{SendAt: edit.SendAt}
	if _, err := e.svc.ChangeMessage(c.Context(), c.In, d.Sent.Message, change); err != nil {
		return err
	}
	d.SendAt, d.UpdatedAt = edit.SendAt, time.Now().UTC().Truncate(time.Second)
	return e.answerDraft(c, d)
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
	later := !edit.SendAt.IsZero()
	if err := enterToSend(c, later); err != nil {
		return err
	}
	edit.Version, edit.Tags = d.Version, relabel(d.Tags, body)
	edit.Given = append(edit.Given, "tags")
	if d, err = e.svc.EditDraft(c.Context(), c.In, d.ID, edit); err == nil {
		d, err = e.changeFiles(c, d, body)
	}
	if err == nil && later {
		_, err = e.dispatch(c, d, nil)
	}
	if err != nil {
		return err
	}
	out, err := e.newDraft(c, d)
	if err != nil {
		return err
	}
	if later {
		out.SendStatus = scheduled
	}
	return c.JSON(http.StatusOK, out)
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
	if d.Sent != nil {
		if err := e.hasten(c, d); err != nil {
			return err
		}
	}
	sent, err := e.dispatch(c, d, relabel(d.Tags, body))
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, newSending(sent))
}

// hasten sends a draft now that is scheduled.
func (e *edge) hasten(c *door.Call, d service.FullDraft) error {
	if waits, err := e.waits(c, &d); err != nil || !waits {
		return err // it was sent: sending it again is answered as before
	}
	atOnce := service.MessageChange{SendAt: time.Unix(1, 0)} // a time that is over
	_, err := e.svc.ChangeMessage(c.Context(), c.In, d.Sent.Message, atOnce)
	return err
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
