package browser

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/coder/websocket/wsjson"
)

// firefox is a page in Firefox, driven over WebDriver BiDi: enough for one way through the console.
type firefox struct {
	t    *testing.T
	ctx  context.Context
	conn *websocket.Conn
	page string
	n    int
}

var listening = regexp.MustCompile(`listening on (ws://\S+)`)

func openFirefox(t *testing.T, program string) *firefox {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 4*patience)
	cmd, log := exec.CommandContext(ctx, program, "--headless", "--profile", t.TempDir(), "--remote-debugging-port=0"),
		&transcript{}
	cmd.Env, cmd.Stderr = append(os.Environ(), "HOME="+t.TempDir()), log
	err := cmd.Start()
	t.Cleanup(func() { cancel(); _ = cmd.Wait() })
	f := &firefox{t: t, ctx: ctx}
	for err == nil && f.conn == nil {
		if at := found(listening, log.String()); at != "" {
			f.conn, _, err = websocket.Dial(ctx, at+"/session", nil)
		} else {
			time.Sleep(20 * time.Millisecond)
			err = ctx.Err()
		}
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, log)
	}
	f.call("session.new", map[string]any{"capabilities": map[string]any{}})
	var tree struct{ Contexts []struct{ Context string } }
	if err := json.Unmarshal(f.call("browsingContext.getTree", map[string]any{}), &tree); err != nil {
		t.Fatal(err)
	}
	f.page = tree.Contexts[0].Context
	return f
}

// call gives the browser a command, and returns its result.
func (f *firefox) call(method string, params any) json.RawMessage {
	f.t.Helper()
	f.n++
	err := wsjson.Write(f.ctx, f.conn, map[string]any{"id": f.n, "method": method, "params": params})
	var answer struct {
		ID             int
		Result         json.RawMessage
		Error, Message string
	}
	for err == nil && answer.ID != f.n {
		err = wsjson.Read(f.ctx, f.conn, &answer)
	}
	if err != nil || answer.Error != "" {
		f.t.Fatalf("%s: %v %s %s", method, err, answer.Error, answer.Message)
	}
	return answer.Result
}

// holds tells whether an expression is true.
func (f *firefox) holds(expression string) bool {
	f.t.Helper()
	result := f.call("script.evaluate", map[string]any{"awaitPromise": true,
		"target": map[string]any{"context": f.page}, "expression": "Boolean(" + expression + ")"})
	return strings.Contains(string(result), `"value":true`)
}

func (f *firefox) until(expression string) {
	f.t.Helper()
	for limit := time.Now().Add(patience); !f.holds(expression); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(limit) {
			f.t.Fatalf("it never became true: %s\non %s", expression, f.call("script.evaluate", map[string]any{
				"awaitPromise": true, "target": map[string]any{"context": f.page},
				"expression": "document.activeElement.outerHTML.slice(0, 200) + document.body.innerText"}))
		}
	}
}

// keys types.
func (f *firefox) keys(text string) {
	f.t.Helper()
	var actions []any
	for _, r := range text {
		for _, kind := range []string{"keyDown", "keyUp"} {
			actions = append(actions, map[string]any{"type": kind, "value": string(r)})
		}
	}
	f.call("input.performActions", map[string]any{"context": f.page,
		"actions": []any{map[string]any{"type": "key", "id": "keyboard", "actions": actions}}})
}

// With the keyboard alone in Firefox: sign in, find a message, read it, and answer; then, as the operator, approve.
func TestFirefox(t *testing.T) {
	program := os.Getenv("MAILKIN_TEST_FIREFOX")
	if program == "" {
		t.Skip("MAILKIN_TEST_FIREFOX does not name the program")
	}
	const enter, next = "\uE007", "\uE004"
	w := settle(t)
	w.call(w.token, "PATCH", "mailboxes/wren%40mailkin.localhost", map[string]any{"send_policy": "review_all"})
	f := openFirefox(t, program)
	visit := func(path string) {
		f.call("browsingContext.navigate", map[string]any{"context": f.page, "url": w.url + path, "wait": "complete"})
	}
	visit("/console")
	f.until(`document.activeElement.matches("mk-signin input")`)
	f.keys(w.wren.key + enter)
	f.until(`document.querySelector(".mailrow") && document.querySelector(".line.on")`)
	f.keys("/482915" + enter)
	f.until(`document.querySelector("mark")?.innerText === "482915"`)
	f.keys("j" + enter)
	f.until(`document.querySelector("mk-message output")?.innerText === "482915"`)
	f.keys("r")
	f.keys("gi, thank you.") // also where the form is not there yet
	f.until(`document.activeElement.value?.startsWith("gi, thank you.\n\nOn ")`)
	f.tabTo(next, `b.innerText === "Send"`)
	f.press()
	f.until(`document.body.innerText.includes("It waits for a person's approval.")`)
	if sent := w.newest("outbound"); sent["subject"] != "Re: Your sign-in code" {
		t.Errorf("sent %v", sent)
	}

	f.holds(`(sessionStorage.clear(), true)`)
	visit("/console/reviews")
	f.until(`document.activeElement.matches("mk-signin input")`)
	f.keys(w.token + enter)
	f.until(`document.querySelectorAll(".plainrow").length === 2`)
	f.keys("j")
	f.tabTo(next, `b.innerText === "Approve" && b.closest(".plainrow").innerText.includes("Re: Your sign-in code")`)
	f.press()
	f.until(`document.activeElement.closest("dialog[open]") && document.activeElement.innerText === "Approve"`)
	f.press()
	f.until(`document.body.innerText.includes("It is approved in 5 seconds.")`)
	f.keys("gm")
	f.until(`document.body.innerText.includes("It is approved.")`)
	waitFor(t, func() bool { return w.newest("outbound")["status"] == "captured" })
}

// press presses the button that has the focus. In a window that is not shown Firefox lets no key do that, on any page.
func (f *firefox) press() {
	f.t.Helper()
	f.holds(`document.activeElement.click() ?? true`)
}

// tabTo moves the focus on until it is where b fits.
func (f *firefox) tabTo(next, fits string) {
	f.t.Helper()
	for range 60 {
		if f.holds(`(() => { const b = document.activeElement; return ` + fits + `; })()`) {
			return
		}
		f.keys(next)
	}
	f.t.Fatalf("the keyboard never comes to %s", fits)
}
