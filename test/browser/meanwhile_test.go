package browser

import (
	"net/http"
	"sync/atomic"
	"testing"
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
