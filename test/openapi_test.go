package test

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
)

// The kit notices what breaks the contract. Each row changes something about an exchange that keeps it.
func TestContractIsHeld(t *testing.T) {
	t.Parallel()
	srv := start(t)
	b := srv.mailbox(t, "witness")
	contract, err := promised(t)
	if err != nil {
		t.Fatal(err)
	}
	me := b.ask(t, "GET", "/me", "")
	without := func(key string) func(*exchange) {
		return func(x *exchange) { x.body = without(t, x.body, key) }
	}
	says := func(status int, body string) func(*exchange) {
		return func(x *exchange) { x.status, x.body = status, []byte(body) }
	}
	asks := func(method, path, body string) func(*exchange) {
		return func(x *exchange) {
			r, err := request{method: method, path: path, body: body}.to(srv.http)
			if err != nil {
				t.Fatal(err)
			}
			x.q, x.sent = r, []byte(body)
		}
	}
	for _, tt := range []struct {
		name   string
		change func(*exchange)
		kept   bool
	}{
		{"as it is", func(*exchange) {}, true},
		{"by the alias", asks("GET", "/api/me", ""), true},
		{"another key", func(x *exchange) { x.body = []byte(strings.Replace(string(x.body), "{", `{"new":1,`, 1)) },
			true},
		{"a known error", says(404, `{"error":"x","code":"not_found"}`), true},
		{"a wrong field", says(400, `{"error":"x","code":"invalid_limit","field":"limit"}`), true},
		{"paused", says(403, paused), true},
		{"a missing key", without("scope"), false},
		{"a missing key inside", func(x *exchange) {
			x.body = []byte(strings.Replace(string(x.body), `"key_length"`,
				`"length"`, 1))
		}, false},
		{"a null", func(x *exchange) {
			x.body = []byte(strings.Replace(string(x.body), `"version":"`, `"version":null,"x":"`, 1))
		}, false},
		{"a value that is none", func(x *exchange) {
			x.body = []byte(strings.Replace(string(x.body), `"scope":"mailbox"`, `"scope":"guest"`, 1))
		}, false},
		{"no JSON", says(200, "hello"), false},
		{"an unknown status", says(418, `{"error":"x","code":"not_found"}`), false},
		{"an unknown code", says(404, `{"error":"x","code":"gone_fishing"}`), false},
		{"an error without a code", says(404, `{"error":"x"}`), false},
		{"more than the exact body", says(403, `{"error":"Mailbox is paused","code":"paused"}`), false},
		{"429 without a time", says(429, `{"error":"x","code":"auth_rate_limited"}`), false},
		{"another type", func(x *exchange) { x.header.Set("Content-Type", "text/plain") }, false},
		{"no request id", func(x *exchange) { x.header.Del("X-Request-Id") }, false},
		{"an unknown parameter", asks("GET", "/v1/me?colour=red", ""), false},
		{"an unknown route", asks("GET", "/v1/nothing", ""), false},
		{"an unknown method", asks("PUT", "/v1/me", ""), false},
		{"an unknown route that is refused", func(x *exchange) {
			asks("GET", "/v1/nothing", "")(x)
			says(404, `{"error":"x","code":"not_found"}`)(x)
		}, true},
		{"a wrong parameter that is taken", func(x *exchange) {
			asks("GET", "/v1/inbox?limit=ten", "")(x)
			says(200, `{"emails":[],"search_mode":"keyword","next_cursor":null}`)(x)
		}, false},
		{"a right one", func(x *exchange) {
			asks("GET", "/v1/inbox?limit=10", "")(x)
			says(200, `{"emails":[],"search_mode":"keyword","next_cursor":null}`)(x)
		}, true},
		{"a wrong body that is taken", func(x *exchange) {
			asks("POST", "/v1/webhook/reset", `{"url":7}`)(x)
			says(200, `{"ok":true,"reset":[]}`)(x)
		}, false},
		{"a right body", func(x *exchange) {
			asks("POST", "/v1/webhook/reset", `{"url":"https://example.com/"}`)(x)
			says(200, `{"ok":true,"reset":[]}`)(x)
		}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r, err := request{path: "/v1/me"}.to(srv.http)
			if err != nil {
				t.Fatal(err)
			}
			x := exchange{q: r, status: me.status, header: me.header.Clone(), body: me.body}
			tt.change(&x)
			if err := contract.check(x); (err == nil) != tt.kept {
				t.Errorf("check says %v", err)
			}
		})
	}
}

