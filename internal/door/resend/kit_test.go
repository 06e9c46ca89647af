package resend_test

import (
	"encoding/json"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"

	"github.com/mailkin/mailkin/internal/door"
	"github.com/mailkin/mailkin/internal/door/resend"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/service/servicetest"
)

// kit is the door before a real service, and a mailbox.
type kit struct {
	*testing.T
	svc  *service.Service
	base servicetest.Base
	door *door.Door
	own  service.CreatedMailbox
	head map[string]string // headers of the requests
}

func newKit(t *testing.T, change ...func(*service.Options)) *kit {
	t.Helper()
	svc, base := servicetest.New(t, append(change, func(o *service.Options) {
		o.HookBody = func(f mailbox.HookForm, e mailbox.Event, _ string) (string, []byte) {
			if f != mailbox.FormResend {
				return "", nil
			}
			return resend.HookBody(e)
		}
	})...)
	return &kit{T: t, svc: svc, base: base, door: resend.New(svc), own: servicetest.Permanent(t, svc, "own")}
}

// object is a JSON object.
type object = map[string]any

// ask makes a request at the door and reads the answer. An error must have the shape that errors have there.
func (k *kit) ask(key mailbox.Secret, method, path, body string) (int, object) {
	k.Helper()
	r := httptest.NewRequest(method, "/resend"+path, strings.NewReader(body))
	if key != "" {
		r.Header.Set("Authorization", "Bearer "+string(key))
	}
	for name, value := range k.head {
		r.Header.Set(name, value)
	}
	w := httptest.NewRecorder()
	k.door.Serve(w, r.WithContext(k.Context()), door.Origin{Base: "http://127.0.0.1:8025",
		Client: netip.MustParseAddr("127.0.0.1"), Admit: func(mailbox.Secret) error { return nil },
		Hold: func(int) error { return nil }, BodyFailure: func(err error) error { return err },
		Note: func(status int, err error) {
			if status >= 500 {
				k.Errorf("%s %s %.200s: %v", method, path, body, err)
			}
		}})
	var out object
	if err := json.Unmarshal(w.Body.Bytes(), &out); err != nil {
		k.Errorf("%s %s %.200s: %q is not JSON", method, path, body, w.Body)
	}
	if w.Code >= 400 && (out["statusCode"] != float64(w.Code) || out["name"] == "" || out["message"] == "") {
		k.Errorf("%s %s: %d %v", method, path, w.Code, out)
	}
	return w.Code, out
}

// gives makes a request of the mailbox that must succeed.
func (k *kit) gives(method, path, body string) object {
	k.Helper()
	status, out := k.ask(k.own.Key, method, path, body)
	if status/100 != 2 {
		k.Fatalf("%s %s %.200s: %d %v", method, path, body, status, out)
	}
	return out
}

// fails makes a request of the mailbox that must fail.
func (k *kit) fails(method, path, body string, status int, name string) {
	k.Helper()
	got, out := k.ask(k.own.Key, method, path, body)
	if got != status || out["name"] != name {
		k.Errorf("%s %s %.200s: %d %v, want %d %s", method, path, body, got, out, status, name)
	}
}

// mail is the body of a message, with members more.
func (k *kit) mail(more string) string {
	return `{"from":"` + k.own.Address + `","to":["ann@far.test"],"subject":"s","text":"t"` + more + `}`
}

// rows are those of a list, as one of their members has them.
func rows(list object, member string) (out []string) {
	for _, r := range list["data"].([]any) {
		out = append(out, r.(object)[member].(string))
	}
	return out
}

func (k *kit) same(what string, got, want any) {
	k.Helper()
	a, _ := json.Marshal(got)
	b, _ := json.Marshal(want)
	if string(a) != string(b) {
		k.Errorf("%s: %s, want %s", what, a, b)
	}
}

// use has the door stand before another service.
func (k *kit) use(svc *service.Service) { k.svc, k.door = svc, resend.New(svc) }
