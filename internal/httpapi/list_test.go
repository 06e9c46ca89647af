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
		{name: "delete a quoted blank", method: remove, key: keyOperator, path: path + "?value=%22a%20b%22@x.example",
			status: 200, check: asked([]any{block, `"a b"@x.example`})},
	})
}

// What is put can be taken away.
func TestListedBlank(t *testing.T) {
	c := client{t, openReal(t)}
	const path = "/v1/lists/send/block"
	c.ask(scenario{method: put, path: path, key: keyOperator, body: `{"value":"\"a b\"@x.example"}`, status: 200})
	c.ask(scenario{method: remove, path: path + "?value=%22a%20b%22@x.example", key: keyOperator, status: 200})
}

// null is as if nobody had decided.
func TestNullControl(t *testing.T) {
	c := client{t, openReal(t)}
	for _, body := range []string{`{"send_policy":"review_all","undo_seconds":9}`,
		`{"send_policy":null,"undo_seconds":null}`} {
		c.ask(scenario{method: patch, path: "/v1/mailbox", key: keyOperator, body: body, status: 200})
	}
	got := c.json(scenario{path: "/v1/mailbox", key: keyOperator, status: 200})
	if got["send_policy"] != "open" || got["undo_seconds"] != 0.0 {
		t.Errorf("it has %v, %v", got["send_policy"], got["undo_seconds"])
	}
}

// A key that opens several mailboxes stays the first one's, whichever it names when it is rotated.
func TestRotateNamesOwnMailbox(t *testing.T) {
	c := client{t, openReal(t)}
	for _, name := range []string{"a", "b"} {
		c.ask(scenario{method: post, path: "/v1/mailboxes", key: keyOperator, body: `{"name":"` + name + `"}`,
			status: 201})
	}
	key := c.json(scenario{method: post, path: "/v1/mailboxes/a@mailkin.example/keys", key: keyOperator,
		body: `{"mailboxes":["b@mailkin.example"]}`, status: 201})["api_key"].(string)
	got := c.json(scenario{method: post, path: "/v1/keys/rotate?mailbox=b@mailkin.example", key: key, status: 201})
	if got["mailbox"] != "a@mailkin.example" {
		t.Errorf("it is said to be of %v", got["mailbox"])
	}
}
