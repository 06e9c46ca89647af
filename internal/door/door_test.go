package door_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"

	"github.com/mailkin/mailkin/internal/door"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

type gate struct{ entered service.Act }

func (g *gate) Authenticate(_ context.Context, token mailbox.Secret) (mailbox.Caller, error) {
	if token != "right" {
		return mailbox.Caller{}, mailbox.Errorf(mailbox.Unauthorized, "unauthorized", "No such key.")
	}
	return mailbox.Caller{Scope: mailbox.Permanent}, nil
}

func (g *gate) WrongKey(netip.Addr) error { return nil }

func (g *gate) Enter(_ context.Context, who mailbox.Caller, act service.Act) (service.Access, error) {
	g.entered = act
	return service.Access{Act: act, Caller: who}, nil
}

func TestDispatch(t *testing.T) {
	g := &gate{}
	value := func(c *door.Call) error { return c.Text(http.StatusOK, c.Value("box")+"|"+c.Value("id")) }
	d := &door.Door{Name: "x", Prefix: "/x", Gate: g, Routes: []door.Route{
		{Method: "GET", Path: "/open", Open: true, Handle: value},
		{Method: "GET", Path: "/boxes/{box}/mail/{id}", Box: "box", Need: mailbox.ReadMail, Handle: value},
		{Method: "GET", Path: "/view/{id}.html", Open: true, Handle: value},
		{Method: "POST", Path: "/gone"},
		{Method: "POST", Path: "/body", Open: true, Handle: func(c *door.Call) error {
			var in struct{ Name string }
			if err := c.Read(&in, 20); err != nil {
				return err
			}
			return c.Text(http.StatusOK, in.Name)
		}},
	}, Fail: func(c *door.Call, err error) { _ = c.Text(door.Status(err), door.Code(err)) }}
	for _, tt := range []struct {
		name, method, path, key, body string
		status                        int
		answer                        string
	}{
		{"open", "GET", "/x/open", "", "", 200, "|"},
		{"head", "HEAD", "/x/open", "", "", 200, ""},
		{"slashes", "GET", "/x//open/", "", "", 200, "|"},
		{"an encoded slash is no slash", "GET", "/x/boxes/a%40b.test/mail/%3Ca%2Fb@c%3E", "right", "", 200,
			"a@b.test|<a/b@c>"},
		{"suffix", "GET", "/x/view/12.html", "", "", 200, "|12"},
		{"nothing before the suffix", "GET", "/x/view/.html", "right", "", 404, "not_found"},
		{"no key", "GET", "/x/boxes/a/mail/b", "", "", 401, "missing_key"},
		{"wrong key", "GET", "/x/boxes/a/mail/b", "wrong", "", 401, "unauthorized"},
		{"unknown without a key", "GET", "/x/y", "", "", 401, "missing_key"},
		{"unknown", "GET", "/x/y", "right", "", 404, "not_found"},
		{"not there", "POST", "/x/gone", "right", "", 404, "not_found"},
		{"method", "DELETE", "/x/open", "right", "", 405, "method_not_allowed"},
		{"body", "POST", "/x/body", "", `{"name":"n"}`, 200, "n"},
		{"type", "POST", "/x/body", "", `{"name":1}`, 400, "invalid_type"},
		{"no JSON", "POST", "/x/body", "", `{"name"`, 400, "invalid_json"},
		{"two values", "POST", "/x/body", "", `{} {}`, 400, "invalid_json"},
		{"too large", "POST", "/x/body", "", `{"name":"` + strings.Repeat("n", 20) + `"}`, 413, "body_too_large"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := httptest.NewRequest(tt.method, tt.path, strings.NewReader(tt.body))
			if tt.key != "" {
				r.Header.Set("Authorization", "Bearer "+tt.key)
			}
			if !d.Serves(r) {
				t.Fatal("the request is not the door's")
			}
			w := httptest.NewRecorder()
			d.Serve(w, r, door.Origin{Admit: func(mailbox.Secret) error { return nil },
				Hold: func(int) error { return nil }, BodyFailure: func(err error) error { return err }})
			if w.Code != tt.status || w.Body.String() != tt.answer {
				t.Errorf("answer %d %q, want %d %q", w.Code, w.Body.String(), tt.status, tt.answer)
			}
		})
	}
	if g.entered.Mailbox != "a@b.test" || g.entered.Verb != "GET /x/boxes/{box}/mail/{id}" {
		t.Errorf("entered %+v", g.entered)
	}
	if d.Serves(httptest.NewRequest("GET", "/xy", nil)) {
		t.Error("a longer name is not the door's")
	}
}

func TestErrorsSayNothingInternal(t *testing.T) {
	err := errors.New("dial tcp 10.0.0.1: refused")
	if got := door.Message(err); got != "Internal Server Error" || door.Status(err) != 500 {
		t.Errorf("an internal error is told as %q", got)
	}
}
