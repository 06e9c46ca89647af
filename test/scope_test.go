package test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"
)

// caller is a credential with the mailbox it acts on and the message that is in it.
type caller struct {
	box
	id, thread string
}

// fillIn puts the caller's own things into a path.
func (c caller) fillIn(path string) string {
	return strings.NewReplacer("{id}", c.id, "{thread}", c.thread, "{own}", c.address).Replace(path)
}

const nothingsID = "00000000-0000-7000-8000-000000000000"

// Who may do what, on the real server: the main routes with each kind of credential, at both prefixes.
func TestScopes(t *testing.T) {
	t.Parallel()
	const denied = 403
	srv := start(t)
	for _, prefix := range []string{"/v1", "/api"} {
		ops := box{srv: srv, address: "ops@" + domain, key: srv.token, prefix: prefix}
		callers := []caller{{box: srv.bootstrap(t)}, {box: srv.mailbox(t, "scope-"+prefix[1:])}, {box: ops}}
		for i := range callers {
			c := &callers[i]
			c.prefix = prefix
			srv.deliver(t, codeMail(fmt.Sprint(400000+len(prefix))), c.address)
			newest := c.inbox(t)[0]
			c.id, c.thread = newest.ID, newest.ThreadID
		}
		for _, tt := range []struct {
			method, path, body               string
			provisional, permanent, operator int
		}{
			{"GET", "/me", "", 200, 200, 200},
			{"GET", "/mailbox", "", 200, 200, 200},
			{"GET", "/inbox", "", 200, 200, 200},
			{"GET", "/inbox?mailbox={own}", "", 200, 200, 200},
			{"GET", "/email?id={id}", "", 200, 200, 200},
			{"GET", "/code?timeout=55", "", 200, 200, 200},
			{"GET", "/wait?timeout=55&has=code", "", 200, 200, 200},
			{"HEAD", "/events", "", 200, 200, 200},
			{"GET", "/threads", "", 200, 200, 200},
			{"GET", "/thread?id={thread}", "", 200, 200, 200},
			{"GET", "/stats", "", 200, 200, 200},
			{"GET", "/rejects", "", 200, 200, 200},
			{"PATCH", "/email?id={id}", `{"seen":true}`, denied, 200, 200},
			{"GET", "/email/raw?id={id}", "", denied, 200, 200},
			{"GET", "/email/history?id={id}", "", 200, 200, 200},
			{"GET", "/export?format=mbox", "", denied, 200, 200},
			{"POST", "/email/cancel?id={id}", "", denied, 400, 400}, // it came in
			{"PATCH", "/mailbox", `{"undo_seconds":5}`, denied, denied, 200},
			{"PATCH", "/mailbox", `{"undo_seconds":0}`, denied, denied, 200},
			{"PATCH", "/mailbox", `{"brakes":true}`, denied, denied, 200},
			{"PATCH", "/mailbox", `{"brakes":null}`, denied, denied, 200},
			{"POST", "/mailbox/resume-sending", "", denied, denied, 200},
			{"PATCH", "/mailbox", `{"send_policy":"open"}`, denied, denied, 200},
			{"GET", "/reviews", "", denied, denied, 200},
			{"GET", "/reviews/" + nothingsID, "", denied, denied, 404},
			{"PATCH", "/reviews/" + nothingsID, `{"subject":"x"}`, denied, denied, 404},
			{"POST", "/reviews/" + nothingsID + "/approve", "", denied, denied, 404},
			{"POST", "/reviews/" + nothingsID + "/reject", "", denied, denied, 404},
			{"POST", "/reviews/approve", `{"ids":["` + nothingsID + `"]}`, denied, denied, 200},
			{"PATCH", "/mailbox", `{"receive_action":"quarantine"}`, denied, denied, 200},
			{"PATCH", "/mailbox", `{"receive_action":null}`, denied, denied, 200},
			{"GET", "/quarantine", "", denied, denied, 200},
			{"GET", "/quarantine/" + nothingsID, "", denied, denied, 404},
			{"POST", "/quarantine/" + nothingsID + "/release", "", denied, denied, 404},
			{"DELETE", "/quarantine/" + nothingsID, "", denied, denied, 404},
			{"GET", "/lists/receive/block", "", 200, 200, 200},
			{"PUT", "/lists/receive/block", `{"value":"a.example"}`, denied, denied, 200},
			{"DELETE", "/lists/receive/block?value=a.example", "", denied, denied, 200},
			{"PATCH", "/mailbox", `{"limits":{"bytes":5000000000}}`, denied, denied, 200},
			{"PATCH", "/mailbox", `{"limits":null}`, denied, denied, 200},
			{"GET", "/attachment?id=" + nothingsID, "", denied, 404, 404},
			{"PATCH", "/mailbox", `{"webhook_url":null}`, denied, 200, 200},
			{"PATCH", "/mailbox/pause", "", denied, 200, 200},
			{"PATCH", "/mailbox/resume", "", denied, 200, 200},
			{"POST", "/mailboxes", `{"name":"made` + prefix[1:] + `"}`, denied, denied, 201},
			{"POST", "/claim/auto", `{"name":"auto` + prefix[1:] + `"}`, denied, denied, 201},
			{"GET", "/mailboxes", "", denied, denied, 200},
			{"GET", "/mailboxes/{own}", "", denied, denied, 200},
			{"GET", "/mailboxes/{own}/keys", "", denied, denied, 200},
			{"DELETE", "/keys/" + nothingsID, "", denied, denied, 404},
			{"GET", "/audit", "", denied, denied, 200},
			{"POST", "/ingest", "", denied, denied, 400},
			{"GET", "/nothing", "", 404, 404, 404},
			{"DELETE", "/email?id={id}", "", denied, 200, 200},
			{"DELETE", "/mailbox", "", 200, 200, 400},
			{"GET", "/inbox", "", 401, 401, 200},
		} {
			for i, want := range []int{tt.provisional, tt.permanent, tt.operator} {
				a := callers[i].ask(t, tt.method, callers[i].fillIn(tt.path), tt.body)
				if a.status != want {
					t.Errorf("%s %s%s as %s: got %d %.200s, want %d", tt.method, prefix, tt.path, scopeNames[i],
						a.status, a.body, want)
				} else if want == denied {
					checkDenied(t, a, i)
				}
			}
		}
	}
}

