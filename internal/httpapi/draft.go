package httpapi

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"strconv"
	"strings"

	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/wire"
	drafts "github.com/mailkin/mailkin/internal/wire/draft"
)

// draftVerbs holds the verbs about drafts.
type draftVerbs interface {
	CreateDraft(ctx context.Context, in service.Access, e mailbox.DraftEdit) (service.FullDraft, error)
	Drafts(ctx context.Context, in service.Access, q service.DraftsQuery) (service.List[service.FullDraft], error)
	Draft(ctx context.Context, in service.Access, id mailbox.ID) (service.FullDraft, error)
	EditDraft(ctx context.Context, in service.Access, id mailbox.ID, e mailbox.DraftEdit) (service.FullDraft, error)
	DeleteDraft(ctx context.Context, in service.Access, ref mailbox.DraftRef) error
	AttachToDraft(ctx context.Context, in service.Access, ref mailbox.DraftRef, list []mailbox.Attachment) (
		service.FullDraft, error)
	DetachFromDraft(ctx context.Context, in service.Access, ref mailbox.DraftRef, n int) (service.FullDraft, error)
	SendDraft(ctx context.Context, in service.Access, q service.DraftSend) (service.Sending, error)
}

func newDraft(d service.FullDraft) api.StoredDraft {
	return wire.NewStoredDraft(d.StoredDraft, d.Address)
}

// draftID is the draft that the path names.
func (c *call) draftID() (mailbox.ID, error) { return parseID("Draft", c.value) }

// draftRef is that draft, in the version that the parameter version names, if any.
func (c *call) draftRef() (ref mailbox.DraftRef, err error) {
	if ref.ID, err = c.draftID(); err != nil {
		return ref, err
	}
	if value := c.params.first("version"); value != "" {
		ref.Version, err = strconv.ParseInt(value, 10, 64)
		if err != nil || ref.Version < 1 {
			return ref, mailbox.InvalidField("version", "The version is a number from 1.")
		}
	}
	return ref, nil
}

func (a *API) createDraft(c *call) error {
	return a.uploaded(c, func(spool *drafts.Spool) error {
		e, err := a.readEdit(c, spool)
		if err != nil {
			return err
		}
		made, err := a.svc.CreateDraft(c.Context(), c.in, e)
		if err != nil {
			return err
		}
		return a.answer(c, http.StatusCreated, newDraft(made))
	})
}

// readEdit reads the body of a request that makes or changes a draft.
func (a *API) readEdit(c *call, into *drafts.Spool) (mailbox.DraftEdit, error) {
	e, err := drafts.ReadEdit(c.body, a.limits, into)
	if failed := c.failure(); err != nil && failed != nil {
		err = failed
	}
	return e, err
}

func (a *API) drafts(c *call) error {
	var q service.DraftsQuery
	err := c.params.texts(named{"status", &q.Status})
	if err != nil {
		return err
	}
	if q.Page, err = c.params.page(); err != nil {
		return err
	}
	list, err := a.svc.Drafts(c.Context(), c.in, q)
	if err != nil {
		return err
	}
	answer := api.Drafts{Drafts: make([]api.DraftSummary, len(list.Items)), Next: api.NullString(list.Next)}
	for i, d := range list.Items {
		answer.Drafts[i] = wire.NewDraftSummary(d.StoredDraft, d.Address)
	}
	return a.answer(c, http.StatusOK, answer)
}

func (a *API) draft(c *call) error { return answerTo(a, c, c.draftID, a.svc.Draft, newDraft) }

func (a *API) editDraft(c *call) error { return answerEdit(a, c, c.draftID, a.svc.EditDraft, newDraft) }

// answerEdit is answerTo for a request whose body changes a draft, or a message that is held.
func answerEdit[T, A any](a *API, c *call, id func() (mailbox.ID, error),
	edit func(context.Context, service.Access, mailbox.ID, mailbox.DraftEdit) (T, error), show func(T) A) error {
	at, err := id()
	if err != nil {
		return err
	}
	return a.uploaded(c, func(spool *drafts.Spool) error {
		e, err := a.readEdit(c, spool)
		if err != nil {
			return err
		}
		changed, err := edit(c.Context(), c.in, at, e)
		if err != nil {
			return err
		}
		return a.answer(c, http.StatusOK, show(changed))
	})
}

func (a *API) deleteDraft(c *call) error {
	ref, err := c.draftRef()
	if err != nil {
		return err
	}
	if err := a.svc.DeleteDraft(c.Context(), c.in, ref); err != nil {
		return err
	}
	return a.answer(c, http.StatusOK, api.Deleted{OK: true, Deleted: ref.ID.String()})
}

