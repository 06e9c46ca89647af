package httpapi

import (
	"encoding/base64"
	"strings"
	"testing"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

const draftPath = "/v1/drafts/"

// formOf is a form with files, by their names, and a field that is none.
func formOf(files ...[2]string) string {
	var b strings.Builder
	b.WriteString("--line\r\nContent-Disposition: form-data; name=\"note\"\r\n\r\nnone\r\n")
	for _, f := range files {
		b.WriteString("--line\r\nContent-Disposition: form-data; name=\"file\"; filename=\"" + f[0] +
			"\"\r\nContent-Type: text/plain\r\n\r\n" + f[1] + "\r\n")
	}
	return b.String() + "--line--\r\n"
}

func TestDraftRoutes(t *testing.T) {
	at, form := draftPath+fakeID.String(), []string{`Content-Type: multipart/form-data; boundary="line"`}
	large := strings.Repeat("0123456789", 20_000)
	text := func(name, content string) mailbox.Attachment {
		return mailbox.Attachment{Filename: name, ContentType: "text/plain", Size: int64(len(content))}
	}
	ref := mailbox.DraftRef{ID: fakeID}
	third := mailbox.DraftRef{ID: fakeID, Version: 3}
	attached := func(ref mailbox.DraftRef, contents []string, list ...mailbox.Attachment) edited {
		return edited{ref, mailbox.DraftEdit{Draft: mailbox.Draft{Attachments: list}}, contents}
	}
	for _, s := range []scenario{
		{name: "make", method: post, path: "/v1/drafts", body: `{"to":"a@x","reply":true,"email_id":null}`, status: 201,
			contains: []string{`"version":3`, `"status":"draft"`, `"text":"Hi."`, `"html":null`, `"sent":null`, `"n":2`},
			check: asked(edited{mailbox.DraftRef{}, mailbox.DraftEdit{Draft: mailbox.Draft{To: []string{"a@x"}},
				Reply: true,
				Given: []string{"to", "reply", "email_id"}}, nil})},
		{name: "make with a file", method: post, path: "/v1/drafts",
			body: `{"attachments":[{"filename":"a","content_type":"text/plain","content":"aGk="}]}`, status: 201,
			check: asked(edited{mailbox.DraftRef{}, mailbox.DraftEdit{Draft: mailbox.Draft{
				Attachments: []mailbox.Attachment{text("a", "hi")}}, Given: []string{"attachments"}}, []string{"hi"}})},
		{name: "list", path: "/v1/drafts?status=sent&limit=5", status: 200,
			contains: []string{`"next_cursor":"next"`, `"status":"sent"`, `"sent":{"id":"`, `"snippet":"Hi."`},
			lacks:    []string{`"text"`},
			check:    asked(service.DraftsQuery{Status: "sent", Page: service.Page{Limit: 5}})},
		{name: "read", path: at, status: 200, contains: []string{`"headers":{"X-A":"b"}`, `"reply":true`},
			check: asked(fakeID)},
		{name: "change", method: patch, path: at, body: `{"version":2,"subject":"x"}`, status: 200,
			check: asked(edited{ref, mailbox.DraftEdit{Draft: mailbox.Draft{Subject: "x"}, Version: 2,
				Given: []string{"subject"}}, nil})},
		{name: "delete", method: remove, path: at, status: 200, contains: []string{`"deleted":"`}, check: asked(ref)},
		{name: "delete a version", method: remove, path: at + "?version=3", status: 200, check: asked(third)},
		{name: "no version", method: remove, path: at + "?version=0", status: 400,
			contains: []string{"invalid_version"}},
		{name: "attach", method: post, path: at + "/attachments", status: 200,
			body:  `{"filename":"a","content_type":"text/plain","content":"aGk="}`,
			check: asked(attached(ref, []string{"hi"}, text("a", "hi")))},
		{name: "attach a large one", method: post, path: at + "/attachments?version=3", status: 200,
			body:  `{"content":"` + base64.StdEncoding.EncodeToString([]byte(large)) + `"}`,
			check: asked(attached(third, []string{large[:keepContent]}, mailbox.Attachment{Size: 200_000}))},
		{name: "attach files of a form", method: post, path: at + "/attachments", status: 200, header: form,
			body: formOf([2]string{"a.txt", "one"}, [2]string{"b.txt", large}),
			check: asked(attached(ref, []string{"one", large[:keepContent]}, text("a.txt", "one"),
				text("b.txt", large)))},
		{name: "a name in the form of browsers", method: post, path: at + "/attachments", status: 200, header: form,
			body: formOf([2]string{"a%22b%22.txt", "one"}), check: asked(attached(ref, []string{"one"},
				text(`a"b".txt`, "one")))},
		{name: "a form without files", method: post, path: at + "/attachments", status: 400, header: form,
			body:     formOf(),
			contains: []string{"invalid_body"}},
		{name: "half a form", method: post, path: at + "/attachments", status: 400, header: form,
			body: formOf([2]string{"a", "b"})[:150], contains: []string{"invalid_body"}},
		{name: "a form that ends in a header", method: post, path: at + "/attachments", status: 400, header: form,
			body:     strings.TrimSuffix(formOf([2]string{"a", "b"}), "--line--\r\n") + "--line\r\nContent-Dis",
			contains: []string{"cut off"}},
		{name: "a form without a boundary", method: post, path: at + "/attachments", status: 400,
			header: []string{"Content-Type: multipart/form-data"}, body: "x", contains: []string{"invalid_body"}},
		{name: "something else", method: post, path: at + "/attachments", status: 415,
			header: []string{"Content-Type: text/plain"}, body: "x", contains: []string{"multipart/form-data"}},
		{name: "detach", method: remove, path: at + "/attachments/2?version=3", status: 200,
			check: asked([]any{third, 2})},
		{name: "detach what is no number", method: remove, path: at + "/attachments/x", status: 404},
		{name: "send", method: post, path: at + "/send", status: 200, contains: []string{`"status":"queued"`},
			check: asked(service.DraftSend{DraftRef: ref})},
		{name: "send a version", method: post, path: at + "/send", body: `{"version":3}`, status: 200,
			check: asked(service.DraftSend{DraftRef: third})},
		{name: "send without doing it", method: post, path: at + "/send", body: `{"dry_run":true}`, status: 200,
			svc: fake{preview: &service.Preview{}}, contains: []string{`"dry_run":true`},
			check: asked(service.DraftSend{DraftRef: ref, DryRun: true})},
		{name: "send half a version", method: post, path: at + "/send", body: `{"version":1.5}`, status: 400,
			contains: []string{"invalid_version"}},
		{name: "no id", path: draftPath + "x", status: 404},
	} {
		t.Run(s.name, s.run)
	}
}

// Whoever changes a version that is not the draft's is told the one that it has.
func TestDraftChanged(t *testing.T) {
	s := scenario{method: patch, path: draftPath + fakeID.String(), body: `{"version":2}`, status: 409,
		svc: fake{err: &mailbox.Error{Kind: mailbox.Conflict, Code: "draft_changed", Message: "Changed.",
			Version: 5}},
		exact: `{"error":"Changed.","code":"draft_changed","version":5}`}
	s.run(t)
}
