package browser

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// A conversation is read without what its messages quote, and answered below it: with recipients, subject and quote to
// be changed, HTML, and a file that is dropped. What was begun is there after a reload.
func TestConversations(t *testing.T) {
	t.Parallel()
	w := settle(t)
	tab := open(t, w.server)
	tab.size(1440, 900)
	tab.signIn(w.wren.key)
	tab.reads("Your sign-in code")
	tab.keys("gt")
	tab.reads("Choose a conversation")
	tab.run(`[...document.querySelectorAll(".mailrow a")].find((a) => a.innerText.includes("The crossing")).click()`)
	tab.reads("Shall we go on Saturday?", "At six, at the pontoon.", "2 quoted lines")
	if eval[bool](tab, `document.querySelector(".quote blockquote").checkVisibility()`) {
		t.Error("what is quoted is not folded")
	}
	tab.press("2 quoted lines")
	tab.until(`document.querySelector(".quote blockquote").checkVisibility()`)
	tab.picture("conversation")

	tab.keys("r")
	tab.until(`document.activeElement.matches("mk-compose textarea") && document.activeElement.selectionStart === 0 &&
		document.activeElement.value.startsWith("\n\nOn ")`)
	tab.keys("gi, by the north pier.") // what is typed is no shortcut
	tab.until(`document.activeElement.value.startsWith("gi, by the north pier.\n\nOn ")`)
	tab.until(`document.activeElement.value.includes("> At six, at the pontoon.")`)
	tab.until(`document.querySelector("mk-compose input[name=to]").value === '"Kim Lee" <kim@example.com>' &&
		document.querySelector("mk-compose input[name=subject]").value === "Re: The crossing"`)
	tab.fill("Subject", "Re: The crossing, at six")
	tab.run(`const data = new DataTransfer();
		data.items.add(new File(["north\n"], "pier.txt", { type: "text/plain" }));
		const form = document.querySelector("mk-compose form");
		form.dispatchEvent(new DragEvent("dragover", { dataTransfer: data, bubbles: true, cancelable: true }));
		if (!form.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }))) window.dropped = true`)
	tab.until("window.dropped")
	tab.reads("pier.txt")
	tab.press("HTML")
	tab.press("Make it of the text")
	tab.until(`document.querySelector("mk-compose textarea.mono").value.startsWith("<p>gi, by the north pier.</p>\n<blockquote>On ")`)
	tab.press("Show how it looks")
	tab.until(`document.querySelector("mk-compose mk-mailframe[shown]")`)
	tab.picture("conversation-answer")
	tab.reads("Saved as a draft.")
	tab.run("location.reload()")
	tab.until(`document.querySelector("mk-compose input[name=subject]")?.value === "Re: The crossing, at six"`)
	tab.reads("pier.txt")
	tab.press("Send")
	tab.reads("sent, captured", "gi, by the north pier.")
	tab.until(`!document.querySelector("mk-compose") && document.querySelectorAll(".thread > li").length === 4`)
	sent := w.newest("outbound")
	if sent["subject"] != "Re: The crossing, at six" || sent["attachment_count"] != 1.0 ||
		len(w.wren.do("GET", "drafts", nil)["drafts"].([]any)) != 0 {
		t.Errorf("sent %v", sent)
	}
	whole := w.wren.do("GET", "email?id="+sent["id"].(string), nil)
	if !strings.Contains(whole["body_html"].(string), "<blockquote>") || whole["in_reply_to"] == "" {
		t.Errorf("sent %v", whole)
	}

	// the same below a message, and away from it again
	tab.goTo("#/inbox/" + w.ids["order"])
	tab.reads("2 shackles")
	tab.keys("f")
	tab.reads("with 1 attachment")
	tab.until(`location.search.includes("forward=") && document.activeElement.name === "to"`)
	tab.press("Close")
	tab.until(`!document.querySelector("mk-compose")`)
	tab.keys("a")
	tab.until(`document.activeElement.matches("mk-compose textarea")`)
	tab.run("history.back()")
	tab.until(`!document.querySelector("mk-compose") && document.querySelector("mk-message")`)
}

// newest is the newest message of wren's that went one way.
func (w *world) newest(direction string) map[string]any {
	return w.wren.do("GET", "inbox?limit=1&direction="+direction, nil)["emails"].([]any)[0].(map[string]any)
}