// What is too long to be looked at in whole is looked at where it counts: a long string hides nothing that stands
// next to it.
func TestContractOfLargeBodies(t *testing.T) {
	long := strings.Repeat("x", 3*longString)
	for _, tt := range []struct{ name, text, want string }{
		{"short", `{"a":"b","c":[1,"d"]}`, `{"a":"b","c":[1,"d"]}`},
		{"a long string", `{"a":"` + long + `","c":7}`, `{"a":"` + long[:longString] + `","c":7}`},
		{"a long name", `{"` + long + `":7}`, `{"` + long[:longString] + `":7}`},
		{"two", `["` + long + `","` + long + `"]`, `["` + long[:longString] + `","` + long[:longString] + `"]`},
		{"ends in what it leaves out", `["` + long + `\"\\","c"]`, `["` + long[:longString] + `","c"]`},
		{"a sequence at the end", `["` + long[2:longString] + `\u00e4` + long + `"]`,
			`["` + long[2:longString] + `\u00e4"]`},
		{"a letter of two bytes at the end", `["` + long[1:longString] + `ä` + long + `"]`,
			`["` + long[1:longString] + `ä"]`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var inPieces shortened
			for i := range len(tt.text) {
				_, _ = inPieces.Write([]byte{tt.text[i]})
			}
			if got := string(brief([]byte(tt.text))); got != tt.want || string(inPieces.kept) != tt.want {
				t.Errorf("got %d bytes, in pieces %d, want %d: …%s", len(got), len(inPieces.kept), len(tt.want),
					got[max(0, len(got)-40):])
			}
		})
	}
}

// heard is a test that keeps its errors to itself.
type heard struct {
	testing.TB
	errors chan string
}

func (h heard) Error(args ...any) { h.errors <- fmt.Sprint(args...) }

// What other programs ask is held to it by the proxy between.
func TestContractOfOtherPrograms(t *testing.T) {
	answer := `{"emails":[],"search_mode":"keyword","next_cursor":null}`
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, err := io.Copy(io.Discard, r.Body); err != nil {
			t.Error(err)
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("X-Request-Id", "7")
		_, _ = io.WriteString(w, answer)
	}))
	defer other.Close()
	if _, err := promised(t); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, ask, body, answer string
		kept                    bool
	}{
		{"as agreed", "/v1/inbox?limit=7", "", answer, true},
		{"an unknown parameter", "/v1/inbox?colour=red", "", answer, false},
		{"a missing member", "/v1/inbox", "", `{"emails":[]}`, false},
		{"a request as agreed", "/v1/webhook/reset", `{"url":"https://example.com/"}`, `{"ok":true,"reset":[]}`, true},
		{"a wrong request", "/v1/webhook/reset", `{"url":7}`, `{"ok":true,"reset":[]}`, false},
		{"a wrong request behind much", "/v1/webhook/reset", `{"x":"` + strings.Repeat("x", 2*longString) +
			`","url":7}`, `{"ok":true,"reset":[]}`, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			answer = tt.answer
			listener := heard{t, make(chan string, 10)}
			srv := &server{http: other.URL}
			srv.watch(listener)
			q := request{path: tt.ask, body: tt.body}
			if tt.body != "" {
				q.method = http.MethodPost
			}
			r, err := q.to(srv.http)
			if err != nil {
				t.Fatal(err)
			}
			resp, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			defer resp.Body.Close()
			if got, err := io.ReadAll(resp.Body); err != nil || string(got) != tt.answer {
				t.Errorf("it passes on %s, %v", got, err)
			}
			if noticed := len(listener.errors) > 0; noticed == tt.kept {
				t.Errorf("noticed: %v", noticed)
			}
		})
	}
}

