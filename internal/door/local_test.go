package door_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/mailkin/mailkin/internal/door"
	"github.com/mailkin/mailkin/internal/mailbox"
)

// localDoor is a door without keys that answers one route.
func localDoor(hosts ...string) *door.Door {
	return &door.Door{Name: "local", Options: true, Local: &door.Local{Hosts: hosts},
		Routes: []door.Route{{Method: "GET", Path: "/mail", Open: true,
			Handle: func(c *door.Call) error { return c.Text(http.StatusOK, "the code is 123456") }}},
		Fail: func(c *door.Call, err error) { _ = c.Text(door.Status(err), door.Message(err)) }}
}

func askLocal(d *door.Door, method, host string, header map[string]string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, "/mail", nil)
	r.Host = host
	for name, value := range header {
		r.Header.Set(name, value)
	}
	w := httptest.NewRecorder()
	w.Header().Set("Access-Control-Allow-Origin", "*") // as the server puts on every answer
	d.Serve(w, r, door.Origin{Admit: func(mailbox.Secret) error { return nil },
		Hold: func(int) error { return nil }})
	return w
}

func TestLocalHost(t *testing.T) {
	for _, row := range []struct {
		name, host string
		hosts      []string
		want       int
	}{
		{"loopback", "127.0.0.1:8025", nil, 200},
		{"loopback without a port", "127.0.0.1", nil, 200},
		{"another loopback address", "127.9.9.9:1", nil, 200},
		{"IPv6", "[::1]:8025", nil, 200},
		{"IPv6 without a port", "[::1]", nil, 200},
		{"IPv4 in IPv6", "[::ffff:127.0.0.1]:8025", nil, 200},
		{"localhost", "LocalHost:8025", nil, 200},
		{"under localhost", "mail.localhost:8025", nil, 200},
		{"rebinding", "rebind.attacker.example:8025", nil, 403},
		{"a name that begins like loopback", "127.0.0.1.attacker.example:8025", nil, 403},
		{"a name that ends like loopback", "attackerlocalhost", nil, 403},
		{"another address", "192.168.1.7:8025", nil, 403},
		{"every address", "0.0.0.0:8025", nil, 403},
		{"none", "", nil, 403},
		{"named", "mailpit:8025", []string{"mailpit"}, 200},
		{"named with a dot at its end", "MailPit.:8025", []string{"mailpit"}, 200},
		{"another than the named", "attacker.example", []string{"mailpit"}, 403},
		{"any", "attacker.example", []string{"*"}, 200},
	} {
		t.Run(row.name, func(t *testing.T) {
			w := askLocal(localDoor(row.hosts...), "GET", row.host, nil)
			if w.Code != row.want {
				t.Errorf("Host %q: %d, want %d", row.host, w.Code, row.want)
			}
			if got := w.Header().Get("Access-Control-Allow-Origin"); got != "" {
				t.Errorf("a request without an origin may be read by %q", got)
			}
		})
	}
}

func TestLocalOrigin(t *testing.T) {
	for _, row := range []struct {
		name, origin string
		hosts        []string
		want         int
	}{
		{"a page of this machine", "http://localhost:3000", nil, 200},
		{"the same by its address", "https://127.0.0.1:5173", nil, 200},
		{"the same by IPv6", "http://[::1]:3000", nil, 200},
		{"a page of the Internet", "https://attacker.example", nil, 403},
		{"one whose name looks like this machine", "https://localhost.attacker.example", nil, 403},
		{"a frame without an origin", "null", nil, 403},
		{"an extension", "chrome-extension://localhost", nil, 403},
		{"a named host", "http://app:3000", []string{"app"}, 200},
		{"any host, but another page", "https://attacker.example", []string{"*"}, 403},
	} {
		for _, method := range []string{"GET", "OPTIONS"} {
			t.Run(row.name+" "+method, func(t *testing.T) {
				w := askLocal(localDoor(row.hosts...), method, "127.0.0.1:8025", map[string]string{"Origin": row.origin,
					"Access-Control-Request-Headers": "content-type"})
				want, allowed := row.want, ""
				if want == 200 {
					allowed = row.origin
					if method == "OPTIONS" {
						want = 204
					}
				}
				if got := w.Header().Get("Access-Control-Allow-Origin"); w.Code != want || got != allowed {
					t.Errorf("%d, allowed %q; want %d, %q", w.Code, got, want, allowed)
				}
			})
		}
	}
}
