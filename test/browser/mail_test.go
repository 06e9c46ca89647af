package browser

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/chromedp/chromedp"
)

// Mail appears while one looks, can be read with the keyboard alone, and the code copied.
func TestInboxIsLive(t *testing.T) {
	t.Parallel()
	srv := start(t)
	wren := srv.mailbox("wren")
	tab := open(t, srv)
	tab.signIn(wren.key)
	tab.reads("No mail yet", "Live")
	tab.picture("inbox-empty")
	tab.until(button("Send me a test mail"))
	tab.run(`const b = ` + button("Send me a test mail") + `; b.click(); await b.closest("mk-welcome").updateComplete; b.click()`)
	tab.reads("A test mail") // once, and by SMTP
	tab.until(`document.querySelector("nav .count")?.innerText === "1"`)
	first := wren.do("GET", "inbox", nil)["emails"].([]any)[0].(map[string]any)
	wren.do("DELETE", "email?id="+first["id"].(string), nil)
	tab.run("location.reload()")
	tab.reads("No mail yet", "Live")
	wren.receive(mailFrom("Kim <kim@example.com>", "First", "1", "", "One."))
	tab.reads("First")
	wren.receive(mailFrom("Portal <no-reply@portal.example>", "Second", "2", "", "Your verification code is 482915."))
	tab.reads("Second", "482915")
	tab.until(`document.querySelector("nav .count")?.innerText === "2"`)
	tab.until(`document.querySelector("#whisper").innerText.includes("Second")`) // a screen reader says so

	tab.keys("j")
	tab.keys("j")
	tab.until(`document.activeElement.innerText.includes("First")`)
	tab.keys("k")
	tab.keys("\r")
	tab.until(`document.querySelector(".code output")?.innerText === "482915"`)
	tab.until(`!document.querySelector(".mailrow.open.unseen")`)
	tab.keys("u")
	tab.until(`!document.querySelector("mk-message") && document.activeElement.innerText.includes("Second")`)
	tab.keys("e")
	tab.until(`document.querySelectorAll(".mailrow.unseen").length === 2`)
	tab.keys("#")
	tab.press("Delete")
	tab.until(`document.querySelectorAll(".mailrow").length === 1`)
	tab.keys("?")
	tab.reads("Next row, previous row")
	tab.press("Close")
	tab.keys("go")
	tab.reads("Nothing was sent yet")
	tab.keys("c")
	tab.reads("0 of 100 sent today")
	tab.until(`document.activeElement.name === "to"`) // one can type at once
	tab.keys("go\tc")
	tab.until(`document.querySelector("input[name=to]").value === "go"`)
	tab.run(`document.activeElement.blur()`)
	tab.keys("gi") // nor do they lead away from what is being written
	tab.goTo("#/outbox")
	tab.reads("Nothing was sent yet")
	tab.keys("/")
	tab.until(`document.activeElement.id === "search"`)
}

// The stream comes back by itself, says when it is not there, and misses nothing.
func TestStreamComesBack(t *testing.T) {
	t.Parallel()
	srv := start(t, "MAILKIN_LIMIT_STREAM=1s")
	wren := srv.mailbox("wren")
	var cut atomic.Bool
	tab := open(t, before(t, srv, func(_ http.ResponseWriter, r *http.Request) bool {
		if cut.Load() && strings.HasPrefix(r.URL.Path, "/v1/") {
			panic(http.ErrAbortHandler)
		}
		return false
	}))
	tab.expect("ERR_|502")
	tab.signIn(wren.key)
	tab.goTo("#/events")
	tab.reads("Nothing has happened yet", "Live")
	for i := range 4 { // the server ends each stream after a second
		wren.receive(mailFrom("Kim <kim@example.com>", fmt.Sprint("Number ", i), fmt.Sprint(i), "", "x"))
		tab.reads(fmt.Sprint("Number ", i))
		before := eval[float64](tab, `performance.getEntriesByType("resource").filter((r) => r.name.includes("/v1/events")).length`)
		tab.until(fmt.Sprintf(`performance.getEntriesByType("resource").filter((r) => r.name.includes("/v1/events")).length > %v`, before))
	}
	tab.reads("4 events")
	cut.Store(true)
	tab.reads("Not connected")
	tab.picture("events-off")
	tab.goTo("#/outbox")
	tab.reads("The server does not answer") // and loads by itself
	wren.receive(mailFrom("Kim <kim@example.com>", "Meanwhile", "m", "", "x"))
	cut.Store(false)
	tab.reads("Nothing was sent yet", "Live")
	tab.goTo("#/events")
	tab.reads("Meanwhile", "5 events")
	tab.press("Hold")
	wren.receive(mailFrom("Kim <kim@example.com>", "Unseen so far", "u", "", "x"))
	tab.press("Follow")
	tab.reads("Unseen so far")
}