// without returns a JSON object without one of its members.
func without(t *testing.T, body []byte, key string) []byte {
	t.Helper()
	var o map[string]any
	answer{body: body}.into(t, &o)
	if _, there := o[key]; !there {
		t.Fatalf("there is no %s", key)
	}
	delete(o, key)
	text, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// Events and what is posted are held to it, too.
func TestContractOfEvents(t *testing.T) {
	t.Parallel()
	srv := start(t, "MAILKIN_WEBHOOK_ALLOW_PRIVATE=true")
	b := srv.mailbox(t, "witness")
	hook := newReceiver(t, 204)
	b.hookTo(t, hook.URL)
	srv.deliver(t, mail("seen"), b.address)
	post := hook.await(t, 1)[0]
	contract, err := promised(t)
	if err != nil {
		t.Fatal(err)
	}
	if err := contract.checkHook(post.header, []byte(post.body)); err != nil {
		t.Error(err)
	}
	for _, key := range []string{"event", "email_id", "mailbox", "from", "subject", "received_at"} {
		if contract.checkHook(post.header, without(t, []byte(post.body), key)) == nil {
			t.Errorf("a post without %s is not noticed", key)
		}
	}
	for _, name := range []string{"X-Webhook-Event", "X-Webhook-Signature", "X-Webhook-Id", "Webhook-Signature"} {
		header := post.header.Clone()
		header.Del(name)
		if contract.checkHook(header, []byte(post.body)) == nil {
			t.Errorf("a post without %s is not noticed", name)
		}
	}
	sent := `{"event":"message.sent","email_id":"019a0000-0000-7000-8000-000000000000","mailbox":"a@b","from":"a@b","subject":"","received_at":"2026-01-01T00:00:00.000Z",` +
		`"thread_id":"","labels":[],"has_attachments":false,"message_id":"","attachment_count":0,"code":null,"status":"queued","recipient":"a@b","timestamp":"2026-01-01T00:00:00.000Z"}`
	if err := contract.checkEvent(sent); err != nil {
		t.Error(err)
	}
	for _, key := range []string{"event", "mailbox", "thread_id", "labels", "code", "recipient"} {
		if contract.checkEvent(string(without(t, []byte(sent), key))) == nil {
			t.Errorf("an event without %s is not noticed", key)
		}
	}
}

// Every operation of the contract is there, under both names, and asks for a key where it says so.
func TestContractIsServed(t *testing.T) {
	t.Parallel()
	srv := start(t)
	contract, err := promised(t)
	if err != nil {
		t.Fatal(err)
	}
	paths := contract.doc["paths"].(map[string]any)
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		for method, op := range paths[path].(map[string]any) {
			security, said := op.(map[string]any)["security"].([]any)
			places := []string{path}
			if rest, ok := strings.CutPrefix(path, "/v1/"); ok {
				places = append(places, "/api/"+rest)
			}
			for _, place := range places {
				place = strings.NewReplacer("{id}", "019a0000-0000-7000-8000-000000000000", "{address}",
					"a@b").Replace(place)
				a := srv.ask(t, request{method: strings.ToUpper(method), path: place})
				switch {
				case !said && (a.status != 401 || string(a.body) != unauthorized):
					t.Errorf("%s %s without a key: %d %s", method, place, a.status, a.body)
				case len(security) == 0 && a.status == 401 && said, a.status == 405:
					t.Errorf("%s %s: %d %s", method, place, a.status, a.body)
				}
			}
		}
	}
}

// The document and the pages name the address that they were asked at, or the one that the deployment sets.
func TestManualIsServed(t *testing.T) {
	t.Parallel()
	for name, settings := range map[string][]string{"as asked": nil,
		"as set": {"MAILKIN_PUBLIC_URL=https://post.example.com"}} {
		t.Run(name, func(t *testing.T) {
			srv := start(t, settings...)
			base := srv.http
			if settings != nil {
				base = "https://post.example.com"
			}
			for path, kind := range map[string]string{"/openapi.json": "application/json",
				"/docs": "text/html; charset=utf-8", "/llms.txt": "text/plain; charset=utf-8",
				"/llms-full.txt": "text/plain; charset=utf-8", "/skill.md": "text/markdown; charset=utf-8"} {
				a := srv.do(t, request{path: path}, http.StatusOK, nil)
				if a.header.Get("Content-Type") != kind || !strings.Contains(string(a.body), base) {
					t.Errorf("%s: %v, %d bytes", path, a.header, len(a.body))
				}
				again := srv.ask(t, request{path: path, header: http.Header{"If-None-Match": {a.header.Get("ETag")}}})
				if again.status != http.StatusNotModified || len(again.body) > 0 {
					t.Errorf("%s again: %d", path, again.status)
				}
			}
		})
	}
}
