package mcpserver_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// post sends one message of the protocol, and gives what came back.
func (k *kit) post(ctx context.Context, key, revision, body string, header ...string) (int, string, error) {
	resp, err := k.send(ctx, key, revision, body, header...)
	if err != nil {
		return 0, "", err
	}
	defer func() { _ = resp.Body.Close() }()
	b, err := io.ReadAll(resp.Body)
	return resp.StatusCode, string(b), err
}

// answered is the same with the type of the answer.
func (k *kit) answered(key, revision, body string, header ...string) (status int, kind, answer string) {
	k.Helper()
	resp, err := k.send(k.ctx(), key, revision, body, header...)
	k.done(err)
	defer func() { _ = resp.Body.Close() }()
	b, err := io.ReadAll(resp.Body)
	k.done(err)
	return resp.StatusCode, resp.Header.Get("Content-Type"), string(b)
}

func (k *kit) send(ctx context.Context, key, revision, body string, header ...string) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, k.url+"/mcp", strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	if revision != "" {
		req.Header.Set("Mcp-Protocol-Version", revision)
	}
	if key != "" {
		req.Header.Set("Authorization", "Bearer "+key)
	}
	for _, line := range header {
		name, value, _ := strings.Cut(line, ": ")
		if req.Header.Set(name, value); name == "Host" {
			req.Host = value
		}
	}
	return k.dialer.Do(req)
}

const ping = `{"jsonrpc":"2.0","id":1,"method":"ping"}`

// The key is asked for before anything of the protocol, as everywhere; and no page of a stranger's name is let in.
func TestDoor(t *testing.T) {
	k := newKit(t)
	_, key := k.mailbox()
	for _, tt := range []struct {
		name, key, body string
		header          []string
		status          int
		want            string
	}{
		{"a ping", key, ping, nil, 200, `"result":{}`},
		{"no key", "", ping, nil, 401, `{"error":"Unauthorized"}`},
		{"no key and no message", "", "x", nil, 401, `{"error":"Unauthorized"}`},
		{"not a message", key, "x", nil, 400, ""},
		{"from a page", key, ping, []string{"Origin: https://app.example"}, 200, `"result"`},
		{"from a page that leads here", key, ping, []string{"Origin: http://evil.example", "Host: evil.example"}, 403,
			"forbidden_origin"},
		{"no origin at all", key, ping, []string{"Origin: evil"}, 403, "forbidden_origin"},
		{"an unknown revision", key, ping, []string{"Mcp-Protocol-Version: 1999-01-01"}, 400, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			status, body, err := k.post(k.ctx(), tt.key, "", tt.body, tt.header...)
			k.done(err)
			if status != tt.status || !strings.Contains(body, tt.want) {
				t.Errorf("%d %s", status, body)
			}
		})
	}
}

// Every revision that the library speaks is spoken.
func TestRevisions(t *testing.T) {
	k := newKit(t)
	address, key := k.mailbox()
	for _, revision := range mcp.SupportedProtocolVersions() {
		t.Run(revision, func(t *testing.T) {
			meta, hello := "", true
			var named []string
			if revision >= "2026-07-28" { // which has no handshake, and says in every request what the handshake said
				meta = `,"_meta":{"io.modelcontextprotocol/protocolVersion":"` + revision +
					`","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}`
				hello, named = false, []string{"Mcp-Method: tools/call", "Mcp-Name: get_stats"}
			}
			if hello {
				_, body, err := k.post(k.ctx(), key, "",
					`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"`+revision+
						`","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`)
				k.done(err)
				if !strings.Contains(body, `"protocolVersion":"`+revision+`"`) {
					t.Fatal(body)
				}
			}
			status, body, err := k.post(k.ctx(), key, revision,
				`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"get_stats","arguments":{}`+meta+`}}`,
				named...)
			k.done(err)
			if status != 200 || !strings.Contains(body, address) || !strings.Contains(body, "structuredContent") {
				t.Errorf("%d %s", status, body)
			}
		})
	}
}

