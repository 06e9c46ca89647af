package httpapi

import (
	"testing"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

func TestLists(t *testing.T) {
	const path = "/v1/lists/send/block"
	block := service.ListOf{List: mailbox.SendBlock}
	all := service.ListOf{List: mailbox.ReplyAllow, Deployment: true}
	const entry = `{"value":"*.x.example","note":"n","expires_at":"2026-03-04T05:06:07.089Z",` +
		`"created_at":"2026-03-04T05:06:07.089Z"}`
	runAll(t, []scenario{
		{name: "list", path: path, status: 200, exact: `{"entries":[` + entry + `],"next_cursor":null}`,
			check: asked([]any{block, service.Page{Limit: 20}})},
		{name: "of the deployment", path: "/v1/lists/reply/allow?scope=deployment&limit=5", status: 200,
			check: asked([]any{all, service.Page{Limit: 5}})},
		{name: "another scope", path: path + "?scope=all", status: 400, contains: invalid("scope"), check: asked(nil)},
		{name: "no such list", path: "/v1/lists/send/maybe", status: 404, check: asked(nil)},
		{name: "put", method: put, path: path, key: keyOperator,
			body:   `{"value":"*.x.example","note":"n","expires_at":"2026-03-04T05:06:07.089Z"}`,
			status: 200, exact: entry, check: asked(service.NewListed{ListOf: block, Value: "*.x.example", Note: "n",
				ExpiresAt: fakeTime})},
		{name: "put what is no text", method: put, path: path, key: keyOperator, body: `{"value":7}`, status: 400,
			contains: invalid("value"), check: asked(nil)},
		{name: "delete", method: remove, key: keyOperator, path: path + "?value=a+b@x.example", status: 200,
			exact: `{"ok":true,"deleted":"a+b@x.example"}`, check: asked([]any{block, "a+b@x.example"})},
	})
}
