package client_test

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/client"
)

// A draft is made, changed by two editors, gets a file, is tried out, and is sent once.
func TestDrafts(t *testing.T) {
	k := newKit(t)
	annAddress, ann := k.mailbox("draft-ann")
	bobAddress, bob := k.mailbox("draft-bob")
	file := strings.Repeat("0123456789", 30_000)
	made := got(ann.CreateDraft(k.ctx(), client.Draft{To: []string{bobAddress}, Text: "One.",
		Files: []client.File{{Name: "a.txt", Content: strings.NewReader("a")}}})).same(k)
	subject, text := "Drafted", "Two."
	edited := got(ann.EditDraft(k.ctx(), made.ID, api.DraftChange{Version: made.Version, Subject: &subject})).same(k)
	_, err := ann.EditDraft(k.ctx(), made.ID, api.DraftChange{Version: made.Version, Text: &text})
	var refused *client.Error
	if !errors.As(err, &refused) || refused.Code != "draft_changed" || refused.Fields["version"] != float64(2) ||
		!errors.Is(err, client.ErrConflict) {
		t.Errorf("the second editor: %v", err)
	}
	attached := got(ann.AttachToDraft(k.ctx(), made.ID, client.File{Name: "b.txt", Type: "text/plain",
		Content: strings.NewReader(file)})).same(k)
	if len(attached.Attachments) != 2 || attached.Subject != subject || attached.Text != "One." || edited.Version != 2 {
		t.Errorf("attached: %+v", attached)
	}
	got(ann.DetachFromDraft(k.ctx(), made.ID, attached.Attachments[0].N)).same(k)
	if p := got(ann.PreviewDraft(k.ctx(), made.ID, 4)).ok(k); p.From != annAddress || len(p.Deliveries) != 1 {
		t.Errorf("preview: %+v", p)
	}
	list := got(ann.Drafts(k.ctx(), client.Page{})).same(k)
	if len(list.Drafts) != 1 || list.Drafts[0].Snippet != "One." {
		t.Errorf("list: %+v", list)
	}
	sent := got(ann.SendDraft(k.ctx(), made.ID, 4)).same(k)
	if again := got(ann.SendDraft(k.ctx(), made.ID, 0)).same(k); *again != *sent {
		t.Errorf("sent again: %+v, want %+v", again, sent)
	}
	inbox := got(bob.Inbox(k.ctx(), client.InboxQuery{})).same(k)
	if len(inbox.Emails) != 1 || inbox.Emails[0].Subject != subject {
		t.Fatalf("bob has %+v", inbox)
	}
	mail := got(bob.Email(k.ctx(), inbox.Emails[0].ID, client.EmailOptions{})).same(k)
	d := got(bob.Attachment(k.ctx(), mail.Attachments[0].ID, client.Range{})).ok(k)
	if content := string(got(io.ReadAll(d)).ok(k)); content != file || len(mail.Attachments) != 1 {
		t.Errorf("%d files, the first with %d bytes", len(mail.Attachments), len(content))
	}
	k.done(d.Close())
	done := got(ann.SentDrafts(k.ctx(), client.Page{})).same(k)
	if len(done.Drafts) != 1 || done.Drafts[0].Sent.ID != sent.ID {
		t.Errorf("sent drafts: %+v", done)
	}
	answer := got(bob.CreateReplyDraft(k.ctx(), mail.ID, client.Draft{Text: "Thank you."})).same(k)
	got(bob.SendDraft(k.ctx(), answer.ID, 0)).same(k)
	if inbox := got(ann.Inbox(k.ctx(), client.InboxQuery{Direction: "inbound"})).same(k); len(inbox.Emails) != 1 ||
		inbox.Emails[0].Subject != "Re: Drafted" || inbox.Emails[0].ThreadID != sent.ThreadID {
		t.Errorf("ann has %+v", inbox)
	}
	on := got(bob.CreateForwardDraft(k.ctx(), mail.ID, client.Draft{})).same(k)
	k.done(bob.DeleteDraft(k.ctx(), on.ID))
	if _, err := bob.Draft(k.ctx(), on.ID); !errors.Is(err, client.ErrNotFound) {
		t.Errorf("deleted: %v", err)
	}
	for d, err := range bob.DraftsAll(k.ctx(), client.Page{}) {
		t.Errorf("left: %+v, %v", d, err)
	}
}
