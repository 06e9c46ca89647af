package browser

import (
	"net/http"
	"sync/atomic"
	"testing"
	"time"
)

// What is typed for an answer that cannot be loaded is no shortcut, and is there when it can. A question whether
// something is to be deleted for good takes Enter for no.
func TestAnswerCannotBeLoaded(t *testing.T) {
	t.Parallel()
	w := settle(t)
	var cut atomic.Bool
	tab := open(t, before(t, w.server, func(rw http.ResponseWriter, r *http.Request) bool {
		if cut.Load() && r.Method == "GET" && r.URL.Path == "/v1/email" {
			rw.WriteHeader(http.StatusInternalServerError)
			return true
		}
		return false
	}))
	tab.expect("500")
	tab.signIn(w.wren.key)
	tab.goTo("#/inbox/" + w.ids["order"])
	tab.reads("2 shackles")
	cut.Store(true)
	tab.keys("r")
	tab.reads("The page could not be loaded")
	tab.keys("# e gi c, ")
	tab.until(`document.querySelector("mk-compose").early === "# e gi c, " && !document.querySelector("dialog[open]")`)
	cut.Store(false)
	tab.press("Try again")
	tab.until(`document.activeElement.matches("mk-compose textarea") && document.activeElement.value.startsWith("# e gi c, ")`)
	tab.press("Discard")

	cut.Store(true)
	tab.goTo("#/inbox/" + w.ids["code"] + "?reply=" + w.ids["code"]) // the message cannot be loaded, either
	tab.reads("The page could not be loaded")
	tab.keys("#no")
	tab.keys("\x1b") // from here on keys are shortcuts again
	tab.keys("#")
	tab.until(`document.querySelector("dialog[open]") && document.activeElement.innerText === "Cancel"`)
	tab.keys("\r")
	tab.until(`!document.querySelector("dialog[open]")`)
	w.wren.do("GET", "email?id="+w.ids["code"], nil)
}

// What was deleted elsewhere leaves the page when somebody looks at it again or does something to it, and what is typed
// for an answer to it is no shortcut. Of a mailbox that was deleted the page says so, and asks no more.
func TestDeletedElsewhere(t *testing.T) {
	t.Parallel()
	w := settle(t, "MAILKIN_LIMIT_STREAM=1s")
	tab := open(t, w.server)
	tab.expect("404")
	tab.signIn(w.token)
	tab.visit(w.url + "/console/m/wren@mailkin.localhost/inbox")
	tab.until(`document.querySelectorAll(".mailrow").length === 15`)
	remove := func(word string) { w.wren.do("DELETE", "email?id="+w.ids[word], nil) }
	tab.goTo("#/inbox/" + w.ids["order"])
	tab.reads("2 shackles")
	remove("order")
	remove("newsletter") // which is only in the list
	tab.run(`dispatchEvent(new Event("focus"))`)
	tab.reads("It was deleted.")
	tab.until(`document.querySelectorAll(".mailrow").length === 13 && !document.querySelector("mk-message")`)

	tab.goTo("#/inbox/" + w.ids["answer"])
	tab.reads("At six, at the pontoon.")
	remove("answer")
	tab.keys("r")
	tab.until(`document.querySelectorAll(".mailrow").length === 12 && !document.querySelector("mk-message")`)
	tab.keys("#c")
	if eval[bool](tab, `Boolean(document.querySelector("dialog[open], mk-compose"))`) {
		t.Error("what is typed for an answer is a shortcut")
	}

	w.call(w.token, "DELETE", "mailboxes/wren%40mailkin.localhost", nil)
	tab.reads("This mailbox is gone")
	asked := `performance.getEntriesByType("resource").filter((r) => r.name.includes("/v1/events")).length`
	before := eval[int](tab, asked)
	time.Sleep(2 * time.Second)
	if after := eval[int](tab, asked); after != before {
		t.Errorf("it asked %d more times", after-before)
	}
}
