package browser

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// The link that a start prints opens the console signed in: once, and the token is in no address afterwards.
func TestSignInLink(t *testing.T) {
	t.Parallel()
	srv := startInTerminal(t)
	tab := open(t, srv)
	tab.do(chromedp.Navigate(srv.link))
	tab.reads("Mailboxes", "ops@mailkin.localhost")
	if at := eval[string](tab, "location.href"); strings.Contains(at, "signin") {
		t.Errorf("the token is still in %s", at)
	}
	kept := eval[string](tab, "JSON.stringify({ ...sessionStorage }) + JSON.stringify({ ...localStorage }) + "+
		"document.cookie")
	if !strings.Contains(kept, srv.token) || strings.Contains(eval[string](tab, "JSON.stringify({ ...localStorage }) "+
		"+ document.cookie"), srv.token) {
		t.Error("the key is not in the tab's own storage, or in another as well")
	}
	tab.press("Sign out")
	tab.reads("Token or key")
	if kept := eval[string](tab, "JSON.stringify({ ...sessionStorage })"); kept != "{}" {
		t.Errorf("after signing out the tab keeps %s", kept)
	}

	again := open(t, srv)
	again.expect("401")
	again.do(chromedp.Navigate(srv.link))
	again.reads("used before", "Token or key")
	again.picture("signin-used")
}

// Nobody elsewhere can use the link, whatever a proxy says, and it must be sent by our own page.
func TestSignInIsLocal(t *testing.T) {
	t.Parallel()
	srv := startInTerminal(t)
	_, token, _ := strings.Cut(srv.link, "#signin=")
	for _, header := range []string{"X-Forwarded-For: 127.0.0.1", "Forwarded: for=127.0.0.1", "Via: 1.1 proxy",
		"Sec-Fetch-Site: cross-site"} {
		r, _ := http.NewRequest("POST", srv.url+"/console/signin", strings.NewReader(`{"token":"`+token+`"}`))
		name, value, _ := strings.Cut(header, ": ")
		r.Header.Set(name, value)
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != http.StatusForbidden {
			t.Errorf("%s: status %d", header, answer.StatusCode)
		}
	}
	tab := open(t, srv)
	tab.do(chromedp.Navigate(srv.link))
	tab.reads("Mailboxes") // what was refused did not use it up
}

func TestWrongKey(t *testing.T) {
	t.Parallel()
	srv := start(t)
	tab := open(t, srv)
	tab.expect("401")
	tab.do(chromedp.Navigate(srv.url + "/console"))
	tab.fill("Token or key", "mk_wrong")
	tab.press("Sign in")
	tab.reads("This key is not known, or has ended.")
	tab.picture("signin-wrong")
	tab.fill("Token or key", "mk_ключ") // no request can have it
	tab.gone("This key is not known, or has ended.")
	tab.press("Sign in")
	tab.reads("This key is not known, or has ended.")
	tab.fill("Token or key", srv.token)
	tab.gone("This key is not known, or has ended.") // it may be right now
	tab.press("Sign in")
	tab.reads("Every mailbox of this deployment.")
	tab.do(chromedp.Reload())
	tab.reads("Every mailbox of this deployment.") // the tab remembers
}

// What goes into a log has no link in it.
func TestNoLinkInLog(t *testing.T) {
	t.Parallel()
	if srv := start(t); srv.link != "" || strings.Contains(srv.stdout.String()+srv.stderr.String(), "signin") {
		t.Errorf("printed %s", srv.stdout)
	}
}

// What one person began to write is not there for the next one in the same tab.
func TestDraftsEnd(t *testing.T) {
	t.Parallel()
	srv := start(t)
	wren := srv.mailbox("wren")
	tab := open(t, srv)
	tab.signIn(wren.key)
	tab.goTo("#/compose")
	tab.fill("Subject", "Between us")
	tab.goTo("#/inbox")
	tab.reads("No mail yet")
	tab.goTo("#/compose")
	tab.until(`document.querySelector("input[name=subject]")?.value === "Between us"`)
	tab.press("Sign out")
	tab.reads("Token or key")
	tab.fill("Token or key", wren.key)
	tab.press("Sign in")
	tab.reads("No mail yet")
	tab.goTo("#/compose")
	tab.until(`document.querySelector("input[name=subject]")?.value === ""`)
	tab.goTo("#/drafts") // which are the mailbox's
	tab.reads("Between us")
	tab.goTo("#/compose")
	tab.fill("Subject", "Just typed")
	tab.press("Sign out") // at once
	tab.reads("Token or key")
	if drafts := fmt.Sprint(wren.do("GET", "drafts", nil)); !strings.Contains(drafts, "Just typed") {
		t.Errorf("the drafts are %s", drafts)
	}
}

// An address that was typed wrong leads somewhere.
func TestBrokenAddress(t *testing.T) {
	t.Parallel()
	srv := start(t)
	tab := open(t, srv)
	tab.expect("404|400")
	tab.signIn(srv.mailbox("wren").key)
	tab.reads("No mail yet")
	tab.goTo("#/inbox/%E0%A4%A")
	tab.until(`document.querySelector("mk-message")`)
	tab.visit(srv.url + "/console/leave#%E0%A4%A")
	tab.reads("not an address")
}

// A key that ends while it is in use leads back to the beginning.
func TestRevokedWhileLooking(t *testing.T) {
	t.Parallel()
	srv := start(t)
	wren := srv.mailbox("wren")
	tab := open(t, srv)
	tab.expect("401")
	tab.signIn(wren.key)
	tab.reads("No mail yet")
	srv.call(srv.token, "DELETE", "mailboxes/wren%40mailkin.localhost", nil)
	tab.goTo("#/stats")
	tab.reads("Token or key", "You were signed out")
}
