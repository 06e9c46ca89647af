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

// ask makes a request at the door, and returns the status and the name of the error in the answer.
func ask(t *testing.T, d *door.Door, key mailbox.Secret, method, path string) (status int, name string) {
	t.Helper()
	r := httptest.NewRequest(method, "/resend"+path, strings.NewReader("{}"))
	if key != "" {
		r.Header.Set("Authorization", "Bearer "+string(key))
	}
	w := httptest.NewRecorder()
	d.Serve(w, r.WithContext(t.Context()), door.Origin{Base: "http://127.0.0.1:8025",
		Client: netip.MustParseAddr("127.0.0.1"), Admit: func(mailbox.Secret) error { return nil },
		Hold: func(int) error { return nil }, BodyFailure: func(err error) error { return err },
		Note: func(status int, err error) {
			if status == 500 {
				t.Errorf("%s %s: %v", method, path, err)
			}
		}})
	var failed struct {
		StatusCode    int
		Name, Message string
	}
	if err := json.Unmarshal(w.Body.Bytes(), &failed); err != nil {
		t.Errorf("%s %s: %q is not JSON", method, path, w.Body)
	}
	if w.Code >= 400 && (failed.StatusCode != w.Code || failed.Name == "" || failed.Message == "") {
		t.Errorf("%s %s: %d %s", method, path, w.Code, w.Body)
	}
	return w.Code, failed.Name
}

// Every route is open to those alone whose key has what it needs, and ids of others do not exist.
func TestWhoMay(t *testing.T) {
	svc, base := servicetest.New(t)
	own, other := servicetest.Permanent(t, svc, "own"), servicetest.Permanent(t, svc, "other")
	temporary := servicetest.Insert(t, base, mailbox.Mailbox{Address: "short@example.test", Scope: mailbox.Provisional})
	moderator := servicetest.Enter(t, svc, servicetest.OperatorToken, service.Act{Need: mailbox.Moderate,
		Mailbox: own.Address})
	sender, err := svc.CreateKey(t.Context(), moderator, service.NewKey{Capabilities: []string{"send"}})
	if err != nil {
		t.Fatal(err)
	}
	d := resend.New(svc)
	bound := mailbox.Caller{Scope: mailbox.Permanent, Key: sender.Key}
	for _, r := range d.Routes {
		if r.Handle == nil || r.Open {
			continue
		}
		path := strings.NewReplacer("{id}", "0199e5a4-7c1e-7cc1-b8a5-1f2c3d4e5f60", "{part}",
			"0199e5a4-7c1e-7cc1-b8a5-1f2c3d4e5f61", "{event}", "0199e5a4-7c1e-7cc1-b8a5-1f2c3d4e5f60").Replace(r.Path)
		for _, who := range []struct {
			name string
			key  mailbox.Secret
			may  bool
		}{
			{"nobody", "", false}, {"temporary", temporary.Key, mailbox.Provisional.May(r.Need)},
			{"mailbox", own.Key, true}, {"other", other.Key, true}, {"sender", sender.Secret, bound.May(r.Need)},
			{"operator", servicetest.OperatorToken, true},
		} {
			status, name := ask(t, d, who.key, r.Method, path)
			refused := status == 401 && (name == "missing_api_key" || name == "restricted_api_key")
			if refused == who.may {
				t.Errorf("%s %s by %s: %d %s", r.Method, r.Path, who.name, status, name)
			}
			if who.may && strings.Contains(r.Path, "{id}") && status/100 == 2 {
				t.Errorf("%s %s by %s: something that is not there is found: %d", r.Method, r.Path, who.name, status)
			}
		}
	}
}