var scopeNames = []string{"provisional", "mailbox", "operator"}

// checkDenied looks at the answer to a key that may not do something.
func checkDenied(t *testing.T, a answer, scope int) {
	t.Helper()
	checkError(t, a, true, []string{"provisional_capability_denied", "scope_denied"}[scope])
	var body struct {
		Upgrade struct{ Command, URL string }
	}
	a.into(t, &body)
	if (body.Upgrade.URL != "") != (scope == 0) {
		t.Errorf("the %s key is told %s", scopeNames[scope], a.body)
	}
}

// The three bodies that are exact, byte for byte, on the routes that wait as well, at both prefixes.
func TestExactBodies(t *testing.T) {
	t.Parallel()
	srv := start(t)
	temporary, b, other := srv.bootstrap(t), srv.mailbox(t, "exact"), srv.mailbox(t, "other")
	halted := srv.mailbox(t, "halted")
	if a := halted.ask(t, "PATCH", "/mailbox/pause", ""); a.status != 200 {
		t.Fatalf("pause: %d %s", a.status, a.body)
	}
	wrong := "mk_" + strings.Repeat("0", 64)
	for _, prefix := range []string{"/v1", "/api"} {
		for _, route := range []string{"/inbox", "/events", "/code", "/wait", "/stats", "/me", "/mailbox", "/threads"} {
			for _, tt := range []struct {
				name, key, params string
				status            int
				body              string
			}{
				{"no key", "", "", 401, unauthorized},
				{"wrong key", wrong, "", 401, unauthorized},
				{"wrong key and a mailbox", wrong, "?mailbox=" + b.address, 401, unauthorized},
				{"another mailbox", b.key, "?mailbox=" + other.address, 403, forbidden},
				{"another mailbox of a temporary one", temporary.key, "?to=" + other.address, 403, forbidden},
				{"nobody's mailbox", b.key, "?mailbox=nobody@" + domain, 403, forbidden},
				{"the operator's mailbox", b.key, "?mailbox=ops@" + domain, 403, forbidden},
				{"paused", halted.key, "", 403, paused},
				{"paused, another mailbox", halted.key, "?mailbox=" + other.address, 403, paused},
			} {
				a := srv.ask(t, request{path: prefix + route + tt.params, key: tt.key})
				if a.status != tt.status || string(a.body) != tt.body {
					t.Errorf("%s, %s%s: got %d %s, want %d %s", tt.name, prefix, route, a.status, a.body, tt.status,
						tt.body)
				}
			}
			if route == "/me" {
				continue // about the credential
			}
			a := srv.ask(t, request{path: prefix + route + "?mailbox=" + halted.address, key: srv.token})
			if a.status != 403 || string(a.body) != paused {
				t.Errorf("the operator at %s%s of a paused mailbox: %d %s", prefix, route, a.status, a.body)
			}
		}
	}
}

