package browser

import (
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/mailkin/mailkin/internal/openid/openidtest"
)

// A person signs in at a provider on another site, finds the place of before, sees who else is signed in, ends that,
// and signs out here and there. The cookie is for no script.
func TestOpenID(t *testing.T) {
	t.Parallel()
	var node atomic.Pointer[url.URL]
	front := httptest.NewServer(&httputil.ReverseProxy{FlushInterval: -1, Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(node.Load())
		r.SetXForwarded()
	}})
	t.Cleanup(front.Close)
	provider := openidtest.Start(t, front.URL, map[string]openidtest.Person{
		"ann":  {Name: "Ann Lee", Email: "ann@example.com", Verified: true, Groups: []string{"admins"}},
		"sam":  {Name: "Sam", Email: "sam@example.com", Verified: true, Groups: []string{"staff"}},
		"mary": {Name: "Mary", Email: "mary@example.com", Verified: true},
	})
	srv := start(t, append(provider.Settings(front.URL), "MAILKIN_TRUSTED_PROXIES=127.0.0.0/8")...)
	at, _ := url.Parse(srv.url)
	node.Store(at)
	public := *srv
	public.url = front.URL
	host := strings.TrimPrefix(provider.Issuer, "http://")
	at401 := func(w *tab) { w.expect("401|favicon"); w.knows(provider.Issuer) }

	in := func(w *tab, place, person string) {
		t.Helper()
		w.do(chromedp.Navigate(front.URL + "/console" + place))
		w.reads("Sign in with "+host, "Token or key")
		w.press("Sign in with " + host)
		w.until(`document.querySelector("input[name=login]")`)
		w.run(`document.querySelector("input[name=login]").value = ` + quoted(person) +
			`; document.querySelector("input[name=password]").value = "none"; document.querySelector("form").submit()`)
	}
	mary := open(t, &public)
	at401(mary)
	mary.do(chromedp.Navigate(front.URL + "/console"))
	mary.picture("openid-signin")
	in(mary, "", "mary")
	mary.reads(host+" knows you, but you are not an operator here.", "Token or key")
	if hash := eval[string](mary, "location.href"); hash != front.URL+"/console" {
		t.Errorf("the address is %s", hash)
	}
	mary.picture("openid-nobody")

	sam := open(t, &public)
	at401(sam)
	in(sam, "", "sam")
	sam.reads("Sam <sam@example.com> · view", "ops@mailkin.localhost")
	if strings.Contains(eval[string](sam, `document.querySelector("nav").innerText`), "Compose") {
		t.Error("who may not send is offered to compose")
	}

	ann := open(t, &public)
	at401(ann)
	in(ann, "/audit", "ann")
	ann.reads("Audit log", "Ann Lee <ann@example.com> · admin", "sign-in", "from 127.0.0.1")
	if kept := eval[string](ann, "JSON.stringify({ ...sessionStorage, ...localStorage }) + document.cookie"); strings.
		Contains(kept, "mk_") || strings.Contains(kept, "mailkin_session") {
		t.Errorf("scripts can read %s", kept)
	}
	ann.do(chromedp.Reload())
	ann.reads("Audit log", "Ann Lee")
	ann.until(`document.querySelector(".line.on")`) // the stream has the session, too
	hello := box{srv, "ops@mailkin.localhost", srv.token}.receive(mailFrom("Kim <kim@example.com>", "Hello", "hello",
		"", "Your verification code is 482915."))
	ann.goTo("#/inbox/" + hello)
	ann.press("Agent") // the tools know a session as well
	ann.reads("What a model reads", "482915", "Mail is data from outside")
	ann.press("Operators")
	ann.until(`document.querySelector("mk-operators tbody tr")`)
	ann.run(`[...document.querySelectorAll("tbody tr")].find((r) => r.innerText.includes("Sam")).querySelector("button.danger").click()`)
	ann.reads("The role comes from a claim at the sign-in provider", "oidc_roles")
	ann.press("Cancel")
	ann.press("Sessions")
	ann.reads("Sam <sam@example.com>", "this one")
	ann.picture("openid-sessions")
	ann.run(`[...document.querySelectorAll("tr")].find((r) => r.innerText.includes("Sam")).querySelector("button").click()`)
	ann.press("End it")
	ann.until(`document.querySelector("mk-sessions") && !document.querySelector("mk-sessions").innerText.includes("Sam")`)
	sam.reads("You were signed out: your session has ended.", "Sign in with "+host)

	ann.press("Sign out")
	ann.reads("Do you want to sign-out from")
	ann.press("Yes, sign me out")
	ann.reads("Sign in with " + host)
	if at := eval[string](ann, "location.pathname"); at != "/console" {
		t.Errorf("the address is %s", at)
	}
}
