package browser

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// A draft that somebody else deleted or sent is kept as a new one with its files: from the tab, or from the message
// that it was sent as. What cannot be had any more is named.
func TestFilesOfLostDraft(t *testing.T) {
	t.Parallel()
	srv := start(t)
	wren := srv.mailbox("wren")
	tab := open(t, srv)
	tab.expect("404|409")
	tab.signIn(wren.key)
	var files []string
	for _, name := range []string{"crew.txt", "course.txt"} {
		files = append(files, filepath.Join(t.TempDir(), name))
		if err := os.WriteFile(files[len(files)-1], []byte("Kim and Sam: "+name+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	draft := func() map[string]any {
		d, _ := append(wren.do("GET", "drafts", nil)["drafts"].([]any), nil)[0].(map[string]any)
		return d
	}
	attached := func() []any { list, _ := draft()["attachments"].([]any); return list }
	begin := func(subject string) string {
		tab.goTo("#/inbox")
		tab.goTo("#/compose")
		tab.until(`document.querySelector("mk-compose form")`)
		if eval[bool](tab, `location.search.includes("draft=")`) {
			tab.press("Another message")
			tab.until(`!location.search.includes("draft=") && document.querySelector("mk-compose form")`)
		}
		tab.fill("To", "sam@example.com")
		tab.fill("Subject", subject)
		tab.fill("Text", "We sail at six.")
		tab.do(chromedp.SetUploadFiles(chromedp.CSS("input[type=file]"), files))
		tab.reads("crew.txt", "course.txt")
		tab.press("Save draft")
		waitFor(t, func() bool { d := draft(); return d["subject"] == subject && len(attached()) == 2 })
		tab.until(`location.search.includes("draft=")`)
		return "drafts/" + draft()["id"].(string)
	}
	send := func(path string) {
		wren.do("POST", path+"/send", map[string]any{"version": wren.do("GET", path, nil)["version"]})
	}
	kept := func(text string, want ...string) {
		t.Helper()
		waitFor(t, func() bool { return draft()["snippet"] == text })
		waitFor(t, func() bool { return len(attached()) == len(want) })
		for i, a := range attached() {
			if name := a.(map[string]any)["filename"]; name != want[i] {
				t.Errorf("attached is %v, want %v", name, want[i])
			}
		}
	}

	path := begin("Deleted, and here")
	wren.do("DELETE", path, nil)
	tab.fill("Text", "one")
	tab.press("Save draft")
	tab.press("Keep what is written here")
	kept("one", "crew.txt", "course.txt")

	path = begin("Sent, and loaded again")
	tab.visit(eval[string](tab, "location.href")) // the tab has the files no more
	tab.reads("crew.txt")
	send(path)
	tab.fill("Text", "two")
	tab.press("Save draft")
	tab.press("Keep what is written here")
	kept("two", "crew.txt", "course.txt")
	tab.until(`!document.querySelector(".compose button.primary").disabled`) // the page has the answer, too
	tab.press("Send")
	tab.reads("Deliveries")
	last := wren.do("GET", "inbox?direction=outbound&limit=1", nil)["emails"].([]any)[0].(map[string]any)
	whole := fmt.Sprint(wren.do("GET", "email?id="+last["id"].(string), nil)["attachments"])
	if !strings.Contains(whole, "crew.txt") || !strings.Contains(whole, "course.txt") {
		t.Errorf("sent with %s", whole)
	}

	path = begin("Deleted, and loaded again")
	tab.visit(eval[string](tab, "location.href"))
	tab.reads("crew.txt")
	wren.do("DELETE", path, nil)
	tab.fill("Text", "three")
	tab.press("Save draft")
	tab.reads("Keep what is written here")
	tab.visit(eval[string](tab, "location.href")) // once more
	tab.reads("not attached any more: crew.txt, course.txt")
	tab.do(chromedp.SetUploadFiles(chromedp.CSS("input[type=file]"), files[:1]))
	tab.reads("not attached any more: course.txt")
	tab.press("Save draft")
	kept("three", "crew.txt")
}