// When its time is over a temporary mailbox is closed at once: its key, its address, and whatever is under way. Before
// that it works.
func TestExpiry(t *testing.T) {
	srv := start(t, endlessStreams, "MAILKIN_PROVISIONAL_TTL=3s")
	srv.deliver(t, mail("the first is slower"), "postmaster")
	var made bootstrapped
	srv.do(t, request{method: "POST", path: "/v1/bootstrap"}, http.StatusCreated, &made)
	b := box{srv: srv, address: made.Mailbox, key: made.Key, prefix: "/v1"}
	srv.deliver(t, mail("in time"), b.address)
	stream := b.stream(t, "", nil)
	stream.mustNext(t)
	waits := []*call{b.dial(t, "/code?timeout=55"), b.dial(t, "/wait?timeout=55&subject=never")}
	late := srv.inData(t, b, "Subject: too late\r\n\r\n")

	eventually(t, func() error {
		a := b.ask(t, "GET", "/inbox", "")
		switch now := time.Now(); {
		case a.status == 200:
			return fmt.Errorf("its key works at %v, its end is %v", now, made.ExpiresAt)
		case a.status != 401 || string(a.body) != unauthorized || now.Before(made.ExpiresAt):
			t.Fatalf("%d %s at %v, its end is %v", a.status, a.body, now, made.ExpiresAt)
		}
		return nil
	})
	stream.mustEnd(t)
	for _, c := range waits {
		if a := c.answer(t); a.status != 401 || string(a.body) != unauthorized {
			t.Errorf("%s: %d %s", c.q.URL, a.status, a.body)
		}
	}
	s := open(t, srv.smtp)
	s.mustAsk(t, "MAIL FROM:<a@example.org>", 250)
	for _, to := range []string{b.address, strings.Replace(b.address, "@", "+tag@", 1)} {
		if r := s.mustAsk(t, "RCPT TO:<"+to+">", 550); !strings.HasPrefix(r.lines[0], "5.1.1 ") {
			t.Errorf("got %v", r)
		}
	}
	if err := late.write([]byte("x\r\n.\r\n")); err != nil {
		t.Fatal(err)
	}
	late.mustRead(t, 550)
	a := srv.ask(t, request{method: "POST", path: "/v1/claim/start", key: b.key})
	if a.status != 401 || string(a.body) != unauthorized {
		t.Errorf("claimed after its end: %d %s", a.status, a.body)
	}
}