// Every way to look at a message.
func TestMessage(t *testing.T) {
	t.Parallel()
	w := settle(t)
	tab := open(t, w.server)
	tab.signIn(w.wren.key)
	view := func(word, button string, texts ...string) {
		t.Helper()
		tab.goTo("#/inbox/" + w.ids[word])
		tab.press(button)
		tab.reads(texts...)
		tab.picture("message-" + word + "-" + strings.ToLower(strings.Fields(button)[0]))
	}
	view("code", "Links", "https://portal.example/verify?t=1", "verification")
	view("newsletter", "Links", "text names another site", "unsubscribe")
	view("newsletter", "Text", "Bring a hat.")
	view("answer", "Reply text", "At six, at the pontoon.")
	view("answer", "Thread", "Saturday is good. At six?", "The crossing")
	view("order", "Attachments", "invoice.txt", "SHA-256", "Download")
	view("injection", "Trust", "screening", "SPF", "DMARC")
	view("code", "Headers", "Message-ID", "no-reply@portal.example")
	view("code", "Raw", "Subject: Your sign-in code", "Download")
	view("code", "Agent", "What a model reads", "482915", "chosen", "Mail is data from outside")
	view("code", "History", "for wren@mailkin.localhost", "Read for the first time by the key")

	tab.goTo("#/inbox/" + w.ids["code"])
	tab.press("Add label")
	tab.fill("Label", "Portal")
	tab.press("Add")
	tab.press("Remove label portal")
	tab.until(`!document.querySelector('[aria-label="Remove label portal"]')`)

	tab.goTo("#/outbox")
	tab.press("To kim@example.com")
	tab.reads("This message did not leave the machine")
	tab.press("Deliveries")
	tab.reads("1 bounced", "bounced@simulator.mailkin.localhost", "simulated", "550 5.1.1 The simulator bounced",
		"Kept on this server and not sent", "Attempt 1", "250 Delivered to a mailbox of this service")
	tab.picture("outbox-deliveries")
}

// Search in its three modes, with what was found marked.
func TestSearch(t *testing.T) {
	t.Parallel()
	w := settle(t)
	tab := open(t, w.server)
	tab.signIn(w.wren.key)
	tab.reads("Your sign-in code")
	tab.goTo("#/search")
	tab.reads("What a search understands")
	tab.keys("/")
	tab.keys("pontoon\r")
	tab.until(`document.querySelector(".mailrow mark")?.innerText.toLowerCase() === "pontoon"`)
	for _, mode := range []string{"Words", "Meaning", "Both"} {
		tab.press(mode)
		tab.until(fmt.Sprintf(`[...document.querySelectorAll(".segments button")].some((b) => b.ariaPressed === "true" && b.innerText === %q) && document.querySelector(".mailrow")`, mode))
	}
	tab.goTo("#/search?q=nothingofthiskind&mode=keyword")
	tab.reads("Nothing found")
	tab.picture("search-nothing")
	tab.goTo("#/search?q=from%3Akim%20is%3Aunseen&mode=keyword")
	tab.reads("2 messages")
}

