package agentmail_test

import (
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"

	"github.com/mailkin/mailkin/internal/door"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service/servicetest"
)

// junk are bodies that no route takes, or not as they are.
var junk = []string{"", "x", "null", "[]", "7", `"a"`, "{", `{"to":{}}`, `{"to":[7]}`, `{"labels":{"a":1}}`,
	`{"metadata":[]}`, `{"metadata":{"a":{}}}`, `{"display_name":7}`, `{"username":"a b","domain":"é"}`,
	`{"message_ids":"a"}`, `{"message_ids":[null]}`, `{"add_labels":[""]}`, `{"add_labels":"ü"}`, `{"send_at":"soon"}`,
	`{"url":"file:///etc/passwd","event_types":["message.sent"]}`, `{"url":"x","event_types":"all"}`,
	`{"entry":""}`, `{"entry":"@@"}`, `{"domain":"\u0000"}`, `{"headers":{"":""}}`, `{"headers":{"To":"x"}}`,
	`{"attachments":[{}]}`, `{"attachments":[{"content":"%"}]}`, `{"to":"a@b.test","text":"\u0000"}`,
	`{"to":"not an address","text":"x"}`, `{"in_reply_to":"<none@x.test>"}`,
	`{"name":"` + strings.Repeat("x", 200) + `"}`}

// queries are parameters that no list takes.
var queries = []string{"limit=0", "limit=-1", "limit=1e9", "page_token=%00", "labels=%5B", "labels=%5B1%5D", "before=x",
	"after=2026-13-01T00:00:00Z", "ascending=perhaps", "include_spam=2", "from=%5B%7B%7D%5D", "q=%22", "q=(", "q=%00"}

// Whatever comes in, the answer is no 5xx, since the SDK would try again, and an error has the foreign shape.
func TestJunkIsRefused(t *testing.T) {
	k := newKit(t)
	own := servicetest.Permanent(t, k.svc, "own")
	servicetest.Receive(t, k.svc, letter, own.Address)
	for _, r := range k.door.Routes {
		if r.Handle == nil || r.Open || r.Method == "DELETE" && strings.HasSuffix(r.Path, "{inbox}") ||
			strings.Contains(r.Path, "{pod}/") { // the handlers of a pod are those of the account
			continue
		}
		for _, message := range []string{"<a/1@sender.test>", "\x00", strings.Repeat("x", 5000)} {
			path := strings.ReplaceAll(routeOf(r, own.Address), esc("<none@x.test>"), esc(message))
			if !strings.Contains(r.Path, "{message}") && message == "\x00" {
				break
			}
			for _, key := range []mailbox.Secret{own.Key, servicetest.OperatorToken} {
				if r.Method == "GET" {
					for _, q := range queries {
						k.try(key, r.Method, path+"?"+q, "")
					}
					continue
				}
				for _, body := range junk {
					k.try(key, r.Method, path, body)
				}
			}
		}
	}
}

// try makes a request as it is.
func (k *kit) try(key mailbox.Secret, method, path, body string) {
	k.Helper()
	r := httptest.NewRequest(method, "/agentmail"+path, strings.NewReader(body))
	r.Header.Set("Authorization", "Bearer "+string(key))
	w := httptest.NewRecorder()
	k.door.Serve(w, r, door.Origin{Client: netip.MustParseAddr("127.0.0.1"),
		Admit: func(mailbox.Secret) error { return nil }, Hold: func(int) error { return nil },
		BodyFailure: func(err error) error { return err }, Note: func(status int, err error) {
			if status >= http.StatusInternalServerError {
				k.Errorf("%s %s %s: %d %v", method, path, body, status, err)
			}
		}})
	if w.Code >= 400 && !strings.HasPrefix(w.Body.String(), `{"name":"`) {
		k.Errorf("%s %s %s: %d %s", method, path, body, w.Code, w.Body)
	}
}