func (a *API) attachToDraft(c *call) error {
	ref, err := c.draftRef()
	if err != nil {
		return err
	}
	return a.uploaded(c, func(spool *drafts.Spool) error {
		list, err := a.readFiles(c, spool)
		if err != nil {
			return err
		}
		changed, err := a.svc.AttachToDraft(c.Context(), c.in, ref, list)
		if err != nil {
			return err
		}
		return a.answer(c, http.StatusOK, newDraft(changed))
	})
}

// readFiles reads the attachments of a body: one of JSON, or the files of a form.
func (a *API) readFiles(c *call, into *drafts.Spool) ([]mailbox.Attachment, error) {
	list, err := a.readFileForm(c, into)
	if failed := c.failure(); err != nil && failed != nil {
		err = failed
	}
	return list, err
}

// maxFormParts is how many parts a form of attachments may have, with those that are no files.
const maxFormParts = 200

func (a *API) readFileForm(c *call, into *drafts.Spool) (list []mailbox.Attachment, err error) {
	media, parameters, _ := mime.ParseMediaType(c.Header.Get("Content-Type")) // checkType has read it
	if media == "application/json" {
		file, err := drafts.ReadAttachment(c.body, a.limits, into)
		return []mailbox.Attachment{file}, err
	}
	body := &formEnd{r: c.body}
	form := multipart.NewReader(body, parameters["boundary"])
	for range maxFormParts {
		part, err := form.NextRawPart()
		switch {
		case err != nil && !bytes.Contains(body.last, []byte("--"+parameters["boundary"]+"--")):
			return nil, badBody("The form is cut off: it does not end with its boundary.")
		case errors.Is(err, io.EOF) && len(list) > 0:
			return list, nil
		case errors.Is(err, io.EOF):
			return nil, badBody("The form has no file.")
		case err != nil:
			return nil, badBody("The body is not a form of multipart/form-data.")
		}
		if part.FileName() == "" {
			continue
		}
		file, err := readFile(part, a.limits, into)
		if err != nil {
			return nil, err
		}
		list = append(list, file)
	}
	return nil, badBody("The form has more than %d parts.", maxFormParts)
}

// formEnd keeps the end of what was read of a form: the reader of forms takes one for whole that is cut off in the
// header of a part.
type formEnd struct {
	r    io.Reader
	last []byte
}

func (f *formEnd) Read(p []byte) (int, error) {
	const kept = 1 << 10
	n, err := f.r.Read(p)
	f.last = append(f.last, p[:n]...)
	f.last = append(f.last[:0], f.last[max(0, len(f.last)-kept):]...)
	return n, err
}

// formNames reads what cannot stand in the name of a file in a form, as browsers write it.
var formNames = strings.NewReplacer("%22", `"`, "%0D", " ", "%0A", " ")

// readFile reads a file of a form.
func readFile(part *multipart.Part, lim mailbox.Limits, into *drafts.Spool) (mailbox.Attachment, error) {
	name, media := formNames.Replace(part.FileName()), part.Header.Get("Content-Type")
	for _, text := range []string{name, media} {
		if err := checkText("filename", text); err != nil {
			return mailbox.Attachment{}, err
		}
	}
	file, err := into.Keep(part, lim)
	var known *mailbox.Error
	if err != nil && !errors.As(err, &known) {
		err = badBody("The body is not a form of multipart/form-data.")
	}
	file.Filename, file.ContentType = name, media
	return file, err
}

func (a *API) detachFromDraft(c *call) error {
	ref, err := c.draftRef()
	if err != nil {
		return err
	}
	n, err := strconv.Atoi(c.part)
	if err != nil {
		return mailbox.Errorf(mailbox.NotFound, "not_found", "Attachment not found")
	}
	changed, err := a.svc.DetachFromDraft(c.Context(), c.in, ref, n)
	if err != nil {
		return err
	}
	return a.answer(c, http.StatusOK, newDraft(changed))
}

func (a *API) sendDraft(c *call) error {
	ref, err := c.draftRef()
	if err != nil {
		return err
	}
	q := service.DraftSend{DraftRef: ref}
	dry, err := c.fields.flag("dry_run")
	if err != nil {
		return err
	}
	q.DryRun = dry != nil && *dry
	if raw := c.fields["version"]; raw != nil && !c.fields.null("version") {
		if json.Unmarshal(raw, &q.Version) != nil || q.Version < 1 {
			return wrongType("version", "a number from 1")
		}
	}
	sent, err := a.svc.SendDraft(c.Context(), c.in, q)
	if err != nil {
		return err
	}
	return a.answerSending(c, sent)
}
