package test

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

var (
	temporaryAddress = regexp.MustCompile(`^agent-[0-9a-f]{12}@mailkin\.localhost$`)
	keyForm          = regexp.MustCompile(`^mk_[0-9a-f]{64}$`)
)

// confirmByAPI is the operator's way; everybody else is refused.
func confirmByAPI(t *testing.T, b box, c claim) {
	t.Helper()
	confirm := request{method: "POST", path: "/v1/claim/confirm", body: fmt.Sprintf(`{"session_id":%q}`, c.Session)}
	if a := b.srv.ask(t, confirm); a.status != 401 || string(a.body) != unauthorized {
		t.Errorf("confirmed by nobody: %d %s", a.status, a.body)
	}
	confirm.key = b.key
	if a := b.srv.ask(t, confirm); a.status != 403 || !strings.Contains(string(a.body), `"code":"scope_denied"`) {
		t.Errorf("confirmed by the agent: %d %s", a.status, a.body)
	}
	if p := c.poll(t, b.srv); p != (polled{Status: "pending"}) {
		t.Errorf("refused, and %+v", p)
	}
	confirm.key = b.srv.token
	b.srv.do(t, confirm, http.StatusOK, nil)
}

// confirmByPage is a person with the operator's token.
func confirmByPage(t *testing.T, b box, c claim) {
	t.Helper()
	shown := b.srv.do(t, request{path: c.page(t)}, http.StatusOK, nil)
	if kind := shown.header.Get("Content-Type"); !strings.HasPrefix(kind, "text/html") ||
		!strings.Contains(string(shown.body), c.Mailbox) ||
		!strings.Contains(string(shown.body), `name="token"`) {
		t.Errorf("the page is %s:\n%s", kind, shown.body)
	}
	for _, wrong := range []string{"", "not the operator's token"} {
		if a := c.submit(t, b.srv, wrong); a.status != 401 {
			t.Errorf("confirmed with %q: %d", wrong, a.status)
		}
	}
	if p := c.poll(t, b.srv); p != (polled{Status: "pending"}) {
		t.Errorf("refused, and %+v", p)
	}
	confirmed(t, c.submit(t, b.srv, b.srv.token))
}

// confirmByLink is anybody with the link.
func confirmByLink(t *testing.T, b box, c claim) {
	t.Helper()
	if shown := b.srv.do(t, request{path: c.page(t)}, http.StatusOK, nil); strings.Contains(string(shown.body),
		`name="token"`) {
		t.Errorf("the page asks for a token:\n%s", shown.body)
	}
	if p := c.poll(t, b.srv); p != (polled{Status: "pending"}) {
		t.Errorf("looking at the page confirms: %+v", p)
	}
	confirmed(t, c.submit(t, b.srv, ""))
}

func confirmed(t *testing.T, a answer) {
	t.Helper()
	if a.status != 200 || !strings.Contains(string(a.body), "Confirmed") {
		t.Fatalf("not confirmed: %d %s", a.status, a.body)
	}
}

// The way of an agent: a mailbox without asking anybody, a mail with a code, the mailbox kept for good with a key of
// its own. The old address and the mail stay, and all of it stays over a restart.
func TestOnboarding(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, mode, body string
		confirm          func(*testing.T, box, claim)
	}{
		{"operator by API", "operator", `{"name":"Robin"}`, confirmByAPI},
		{"operator by page", "operator", `{"name":"robin"}`, confirmByPage},
		{"open by page", "open", `{"name":"robin"}`, confirmByLink},
		{"open, address kept", "open", "", confirmByLink},
	} {
		t.Run(tt.name, func(t *testing.T) {
			srv := start(t, "MAILKIN_CLAIM="+tt.mode)
			b := checkBootstrap(t, srv)
			checkWaiting(t, b)
			c := b.startClaim(t, tt.body)
			if want := map[bool]string{true: "robin@" + domain, false: b.address}[tt.body != ""]; c.Mailbox != want {
				t.Fatalf("claimed %+v, want %s", c, want)
			}
			tt.confirm(t, b, c)
			checkClaimed(t, b, c)
		})
	}
}

