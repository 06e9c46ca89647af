package browser

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
)

// slow delays every answer but those of the stream, each for another time, from when it is told to.
func slow(t *testing.T, srv *server, on *atomic.Bool) *server {
	return before(t, srv, func(_ http.ResponseWriter, r *http.Request) bool {
		if on.Load() && strings.HasPrefix(r.URL.Path, "/v1/") && r.URL.Path != "/v1/events" {
			time.Sleep(200*time.Millisecond + rand.N(400*time.Millisecond))
		}
		return false
	})
}

// holds waits until a field has a text, and says what it has otherwise.
func (w *tab) holds(field, text string) {
	w.t.Helper()
	w.until(fmt.Sprintf(`document.querySelector(%s)?.value === %s`, quoted("mk-compose "+field), quoted(text)))
}

// What is typed is what stands there, however late an answer comes: before the form is there, while the draft is
// saved, and when another message is answered before what was written is saved.
func TestTypingWithLateAnswers(t *testing.T) {
	t.Parallel()
	w := settle(t)
	var late atomic.Bool
	tab := open(t, slow(t, w.server, &late))
	tab.signIn(w.wren.key)
	tab.reads("Your sign-in code")
	command(tab, input.DispatchKeyEvent, input.DispatchKeyEventParams{Type: "keyDown", Key: "c"})
	tab.until(`document.activeElement.name === "to"`) // before the letter of the key comes
	command(tab, input.DispatchKeyEvent, input.DispatchKeyEventParams{Type: "char", Key: "c", Text: "c"})
	command(tab, input.DispatchKeyEvent, input.DispatchKeyEventParams{Type: "keyUp", Key: "c"})
	tab.keys("x")
	tab.holds("input[name=to]", "x")
	tab.press("Discard")
	tab.reads("Your sign-in code")

	late.Store(true)
	tab.keys("c")
	tab.keys("kim@example.com\tsam@example.com\t\tA plan\tWe sail\rat six.")
	tab.holds("input[name=to]", "kim@example.com")
	tab.holds("input[name=cc]", "sam@example.com")
	tab.holds("input[name=subject]", "A plan")
	tab.holds("textarea", "We sail\nat six.")
	written := "We sail\nat six."
	for i := range 30 { // it is saved several times meanwhile
		word := fmt.Sprint(" ", i)
		tab.keys(word)
		written += word
		if got := eval[string](tab, `document.activeElement.value`); got != written {
			t.Fatalf("after %s there is %q, want %q", word, got, written)
		}
		time.Sleep(100 * time.Millisecond)
	}
	tab.reads("Saved as a draft.")
	tab.holds("textarea", written)
	if d := w.drafts(); len(d) != 1 || d[0]["subject"] != "A plan" {
		t.Errorf("the drafts are %v", d)
	}

	tab.goTo("#/threads/" + w.thread("answer"))
	tab.reads("At six, at the pontoon.")
	tab.keys("r")
	tab.keys("First\ranswer. ")
	tab.until(`document.querySelector("mk-compose textarea")?.value.startsWith("First\nanswer. \n\nOn ")`)
	tab.run(`[...document.querySelectorAll(".thread > li")][0].querySelector("button").click()`) // another one, at once
	tab.keys("Second.")
	tab.until(`document.querySelector("mk-compose textarea")?.value.startsWith("Second.\n\nOn ") &&
		document.querySelector("mk-compose textarea").value.includes("> Shall we go on Saturday?")`)
	tab.holds("input[name=to]", `"Kim Lee" <kim@example.com>`)
	tab.holds("input[name=subject]", "Re: The crossing")
	waitFor(t, func() bool { return len(w.drafts()) == 3 })
	for _, d := range w.drafts() {
		if d["subject"] == "Re: The crossing" && !strings.Contains(fmt.Sprint(d["to"]), "kim@example.com") {
			t.Errorf("the draft is %v", d)
		}
	}
	tab.run(`history.back()`)
	tab.until(`document.querySelector("mk-compose textarea")?.value.startsWith("First\nanswer. \n\nOn ")`)
}

// drafts are those of wren's.
func (w *world) drafts() (list []map[string]any) {
	for _, d := range w.wren.do("GET", "drafts", nil)["drafts"].([]any) {
		list = append(list, d.(map[string]any))
	}
	return list
}

// thread is the conversation of one of wren's messages.
func (w *world) thread(word string) string {
	return w.wren.do("GET", "email?id="+w.ids[word], nil)["thread_id"].(string)
}

// An answer that is being written stays as it is while its message changes, also when that cannot be loaded again. A
// search field stays while the server is away.
func TestTypingWhileThingsHappen(t *testing.T) {
	t.Parallel()
	w := settle(t)
	var cut atomic.Bool
	tab := open(t, before(t, w.server, func(rw http.ResponseWriter, r *http.Request) bool {
		if cut.Load() && r.Method == "GET" && (r.URL.Path == "/v1/email" || r.URL.Path == "/v1/audit") {
			rw.WriteHeader(http.StatusInternalServerError)
			return true
		}
		return false
	}))
	tab.expect("500")
	tab.signIn(w.token)
	tab.visit(tab.srv.url + "/console/m/wren@mailkin.localhost/outbox")
	tab.reads("Crew list")
	tab.run(`[...document.querySelectorAll(".mailrow a")].find((a) => a.innerText.includes("Crew list")).click()`)
	tab.reads("The list is attached.")
	tab.keys("f")
	tab.until(`document.activeElement.name === "to"`)
	tab.keys("pat@exam")
	cut.Store(true)
	id := eval[string](tab, `document.querySelector("mk-message").id`)
	tab.run(`document.querySelector("mk-console").live.dispatchEvent(new CustomEvent("mail", { detail: { event: "message.bounced", email_id: ` + quoted(id) + ` } }))`)
	time.Sleep(500 * time.Millisecond)
	tab.keys("ple.com")
	tab.until(`document.activeElement.name === "to"`)
	tab.holds("input[name=to]", "pat@example.com")
	cut.Store(false)

	tab.goTo("#/audit")
	tab.until(`document.querySelector("input[aria-label='Find in audit log']")`)
	cut.Store(true)
	tab.run(`document.querySelector("input[aria-label='Find in audit log']").focus()`)
	tab.keys("Robin")
	tab.until(`document.querySelector(".filters .wrong")`)
	tab.keys("@mail")
	tab.until(`document.activeElement.value === "Robin@mail"`)
	cut.Store(false)
	tab.keys("kin")
	tab.until(`document.activeElement.value === "Robin@mailkin" && !document.querySelector(".filters .wrong")`)
}
