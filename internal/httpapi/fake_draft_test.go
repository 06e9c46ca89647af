package httpapi

import (
	"context"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

// edited is an edit of a draft as the fake got it.
type edited struct {
	Ref      mailbox.DraftRef
	Edit     mailbox.DraftEdit
	Contents []string // of attachments
}

// fakeDraft is the draft that the fake has.
var fakeDraft = service.FullDraft{Address: ownAddress, StoredDraft: mailbox.StoredDraft{ID: fakeID, Version: 3,
	Draft: mailbox.Draft{To: []string{"Ann <ann@x.example>"}, Subject: "a <subject>", Text: "Hi.", HasText: true,
		EmailID: fakeID.String(), Headers: []mailbox.Field{{Name: "X-A", Value: "b"}}, SendAt: fakeTime},
	Reply: true, Files: []mailbox.DraftFile{{N: 2, Filename: "a.txt", ContentType: "text/plain", Size: 5}}, Size: 100,
	Snippet: "Hi.", CreatedAt: fakeTime, UpdatedAt: fakeTime}}

// changed notes a change of a draft.
func (f *fake) changed(ref mailbox.DraftRef, e mailbox.DraftEdit) (service.FullDraft, error) {
	p := posted{Draft: e.Draft}
	if err := f.open(&p); err != nil {
		return service.FullDraft{}, err
	}
	e.Draft = p.Draft
	return fakeDraft, f.did(edited{ref, e, p.Contents})
}

func (f *fake) CreateDraft(_ context.Context, _ service.Access, e mailbox.DraftEdit) (service.FullDraft, error) {
	return f.changed(mailbox.DraftRef{}, e)
}

func (f *fake) Drafts(_ context.Context, _ service.Access, q service.DraftsQuery) (service.List[service.FullDraft],
	error) {
	sent := fakeDraft
	sent.Sent = &mailbox.SentDraft{Message: fakeID, Thread: fakeID, MessageID: "1@mailkin.example", At: fakeTime}
	return service.List[service.FullDraft]{Items: []service.FullDraft{fakeDraft, sent}, Next: "next"}, f.did(q)
}

func (f *fake) Draft(_ context.Context, _ service.Access, id mailbox.ID) (service.FullDraft, error) {
	return fakeDraft, f.did(id)
}

func (f *fake) EditDraft(_ context.Context, _ service.Access, id mailbox.ID, e mailbox.DraftEdit) (service.FullDraft,
	error) {
	return f.changed(mailbox.DraftRef{ID: id}, e)
}

func (f *fake) DeleteDraft(_ context.Context, _ service.Access, ref mailbox.DraftRef) error {
	return f.did(ref)
}

func (f *fake) AttachToDraft(_ context.Context, _ service.Access, ref mailbox.DraftRef,
	list []mailbox.Attachment) (service.FullDraft, error) {
	return f.changed(ref, mailbox.DraftEdit{Draft: mailbox.Draft{Attachments: list}})
}

func (f *fake) DetachFromDraft(_ context.Context, _ service.Access, ref mailbox.DraftRef, n int) (service.FullDraft,
	error) {
	return fakeDraft, f.did([]any{ref, n})
}

func (f *fake) SendDraft(_ context.Context, _ service.Access, q service.DraftSend) (service.Sending, error) {
	if q.DryRun {
		return service.Sending{Preview: f.preview}, f.did(q)
	}
	return service.Sending{ID: fakeID, Thread: fakeID, MessageID: "1@mailkin.example", Status: mailbox.Queued}, f.did(q)
}