// checkBootstrap gets a temporary mailbox and looks at it.
func checkBootstrap(t *testing.T, srv *server) box {
	t.Helper()
	var made bootstrapped
	a := srv.do(t, request{method: "POST", path: "/v1/bootstrap"}, http.StatusCreated, &made)
	if !temporaryAddress.MatchString(made.Mailbox) || !keyForm.MatchString(made.Key) || made.Scope != "provisional" ||
		made.Replayed {
		t.Errorf("bootstrap gives %s", a.body)
	}
	if a.header.Get("Cache-Control") != "no-store" {
		t.Errorf("headers %v", a.header)
	}
	b := box{srv: srv, address: made.Mailbox, key: made.Key, prefix: "/v1"}
	var record struct {
		CreatedAt time.Time `json:"created_at"`
		ExpiresAt time.Time `json:"expires_at"`
	}
	srv.get(t, b.key, "/v1/mailbox", &record)
	if life := record.ExpiresAt.Sub(record.CreatedAt); life != 72*time.Hour || !record.ExpiresAt.Equal(made.ExpiresAt) {
		t.Errorf("it lives for %v until %v; bootstrap says %v", life, record.ExpiresAt, made.ExpiresAt)
	}
	return b
}

// checkWaiting has an agent wait for a code and for the mail it is in, and sends it.
func checkWaiting(t *testing.T, b box) {
	t.Helper()
	code, wait := b.dial(t, "/code?timeout=55"), b.dial(t, "/wait?timeout=55&has=code&from=shop.example")
	b.srv.awaitCalls(t, 2)
	b.srv.deliver(t, codeMail("471193"), b.address)
	var found codeAnswer
	code.answer(t).into(t, &found)
	var waited struct{ Email email }
	wait.answer(t).into(t, &waited)
	e := b.only(t)
	if found.value() != "471193" || found.ID != e.ID || waited.Email.ID != e.ID {
		t.Errorf("code %+v, waited for %s, stored is %s", found, waited.Email.ID, e.ID)
	}
}

// checkClaimed looks at a mailbox that was claimed: before and after its new key is used, and after a restart.
func checkClaimed(t *testing.T, old box, c claim) {
	t.Helper()
	srv := old.srv
	p := c.poll(t, srv)
	if p.Status != "complete" || p.Mailbox != c.Mailbox || !keyForm.MatchString(p.Key) || p.Key == old.key {
		t.Fatalf("polled %+v", p)
	}
	old.inbox(t) // the old key works until the new one is used
	kept := box{srv: srv, address: p.Mailbox, key: p.Key, prefix: "/v1"}
	checkOwner(t, kept, old)
	srv.restart(t)
	if again := c.poll(t, srv); again != p {
		t.Errorf("polled after the restart %+v, before %+v", again, p)
	}
	checkOwner(t, kept, old)
	for i, to := range []string{old.address, kept.address, strings.Replace(old.address, "@", "+tag@", 1)} {
		srv.deliver(t, mail(fmt.Sprintf("after the restart %d", i)), to)
	}
	if list := kept.inbox(t); len(list) != 4 || list[3].Subject != "Confirm your sign-in" {
		t.Errorf("the mailbox has %+v", list)
	}
	if a := kept.ask(t, "PATCH", "/email?id="+kept.inbox(t)[0].ID, `{"seen":true}`); a.status != 200 {
		t.Errorf("the new key may not change mail: %d %s", a.status, a.body)
	}
}

// checkOwner wants the new key to be the mailbox's only one.
func checkOwner(t *testing.T, kept, old box) {
	t.Helper()
	var me struct {
		Mailbox, Scope string
		ExpiresAt      *string `json:"expires_at"`
	}
	kept.srv.get(t, kept.key, "/v1/me", &me)
	if me.Mailbox != kept.address || me.Scope != "mailbox" || me.ExpiresAt != nil {
		t.Errorf("the new key is of %+v", me)
	}
	if a := old.ask(t, "GET", "/inbox", ""); a.status != 401 || string(a.body) != unauthorized {
		t.Errorf("the old key: %d %s", a.status, a.body)
	}
	var record struct{ Aliases []string }
	kept.srv.get(t, kept.key, "/v1/mailbox?mailbox="+old.address, &record) // which it may still be called
	if kept.address != old.address && !slices.Equal(record.Aliases, []string{old.address}) {
		t.Errorf("aliases %v, want %s", record.Aliases, old.address)
	}
}

