// Package resend is the door for programs that were written for Resend: its routes, its JSON and its errors, under
// /resend. docs/resend.md says what is there.
package resend

import (
	"net/http"
	"strconv"
	"time"

	"github.com/mailkin/mailkin/internal/door"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

// edge answers the routes.
type edge struct{ svc *service.Service }

// New makes the door.
func New(svc *service.Service) *door.Door {
	e := &edge{svc}
	return &door.Door{Name: "resend", Prefix: "/resend", Gate: svc, Fail: fail, Routes: e.routes()}
}

const (
	notHere   = "Mailkin has no marketing: no contacts, topics, templates, broadcasts or automations."
	noSharing = "Mailkin does not publish messages."
)

func (e *edge) routes() []door.Route {
	const get, post, patch, remove = http.MethodGet, http.MethodPost, http.MethodPatch, http.MethodDelete
	const read, files, manage = mailbox.ReadMail, mailbox.ReadAttachment, mailbox.ManageMailbox
	return append([]door.Route{
		{Method: post, Path: "/emails", Support: door.Yes, Note: "without `template` and `topic_id`",
			Need: mailbox.SendMail, Handle: e.send},
		{Method: post, Path: "/emails/batch", Support: door.Yes, Note: "strict and permissive",
			Need: mailbox.SendMail, Handle: e.sendBatch},
		{Method: get, Path: "/emails", Support: door.Yes, Need: read, Handle: e.sent},
		{Method: get, Path: "/emails/receiving", Support: door.Yes, Need: read, Handle: e.received},
		{Method: get, Path: "/emails/receiving/{id}", Support: door.Yes, Need: read, Handle: e.receivedOne},
		{Method: get, Path: "/emails/receiving/{id}/attachments", Support: door.Yes, Need: files,
			Handle: e.attachments},
		{Method: get, Path: "/emails/receiving/{id}/attachments/{part}", Support: door.Yes, Need: files,
			Handle: e.attachment},
		{Method: get, Path: "/emails/{id}", Support: door.Yes, Need: read, Handle: e.sentOne},
		{Method: patch, Path: "/emails/{id}", Support: door.Yes, Need: mailbox.ChangeMail, Handle: e.reschedule},
		{Method: post, Path: "/emails/{id}/cancel", Support: door.Yes, Need: mailbox.RecallMail, Handle: e.cancel},
		{Method: get, Path: "/emails/{id}/attachments", Support: door.Yes, Need: files, Handle: e.attachments},
		{Method: get, Path: "/emails/{id}/attachments/{part}", Support: door.Yes, Need: files, Handle: e.attachment},
		{Method: get, Path: "/download/{token}", Support: door.Yes, Note: "where `download_url` leads", Open: true,
			Handle: e.download},
		{Method: post, Path: "/domains", Support: door.Partly, Note: "regions are one; other options are refused",
			Need: manage, Handle: e.addDomain},
		{Method: get, Path: "/domains", Support: door.Yes, Need: manage, Handle: e.listDomains},
		{Method: get, Path: "/domains/{id}", Support: door.Yes, Need: manage, Handle: e.oneDomain},
		{Method: patch, Path: "/domains/{id}", Support: door.Partly, Note: "options that are not here are refused",
			Need: manage, Handle: e.updateDomain},
		{Method: remove, Path: "/domains/{id}", Support: door.Yes, Need: manage, Handle: e.deleteDomain},
		{Method: post, Path: "/domains/{id}/verify", Support: door.Yes, Need: manage, Handle: e.verifyDomain},
		{Method: post, Path: "/api-keys", Support: door.Yes, Need: manage, Handle: e.createKey},
		{Method: get, Path: "/api-keys", Support: door.Yes, Need: manage, Handle: e.listKeys},
		{Method: remove, Path: "/api-keys/{id}", Support: door.Yes, Need: manage, Handle: e.deleteKey},
		{Method: patch, Path: "/api-keys/{id}", Support: door.Yes, Need: manage, Handle: e.renameKey},
		{Method: post, Path: "/webhooks", Support: door.Yes, Need: manage, Handle: e.createWebhook},
		{Method: get, Path: "/webhooks", Support: door.Yes, Need: manage, Handle: e.listWebhooks},
		{Method: get, Path: "/webhooks/{id}", Support: door.Yes, Need: manage, Handle: e.oneWebhook},
		{Method: patch, Path: "/webhooks/{id}", Support: door.Yes, Need: manage, Handle: e.updateWebhook},
		{Method: remove, Path: "/webhooks/{id}", Support: door.Yes, Need: manage, Handle: e.deleteWebhook},
		{Method: post, Path: "/webhooks/{id}/signing-secret/rotate", Support: door.Yes,
			Note: "the old secret signs too for a day, and until then there is no other", Need: manage, Handle: e.rotateSecret},
		{Method: get, Path: "/webhooks/{id}/events", Support: door.Yes, Need: manage, Handle: e.webhookEvents},
		{Method: get, Path: "/webhooks/{id}/events/{event}", Support: door.Yes, Need: manage, Handle: e.webhookEvent},
		{Method: get, Path: "/webhooks/{id}/events/{event}/attempts", Support: door.Yes, Need: manage,
			Handle: e.webhookAttempts},
		{Method: post, Path: "/webhooks/{id}/events/{event}/replay", Support: door.Yes, Need: manage,
			Handle: e.replayEvent},
		{Method: post, Path: "/suppressions", Support: door.Yes, Need: manage, Handle: e.suppress},
		{Method: get, Path: "/suppressions", Support: door.Yes, Need: manage, Handle: e.listSuppressions},
		{Method: post, Path: "/suppressions/batch/add", Support: door.Yes, Need: manage, Handle: e.suppressBatch},
		{Method: post, Path: "/suppressions/batch/remove", Support: door.Yes, Need: manage, Handle: e.releaseBatch},
		{Method: get, Path: "/suppressions/{id}", Support: door.Yes, Need: manage, Handle: e.oneSuppression},
		{Method: remove, Path: "/suppressions/{id}", Support: door.Yes, Need: manage, Handle: e.release},
	}, absent()...)
}

// absent are the routes that are not here, with a sentence for those who ask for them.
func absent() (list []door.Route) {
	for _, r := range []struct{ path, note string }{
		{"/emails/{id}/share", noSharing}, {"/emails/metrics", "`GET /v1/stats` counts."},
		{"/templates", notHere}, {"/audiences", notHere}, {"/segments", notHere}, {"/contacts", notHere},
		{"/contact-properties", notHere}, {"/topics", notHere}, {"/broadcasts", notHere}, {"/automations", notHere},
		{"/events", notHere}, {"/inboxes", "`/agentmail` has inboxes."}, {"/logs", "The audit log is the operator's."},
		{"/oauth/grants", "There is no OAuth here."}, {"/usage", "`GET /v1/stats` counts."},
		{"/domains/claim", "A domain is claimed by its records in the DNS."},
	} {
		list = append(list, door.Route{Method: "any", Path: r.path, Support: door.No, Note: r.note})
	}
	return list
}

// identified is an answer that names what was done something to.
type identified struct {
	Object  string `json:"object,omitempty"`
	ID      string `json:"id"`
	Deleted bool   `json:"deleted,omitempty"`
}

// listed is a page of a list.
type listed[T any] struct {
	Object  string `json:"object"`
	HasMore bool   `json:"has_more"`
	Data    []T    `json:"data"`
}

func listOf[T any](rows []T, more bool) listed[T] {
	if rows == nil {
		rows = []T{}
	}
	return listed[T]{"list", more, rows}
}

// page is which part of a list is asked for.
type page struct {
	limit         int
	after, before mailbox.ID
}

func pageOf(c *door.Call) (p page, err error) {
	q := c.URL.Query()
	p.limit = 20
	if text := q.Get("limit"); text != "" {
		if p.limit, err = strconv.Atoi(text); err != nil || p.limit < 1 || p.limit > 100 {
			return p, door.Refuse(422, "validation_error", "limit is a number from 1 to 100.")
		}
	}
	for name, id := range map[string]*mailbox.ID{"after": &p.after, "before": &p.before} {
		if text := q.Get(name); text != "" {
			if *id, err = parseID(name, text); err != nil {
				return p, err
			}
		}
	}
	if !p.after.IsZero() && !p.before.IsZero() {
		return p, door.Refuse(422, "validation_error", "Give after or before, not both.")
	}
	return p, nil
}

var errCursor = door.Refuse(422, "validation_error", "The cursor names nothing in this list.")

// cut is the part of a whole list that a page asks for.
func cut[T any](all []T, p page, id func(T) mailbox.ID) ([]T, bool, error) {
	from, to := 0, len(all)
	for i, row := range all {
		switch id(row) {
		case p.after:
			from = i + 1
		case p.before:
			to = i
		}
	}
	switch {
	case !p.after.IsZero() && from == 0, !p.before.IsZero() && to == len(all):
		return nil, false, errCursor
	case !p.before.IsZero():
		return all[max(0, to-p.limit):to], to > p.limit, nil
	}
	end := min(len(all), from+p.limit)
	return all[from:end], end < len(all), nil
}

func parseID(name, text string) (mailbox.ID, error) {
	id, ok := mailbox.ParseID(text)
	if !ok {
		return id, door.Refuse(422, "invalid_parameter", "%s must be a valid UUID.", name)
	}
	return id, nil
}

// idOf is the id that the path has.
func idOf(c *door.Call, name string) (mailbox.ID, error) { return parseID("The "+name, c.Value(name)) }

// moment is a time as it is shown; null where there is none.
func moment(at time.Time) *string {
	if at.IsZero() {
		return nil
	}
	text := at.UTC().Format("2006-01-02T15:04:05.000Z07:00")
	return &text
}
