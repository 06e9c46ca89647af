package browser

import (
	"fmt"
	"strings"
	"testing"
)

// A conversation has what comes and loses what is deleted elsewhere while somebody looks at it, and leaves the answer
// alone that is being written. One that is deleted as a whole is left, unless an answer is being written.
func TestConversationsAreLive(t *testing.T) {
	t.Parallel()
	w := settle(t)
	tab := open(t, w.server)
	tab.expect("404|400") // a draft about a message that is gone is refused, and saved as one of its own
	tab.size(1440, 900)
	tab.signIn(w.wren.key)
	tab.goTo("#/threads/" + w.thread("answer"))
	tab.reads("Shall we go on Saturday?", "At six, at the pontoon.", "Live")
	messages := func(n int) {
		t.Helper()
		tab.until(fmt.Sprintf(`document.querySelectorAll(".thread > li").length === %d`, n))
	}
	messages(3)
	tab.run(`document.querySelector(".thread > li details").open = false`) // the person has folded the first
	tab.keys("r")
	tab.until(`document.activeElement.matches("mk-compose textarea") &&
		document.activeElement.value.startsWith("\n\nOn ")`)
	tab.keys("We bring ")
	w.wren.receive(mailFrom("Kim Lee <kim@example.com>", "Re: The crossing", "crossing-3",
		"In-Reply-To: <crossing-2@example.com>\nReferences: <crossing-1@example.com> <crossing-2@example.com>\n",
		"Bring the chart, too."))
	messages(4)
	tab.reads("Bring the chart, too.")
	tab.until(`document.querySelector(".mailrow").innerText.includes("The crossing")`) // it is the newest by now
	tab.keys("the ")
	w.wren.do("DELETE", "email?id="+w.ids["answer"], nil) // the one that is answered
	messages(3)
	tab.gone("At six, at the pontoon.")
	tab.keys("chart.")
	text := eval[string](tab, `document.activeElement.value`)
	if !strings.HasPrefix(text, "We bring the chart.\n\nOn ") || strings.Count(text, "> At six, at the pontoon.") != 1 {
		t.Errorf("the answer is %q", text)
	}
	if eval[bool](tab, `document.querySelector(".thread > li details").open`) {
		t.Error("what was folded is unfolded")
	}

	others := w.wren.do("GET", "thread?id="+w.thread("first"), nil)["emails"].([]any)
	for _, m := range others {
		w.wren.do("DELETE", "email?id="+m.(map[string]any)["id"].(string), nil)
	}
	tab.reads("This conversation was deleted.")
	tab.until(`document.activeElement.value.startsWith("We bring the chart.\n\nOn ")`)
	tab.until(`![...document.querySelectorAll(".mailrow")].some((r) => r.innerText.includes("The crossing"))`)
	tab.press("Discard")
	tab.reads("Choose a conversation")

	tab.goTo("#/threads/" + w.thread("order"))
	tab.reads("2 shackles")
	w.wren.do("DELETE", "email?id="+w.ids["order"], nil)
	tab.reads("The conversation was deleted.", "Choose a conversation")
}

// An answer to a message that is deleted while it is written can be sent all the same, as a message of its own that
// goes on with the conversation.
func TestAnswerToDeleted(t *testing.T) {
	t.Parallel()
	w := settle(t)
	tab := open(t, w.server)
	tab.expect("404|400|409")
	tab.signIn(w.wren.key)
	tab.goTo("#/inbox/" + w.ids["order"])
	tab.reads("2 shackles")
	tab.keys("r")
	tab.keys("Thank you. ")
	tab.until(`document.activeElement.value?.startsWith("Thank you. ")`)
	tab.reads("Saved as a draft.")
	w.wren.do("DELETE", "email?id="+w.ids["order"], nil)
	tab.press("Send")
	tab.reads("Send once more", "It leaves as a message of its own")
	tab.press("Send")
	tab.until(`!document.querySelector("mk-compose")`)
	sent := w.wren.do("GET", "email?id="+w.newest("outbound")["id"].(string), nil)
	text := sent["body_text"].(string)
	if !strings.Contains(fmt.Sprint(sent["in_reply_to"]), "order@example.com") ||
		!strings.HasPrefix(text, "Thank you. ") || sent["subject"] != "Re: Your order 4711 is on its way" {
		t.Errorf("sent %v", sent)
	}
}
