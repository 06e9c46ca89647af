package agentmail_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"testing"

	"github.com/mailkin/mailkin/internal/door"
	"github.com/mailkin/mailkin/internal/door/agentmail"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/service/servicetest"
)

// kit is the door before a real service.
type kit struct {
	*testing.T
	svc  *service.Service
	base servicetest.Base
	door *door.Door
}

func newKit(t *testing.T) *kit {
	svc, base := servicetest.New(t)
	return &kit{t, svc, base, agentmail.New(svc)}
}

// key makes a key of a mailbox.
func (k *kit) key(address string, n service.NewKey) mailbox.Secret {
	k.Helper()
	in := servicetest.Enter(k.T, k.svc, servicetest.OperatorToken,
		service.Act{Need: mailbox.Moderate, Mailbox: address})
	made, err := k.svc.CreateKey(k.Context(), in, n)
	if err != nil {
		k.Fatal(err)
	}
	return made.Secret
}

// object is a JSON object.
type object map[string]any

// ask makes a request and reads the answer.
func (k *kit) ask(key mailbox.Secret, method, path string, body any) (int, object) {
	k.Helper()
	text := ""
	if body != nil {
		b, err := json.Marshal(body)
		if err != nil {
			k.Fatal(err)
		}
		text = string(b)
	}
	r := httptest.NewRequest(method, "/agentmail"+path, strings.NewReader(text))
	if key != "" {
		r.Header.Set("Authorization", "Bearer "+string(key))
	}
	w := httptest.NewRecorder()
	k.door.Serve(w, r.WithContext(k.Context()), door.Origin{Base: "http://127.0.0.1:8025",
		Client: netip.MustParseAddr("127.0.0.1"),
		Admit:  func(mailbox.Secret) error { return nil }, Hold: func(int) error { return nil },
		BodyFailure: func(err error) error { return err }, Note: func(status int, err error) {
			if status >= 500 {
				k.Errorf("%s %s: %d %v", method, path, status, err)
			}
		}})
	var out object
	if w.Body.Len() > 0 && strings.HasPrefix(w.Header().Get("Content-Type"), "application/json") {
		if err := json.Unmarshal(w.Body.Bytes(), &out); err != nil {
			k.Fatalf("%s %s: %v in %q", method, path, err, w.Body)
		}
	}
	return w.Code, out
}

// gives makes a request that must succeed.
func (k *kit) gives(key mailbox.Secret, method, path string, body any) object {
	k.Helper()
	status, out := k.ask(key, method, path, body)
	if status/100 != 2 {
		k.Fatalf("%s %s: %d %v", method, path, status, out)
	}
	return out
}

// fails makes a request that must fail in the foreign shape.
func (k *kit) fails(key mailbox.Secret, method, path string, body any, status int, name string) {
	k.Helper()
	got, out := k.ask(key, method, path, body)
	if got != status || out["name"] != name || out["message"] == "" {
		k.Errorf("%s %s: %d %v, want %d %s", method, path, got, out, status, name)
	}
}

func esc(s string) string { return url.PathEscape(s) }

// routeOf fills the {names} of a route.
func routeOf(r door.Route, inbox string) string {
	return strings.NewReplacer("{inbox}", esc(inbox), "{pod}", "default", "{message}", esc("<none@x.test>"),
		"{thread}", "019f0000-0000-7000-8000-000000000000", "{draft}", "019f0000-0000-7000-8000-000000000000",
		"{attachment}", "019f0000-0000-7000-8000-000000000001", "{webhook}", "019f0000-0000-7000-8000-000000000000",
		"{domain}", "019f0000-0000-7000-8000-000000000000", "{key}", "019f0000-0000-7000-8000-000000000000",
		"{direction}", "send", "{type}", "block", "{entry}", "x.test", "{token}", "none").Replace(r.Path)
}

// Every route is closed to those who may not use it: without a key 401, with a foreign mailbox's key 404, with a key
// that may not 403, and never a 5xx.
func TestEveryRouteByScope(t *testing.T) {
	k := newKit(t)
	box, other := servicetest.Permanent(t, k.svc, "own"), servicetest.Permanent(t, k.svc, "other")
	temporary := servicetest.Provisional(t, k.base, "short")
	code := k.key(box.Address, service.NewKey{Capabilities: []string{"code"}})
	for _, r := range k.door.Routes {
		path := routeOf(r, box.Address)
		if r.Handle == nil {
			if status, _ := k.ask(box.Key, r.Method, path, nil); status != 404 && status != 405 {
				t.Errorf("%s %s: %d", r.Method, path, status)
			}
			continue
		}
		if r.Method == "DELETE" && r.Box == "inbox" && strings.HasSuffix(r.Path, "{inbox}") {
			k.fails(other.Key, r.Method, path, nil, http.StatusNotFound, "not_found")
			continue
		}
		if r.Open {
			k.fails("", r.Method, path, nil, http.StatusNotFound, "not_found")
			continue
		}
		k.fails("", r.Method, path, nil, http.StatusUnauthorized, "missing_authorization")
		k.fails("mk_wrong", r.Method, path, nil, http.StatusUnauthorized, "unknown_api_key")
		if r.Box != "" && mailbox.Permanent.May(r.Need) {
			k.fails(other.Key, r.Method, path, nil, http.StatusNotFound, "not_found")
		}
		for name, key := range map[string]mailbox.Secret{"temporary": temporary.Key, "restricted": code, "own": box.Key,
			"operator": servicetest.OperatorToken} {
			at := path
			if name == "temporary" {
				at = routeOf(r, temporary.Address)
			}
			who, err := k.svc.Authenticate(t.Context(), key)
			if err != nil {
				t.Fatal(err)
			}
			status, out := k.ask(key, r.Method, at, nil)
			if denied := status == http.StatusForbidden; denied != !who.May(r.Need) {
				t.Errorf("%s %s with the %s key: %d %v", r.Method, at, name, status, out)
			}
		}
	}
}