// The list says which messages are dangerous to a model, and each verdict is a filter.
func TestVerdicts(t *testing.T) {
	t.Parallel()
	w := settle(t)
	tab := open(t, w.server)
	tab.signIn(w.wren.key)
	tab.until(`[...document.querySelectorAll(".mailrow")].find((r) => r.innerText.includes("Ticket 93"))?.innerText.includes("dangerous")`)
	for choice, query := range map[string]string{"Dangerous to a model": "screening=dangerous", "All": "",
		"Sender verified": "trust=verified", "Sender not verified": "trust=unverified",
		"Suspicious sender": "trust=suspicious"} {
		rows := len(w.wren.do("GET", "inbox?direction=inbound&limit=50&"+query, nil)["emails"].([]any))
		tab.choose("Show", choice)
		if rows == 0 {
			tab.reads("No message fits this filter.")
			continue
		}
		tab.until(fmt.Sprintf(`document.querySelectorAll(".mailrow").length === %d`, rows))
	}
	tab.choose("Show", "All")
	tab.choose("Show", "Dangerous to a model")
	tab.until(`document.querySelectorAll(".mailrow").length === 1`)
	tab.run("history.back()") // the choice says what the list shows
	tab.until(`document.querySelectorAll(".mailrow").length === 15 &&
		document.querySelector("select[aria-label=Show]").selectedOptions[0].text === "All"`)
}

// The outbox says of each recipient what every attempt came to, and what is scheduled can be moved and canceled.
func TestOutbox(t *testing.T) {
	t.Parallel()
	w := settle(t)
	tab := open(t, w.server)
	tab.signIn(w.wren.key)
	w.wren.do("POST", "send", map[string]any{"to": []string{"kim@example.com"}, "subject": "Tomorrow",
		"text": "Later.", "send_at": time.Now().Add(24 * time.Hour).UTC().Format(time.RFC3339)})
	tab.goTo("#/outbox")
	tab.reads("Crew list", "Tomorrow")
	tab.choose("Show", "Scheduled")
	tab.until(`document.querySelectorAll(".mailrow").length === 1`)
	tab.run(`document.querySelector(".mailrow a").click()`)
	tab.press("Deliveries")
	tab.reads("1 scheduled", "leaves", "First attempt", "in 24 h")
	tab.looksRight("outbox-scheduled")
	tab.press("Send at another time")
	at := time.Now().Add(48 * time.Hour).Format("2006-01-02T15:04")
	tab.run(`const f = document.querySelector("dialog[open] input"); f.value = ` + quoted(at) + `; f.dispatchEvent(new Event("input", { bubbles: true }))`)
	tab.press("Set")
	tab.reads("in 48 h")
	tab.press("Cancel sending")
	tab.reads("1 canceled")
	tab.choose("Show", "Not delivered")
	tab.until(`document.querySelectorAll(".mailrow").length === 1 && document.querySelector(".mailrow").innerText.includes("Crew list")`)
}

// The operator sees which claims wait, confirms one and denies another.
func TestClaims(t *testing.T) {
	t.Parallel()
	srv := start(t)
	made := srv.call("", "POST", "bootstrap", map[string]any{})
	kept := srv.call(made["api_key"].(string), "POST", "claim/start", map[string]any{})
	fresh := srv.call(srv.token, "POST", "claim/start", map[string]any{"name": "finch"})
	tab := open(t, srv)
	tab.signIn(srv.token)
	tab.goTo("#/claims")
	tab.reads(kept["mailbox"].(string), "keeps its temporary mailbox", "finch@mailkin.localhost", "a new mailbox",
		"from 127.0.0.1", "2 claims")
	tab.looksRight("claims")
	tab.inRow("finch", "Deny")
	tab.press("Deny")
	tab.reads("The claim is denied.")
	tab.gone("finch@mailkin.localhost")
	tab.inRow("keeps its temporary mailbox", "Confirm")
	tab.reads("It keeps " + made["mailbox"].(string) + " with all its mail")
	tab.press("Confirm")
	tab.reads("is permanent.", "No claim waits")
	for claim, want := range map[string]string{kept["session_id"].(string): "complete",
		fresh["session_id"].(string): "expired"} {
		if got := srv.call(srv.token, "GET", "claim/poll?session="+claim, nil)["status"]; got != want {
			t.Errorf("a claim is %s, want %s", got, want)
		}
	}
}

