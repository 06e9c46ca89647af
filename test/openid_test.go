package test

import (
	"fmt"
	"html"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/openid/openidtest"
	"github.com/mailkin/mailkin/internal/store/postgres/pgtest"
)

// balancer is what people reach: it passes requests on to one node after the other.
type balancer struct {
	url   string
	turn  atomic.Int64
	nodes atomic.Pointer[[]*server]
}

func newBalancer(t *testing.T) *balancer {
	b := &balancer{}
	front := httptest.NewServer(&httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		nodes := *b.nodes.Load()
		to, _ := url.Parse(nodes[int(b.turn.Add(1))%len(nodes)].http)
		r.SetURL(to) // and Host with it, as some proxies do
		r.SetXForwarded()
	}})
	t.Cleanup(front.Close)
	b.url = front.URL
	return b
}

func (b *balancer) to(nodes ...*server) { b.nodes.Store(&nodes) }

// visitor is a browser, as far as signing in needs one.
type visitor struct {
	t      *testing.T
	client *http.Client
	public string
	seen   []string // the addresses that it was sent to
}

func (b *balancer) visitor(t *testing.T) *visitor {
	jar, _ := cookiejar.New(nil)
	return &visitor{t: t, public: b.url, client: &http.Client{Jar: jar, Timeout: patience,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
}

var formAction = regexp.MustCompile(`action="([^"]+)"`)

// follow goes where it is sent, signs in as a person where it is asked to, and stops before an address that has stop
// in it.
func (v *visitor) follow(at, person, stop string) string {
	v.t.Helper()
	body := ""
	for range 20 {
		v.seen = append(v.seen, at)
		if strings.Contains(at, stop) {
			return at
		}
		method := http.MethodGet
		if body != "" {
			method = http.MethodPost
		}
		r, err := http.NewRequest(method, at, strings.NewReader(body))
		if err != nil {
			v.t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		resp, err := v.client.Do(r)
		if err != nil {
			v.t.Fatal(err)
		}
		page, _ := io.ReadAll(resp.Body)
		resp.Body.Close()
		body = ""
		if to, err := resp.Location(); err == nil {
			at = to.String()
			continue
		}
		m := formAction.FindStringSubmatch(string(page))
		if m == nil || resp.StatusCode != http.StatusOK {
			v.t.Fatalf("%s: %d %.500s", at, resp.StatusCode, page)
		}
		next, err := r.URL.Parse(html.UnescapeString(m[1]))
		if err != nil {
			v.t.Fatal(err)
		}
		at, body = next.String(), "prompt=login&login="+person+"&password=none"
	}
	v.t.Fatalf("it goes round and round: %v", v.seen)
	return ""
}

// signIn signs a person in, and returns where that ends: the part after the # of the console's address.
func (v *visitor) signIn(person string) string {
	v.t.Helper()
	return v.finish(v.begin(person))
}

// begin stops before the provider's answer is brought back.
func (v *visitor) begin(person string) string {
	v.t.Helper()
	return v.follow(v.public+"/signin", person, "/signin/callback")
}

func (v *visitor) finish(callback string) string {
	v.t.Helper()
	end := v.follow(callback, "", v.public+"/console#")
	_, word, _ := strings.Cut(end, "#")
	return word
}

// ask makes a request as the console does, and returns its status.
func (v *visitor) ask(method, path string) (int, string) {
	v.t.Helper()
	r, err := http.NewRequest(method, v.public+path, nil)
	if err != nil {
		v.t.Fatal(err)
	}
	r.Header.Set("X-Mailkin-Console", "1")
	r.Header.Set("Origin", v.public)
	resp, err := v.client.Do(r)
	if err != nil {
		v.t.Fatal(err)
	}
	defer resp.Body.Close()
	text, _ := io.ReadAll(resp.Body)
	return resp.StatusCode, string(text)
}

func (v *visitor) wants(what, method, path string, status int, texts ...string) {
	v.t.Helper()
	got, body := v.ask(method, path)
	if got != status {
		v.t.Errorf("%s: %s %s: %d %s, want %d", what, method, path, got, body, status)
	}
	for _, text := range texts {
		if !strings.Contains(body, text) {
			v.t.Errorf("%s: %s %s: %s, want %q", what, method, path, body, text)
		}
	}
}

var openIDPeople = map[string]openidtest.Person{
	"ann":  {Name: "Ann Lee", Email: "ann@example.com", Verified: true, Groups: []string{"staff", "admins"}},
	"sam":  {Name: "Sam", Email: "sam@example.com", Verified: true, Groups: []string{"staff"}},
	"kim":  {Name: "Kim", Email: "Kim@Example.com", Verified: true},
	"eve":  {Name: "Eve", Email: "kim@example.com", Groups: []string{"others"}}, // and the address is not sure
	"mary": {Name: "Mary", Email: "mary@example.com", Verified: true},
}

func TestOpenID(t *testing.T) {
	front := newBalancer(t)
	provider := openidtest.Start(t, front.url, openIDPeople)
	srv := start(t, append(provider.Settings(front.url), "MAILKIN_TRUSTED_PROXIES=127.0.0.0/8")...)
	front.to(srv)
	srv.do(t, request{method: "POST", path: "/v1/operators", key: srv.token,
		body: `{"name":"Kim","role":"moderate","email":"kim@example.com"}`}, 201, nil)
	if n := provider.Asked("/"); n != 0 {
		t.Errorf("a start asked the provider %d times", n)
	}

	restart := func() { srv.restart(t) } // the server outlives each of these
	t.Run("roles", func(t *testing.T) { openIDRoles(t, srv, front) })
	t.Run("answers that are wrong", func(t *testing.T) { openIDWrong(t, srv, front, provider) })
	t.Run("the log has no secrets", func(t *testing.T) {
		log := srv.stderr.String()
		for _, secret := range []string{"the-secret-of-the-client", "code=", "eyJ", "mk_"} {
			if strings.Contains(log, secret) {
				t.Errorf("the log has %q:\n%s", secret, log)
			}
		}
	})
	t.Run("ends", func(t *testing.T) { openIDEnds(t, srv, front, provider, restart) })
	t.Run("the provider is down", func(t *testing.T) {
		provider.Down(true)
		v := front.visitor(t)
		restart()
		if word := v.finish(front.url + "/signin"); word != "signin-failed=provider_down" {
			t.Errorf("it ends with %s", word)
		}
		var me struct{ Scope string }
		if srv.get(t, srv.token, "/v1/me", &me); me.Scope != "operator" {
			t.Errorf("the token is for %+v", me)
		}
		status, out, _ := run(t, srv.environ, "doctor", "--probe", "", "--ntp", "")
		if !strings.Contains(out, "fail\tOpenID provider\t") {
			t.Errorf("the doctor says (%d):\n%s", status, out)
		}
		provider.Down(false)
		if _, out, _ := run(t, srv.environ, "doctor", "--probe", "", "--ntp", ""); !strings.Contains(out,
			"ok\tOpenID provider\t"+provider.Issuer+" answers") {
			t.Errorf("the doctor says:\n%s", out)
		}
	})
}

// openIDRoles checks who gets in, and as what.
func openIDRoles(t *testing.T, srv *server, front *balancer) {
	ann, sam, kim := front.visitor(t), front.visitor(t), front.visitor(t)
	for _, tt := range []struct {
		v              *visitor
		person, me     string
		mayList, mayOn int
	}{
		{ann, "ann", `"name":"Ann Lee <ann@example.com>","role":"admin","session":true`, 200, 404},
		{sam, "sam", `"name":"Sam <sam@example.com>","role":"view","session":true`, 403, 403},
		{kim, "kim", `"name":"Kim","role":"moderate","session":true`, 403, 404},
	} {
		if word := tt.v.signIn(tt.person); word != "signed-in" {
			t.Fatalf("%s: it ends with %s; seen %v", tt.person, word, tt.v.seen)
		}
		tt.v.wants(tt.person, "GET", "/v1/me", 200, tt.me)
		tt.v.wants(tt.person, "GET", "/v1/sessions", tt.mayList)
		tt.v.wants(tt.person, "PATCH", "/v1/mailboxes/nobody@mailkin.localhost/pause", tt.mayOn)
		for _, at := range tt.v.seen {
			if strings.Contains(at, "mk_") || strings.Contains(at, "secret") {
				t.Errorf("a secret is in %s", at)
			}
		}
	}
	for _, who := range []string{"eve", "mary"} { // kim's address, not verified; and nobody of ours
		v := front.visitor(t)
		if word := v.signIn(who); word != "signin-failed=not_mapped" {
			t.Errorf("%s: it ends with %s", who, word)
		}
		v.wants(who, "GET", "/v1/me", 401)
	}
	ann.wants("the list", "GET", "/v1/sessions", 200, `"client":"127.0.0.1"`, `"current":true`, " kim")
	var log struct {
		Audit []struct{ Action, Note, Name, Role, Credential, Client string }
	}
	srv.get(t, srv.token, "/v1/audit", &log)
	for _, e := range log.Audit {
		if e.Action == "sign-in" && e.Name == "Kim" && (!strings.HasSuffix(e.Note, " kim kim@example.com") ||
			e.Role != "moderate" || len(e.Credential) != 36 || e.Client != "127.0.0.1") {
			t.Errorf("the audit log has %+v", e)
		}
	}
	for _, who := range []string{"ann", "sam", "kim"} {
		if n := strings.Count(fmt.Sprint(log.Audit), " "+who+" "+who+"@example.com"); n != 1 {
			t.Errorf("the audit log has %d sign-ins of %s: %+v", n, who, log.Audit)
		}
	}
	other := &http.Client{Jar: ann.client.Jar}
	if resp, err := other.Get(front.url + "/v1/me"); err != nil || resp.StatusCode != 401 {
		t.Errorf("the cookie alone, as another page would send it: %v %v", resp, err)
	}
	if resp, err := other.Post(front.url+"/mcp", "application/json", strings.NewReader("{}")); err != nil ||
		resp.StatusCode != 401 {
		t.Errorf("the cookie alone, to the tools: %v %v", resp, err)
	}
}

// openIDWrong checks that no answer is believed that should not be.
func openIDWrong(t *testing.T, srv *server, front *balancer, provider *openidtest.Server) {
	v := front.visitor(t)
	fails := func(what, word, want string) {
		t.Helper()
		if word != "signin-failed="+want {
			t.Errorf("%s: it ends with %s", what, word)
		}
		v.wants(what, "GET", "/v1/me", 401)
	}
	callback := v.begin("ann")
	stolen := front.visitor(t)
	fails("in another browser", stolen.finish(callback), "signin_state")
	fails("with another state", v.finish(strings.Replace(callback, "state=", "state=x", 1)), "signin_state")
	fails("the state is good for one attempt", v.finish(callback), "signin_state")
	callback = v.begin("ann")
	at, _ := url.Parse(callback)
	q := at.Query()
	q.Set("iss", "https://another.example")
	fails("from another issuer", v.finish(front.url+"/signin/callback?"+q.Encode()), "signin_token")
	callback = v.begin("ann")
	if at, _ = url.Parse(callback); at.Query().Get("code") == "" {
		t.Fatalf("no code in %s", callback)
	}
	q = at.Query()
	q.Del("code")
	q.Set("error", "access_denied")
	fails("refused", v.finish(front.url+"/signin/callback?"+q.Encode()), "signin_refused")

	// A code that was used, from the browser that began another sign-in: the verifier and the provider refuse it.
	used := front.visitor(t)
	old := used.begin("ann")
	if word := used.finish(old); word != "signed-in" {
		t.Fatalf("it ends with %s", word)
	}
	code, _ := url.Parse(old)
	at, _ = url.Parse(v.begin("ann"))
	q = at.Query()
	q.Set("code", code.Query().Get("code"))
	fails("a used code", v.finish(front.url+"/signin/callback?"+q.Encode()), "signin_token")

	for what, change := range map[string]func(map[string]any){
		"nonce":     func(c map[string]any) { c["nonce"] = "another" },
		"no nonce":  func(c map[string]any) { delete(c, "nonce") },
		"issuer":    func(c map[string]any) { c["iss"] = "https://another.example" },
		"audience":  func(c map[string]any) { c["aud"] = "another" },
		"party":     func(c map[string]any) { c["aud"] = []string{"mailkin", "another"} },
		"expired":   func(c map[string]any) { c["exp"] = time.Now().Add(-time.Minute).Unix() },
		"signature": func(c map[string]any) { c["badly signed"] = true },
		"at_hash":   func(c map[string]any) { c["at_hash"] = "another" },
		"nobody":    func(c map[string]any) { c["sub"] = "" },
		"somebody":  func(c map[string]any) { c["sub"] = "mary" }, // userinfo says ann
	} {
		provider.Lie(change)
		fails(what, v.signIn("ann"), "signin_token")
	}
	provider.Lie(nil)
	for _, to := range []string{"?to=https://evil.example", "?redirect_uri=https://evil.example"} {
		if word := front.visitor(t).finish(front.url + "/signin/callback" + to); word != "signin-failed=signin_state" {
			t.Errorf("%s: it ends with %s", to, word)
		}
	}
	if !strings.Contains(srv.stderr.String(), "log-in failed") {
		t.Errorf("the log has no failures:\n%s", srv.stderr)
	}
}

// openIDEnds checks all that ends a session.
func openIDEnds(t *testing.T, srv *server, front *balancer, provider *openidtest.Server, restart func()) {
	in := func(person string) *visitor {
		t.Helper()
		v := front.visitor(t)
		if word := v.signIn(person); word != "signed-in" {
			t.Fatalf("%s: it ends with %s", person, word)
		}
		return v
	}
	v := in("ann")
	v.wants("signing out", "DELETE", "/v1/session", 200, provider.Issuer+"/session/end?client_id=mailkin",
		url.QueryEscape(front.url+"/console"))
	v.wants("after signing out", "GET", "/v1/me", 401)

	first, second := in("sam"), in("sam")
	var list struct {
		Sessions []struct{ ID, Name, OperatorID string }
	}
	srv.get(t, srv.token, "/v1/sessions", &list)
	newest := list.Sessions[len(list.Sessions)-1]
	srv.do(t, request{method: "DELETE", path: "/v1/sessions/" + newest.ID, key: srv.token}, 200, nil)
	second.wants("ended by id", "GET", "/v1/me", 401)
	first.wants("the other one", "GET", "/v1/me", 200)
	status, out, errs := run(t, append(srv.environ, "MAILKIN_URL="+srv.http, "MAILKIN_API_KEY="+srv.token), "operator",
		"sessions", "--end-all", newest.Name)
	if status != 0 || !strings.Contains(out+errs, "2 sessions of Sam") { // one is of the test of roles
		t.Errorf("end all: %d %s%s", status, out, errs)
	}
	first.wants("all ended", "GET", "/v1/me", 401)

	third := in("sam")
	provider.Lie(func(c map[string]any) { c["groups"] = []string{"others"} })
	if word := front.visitor(t).signIn("sam"); word != "signin-failed=not_mapped" {
		t.Errorf("without the group it ends with %s", word)
	}
	provider.Lie(nil)
	third.wants("the group is gone", "GET", "/v1/me", 401)

	kim := in("kim")
	var operators struct{ Operators []struct{ ID, Name string } }
	srv.get(t, srv.token, "/v1/operators", &operators)
	for _, o := range operators.Operators {
		if o.Name == "Kim" {
			srv.do(t, request{method: "PATCH", path: "/v1/operators/" + o.ID, key: srv.token, body: `{"role":"view"}`},
				200, nil)
			kim.wants("another role", "GET", "/v1/me", 200, `"role":"view"`)
			srv.do(t, request{method: "DELETE", path: "/v1/operators/" + o.ID, key: srv.token}, 200, nil)
		}
	}
	kim.wants("the operator is gone", "GET", "/v1/me", 401)

	ann := in("ann")
	before := srv.environ
	srv.environ = append(srv.environ, "MAILKIN_OIDC_ROLES=view=staff,moderate=admins")
	restart()
	ann.wants("the settings give another role", "GET", "/v1/me", 401)
	srv.environ = before
	restart()
	ann.wants("a start ends nothing", "GET", "/v1/me", 200)
}

// Two nodes behind a proxy: a sign-in begins on one and ends on the other.
func TestOpenIDOnTwoNodes(t *testing.T) {
	front := newBalancer(t)
	provider := openidtest.Start(t, front.url, openIDPeople)
	settings := append(secrets(), "MAILKIN_DATABASE_URL="+pgtest.URL(t), "MAILKIN_TRUSTED_PROXIES=127.0.0.0/8")
	settings = append(settings, provider.Settings(front.url)...)
	one, two := newNode(t, settings...), newNode(t, settings...)
	one.start(t)
	two.start(t)
	front.to(one, two)
	v := front.visitor(t)
	if word := v.signIn("ann"); word != "signed-in" {
		t.Fatalf("it ends with %s", word)
	}
	for range 4 {
		v.wants("on each", "GET", "/v1/me", 200, `"role":"admin"`)
	}
	v.wants("signing out", "DELETE", "/v1/session", 200)
	for range 2 {
		v.wants("after that", "GET", "/v1/me", 401)
	}
}