// What a program gets wrong, or does on purpose, hurts nobody else.
func TestHostileMessages(t *testing.T) {
	k := newKit(t)
	_, key := k.mailbox()
	for _, body := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_inbox","arguments":null}}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_inbox","arguments": null }}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_inbox","arguments":[]}}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_inbox","arguments":"x"}}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_inbox"}}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"nonesuch","arguments":{}}}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":null}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":[]}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call"}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":null}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"x"}}`,
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":null}`,
		`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":null}`,
		`{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":null}`,
		`{"jsonrpc":"2.0","id":1,"method":"completion/complete","params":null}`,
		`{"jsonrpc":"2.0","id":1,"method":"logging/setLevel","params":null}`,
		`{"jsonrpc":"2.0","id":1,"method":"resources/subscribe","params":null}`,
		`{"jsonrpc":"2.0","id":1,"method":"server/discover","params":null}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":null}`,
		`{"jsonrpc":"2.0","method":"notifications/progress","params":null}`,
		`{"jsonrpc":"2.0","id":null,"method":"ping"}`,
		`{"jsonrpc":"2.0","id":1,"result":{}}`,
		`{"jsonrpc":"2.0","id":{},"method":"ping"}`,
		`[` + ping + `,` + ping + `]`, `[]`, `[[]]`, `null`, `{}`, `1`, `""`, strings.Repeat("[", 5000),
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_email","arguments":{"id":` +
			strings.Repeat(`[`, 5000) + strings.Repeat(`]`, 5000) + `}}}`,
	} {
		for _, revision := range []string{"", "2025-06-18", "2026-07-28"} {
			status, answer, err := k.post(k.ctx(), key, revision, body)
			if err != nil || status >= 500 || strings.Contains(answer, "goroutine") {
				t.Errorf("%.120s: %d %.200s, %v", body, status, answer, err)
			}
		}
	}
	if status, body, err := k.post(k.ctx(), key, "", ping); status != 200 {
		t.Errorf("after it all: %d %s, %v", status, body, err)
	}
}

// Many messages in one request are not many answers in one's memory.
func TestBatch(t *testing.T) {
	k := newKit(t)
	_, key := k.mailbox()
	const list = `{"jsonrpc":"2.0","id":%d,"method":"tools/list"}`
	var batch []string
	for i := range 2000 {
		batch = append(batch, fmt.Sprintf(list, i))
	}
	status, body, err := k.post(k.ctx(), key, "2025-03-26", "["+strings.Join(batch, ",")+"]")
	k.done(err)
	if n := strings.Count(body, `"name":"send_email"`); status != 200 || n == 0 || n > 20 {
		t.Errorf("%d, %d lists, %d bytes", status, n, len(body))
	}
}

// A client that hangs up does not leave a call behind that waits on.
func TestHangingUpEndsTheWait(t *testing.T) {
	k := newKit(t)
	_, key := k.mailbox()
	for _, revision := range []string{"2025-03-26", "2025-11-25"} {
		t.Run(revision, func(t *testing.T) {
			ctx, cancel := context.WithCancel(k.ctx())
			ended := make(chan struct{})
			go func() {
				defer close(ended)
				_, _, _ = k.post(ctx, key, revision,
					`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"wait_for_code","arguments":{"timeout":55}}}`)
			}()
			k.awaitCalls(2) // this one, and the one that it makes
			cancel()
			<-ended
			k.awaitCalls(0)
		})
	}
}

// awaitCalls waits until a given number of requests are being answered.
func (k *kit) awaitCalls(want int) {
	k.Helper()
	ctx := k.ctx()
	for {
		page, err := k.operator.Page(ctx, "/metrics")
		k.done(err)
		b, err := io.ReadAll(page)
		_ = page.Close()
		k.done(err)
		// This one is a request, too.
		if strings.Contains(string(b), fmt.Sprintf("\nmailkin_http_requests_in_flight %d\n", want+1)) {
			return
		}
		select {
		case <-time.After(10 * time.Millisecond):
		case <-ctx.Done():
			k.Fatalf("there were never %d requests", want)
		}
	}
}

func BenchmarkPing(b *testing.B) {
	k := newKit(b)
	_, key := k.mailbox()
	for b.Loop() {
		if status, body, err := k.post(b.Context(), key, "2025-11-25", ping); status != 200 {
			b.Fatal(body, err)
		}
	}
}

func BenchmarkStats(b *testing.B) {
	k := newKit(b)
	_, key := k.mailbox()
	for b.Loop() {
		status, body, err := k.post(b.Context(), key, "2025-11-25",
			`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"get_stats","arguments":{}}}`)
		if status != 200 {
			b.Fatal(body, err)
		}
	}
}

// The address of the tools may name a mailbox; whether the key opens it, the interface says.
func TestMailboxInAddress(t *testing.T) {
	k := newKit(t)
	address, key := k.mailbox()
	other, _ := k.mailbox()
	ask := func(key, box string) string {
		req, err := http.NewRequestWithContext(k.ctx(), http.MethodPost, k.url+"/mcp?mailbox="+url.QueryEscape(box),
			strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_stats","arguments":{}}}`))
		k.done(err)
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Accept", "application/json, text/event-stream")
		req.Header.Set("Authorization", "Bearer "+key)
		resp, err := k.dialer.Do(req)
		k.done(err)
		defer func() { _ = resp.Body.Close() }()
		b, err := io.ReadAll(resp.Body)
		k.done(err)
		return string(b)
	}
	if body := ask(key, address); !strings.Contains(body, address) || strings.Contains(body, `"isError":true`) {
		t.Errorf("its own: %s", body)
	}
	if body := ask(key, other); !strings.Contains(body, `"isError":true`) {
		t.Errorf("another's: %s", body)
	}
}
