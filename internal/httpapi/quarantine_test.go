package httpapi

import (
	"testing"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

func TestQuarantine(t *testing.T) {
	id := fakeID.String()
	const expires = `"expires_at":"2026-03-04T05:06:07.089Z"`
	quarantine := mailbox.QuarantineMail
	runAll(t, []scenario{
		{name: "list", path: "/v1/quarantine?limit=5", key: keyOperator, status: 200,
			contains: []string{`"size_bytes":7,"auth":{"spf":"none","dkim":"none","dmarc":"none","arc":"none",` +
				`"from_aligned":false},"list":"receive/block","list_scope":"deployment",` + expires + `}],"next_cursor":null}`},
			check: asked(service.Page{Limit: 5})},
		{name: "its status", path: "/v1/quarantine", key: keyOperator, status: 200, contains: []string{`"status":"quarantined"`}},
		{name: "one", path: "/v1/quarantine/" + id, key: keyOperator, status: 200,
			contains: []string{`"status":"quarantined"`, `"body_text":`}, lacks: []string{`"downloadable":true`},
			check: asked(fakeID)},
		{name: "release", method: post, path: "/v1/quarantine/" + id + "/release", key: keyOperator, status: 200,
			exact: `{"id":"` + id + `","email_id":"` + id + `","mailbox":"wren@mailkin.example","status":"released",` +
				`"duplicate":false}`, check: asked(fakeID)},
		{name: "release what is no id", method: post, path: "/v1/quarantine/x/release", key: keyOperator, status: 404,
			check: asked(nil)},
		{name: "delete", method: remove, path: "/v1/quarantine/" + id, key: keyOperator, status: 200,
			exact: `{"ok":true,"deleted":"` + id + `"}`, check: asked(fakeID)},
		{name: "receive_action", method: patch, path: "/v1/mailbox", key: keyOperator,
			body: `{"receive_action":"quarantine"}`, status: 200, check: asked(service.MailboxChange{
				ControlChange: service.ControlChange{ReceiveAction: &quarantine}})},
		{name: "receive_action null", method: patch, path: "/v1/mailbox", key: keyOperator,
			body: `{"receive_action":null}`, status: 200, check: asked(service.MailboxChange{
				ControlChange: service.ControlChange{ReceiveAction: new(mailbox.ReceiveAction)}})},
		{name: "receive_action that is no text", method: patch, path: "/v1/mailbox", key: keyOperator,
			body: `{"receive_action":7}`, status: 400, contains: invalid("receive_action"), check: asked(nil)},
	})
}