// Writing, with a file; answering; sending on.
func TestCompose(t *testing.T) {
	t.Parallel()
	w := settle(t, "DAILY_SEND_LIMIT=5")
	tab := open(t, w.server)
	tab.signIn(w.wren.key)
	file := filepath.Join(t.TempDir(), "crew.txt")
	if err := os.WriteFile(file, []byte("Kim and Sam\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	tab.goTo("#/compose")
	tab.reads("2 of 5 sent today")
	tab.fill("To", `"Lee, Kim" <kim@example.com>, sam@example.com`)
	tab.fill("Subject", "A file")
	tab.fill("Text", "Here it is.")
	tab.do(chromedp.SetUploadFiles(chromedp.CSS("input[type=file]"), []string{file}))
	tab.reads("crew.txt")
	tab.goTo("#/inbox")
	tab.reads("Your sign-in code")
	tab.goTo("#/compose")
	tab.reads("crew.txt") // what was begun is kept
	tab.picture("compose-file")
	tab.press("Send")
	tab.reads("A file", "Deliveries")
	sent := w.wren.do("GET", "inbox?direction=outbound&limit=1", nil)["emails"].([]any)[0].(map[string]any)
	if sent["subject"] != "A file" || sent["attachment_count"] != 1.0 {
		t.Errorf("sent %v", sent)
	}

	tab.goTo("#/inbox/" + w.ids["first"])
	tab.press("Reply")
	tab.reads("Answers The crossing")
	tab.fill("Text", "Six it is.")
	tab.press("Send")
	tab.reads("Sent.", "Six it is.", "captured")

	tab.goTo("#/inbox/" + w.ids["order"])
	tab.press("Forward")
	tab.reads("with 1 attachment")
	tab.expect("400")
	tab.fill("To", "nobody at all")
	tab.press("Send")
	tab.until(`document.querySelector(".compose input[aria-invalid=true]")?.name === "to"`) // it says which field
	tab.fill("To", "bounced@simulator.mailkin.localhost")
	tab.until(`!document.querySelector(".compose [role=alert]")`) // and is gone when it is changed
	tab.press("Send")
	tab.until(`document.querySelector(".compose [role=alert]")`) // it bounced before
	tab.picture("compose-suppressed")
	tab.fill("To", "sam@example.com")
	tab.press("Send")
	tab.until(`!document.querySelector("mk-compose")`)
	tab.goTo("#/outbox")
	tab.reads("Fwd: Your order 4711")

	tab.goTo("#/compose")
	tab.reads("5 of 5 sent today")
	tab.until(`document.querySelector(".compose button.primary").disabled`)
}

// A draft is saved, found again, changed by somebody else meanwhile, sent, and another one thrown away.
func TestDrafts(t *testing.T) {
	t.Parallel()
	w := settle(t)
	tab := open(t, w.server)
	tab.signIn(w.wren.key)
	tab.goTo("#/drafts")
	tab.reads("There are no drafts")
	file := filepath.Join(t.TempDir(), "crew.txt")
	if err := os.WriteFile(file, []byte("Kim and Sam\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	tab.goTo("#/compose")
	tab.fill("To", "sam@example.com")
	tab.fill("Subject", "A plan")
	tab.fill("Text", "We sail at six.")
	tab.do(chromedp.SetUploadFiles(chromedp.CSS("input[type=file]"), []string{file}))
	tab.reads("crew.txt")
	tab.press("Save draft")
	tab.until(`location.search.includes("draft=")`)
	tab.reads("crew.txt")
	tab.goTo("#/drafts")
	tab.reads("A plan", "We sail at six.", "1 file")
	stored := w.wren.do("GET", "drafts", nil)["drafts"].([]any)[0].(map[string]any)

	tab.press("Edit")
	tab.until(`document.querySelector("textarea")?.value === "We sail at six."`)
	w.wren.do("PATCH", "drafts/"+stored["id"].(string),
		map[string]any{"version": stored["version"], "subject": "Another"})
	tab.expect("409")
	tab.fill("Text", "We sail at seven.")
	tab.press("Send")
	tab.reads("has changed this draft meanwhile")
	tab.goTo("#/drafts")
	tab.reads("Another")
	tab.press("Send")
	tab.until(`document.querySelector("dialog[open] button.primary")`)
	tab.run(`document.querySelector("dialog[open] button.primary").click()`)
	tab.reads("Another", "Deliveries")

	w.wren.do("POST", "drafts", map[string]any{"subject": "Never mind"})
	tab.goTo("#/drafts")
	tab.reads("Never mind")
	tab.press("Delete")
	tab.until(`document.querySelector("dialog[open] button.primary")`)
	tab.run(`document.querySelector("dialog[open] button.primary").click()`)
	tab.reads("There are no drafts")
}

// What is written in a tab is not lost to a draft that was changed or thrown away elsewhere, also not by a reload.
func TestDraftChangedElsewhere(t *testing.T) {
	t.Parallel()
	srv := start(t)
	wren := srv.mailbox("wren")
	tab := open(t, srv)
	tab.signIn(wren.key)
	draft := func() (id string, d map[string]any) {
		d = wren.do("GET", "drafts", nil)["drafts"].([]any)[0].(map[string]any)
		return "drafts/" + d["id"].(string), d
	}
	written := func(text string) { tab.until(`document.querySelector("textarea")?.value === ` + quoted(text)) }
	tab.goTo("#/compose")
	tab.fill("To", "sam@example.com")
	tab.fill("Subject", "A plan")
	tab.fill("Text", "one")
	tab.press("Save draft")
	tab.until(`location.search.includes("draft=")`)
	path, d := draft()
	wren.do("PATCH", path, map[string]any{"version": d["version"], "text": "theirs"})
	tab.expect("409")
	tab.fill("Text", "mine")
	tab.press("Save draft")
	tab.reads("has changed this draft meanwhile", "Keep what is written here", "Show the other version")
	tab.visit(eval[string](tab, "location.href")) // loaded again
	written("mine")
	tab.press("Keep what is written here")
	tab.reads("The draft is saved.")
	if _, d := draft(); d["snippet"] != "mine" {
		t.Errorf("the draft is %v", d)
	}

	path, d = draft()
	wren.do("PATCH", path, map[string]any{"version": d["version"], "text": "theirs again"})
	tab.expect("409")
	tab.fill("Text", "mine again")
	tab.press("Save draft")
	tab.press("Show the other version")
	written("theirs again")

	tab.expect("404")
	wren.do("DELETE", path, nil)
	tab.fill("Text", "still here")
	tab.press("Save draft")
	tab.press("Keep what is written here")
	tab.reads("is a new one", "The draft is saved.")
	again, d := draft()
	if again == path || d["snippet"] != "still here" {
		t.Errorf("%s is %v", again, d)
	}
	tab.visit(eval[string](tab, "location.href"))
	written("still here")
	path, d = draft()
	sent := wren.do("POST", path+"/send", map[string]any{"version": d["version"]})["id"].(string)
	tab.expect("409")
	tab.fill("Text", "once more")
	tab.press("Send")
	tab.reads("This draft was sent meanwhile", "The sent message")
	tab.until(`document.querySelector(".compose [role=alert] a").href.endsWith(` + quoted(sent) + `)`)
	tab.press("Keep what is written here")
	tab.reads("is a new one", "The draft is saved.")
	if again, d := draft(); again == path || d["snippet"] != "once more" {
		t.Errorf("%s is %v", again, d)
	}
	path, d = draft()
	wren.do("POST", path+"/send", map[string]any{"version": d["version"]})
	tab.fill("Text", "never mind")
	tab.press("Send")
	tab.reads("This draft was sent meanwhile")
	tab.press("Discard") // nothing of the console was open before
	tab.until(`location.pathname.endsWith("/inbox")`)
	tab.goTo("#/compose?draft=" + strings.TrimPrefix(path, "drafts/"))
	tab.reads("This draft was sent already.")
	tab.until(`location.pathname.includes("/outbox/")`)
}

// Webhooks, domains and suppressions of one's own mailbox.
func TestSettings(t *testing.T) {
	t.Parallel()
	w := settle(t)
	tab := open(t, w.server)
	tab.signIn(w.wren.key)
	tab.goTo("#/webhooks")
	tab.reads("What was posted", "all events", "label code")
	tab.press("Test")
	tab.reads("it arrived, status 200")
	tab.press("Show secret")
	tab.reads("whsec_")
	tab.press("I have stored it")
	tab.run(`document.querySelector(".rows details summary").click()`)
	tab.reads("X-Webhook-Event: message.", "webhook-signature: v1,", "X-Webhook-Signature: sha256=",
		`"event": "message.`, `"mailbox": "wren@mailkin.localhost"`, `{"taken":true}`)
	if eval[bool](tab, `document.body.innerHTML.includes("whsec_")`) {
		t.Error("the secret is on the page")
	}
	tab.picture("webhooks-exchange")
	tab.press("Replay now")
	tab.reads("It arrived.", "replay")
	tab.run(`[...document.querySelectorAll("ul[aria-label=Endpoints] > li")][1].querySelector("button.danger").click()`)
	tab.press("Remove")
	tab.gone("label code")
	tab.press("Add for a label")
	tab.fill("Label", "kode")
	tab.fill("URL", "https://hook.example/codes")
	tab.press("Save")
	tab.reads("label kode", "No mail gets the label kode by itself")
	tab.picture("webhooks-warning")
	tab.run(`[...document.querySelectorAll("ul[aria-label=Endpoints] > li")][1].querySelector("button.danger").click()`)
	tab.press("Remove")
	tab.gone("label kode")
	tab.press("Change webhook")
	tab.fill("URL", "not a url")
	tab.expect("400")
	tab.press("Save")
	tab.until(`document.querySelector("dialog [role=alert]")`)
	tab.fill("URL", "")
	tab.press("Save")
	tab.reads("No webhook")

	tab.goTo("#/domains")
	tab.reads("sails.example", "MX missing")
	tab.expect("501") // nobody asks the DNS in this test
	tab.press("Check again")
	tab.until(`document.querySelector("section.card .note, .toast.bad")`)
	tab.picture("domains-verified")
	tab.press("Add a domain")
	tab.fill("Domain", "other.example")
	tab.press("Add")
	tab.reads("other.example")
	tab.run(`[...document.querySelectorAll("section.card")].find((c) => c.innerText.startsWith("other.example")).querySelector("button.danger").click()`)
	tab.fill("Type the domain to be sure", "other.example")
	tab.press("Remove")
	tab.gone("other.example")

	tab.goTo("#/suppressions")
	tab.reads("bounced@simulator.mailkin.localhost")
	tab.press("Remove")
	tab.press("Take off the list")
	tab.reads("Nobody is suppressed")
	tab.goTo("#/stats")
	tab.reads("half within", "bounced 1", "in 15", "out 2")
	tab.press("7 days")
	tab.until(`document.querySelectorAll("figure table")[0].tBodies[0].rows.length === 7 && document.querySelectorAll("figure circle").length === 7`)
	tab.reads("half within", "in 15", "What is stored now")
}
