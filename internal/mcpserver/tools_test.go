package mcpserver_test

import (
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/internal/mcpserver"
)

// all are the tools of API 12; some are those that a temporary mailbox can use.
var (
	all = []string{"create_draft", "create_temporary_mailbox", "delete_email", "extract_data",
		"forward_email", "get_attachment", "get_email", "get_inbox", "get_stats", "get_thread", "get_threads",
		"list_drafts",
		"reply_email", "search_inbox", "send_draft", "send_email", "update_draft", "update_email", "wait_for_code",
		"wait_for_email"}
	some = []string{"create_temporary_mailbox", "extract_data", "get_email", "get_inbox", "get_stats", "get_thread",
		"get_threads", "search_inbox",
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
		{"nothing kept", func() *session { return k.overPipes(&memory{account: mcpserver.Account{URL: k.url}}, nil) },
			some},
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
			return k.overPipes(&memory{account: mcpserver.Account{URL: "http://127.0.0.1:1", Key: temporary,
				Given: true}}, nil)
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
		"create_temporary_mailbox": "0000", "send_email": "0001", "reply_email": "0001", "get_inbox": "1011",
		"search_inbox": "1011", "get_email": "1011",
		"wait_for_code": "1011", "wait_for_email": "1011", "delete_email": "0110",
		"get_attachment": "1011",
		"get_threads":    "1011", "get_thread": "1011",
		"create_draft": "0000", "update_draft": "0000", "list_drafts": "1010", "send_draft": "0011",
		"extract_data": "1011", "get_stats": "1010", "forward_email": "0001", "update_email": "0010",
	}
	needs := map[string][]string{
		"send_email":   {"to", "cc", "bcc", "subject", "body", "html", "attachments", "idempotency_key"},
		"reply_email":  {"email_id", "body", "idempotency_key"},
		"create_draft": {"to", "subject", "body", "email_id", "as"}, "send_draft": {"draft_id", "dry_run"},
		"update_draft": {"draft_id", "version", "to", "subject", "body"}, "list_drafts": {"draft_id", "cursor"},
		"extract_data": {"email_id", "type"}, "get_email": {"email_id", "view", "offset", "max_chars"},
		"get_inbox":    {"view", "cursor", "max_chars", "limit"},
		"search_inbox": {"query", "view", "cursor", "max_chars"}, "get_thread": {"thread_id", "view", "cursor",
			"max_chars"}, "get_threads": {"view", "cursor", "max_chars"},
		"wait_for_email": {"since", "timeout", "view", "max_chars"}, "wait_for_code": {"since", "timeout"},
		"get_attachment": {"email_id", "attachment_id", "offset", "max_chars"},
		"forward_email":  {"email_id", "to", "body", "idempotency_key"}, "update_email": {"email_id", "seen",
			"add_labels", "remove_labels"}, "delete_email": {"email_id"},
	}
	for _, tool := range list.Tools {
		t.Run(tool.Name, func(t *testing.T) {
			input := tool.InputSchema.(object)
			if tool.Title == "" || len(tool.Description) < 60 {
				t.Errorf("title %q, description %q", tool.Title, tool.Description)
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

// What cannot be understood is told to the model, with the name of the argument and the form that it has.
func TestWrongArguments(t *testing.T) {
	k := newKit(t)
	_, key := k.mailbox()
	s := k.overHTTP(key)
	for _, tt := range []struct {
		name, tool string
		arguments  any
		want       []string
	}{
		{"missing", "get_email", object{}, []string{"email_id is missing"}},
		{"null", "get_email", object{"email_id": nil}, []string{"email_id is missing"}},
		{"empty", "get_email", object{"email_id": ""}, []string{"email_id is missing"}},
		{"unknown", "get_inbox", object{"colour": "red"}, []string{"colour", "label", "max_chars"}},
		{"unknown where there is none", "get_stats", object{"colour": "red"}, []string{"colour", "none"}},
		{"many unknown", "get_inbox", object{"a": 1, "b": 2, "c": 3, "d": 4, "limit": "x"},
			[]string{`"a", "b", "c" and 1 more`, "limit must be"}},
		{"too long", "search_inbox", object{"query": strings.Repeat("q", 100_000)}, []string{"query", "at most 4000"}},
		{"twice", "get_email", object{"email_id": "a", "id": "b"}, []string{"email_id", "twice"}},
		{"out of bounds", "wait_for_code", object{"timeout": 0}, []string{"timeout", "from 1 to 55", "0"}},
		{"not a number", "get_inbox", object{"limit": "many"}, []string{"limit", "whole number from 1 to 50", "many"}},
		{"half a number", "get_inbox", object{"limit": 1.5}, []string{"limit", "whole number"}},
		{"a list for a number", "get_inbox", object{"limit": []int{1}}, []string{"limit", "whole number"}},
		{"not a flag", "get_inbox", object{"seen": "perhaps"}, []string{"seen", "true or false"}},
		{"not one of the words", "get_email", object{"email_id": "x", "view": "all"},
			[]string{"view", "new, outline, full", "all"}},
		{"not one of several words", "wait_for_email", object{"has": []string{"code", "money"}},
			[]string{"has", "code, link, attachment"}},
		{"an object for a text", "search_inbox", object{"query": object{"a": 1}}, []string{"query", "one text"}},
		{"not a time", "get_inbox", object{"since": "yesterday"}, []string{"since", "2026-03-02T10:00:00Z"}},
		{"no text", "send_email", object{"to": "a@b.example", "subject": "x"}, []string{"body is missing"}},
		{"nothing to change", "update_email", object{"email_id": "019cb7d1-0000-7000-8000-000000000000"},
			[]string{"seen", "add_labels"}},
		{"not a file", "send_email", object{"to": "a@b.example", "subject": "x", "body": "x", "attachments": "a.txt"},
			[]string{"attachments", "filename", "base64"}},
		{"not base64", "send_email", object{"to": "a@b.example", "subject": "x", "body": "x",
			"attachments": []object{{"filename": "a.txt", "content": "?"}}}, []string{"base64"}},
		{"no such message", "get_email", object{"email_id": "019cb7d1-0000-7000-8000-000000000000"},
			[]string{"get_inbox"}},
		{"no such attachment", "get_attachment", object{"attachment_id": "019cb7d1-0000-7000-8000-000000000001"},
			[]string{"not found"}},
		{"no attachment", "get_attachment", object{}, []string{"email_id"}},
		{"an address that is none", "send_email", object{"to": []string{"nobody"}, "subject": "x", "body": "x"},
			[]string{"nobody"}},
		{"an unknown label", "get_inbox", object{"label": "nonesuch"}, []string{"nonesuch"}},
		{"a list for arguments", "get_email", []int{1}, []string{"email_id", "JSON object"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r, err := s.CallTool(k.ctx(), &mcp.CallToolParams{Name: tt.tool, Arguments: tt.arguments})
			k.done(err)
			said := r.Content[0].(*mcp.TextContent).Text
			for _, want := range tt.want {
				if !r.IsError || !strings.Contains(said, want) {
					t.Errorf("said %q, which does not name %q", said, want)
				}
			}
			for _, prose := range []string{"validating", "schema", "unmarshal", "additionalProperties", "json:"} {
				if strings.Contains(said, prose) {
					t.Errorf("said %q, which is for programmers", said)
				}
			}
		})
	}
	if _, err := s.CallTool(k.ctx(), &mcp.CallToolParams{Name: "read_mail"}); err == nil ||
		!strings.Contains(err.Error(), "get_inbox") {
		t.Errorf("an unknown tool: %v", err)
	}
}

// What is clear is taken, in whatever form it comes.
func TestLenientArguments(t *testing.T) {
	k := newKit(t)
	address, key := k.mailbox()
	s := k.overHTTP(key)
	email := k.deliver(address, withFile("Code", "Your verification code is 482913.", "notes.txt", "text/plain",
		"anVuaXBlcg=="))
	k.deliver(address, letter("Another", "Hello."))
	whole := s.call("get_email", object{"email_id": email})
	thread, file := at(t, whole, "email", "thread_id"), at(t, whole, "email", "attachments", 0, "attachment_id")
	other, _ := k.mailbox()
	for _, tt := range []struct {
		name, tool string
		arguments  any
	}{
		{"a number as a text", "get_inbox", object{"limit": "2", "max_chars": " 900 "}},
		{"a number with a point", "get_inbox", object{"limit": 2.0}},
		{"a number that is too large", "get_inbox", object{"limit": 500, "max_chars": "1e9"}},
		{"a flag as a text", "get_inbox", object{"seen": "False"}},
		{"a flag as a number", "get_inbox", object{"seen": 0}},
		{"a word in capitals", "get_inbox", object{"view": "OUTLINE", "direction": " Inbound"}},
		{"a day", "get_inbox", object{"since": "2026-03-02"}},
		{"a time without a zone", "get_inbox", object{"since": "2026-03-02 10:00:00", "until": "2126-03-02T10:00"}},
		{"null", "get_inbox", object{"limit": nil, "label": nil}},
		{"nothing", "get_inbox", nil},
		{"a text of JSON", "get_inbox", `{"limit": 1}`},
		{"one word for a list", "wait_for_email", object{"has": "code", "timeout": "5", "since": "2026-03-02"}},
		{"words with commas", "wait_for_email", object{"has": "code, attachment", "timeout": 5, "since": "2026-03-02"}},
		{"a list of one", "get_email", object{"email_id": []string{email}}},
		{"another name", "get_email", object{"id": email}},
		{"a name of another tool", "get_email", object{"message_id": strings.ToUpper(email) + " "}},
		{"the same twice", "get_email", object{"id": email, "email_id": email}},
		{"a name without its underscore", "get_email", object{"emailId": email, "maxChars": 300}},
		{"a thread by id", "get_thread", object{"id": thread}},
		{"an attachment by id", "get_attachment", object{"id": file}},
		{"an attachment by its own name", "get_attachment", object{"attachment_id": file}},
		{"a list as a text", "send_email", object{"to": `["` + other + `"]`, "subject": 7, "text": "x"}},
		{"one file, and base64 without padding", "send_email", object{"to": other, "cc": []string{other},
			"subject": "x", "body": "x",
			"attachments": object{"name": "a.txt", "data": "data:text/plain;base64,YQ"}}},
		{"as the older server's", "send_email", object{"to": other, "subject": "x", "body": "x", "html": "<p>x</p>",
			"reply_to": address, "in_reply_to": "<1@x.example>",
			"attachments": []object{{"filename": "a.txt", "content": "YQ==", "content_type": "text/plain",
				"content_id": "a"}}}},
		{"as the older server's list", "get_inbox", object{"limit": 20, "query": "code", "direction": "inbound",
			"label": "code", "mode": "keyword"}},
		{"as the older server's search", "search_inbox", object{"limit": 20, "query": "code", "label": "code",
			"mode": "hybrid"}},
		{"as the older server's extraction", "extract_data", object{"email_id": email, "type": "code"}},
		{"as the older server's wait", "wait_for_code", object{"timeout": 120, "since": "2026-03-27T10:00:00Z"}},
		{"one label", "update_email", object{"id": email, "label": "done", "seen": "yes"}},
		{"as the older server's deletion", "delete_email", object{"id": email}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r, err := s.CallTool(k.ctx(), &mcp.CallToolParams{Name: tt.tool, Arguments: tt.arguments})
			k.done(err)
			if r.IsError {
				t.Error(r.Content[0].(*mcp.TextContent).Text)
			}
		})
	}
}

// A model reads the list of tools before anything else, and a page of outlines before it reads mail: both are short,
// over both transports.
func TestListsAreShort(t *testing.T) {
	transports(t, func(t *testing.T, k *kit, s *session, address string) {
		list, err := s.ListTools(k.ctx(), nil)
		k.done(err)
		b, err := json.Marshal(list)
		k.done(err)
		t.Logf("the list of tools has %d characters", utf8.RuneCount(b))
		if n := utf8.RuneCount(b); n >= 16_000 || len(list.Tools) != len(all) {
			t.Errorf("%d tools in %d characters", len(list.Tools), n)
		}
		for i := range 45 {
			subject := fmt.Sprintf("Message %d about something that has quite a long subject line, as newsletters "+
				"and tickets like to have it", i)
			raw := withFile(subject, "Your verification code is 482913. A secret text.", "a.txt", "text/plain", "YQ==")
			email := k.deliver(address, strings.Replace(raw, "ann@shop.example",
				"a-sender-with-a-long-name@a-long-domain.of-a-shop.example", 1))
			s.call("update_email", object{"email_id": email, "seen": true, "add_labels": []string{"a-label-of-mine",
				"another-label"}})
		}
		for _, tt := range []struct {
			arguments object
			want      int
		}{{nil, 20}, {object{"limit": 5}, 5}, {object{"limit": "45"}, 45}, {object{"limit": 50}, 45}} {
			r := s.raw("get_inbox", tt.arguments)
			text := r.Content[0].(*mcp.TextContent).Text
			emails, _ := r.StructuredContent.(object)["emails"].([]any)
			t.Logf("%d outlines have %d characters", len(emails), utf8.RuneCountInString(text))
			if len(emails) != tt.want || strings.Contains(text, "secret") ||
				tt.want <= 20 && utf8.RuneCountInString(text) > 6000 {
				t.Errorf("%v: %d outlines in %d characters: %.600s", tt.arguments, len(emails),
					utf8.RuneCountInString(text), text)
			}
		}
		for tool, arguments := range map[string]object{"search_inbox": {"query": "has:code", "mode": "keyword"},
			"get_threads": nil} {
			text := s.raw(tool, arguments).Content[0].(*mcp.TextContent).Text
			if n := utf8.RuneCountInString(text); n > 6000 || strings.Count(text, `"thread_id"`) != 20 {
				t.Errorf("%s: %d characters: %.600s", tool, n, text)
			}
		}
	})
}

// Labels and marks can be changed, and messages sent on.
func TestUpdateAndForward(t *testing.T) {
	transports(t, func(t *testing.T, k *kit, s *session, address string) {
		email := k.deliver(address, withFile("Report", "See file.", "notes.txt", "text/plain", "anVuaXBlcg=="))
		got := s.call("update_email", object{"email_id": email, "seen": true, "add_labels": []string{"done", "work"}})
		if got["seen"] != true || fmt.Sprint(got["labels"]) != "[done personal work]" {
			t.Errorf("updated %v", got)
		}
		if got = s.call("update_email", object{"email_id": email, "seen": false,
			"remove_labels": "work"}); got["seen"] != false || fmt.Sprint(got["labels"]) != "[done personal]" {
			t.Errorf("updated %v", got)
		}
		other, otherKey := k.mailbox()
		draft := object{"email_id": email, "to": other, "body": "For you.", "idempotency_key": "forward-1"}
		if first, again := s.call("forward_email", draft),
			s.call("forward_email", draft); first["email_id"] != again["email_id"] {
			t.Errorf("forwarded %v, and %v", first, again)
		}
		came := k.overHTTP(otherKey).call("wait_for_email", object{"timeout": 50, "view": "full"})
		text := inside(t, at(t, came, "email", "text", "fenced"))
		if !strings.Contains(text, "For you.") || !strings.Contains(text, "See file.") ||
			at(t, came, "email", "attachments", 0, "filename") != "notes.txt" {
			t.Errorf("there came %v", came)
		}
		plain := s.call("forward_email", object{"email_id": email, "to": []string{other}})
		if plain["email_id"] == nil {
			t.Errorf("without a note: %v", plain)
		}
	})
}

// What a temporary mailbox is refused leads to a page that a person can open.
func TestClaimHint(t *testing.T) {
	k := newKit(t)
	_, key := k.temporary()
	for name, s := range map[string]*session{
		"HTTP": k.overHTTP(key), "pipes": k.overPipes(&memory{account: mcpserver.Account{URL: k.url, Key: key,
			Given: true}}, nil),
	} {
		t.Run(name, func(t *testing.T) {
			said := s.refused("send_email", object{"to": "kim@example.com", "subject": "x", "body": "x"})
			page := regexp.MustCompile(`http://\S+/claim\b`).FindString(said)
			if page == "" || strings.Contains(said, "/v1/") {
				t.Fatal(said)
			}
			resp, err := k.dialer.Get(page)
			k.done(err)
			body, err := io.ReadAll(resp.Body)
			_ = resp.Body.Close()
			if err != nil || resp.StatusCode != 200 || !strings.Contains(string(body), "mailkin claim") {
				t.Errorf("%s: %d %s", page, resp.StatusCode, body)
			}
		})
	}
}

// A draft is written, changed, read, tried out and sent once.
func TestDrafts(t *testing.T) {
	transports(t, func(t *testing.T, k *kit, s *session, _ string) {
		other, _ := k.mailbox()
		made := s.call("create_draft", object{"to": other, "subject": "Plan", "body": "One.",
			"attachments": []object{{"filename": "a.txt", "content": "YQ=="}}})
		id := made["draft_id"]
		if made["version"] != 1.0 || made["status"] != "draft" {
			t.Errorf("made %v", made)
		}
		changed := s.call("update_draft", object{"draft_id": id, "version": 1, "body": "Two."})
		if changed["version"] != 2.0 || changed["snippet"] != "Two." || changed["subject"] != "Plan" {
			t.Errorf("changed %v", changed)
		}
		if r := s.raw("update_draft", object{"draft_id": id, "version": 1, "subject": "Late"}); !r.IsError {
			t.Error("an old version was taken")
		}
		if list := s.call("list_drafts", nil)["drafts"].([]any); len(list) != 1 {
			t.Errorf("list %v", list)
		}
		if whole := s.call("list_drafts", object{"draft_id": id}); whole["body"] != "Two." || whole["cut"] != false {
			t.Errorf("whole %v", whole)
		}
		if dry := s.call("send_draft", object{"draft_id": id, "dry_run": true}); dry["dry_run"] != true {
			t.Errorf("dry run %v", dry)
		}
		first, again := s.call("send_draft", object{"draft_id": id}), s.call("send_draft", object{"draft_id": id})
		if first["email_id"] == nil || first["email_id"] != again["email_id"] {
			t.Errorf("sent as %v and %v", first, again)
		}
		answer := s.call("create_draft", object{"email_id": first["email_id"], "as": "forward", "to": other})
		if answer["as"] != "forward" || answer["email_id"] != first["email_id"] {
			t.Errorf("a draft about a message: %v", answer)
		}
	})
}

// A restricted key is shown the tools that it can use, over both transports, and those work.
func TestToolsOfRestrictedKeys(t *testing.T) {
	k := newKit(t)
	address, _ := k.mailbox()
	for _, tt := range []struct{ capabilities, tools []string }{
		{[]string{"code"}, []string{"wait_for_code"}},
		{[]string{"draft"}, []string{"create_draft", "list_drafts", "send_draft", "update_draft"}},
		{[]string{"read", "manage"}, []string{"delete_email", "extract_data", "get_attachment", "get_email",
			"get_inbox", "get_stats", "get_thread", "get_threads", "search_inbox", "update_email", "wait_for_code",
			"wait_for_email"}},
		{[]string{"send"}, []string{"create_draft", "list_drafts", "send_draft", "send_email", "update_draft"}},
		{[]string{"review"}, nil},
	} {
		made, err := k.operator.Moderate(address).CreateRestrictedKey(k.ctx(), api.NewKey{
			KeyBounds: api.KeyBounds{Capabilities: tt.capabilities}})
		k.done(err)
		want := append([]string{"create_temporary_mailbox"}, tt.tools...)
		slices.Sort(want)
		for _, s := range []*session{k.overHTTP(made.APIKey), k.overPipes(&memory{account: mcpserver.Account{URL: k.url,
			Key: made.APIKey, Given: true}}, nil)} {
			got := s.names()
			if slices.Sort(got); !slices.Equal(got, want) {
				t.Errorf("%v is shown %v", tt.capabilities, got)
			}
			if slices.Contains(got, "get_stats") {
				s.call("get_stats", nil)
			}
		}
	}
}
