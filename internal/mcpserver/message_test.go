package mcpserver_test

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"github.com/mailkin/mailkin/internal/mcpserver"
)

// misreadings are messages that are none, with what is told of them.
var misreadings = []struct {
	name, body string
	status     int // over HTTP
	id         string
	code       int
	said       string
}{
	{"nothing", ``, 400, `null`, -32700, "not JSON"},
	{"not JSON", `hello`, 400, `null`, -32700, "not JSON"},
	{"half a message", `{"jsonrpc":"2.0",`, 400, `null`, -32700, "not JSON"},
	{"two messages", ping + ping, 400, `null`, -32700, "not JSON"},
	{"no list", `[]`, 400, `null`, -32600, "no message"},
	{"an empty object", `{}`, 400, `null`, -32600, `"method"`},
	{"a list in a list", `[[]]`, 400, `null`, -32600, `"method"`},
	{"an id that is none", `{"jsonrpc":"2.0","id":{},"method":"ping"}`, 400, `null`, -32600, `"id"`},
	{"another version", `{"jsonrpc":"1.0","id":1,"method":"ping"}`, 400, `null`, -32600, `"jsonrpc"`},
	{"a method that is none", `{"jsonrpc":"2.0","id":1,"method":5}`, 400, `null`, -32600, `"method"`},
	{"an unknown method", `{"jsonrpc":"2.0","id":1,"method":"nope"}`, 200, `1`, -32601, `no method "nope"`},
	{"an unknown method, by a name", `{"jsonrpc":"2.0","id":"a","method":"nope"}`, 200, `"a"`, -32601,
		`no method "nope"`},
	{"a notification with an id", `{"jsonrpc":"2.0","id":1,"method":"notifications/initialized"}`, 200, `1`, -32600,
		"notification"},
	{"params that are a list", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":[]}`, 200, `1`, -32602,
		"object"},
	{"no params", `{"jsonrpc":"2.0","id":1,"method":"tools/call"}`, 200, `1`, -32602, "missing"},
	{"null for params", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":null}`, 200, `1`, -32602, "missing"},
	{"a name that is none", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":5}}`, 200, `1`, -32602,
		`"name"`},
	{"a cursor that is none", `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":{}}}`, 200, `1`, -32602,
		`"cursor"`},
	{"a client that is none", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"clientInfo":5}}`, 200, `1`,
		-32602, `"clientInfo"`},
}

// toldOf is an answer that tells what is wrong, in words of our own.
func toldOf(t *testing.T, answer, id string, code int, said string) {
	t.Helper()
	var got struct {
		JSONRPC string
		ID      json.RawMessage
		Error   struct {
			Code    int
			Message string
		}
	}
	if err := json.Unmarshal([]byte(answer), &got); err != nil || got.JSONRPC != "2.0" || string(got.ID) != id ||
		got.Error.Code != code ||
		!strings.Contains(got.Error.Message, said) {
		t.Errorf("%s", answer)
	}
	for _, leak := range []string{"mcp.", "Go ", "struct", "unmarshal", "JSON RPC", "json:", "payload"} {
		if strings.Contains(got.Error.Message, leak) {
			t.Errorf("%q in %s", leak, answer)
		}
	}
}

// What is no message of the protocol is answered in JSON, over HTTP too.
func TestMisread(t *testing.T) {
	k := newKit(t)
	_, key := k.mailbox()
	for _, tt := range misreadings {
		t.Run(tt.name, func(t *testing.T) {
			status, kind, body := k.answered(key, "", tt.body)
			if status != tt.status || kind != "application/json" {
				t.Errorf("%d %s", status, kind)
			}
			toldOf(t, body, tt.id, tt.code, tt.said)
		})
	}
	if status, _, _ := k.answered(key, "2026-07-28", `{"jsonrpc":"2.0","id":1,"method":"nope"}`); status != 404 {
		t.Errorf("the newest revision: %d", status)
	}
	for _, tt := range []struct{ name, revision, body, header, code string }{
		{"an unknown revision", "1999-01-01", ping, "", "unsupported_version"},
		{"several messages", "2025-06-18", "[" + ping + "]", "", "invalid_request"},
		{"an answer that cannot be", "", ping, "Accept: text/html", "invalid_header"},
		{"a stream", "", ping, "Last-Event-ID: 5", "invalid_header"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var header []string
			if tt.header != "" {
				header = []string{tt.header}
			}
			status, kind, body := k.answered(key, tt.revision, tt.body, header...)
			var e struct{ Error, Code string }
			if err := json.Unmarshal([]byte(body), &e); err != nil || status != 400 || kind != "application/json" ||
				e.Code != tt.code || e.Error == "" {
				t.Errorf("%d %s %s", status, kind, body)
			}
		})
	}
}

// A line that is no message is answered, and those after it are read.
func TestMisreadLines(t *testing.T) {
	const hello = `{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},` +
		`"clientInfo":{"name":"t","version":"1"}}}`
	for _, tt := range misreadings {
		if tt.body == "" { // an empty line is nothing
			continue
		}
		t.Run(tt.name, func(t *testing.T) {
			lines := converse(t, tt.body+"\n"+hello+"\n", 2)
			if len(lines) != 2 || !strings.Contains(lines[1], `"id":"hello","result"`) {
				t.Fatalf("%q", lines)
			}
			toldOf(t, lines[0], tt.id, tt.code, tt.said)
		})
	}
	for _, tt := range []struct {
		name, in string
		first    string // what the first answer has
		answers  int
	}{
		{"empty lines", "\n \r\n" + hello + "\r\n", `"hello"`, 1},
		{"an unknown notification", `{"jsonrpc":"2.0","method":"notifications/nope"}` + "\n" + hello + "\n", `"hello"`,
			1},
		{"a long line", strings.Repeat("x", 5<<20) + "\n" + hello + "\n", "too large", 2},
		{"several messages in a line", "[" + hello + `,{"jsonrpc":"2.0","id":7,"method":"nope"}]` + "\n", `"id":7`, 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			lines := converse(t, tt.in, tt.answers)
			if len(lines) != tt.answers || !strings.Contains(strings.Join(lines, "\n"), tt.first) {
				t.Errorf("%q", lines)
			}
		})
	}
}

// converse has a server read lines, and returns those that it wrote. The input ends after as many as are wanted.
func converse(t *testing.T, in string, want int) (lines []string) {
	t.Helper()
	from, write := io.Pipe()
	read, to := io.Pipe()
	server := mcpserver.New(mcpserver.Config{Version: "1", Source: mcpserver.NewKeeper(nil, "t")})
	ended := make(chan error, 1)
	go func() {
		ended <- server.Run(context.Background(), mcpserver.Stdio(from, to))
		_ = to.Close()
	}()
	go func() { _, _ = io.WriteString(write, in) }()
	for out := bufio.NewScanner(read); out.Scan(); {
		if lines = append(lines, out.Text()); len(lines) == want {
			_ = write.Close()
		}
	}
	if err := <-ended; err != nil {
		t.Errorf("the server ended: %v", err)
	}
	return lines
}