// A claim without a mailbox makes a new one.
func TestClaimNewMailbox(t *testing.T) {
	t.Parallel()
	srv := start(t, "MAILKIN_CLAIM=open")
	nobody := box{srv: srv}
	c := nobody.startClaim(t, `{"name":"wren"}`)
	rival := nobody.startClaim(t, `{"name":"wren"}`) // starting reserves nothing
	confirmed(t, c.submit(t, srv, ""))
	if a := rival.submit(t, srv, ""); a.status != 409 {
		t.Errorf("a claim of a name that was taken meanwhile: %d", a.status)
	}
	p := c.poll(t, srv)
	b := box{srv: srv, address: p.Mailbox, key: p.Key, prefix: "/v1"}
	srv.deliver(t, mail("hello"), "wren@"+domain)
	b.only(t)
	if a := c.submit(t, srv, ""); a.status != 200 || c.poll(t, srv) != p {
		t.Errorf("confirmed again: %d, then %+v", a.status, c.poll(t, srv))
	}
}

// The same Idempotency-Key gives the same mailbox and key, also after restarts and crashes.
func TestBootstrapReplay(t *testing.T) {
	t.Parallel()
	srv := start(t)
	q := request{method: "POST", path: "/v1/bootstrap",
		header: http.Header{"Idempotency-Key": {"agent-7:first-run.0001"}}}
	var first bootstrapped
	srv.do(t, q, http.StatusCreated, &first)
	for _, end := range []func(testing.TB){nil, srv.stop, srv.kill} {
		if end != nil {
			end(t)
			srv.start(t)
		}
		var again bootstrapped
		srv.do(t, q, http.StatusOK, &again)
		if !again.Replayed || again.Key != first.Key || again.Mailbox != first.Mailbox ||
			!again.ExpiresAt.Equal(first.ExpiresAt) {
			t.Errorf("got %+v, at first %+v", again, first)
		}
		box{srv: srv, address: again.Mailbox, key: again.Key, prefix: "/v1"}.inbox(t)
	}
	q.header = http.Header{"Idempotency-Key": {"agent-7:first-run.0002"}}
	var other bootstrapped
	srv.do(t, q, http.StatusCreated, &other)
	if other.Key == first.Key || other.Mailbox == first.Mailbox {
		t.Errorf("another key gives the same mailbox %+v", other)
	}
}

// What became of the mailbox does not make the same Idempotency-Key useless: it gives a new one where the first was
// claimed or deleted, and never the key of a mailbox that has another owner.
func TestBootstrapReplayAfterwards(t *testing.T) {
	t.Parallel()
	srv := start(t, "MAILKIN_CLAIM=open")
	for name, end := range map[string]func(*testing.T, box){
		"claimed": func(t *testing.T, b box) { confirmed(t, b.startClaim(t, "").submit(t, srv, "")) },
		"deleted": func(t *testing.T, b box) {
			srv.do(t, request{method: "DELETE", path: "/v1/mailbox", key: b.key}, 200, nil)
		},
	} {
		t.Run(name, func(t *testing.T) {
			q := request{method: "POST", path: "/v1/bootstrap",
				header: http.Header{"Idempotency-Key": {"0123456789-" + name}}}
			var first, again, replayed bootstrapped
			srv.do(t, q, http.StatusCreated, &first)
			end(t, box{srv: srv, address: first.Mailbox, key: first.Key, prefix: "/v1"})
			srv.do(t, q, http.StatusCreated, &again)
			if again.Key == first.Key || again.Mailbox == first.Mailbox {
				t.Errorf("got the old mailbox %+v", again)
			}
			srv.do(t, q, http.StatusOK, &replayed)
			if replayed.Key != again.Key || replayed.Mailbox != again.Mailbox {
				t.Errorf("got %+v, before that %+v", replayed, again)
			}
		})
	}
}
