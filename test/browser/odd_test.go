package browser

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// What strangers may write at any length takes no more room than it deserves, and hides no button.
func TestOddMail(t *testing.T) {
	t.Parallel()
	srv := start(t)
	wren := srv.mailbox(strings.Repeat("w", 40))
	to := func(mail string) string { return strings.ReplaceAll(mail, "wren@mailkin.localhost", wren.address) }
	from := `"` + strings.Repeat("Long name ", 90) + `" <` + strings.Repeat("a", 60) + "@" +
		strings.Repeat(strings.Repeat("b", 60)+".", 3) + "example>"
	subject := strings.Repeat(strings.Repeat("subject ", 100)+"\n ", 13)
	long := wren.receive(to(mailFrom(from, subject, "long", "", "Hello.")))
	wren.receive(to(mailFrom("Kim <kim@example.com>", "Plans", "plans", "", "Hello.")))
	wren.do("PATCH", "email?id="+long, map[string]any{"add_labels": []string{strings.Repeat("l", 32),
		strings.Repeat("m", 32)}})
	tab := open(t, srv)
	tab.signIn(wren.key)
	tab.reads("Plans")
	outside := `[...document.querySelectorAll(".mailrow .badge")].filter((b) =>
		b.getBoundingClientRect().right > b.closest(".mailrow").getBoundingClientRect().right).length`
	for _, width := range []int64{1440, 390} {
		tab.size(width, 844)
		tab.until(outside + " === 0")
		looksGood(tab, "odd-list")
	}
	tab.goTo("#/inbox/" + long)
	tab.reads("Reply all")
	for _, width := range []int64{1440, 390} {
		tab.size(width, 844)
		tab.until(`document.querySelector(".message h2").offsetHeight < 150 && document.querySelector("[role=tablist]").getBoundingClientRect().top < 600`)
	}
	looksGood(tab, "odd-message")
	tab.size(390, 844)
	tab.press("Remove label " + strings.Repeat("m", 32))
	tab.until(`!document.body.innerText.includes("mmmm")`)
}

// Of two questions the answer to the later one is shown, whichever comes last.
func TestLateAnswers(t *testing.T) {
	t.Parallel()
	w := settle(t)
	var hold atomic.Pointer[string]
	release := make(chan struct{})
	tab := open(t, before(t, w.server, func(_ http.ResponseWriter, r *http.Request) bool {
		if part := hold.Load(); part != nil && strings.Contains(r.URL.String(), *part) {
			select {
			case <-release:
			case <-r.Context().Done():
			}
		}
		return false
	}))
	holds := func(part string) { hold.Store(&part) }
	let := func() { // the answer that was held has come, and the page has seen it
		n := eval[int](tab, `performance.getEntriesByType("resource").length`)
		hold.Store(nil)
		select {
		case release <- struct{}{}:
		case <-time.After(patience):
			t.Fatal("nothing was asked that is held")
		}
		tab.until(fmt.Sprintf(`performance.getEntriesByType("resource").length > %d`, n))
		tab.run(`for (let n = 0; n < 5; n++) await new Promise((r) => setTimeout(r, 20))`)
	}
	tab.signIn(w.wren.key)
	tab.reads("Your sign-in code")

	tab.goTo("#/webhooks")
	tab.reads("What was posted", "message.received")
	holds("/v1/webhook/deliveries?limit=30&status=failed")
	tab.choose("State", "failed")
	tab.choose("State", "delivered")
	tab.until(`document.querySelectorAll(".posted .status").length > 3`)
	let()
	tab.until(`document.querySelectorAll(".posted .status").length > 3`)

	tab.goTo("#/stats")
	tab.reads("In and out per day", "half within")
	holds("/v1/stats?days=90")
	tab.press("90 days")
	tab.press("7 days")
	tab.until(`document.querySelectorAll("figure table")[0].tBodies[0].rows.length === 7`)
	let()
	tab.until(`document.querySelectorAll("figure table")[0].tBodies[0].rows.length === 7`)

	tab.goTo("#/threads")
	tab.reads("Choose a conversation")
	holds("id=" + w.thread("order"))
	tab.goTo("#/threads/" + w.thread("order"))
	tab.until(`document.querySelector("mk-thread .spinner")`)
	tab.goTo("#/threads/" + w.thread("answer"))
	tab.reads("At six, at the pontoon.")
	let()
	tab.run(`const t = document.querySelector("mk-thread"); t.requestUpdate(); await t.updateComplete`)
	tab.reads("At six, at the pontoon.")
}

// What says that there is new mail above stands over the list, and over nothing that is pressed.
func TestNewMailAbove(t *testing.T) {
	t.Parallel()
	w := settle(t)
	tab := open(t, w.server)
	tab.size(1280, 500)
	tab.signIn(w.wren.key)
	tab.reads("Your sign-in code")
	tab.run(`document.querySelector("mk-list .window").scrollTop = 300`)
	w.wren.receive(mailFrom("Kim <kim@example.com>", "The newest", "newest", "", "Hello."))
	tab.until(`document.querySelector(".fresh")?.innerText === "1 new message"`)
	tab.until(`(() => { const r = document.querySelector(".fresh").getBoundingClientRect();
		return r.top > document.querySelector(".narrowing").getBoundingClientRect().bottom &&
			document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2).matches(".fresh"); })()`)
	tab.picture("fresh")
	tab.press("1 new message")
	tab.reads("The newest")
	tab.until(`!document.querySelector(".fresh")`)
}
