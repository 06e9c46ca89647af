package browser

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
)

// The mailbox is part of the address: Back, a reload and a link open what they say.
func TestAddresses(t *testing.T) {
	t.Parallel()
	w := settle(t)
	tab := open(t, w.server)
	tab.expect("403") // robin is paused
	tab.signIn(w.token)
	tab.press("wren@mailkin.localhost")
	tab.reads("Your sign-in code")
	tab.keys("b")
	tab.until(`document.querySelector("dialog.switcher[open] li")`)
	tab.run(`const f = document.querySelector("dialog.switcher input"); f.value = "robin"; f.dispatchEvent(new Event("input"))`)
	tab.until(`document.querySelectorAll("dialog.switcher li").length === 1`)
	tab.keys("\r")
	tab.until(`location.pathname.includes("/m/robin@mailkin.localhost/inbox")`)
	tab.reads("This mailbox is paused", "sends too much")
	tab.do(chromedp.NavigateBack())
	tab.reads("Your sign-in code")
	tab.until(`document.querySelector(".who").innerText.includes("wren@")`)
	tab.do(chromedp.NavigateForward())
	tab.until(`document.querySelector(".who").innerText.includes("robin@")`)
	tab.visit(w.url + "/console/m/wren@mailkin.localhost/inbox/" + w.ids["code"])
	tab.reads("Your sign-in code", "Reply all")
	tab.until(`document.querySelector(".who").innerText.includes("wren@")`)
	for _, key := range []string{"b", "?"} { // Back leaves what was opened over the page
		tab.goTo("#/outbox")
		tab.reads("Crew list")
		tab.keys(key)
		tab.until(`document.querySelector("dialog[open]")`)
		tab.do(chromedp.NavigateBack())
		tab.until(`!document.querySelector("dialog[open]") && location.pathname.endsWith("/" + ` + quoted(w.ids["code"]) + `)`)
	}
	tab.goTo("#/nothing")
	tab.reads("There is no such page")

	owner := open(t, w.server)
	owner.signIn(w.wren.key)
	owner.reads("Your sign-in code")
	owner.visit(w.url + "/console/m/robin@mailkin.localhost/inbox")
	owner.reads("Another mailbox", "robin@mailkin.localhost")
}

// Several messages are chosen, one by one and as a range, and changed at once.
func TestBulk(t *testing.T) {
	t.Parallel()
	w := settle(t)
	tab := open(t, w.server)
	tab.signIn(w.wren.key)
	tab.reads("Your sign-in code")
	tab.run(`document.querySelectorAll(".pick")[0].click()`)
	tab.reads("1 message chosen")
	tab.run(`document.querySelectorAll(".pick")[2].dispatchEvent(new MouseEvent("click", { shiftKey: true, bubbles: true, cancelable: true }))`)
	tab.reads("3 messages chosen")
	tab.picture("bulk")
	tab.press("Label")
	tab.expect("400")
	tab.fill("Label", "The harbour!")
	tab.press("Add")
	tab.until(`document.querySelector("dialog[open] .field small.wrong")`) // before any message is changed
	tab.fill("Label", "harbour")
	tab.press("Add")
	tab.until(`document.querySelectorAll(".mailrow .badge.plain").length >= 3`)
	if found := w.wren.do("GET", "inbox?query=label:harbour", nil)["emails"].([]any); len(found) != 3 {
		t.Errorf("%d messages have the label", len(found))
	}
	tab.press("Choose all")
	tab.reads("15 messages chosen")
	tab.press("Seen")
	tab.until(`document.querySelectorAll(".mailrow.unseen").length === 0`)
	tab.run(`document.querySelectorAll(".pick")[0].click()`)
	tab.press("Delete")
	tab.until(`document.querySelector("dialog[open] button.primary")`)
	tab.run(`document.querySelector("dialog[open] button.primary").click()`)
	tab.reads("1 message: done.")
	if left := w.wren.do("GET", "inbox?direction=inbound&limit=50", nil)["emails"].([]any); len(left) != 14 {
		t.Errorf("%d messages are left", len(left))
	}
}

// A key that is shown once is not lost by Enter or Escape.
func TestShownOnce(t *testing.T) {
	t.Parallel()
	w := settle(t)
	tab := open(t, w.server)
	tab.signIn(w.token)
	tab.press("New mailbox")
	tab.fill("Name", "support") // a role, which only the operator may make
	tab.press("Create")
	tab.reads("support@mailkin.localhost is ready")
	tab.keys("\r")
	tab.reads("Key copied.")
	tab.keys("\x1b")
	tab.reads("It cannot be shown again")
	tab.run(`await new Promise((r) => setTimeout(r, 1600))`) // a person has read it
	tab.keys("\x1b")
	tab.until(`!document.querySelector("dialog[open]")`)
}

// What is done to several messages is done in the mailbox where they were chosen, also when another one is opened
// meanwhile. Those that somebody else has deleted are no failure, and leave the list.
func TestBulkMeanwhile(t *testing.T) {
	t.Parallel()
	srv := start(t)
	wren := srv.mailbox("wren")
	srv.mailbox("robin")
	var ids []string
	for i := range 12 {
		ids = append(ids, wren.receive(mailFrom("Kim <kim@example.com>", fmt.Sprint("Number ", i),
			fmt.Sprint("n", i), "", "Hello.")))
	}
	tab := open(t, srv)
	tab.signIn(srv.token)
	tab.visit(srv.url + "/console/m/wren@mailkin.localhost/inbox")
	tab.press("Choose all")
	tab.reads("12 messages chosen")
	tab.run(button("Seen") + `.click(); history.pushState(null, "", "/console/m/robin@mailkin.localhost/inbox");
		dispatchEvent(new PopStateEvent("popstate"))`)
	tab.reads("12 messages: done.")
	if n := wren.do("GET", "stats", nil)["unseen"]; n != 0.0 {
		t.Errorf("%v messages are not seen", n)
	}

	tab.visit(srv.url + "/console/m/wren@mailkin.localhost/inbox")
	tab.press("Choose all")
	tab.reads("12 messages chosen")
	for _, id := range ids[:2] {
		wren.do("DELETE", "email?id="+id, nil)
	}
	tab.press("Delete")
	tab.expect("404")
	tab.press("Delete")
	tab.reads("10 messages: done. 2 were deleted already.")
	tab.gone("Number 0")
}