// A person signs in, finds a message, reads and answers it, and approves what waits, without a mouse.
func TestKeyboardAlone(t *testing.T) {
	t.Parallel()
	w := settle(t)
	w.call(w.token, "PATCH", "mailboxes/wren%40mailkin.localhost", map[string]any{"send_policy": "review_all"})
	w.call(w.token, "PATCH", "mailboxes/robin%40mailkin.localhost/resume", nil)
	tab := open(t, w.server)
	tab.visit(w.url + "/console/m/wren@mailkin.localhost/inbox")
	tab.until(`document.activeElement.matches("mk-signin input")`)
	tab.keys(w.token + "\r")
	tab.reads("Your sign-in code")
	tab.keys("/pontoon monday\r")
	tab.until(`location.pathname.endsWith("/search") && document.querySelector(".mailrow")`)
	tab.keys("j\r")
	tab.reads("At six, at the pontoon.")
	tab.keys("r")
	tab.until(`document.activeElement.matches("mk-compose textarea")`)
	tab.keys("We are there.")
	tab.until(`document.activeElement.value.startsWith("We are there.")`)
	tab.tabTo(`b.innerText === "Send"`)
	tab.keys("\r")
	tab.reads("It waits for a person's approval.")
	tab.keys("gr")
	tab.reads("Re: The crossing", "A message that waits")
	tab.keys("j")
	tab.tabTo(`b.innerText === "Approve" && b.closest(".plainrow").innerText.includes("Re: The crossing")`)
	tab.keys("\r")
	tab.reads("Send Re: The crossing?")
	tab.until(`document.activeElement.innerText === "Approve"`)
	tab.keys("\r")
	tab.reads("It is approved in 5 seconds.")
	tab.keys("gi")
	tab.reads("It is approved.")
	waitFor(t, func() bool { return w.newest("outbound")["status"] == "captured" })
}

// tabTo moves the focus on until it is where b fits.
func (w *tab) tabTo(fits string) {
	w.t.Helper()
	for range 60 {
		if eval[bool](w, `(() => { const b = document.activeElement; return Boolean(`+fits+`); })()`) {
			return
		}
		w.keys("\t")
	}
	w.t.Fatalf("the keyboard never comes to %s\n%s", fits, w.shown())
}

// Letters that turn the direction of others are shown as their number, also in the original. With a message open, j and
// k go to its neighbours. Refusals are sentences beside their field, and the deployment's own domain cannot be removed.
func TestPlainAndSafe(t *testing.T) {
	t.Parallel()
	w := settle(t)
	turned := w.wren.receive(mailFrom("Eve <eve@example.com>", "A price", "price", "", "Pay \u202e0021\u202c EUR."))
	tab := open(t, w.server)
	tab.signIn(w.token)
	tab.goTo("#/domains") // of the configured mailbox
	tab.reads("of the deployment")
	if eval[bool](tab, `[...document.querySelectorAll("main button")].some((b) => b.innerText === "Remove")`) {
		t.Error("the deployment's domain can be removed")
	}
	tab.expect("400")
	tab.press("Add a domain")
	tab.fill("Domain", "not a domain")
	tab.press("Add")
	tab.until(`document.querySelector("dialog[open] .field small.wrong")`)
	said := eval[string](tab, `document.querySelector("dialog[open] .field small.wrong").innerText`)
	if strings.Contains(said, "_") || !strings.HasSuffix(said, ".") || strings.ToUpper(said[:1]) != said[:1] &&
		!strings.HasPrefix(said, `"`) {
		t.Errorf("not a sentence: %s", said)
	}
	tab.press("Cancel")

	tab.visit(w.url + "/console/m/wren@mailkin.localhost/inbox/" + turned)
	tab.reads("Pay ⟨202E⟩0021⟨202C⟩ EUR.")
	tab.press("Raw")
	tab.reads("Subject: A price", "⟨202E⟩0021")
	tab.keys("j")
	tab.until(`location.pathname.endsWith("/` + w.ids["code"] + `")`)
	tab.keys("k")
	tab.until(`location.pathname.endsWith("/` + turned + `")`)
}
