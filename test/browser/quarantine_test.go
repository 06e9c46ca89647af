package browser

import (
	"fmt"
	"strings"
	"testing"
)

// choose takes an option of a list of them that has a label.
func (w *tab) choose(label, option string) {
	w.t.Helper()
	field := fmt.Sprintf(`[...(document.querySelector("dialog[open]") ?? document).querySelectorAll("select")]
		.find((s) => s.ariaLabel === %[1]s || s.labels[0]?.innerText.trim().startsWith(%[1]s))`, quoted(label))
	w.until(field)
	w.run(fmt.Sprintf(`const s = %s; s.value = [...s.options].find((o) => o.text === %s).value;
		s.dispatchEvent(new Event("change", { bubbles: true }))`, field, quoted(option)))
}

// operatorOf opens the console for the operator, who looks at the empty mailbox wren.
func operatorOf(t *testing.T, srv *server) *tab {
	t.Helper()
	tab := open(t, srv)
	tab.signIn(srv.token)
	tab.press("wren@mailkin.localhost")
	tab.reads("No mail yet")
	return tab
}

// The operator blocks a sender, has its mail kept apart, and releases one mail and deletes another. The owner of the
// mailbox reads the lists, changes none, and does not see the quarantine.
func TestQuarantine(t *testing.T) {
	t.Parallel()
	srv := start(t)
	wren := srv.mailbox("wren")
	tab := operatorOf(t, srv)
	tab.goTo("#/lists")
	tab.reads("Nobody is on this list")
	tab.choose("List", "Never hears from")
	tab.reads("No mail comes in")
	tab.press("Add")
	tab.fill("Address, domain", "not an address")
	tab.expect("400")
	tab.press("Add")
	tab.until(`document.querySelector("dialog [role=alert]")`)
	tab.fill("Address, domain", "bad.example")
	tab.fill("Note", "<b>spam</b>")
	tab.press("Add")
	tab.reads("bad.example", "<b>spam</b>", "1 entry")
	tab.picture("lists")
	tab.choose("Whose list", "of all mailboxes")
	tab.reads("Nobody is on this list")

	tab.goTo("#/mailbox")
	tab.reads("refused")
	tab.press("Change what is done")
	tab.choose("It is", "kept in quarantine")
	tab.press("Set")
	tab.until(`!document.querySelector("dialog[open]") && document.querySelector("main").innerText.includes("kept in quarantine")`)

	for _, subject := range []string{"First offer", "Second offer"} {
		wren.receive(mailFrom("Eve <eve@bad.example>", subject, strings.Fields(subject)[0], "", "Buy this."))
	}
	tab.goTo("#/quarantine")
	tab.reads("First offer", "Second offer", "blocked", "eve@bad.example", "wren@mailkin.localhost", "2 messages")
	tab.picture("quarantine")
	of := func(subject, words string) string {
		return fmt.Sprintf(`[...[...document.querySelectorAll(".plainrow")].find((r) => r.innerText.includes(%s))
			.querySelectorAll("button, a")].find((b) => b.innerText === %s).click()`, quoted(subject), quoted(words))
	}
	tab.run(of("Second offer", "Read"))
	tab.reads("Sender authentication was not checked.", "Buy this.", "Back")
	tab.picture("quarantine-read")
	tab.run(`location.reload()`) // its address says which one it is
	tab.reads("Sender authentication was not checked.", "Buy this.")
	tab.run(`history.back()`)
	tab.reads("2 messages")
	tab.run(`history.forward()`)
	tab.reads("Sender authentication was not checked.")
	tab.press("Back")
	tab.reads("2 messages")
	tab.run(of("Second offer", "Delete"))
	tab.press("Delete")
	tab.gone("Second offer")
	tab.run(of("First offer", "Release"))
	tab.reads("as if it arrived now")
	tab.press("Release")
	tab.reads("Nothing is in quarantine", "It is in wren@mailkin.localhost.")
	tab.goTo("#/inbox")
	tab.reads("First offer")

	tab.goTo("#/lists")
	tab.choose("List", "Never hears from")
	tab.press("Remove bad.example")
	tab.press("Take off the list")
	tab.reads("Nobody is on this list")

	owner := open(t, srv)
	owner.signIn(wren.key)
	owner.reads("First offer")
	if eval[bool](owner, `document.querySelector("nav").innerText.includes("Quarantine")`) {
		t.Error("the owner's menu has the quarantine")
	}
	owner.goTo("#/lists")
	owner.reads("Nobody is on this list")
	if eval[bool](owner, `Boolean(`+button("Add")+`)`) {
		t.Error("the owner can add to a list")
	}
}

// Every message waits; one is called back from the message that says so, and another is moved and then canceled.
func TestUndo(t *testing.T) {
	t.Parallel()
	srv := start(t)
	wren := srv.mailbox("wren")
	operator := operatorOf(t, srv)
	operator.goTo("#/mailbox")
	operator.press("Change undo")
	operator.fill("Seconds", "300")
	operator.press("Set")
	operator.reads("messages wait for 300 s")

	tab := open(t, srv)
	tab.signIn(wren.key)
	tab.reads("No mail yet")
	tab.goTo("#/mailbox")
	tab.reads("messages wait for 300 s")
	if eval[bool](tab, `Boolean(`+button("Change undo")+`)`) {
		t.Error("the owner can change it")
	}
	send := func(subject string) {
		tab.goTo("#/compose")
		tab.fill("To", "kim@example.com")
		tab.fill("Subject", subject)
		tab.fill("Text", "Hello.")
		tab.press("Send")
		tab.reads("The mail to kim@example.com is about to leave.")
	}
	newest := func() map[string]any {
		return wren.do("GET", "inbox?direction=outbound&limit=1", nil)["emails"].([]any)[0].(map[string]any)
	}
	send("A mistake")
	tab.picture("undo")
	tab.press("Undo")
	tab.reads("The mail to kim@example.com was called back.", "canceled")
	if m := newest(); m["subject"] != "A mistake" || m["status"] != "canceled" {
		t.Errorf("the message is %v", m)
	}

	send("Too early")
	tab.press("Send at another time")
	tab.fill("At", eval[string](tab, `new Date(Date.now() + 864e5).toISOString().slice(0, 16)`))
	tab.press("Set")
	tab.reads("It is sent at that time.")
	tab.press("Cancel sending")
	tab.reads("Canceled.")
	tab.until(`document.querySelector(".marks").innerText.includes("canceled")`)
	if m := newest(); m["subject"] != "Too early" || m["status"] != "canceled" {
		t.Errorf("the message is %v", m)
	}
}
