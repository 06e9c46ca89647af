package mcpserver_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mailkin/mailkin/internal/mcpserver"
)

// all are the tools of API 12; some are those that a temporary mailbox can use.
var (
	all = []string{"create_temporary_mailbox", "delete_email", "extract_data", "get_attachment", "get_email", "get_inbox", "get_stats", "get_thread",
		"get_threads", "reply_email", "search_inbox", "send_email", "wait_for_code", "wait_for_email"}
	some = []string{"create_temporary_mailbox", "extract_data", "get_email", "get_inbox", "get_stats", "get_thread", "get_threads", "search_inbox",
		"wait_for_code", "wait_for_email"}
)

func TestToolsShown(t *testing.T) {
	k := newKit(t)
	_, permanent := k.mailbox()
	_, temporary := k.temporary()
	soon := time.Now().Add(time.Hour)
	for _, tt := range []struct {
		name string
		open func() *session
		want []string
	}{
		{"a mailbox's key over HTTP", func() *session { return k.overHTTP(permanent) }, all},
		{"the operator over HTTP", func() *session { return k.overHTTP(token) }, all},
		{"a temporary key over HTTP", func() *session { return k.overHTTP(temporary) }, some},
		{"nothing kept", func() *session { return k.overPipes(&memory{account: mcpserver.Account{URL: k.url}}, nil) }, some},
		{"a temporary mailbox kept", func() *session {
			return k.overPipes(&memory{account: mcpserver.Account{URL: k.url, Key: temporary, ExpiresAt: soon}}, nil)
		}, some},
		{"a permanent one kept", func() *session {
			return k.overPipes(&memory{account: mcpserver.Account{URL: k.url, Key: permanent}}, nil)
		}, all},
		{"a temporary key given", func() *session {
			return k.overPipes(&memory{account: mcpserver.Account{URL: k.url, Key: temporary, Given: true}}, nil)
		}, some},
		{"a key given, and no service", func() *session {
			return k.overPipes(&memory{account: mcpserver.Account{URL: "http://127.0.0.1:1", Key: temporary, Given: true}}, nil)
		}, all},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := tt.open().names()
			slices.Sort(got)
			if !slices.Equal(got, tt.want) {
				t.Errorf("got  %v\nwant %v", got, tt.want)
			}
		})
	}
}

// A client shows its user what a tool may do before it is called: every tool says all of it, and says it right.
func TestToolsDescribeThemselves(t *testing.T) {
	k := newKit(t)
	_, key := k.mailbox()
	list, err := k.overHTTP(key).ListTools(k.ctx(), nil)
	k.done(err)
	hints := map[string]string{ // readOnly destructive idempotent openWorld
		"create_temporary_mailbox": "0000", "send_email": "0001", "reply_email": "0001", "get_inbox": "1011", "search_inbox": "1011", "get_email": "1011",
		"wait_for_code": "1011", "wait_for_email": "1011", "delete_email": "0110", "get_attachment": "1011", "get_threads": "1011", "get_thread": "1011",
		"extract_data": "1011", "get_stats": "1010",
	}
	needs := map[string][]string{
		"send_email": {"to", "cc", "bcc", "subject", "body", "html", "attachments", "idempotency_key"}, "reply_email": {"email_id", "body", "idempotency_key"},
		"extract_data": {"email_id", "type"}, "get_email": {"id", "view", "offset", "max_chars"}, "get_inbox": {"view", "cursor", "max_chars", "limit"},
		"search_inbox": {"query", "view", "cursor", "max_chars"}, "get_thread": {"thread_id", "view", "cursor", "max_chars"}, "get_threads": {"view", "cursor", "max_chars"},
		"wait_for_email": {"since", "timeout", "view", "max_chars"}, "wait_for_code": {"since", "timeout"}, "get_attachment": {"email_id", "attachment_id", "offset", "max_chars"},
	}
	for _, tool := range list.Tools {
		t.Run(tool.Name, func(t *testing.T) {
			input, output := tool.InputSchema.(object), tool.OutputSchema.(object)
			if tool.Title == "" || len(tool.Description) < 60 || output["type"] != "object" || input["additionalProperties"] != false {
				t.Errorf("title %q, description %q, output %v", tool.Title, tool.Description, output["type"])
			}
			if got := hintsOf(tool.Annotations); got != hints[tool.Name] {
				t.Errorf("hints %s, want %s", got, hints[tool.Name])
			}
			properties, _ := input["properties"].(object)
			for _, name := range needs[tool.Name] {
				if properties[name] == nil {
					t.Errorf("no argument %s", name)
				}
			}
			for name, p := range properties {
				if about, _ := p.(object)["description"].(string); about == "" && p.(object)["enum"] == nil {
					t.Errorf("nothing is said about %s", name)
				}
			}
		})
	}
}

func hintsOf(a *mcp.ToolAnnotations) string {
	var b strings.Builder
	for _, is := range []*bool{&a.ReadOnlyHint, a.DestructiveHint, &a.IdempotentHint, a.OpenWorldHint} {
		switch {
		case is == nil:
			b.WriteByte('-')
		case *is:
			b.WriteByte('1')
		default:
			b.WriteByte('0')
		}
	}
	return b.String()
}

// What the schema refuses is told to the model, not to the program.
func TestWrongArguments(t *testing.T) {
	k := newKit(t)
	_, key := k.mailbox()
	s := k.overHTTP(key)
	for _, tt := range []struct {
		name, tool string
		arguments  object
		want       string
	}{
		{"missing", "get_email", object{}, "id"},
		{"unknown", "get_inbox", object{"labels": "code"}, "labels"},
		{"out of bounds", "wait_for_code", object{"timeout": 56}, "timeout"},
		{"not one of the words", "get_email", object{"id": "x", "view": "all"}, "view"},
		{"not a time", "get_inbox", object{"since": "yesterday"}, "2026-03-02T10:00:00Z"},
		{"no text", "send_email", object{"to": "a@b.example", "subject": "x"}, "body"},
		{"not base64", "send_email", object{"to": "a@b.example", "subject": "x", "body": "x", "attachments": []object{{"filename": "a.txt", "content": "?"}}}, "base64"},
		{"no such message", "get_email", object{"id": "019cb7d1-0000-7000-8000-000000000000"}, "get_inbox"},
		{"an address that is none", "send_email", object{"to": []string{"nobody"}, "subject": "x", "body": "x"}, "nobody"},
		{"an unknown label", "get_inbox", object{"label": "nonesuch"}, "nonesuch"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := s.refused(tt.tool, tt.arguments); !strings.Contains(got, tt.want) {
				t.Errorf("said %q, which does not name %q", got, tt.want)
			}
		})
	}
}
