package browser

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/page"
)

// A browser that asks for the service's own address comes to the console.
func TestFrontDoor(t *testing.T) {
	t.Parallel()
	srv := start(t)
	tab := open(t, srv)
	tab.visit(srv.url + "/")
	tab.until(`location.pathname === "/console" && document.querySelector("mk-signin")`)
}

// The owner of a mailbox that the operator paused is told why and is offered no Resume; the operator sees how much mail
// there is, and none of it.
func TestPausedByOperator(t *testing.T) {
	t.Parallel()
	w := settle(t)
	w.call(w.token, "PATCH", "mailboxes/wren%40mailkin.localhost/pause", map[string]any{"reason": "sends “too” much"})
	owner := open(t, w.server)
	owner.expect("403")
	owner.signIn(w.wren.key)
	owner.reads("This mailbox is paused", "The operator of this service paused it.", "sends “too” much",
		"Only the operator can resume it.")
	if eval[bool](owner, "Boolean("+button("Resume")+")") {
		t.Error("the owner is offered what is refused")
	}
	tab := open(t, w.server)
	tab.expect("403")
	tab.signIn(w.token)
	tab.visit(w.url + "/console/m/wren@mailkin.localhost/inbox/" + w.ids["code"])
	tab.reads("sends “too” much", "17 messages, 15 not seen")
	tab.until(`document.querySelectorAll("mk-paused").length === 1`)
	tab.gone("Your sign-in code")
	tab.press("Resume")
	tab.reads("Your sign-in code", "Reply all")
}

// The title of the tab counts what is not seen. Whoever asked for it is told of new mail while another window is looked
// at, and a click on the notice opens the message.
func TestNotices(t *testing.T) {
	t.Parallel()
	srv := start(t)
	wren := srv.mailbox("wren")
	tab := open(t, srv)
	command(tab, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: `
		window.notices = [];
		window.Notification = class { static permission = "granted"; static async requestPermission() { return "granted"; }
			constructor(title, more) { Object.assign(this, more, { title }); notices.push(this); } close() {} };
		Object.defineProperty(document, "hasFocus", { value: () => false });`})
	tab.signIn(wren.key)
	tab.reads("No mail yet", "Live")
	tab.goTo("#/mailbox")
	tab.press("Tell me of new mail")
	tab.reads("this tab tells of new mail")
	wren.receive(mailFrom("Portal <no-reply@portal.example>", "Your code", "code", "",
		"Your verification code is 482915."))
	tab.until(`notices[0]?.title === "no-reply@portal.example" && notices[0].body === "Your code · 482915"`)
	tab.until(`document.title.startsWith("(1) Mailbox")`)
	tab.run(`notices[0].onclick()`)
	tab.until(`document.querySelector("mk-message output")?.innerText === "482915" && !document.title.startsWith("(")`)
}

// Chosen messages are saved as one mbox file, in which no line of a mail looks like the beginning of another.
func TestExportOfChosen(t *testing.T) {
	t.Parallel()
	srv := start(t)
	wren := srv.mailbox("wren")
	for i := range 3 {
		wren.receive(mailFrom("Kim <kim@example.com>", fmt.Sprint("Number ", i), fmt.Sprint("n", i), "",
			"Hello.\nFrom here on it is mine.\n"))
	}
	tab := open(t, srv)
	tab.signIn(wren.key)
	tab.press("Choose all")
	tab.reads("3 messages chosen")
	tab.run(`URL.createObjectURL = (blob) => { window.file = blob; return "#"; };
		HTMLAnchorElement.prototype.click = function () { window.named = this.download; }`)
	tab.run(`[...document.querySelectorAll(".bulk button")].find((b) => b.innerText === "Export").click()`)
	tab.until(`window.named === "wren@mailkin.localhost.mbox"`)
	text := eval[string](tab, `file.text()`)
	if strings.Count(text, "\nSubject: Number ") != 3 || strings.Count(text, "\n>From here on") != 3 ||
		len(strings.Split(text, "From MAILER-DAEMON ")) != 4 {
		t.Errorf("the file is\n%s", text)
	}
}

// A key that ends while somebody writes leads to the sign-in, and with another key of the mailbox the writing goes on.
func TestRevokedWhileWriting(t *testing.T) {
	t.Parallel()
	srv := start(t)
	wren := srv.mailbox("wren")
	const keys = "mailboxes/wren%40mailkin.localhost/keys"
	old := srv.call(srv.token, "GET", keys, nil)["keys"].([]any)[0].(map[string]any)["id"].(string)
	other := srv.call(srv.token, "POST", keys, map[string]any{})["api_key"].(string)
	tab := open(t, srv)
	tab.expect("401")
	tab.signIn(wren.key)
	tab.reads("No mail yet")
	tab.goTo("#/compose")
	tab.fill("To", "kim@example.com")
	tab.fill("Subject", "Half written")
	tab.fill("Text", "One, two")
	srv.call(srv.token, "DELETE", "keys/"+old, nil)
	// The end of the stream may have led to the sign-in already.
	tab.run(`[...document.querySelectorAll("button")].find((b) => b.innerText.trim() === "Send")?.click()`)
	tab.reads("You were signed out", "What you were writing is kept in this tab.")
	tab.fill("Token or key", other)
	tab.press("Sign in")
	tab.holds("input[name=subject]", "Half written")
	tab.holds("textarea", "One, two")
	tab.press("Send")
	tab.reads("Half written", "Deliveries")
}

// A chart says its numbers where the pointer is.
func TestChartsSayTheirNumbers(t *testing.T) {
	t.Parallel()
	w := settle(t)
	tab := open(t, w.server)
	tab.signIn(w.token)
	tab.goTo("#/overview")
	tab.reads("In and out per hour")
	for _, scheme := range []string{"light", "dark"} {
		tab.scheme(scheme)
		at := eval[[]float64](tab, `(() => { const bars = document.querySelectorAll("mk-overview .chart .hit");
			bars[23].scrollIntoView({ block: "center" }); const r = bars[23].getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; })()`)
		command(tab, input.DispatchMouseEvent, input.DispatchMouseEventParams{Type: "mouseMoved", X: at[0], Y: at[1]})
		tab.until(`[...document.querySelectorAll("mk-overview .tip")].some((e) => getComputedStyle(e).display !== "none" && e.textContent.includes("16 in, 2 out"))`)
	}
}

// Every file of the console is kept for ever under its address, which says what is in it.
func TestFilesAreKept(t *testing.T) {
	t.Parallel()
	srv := start(t)
	tab := open(t, srv)
	tab.visit(srv.url + "/console")
	tab.until(`document.querySelector("mk-signin input")`)
	files := eval[[]string](tab, `performance.getEntriesByType("resource").map((r) => r.name)`)
	for _, file := range files {
		answer, err := http.Get(file)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if kept := answer.Header.Get("Cache-Control"); !strings.Contains(kept, "immutable") {
			t.Errorf("%s: %q", file, kept)
		}
	}
	if len(files) == 0 || len(files) > 4 {
		t.Errorf("it loads %v", files)
	}
}
