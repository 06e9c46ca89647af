package browser

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/chromedp/chromedp"
)

// quoted makes a Go string one of JavaScript.
func quoted(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}

// eval runs an expression in the page, and returns its value; promises are waited for.
func eval[T any](w *tab, expression string) T {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.ctx, patience)
	defer cancel()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		w.t.Fatalf("%v\nin %s\non %s", err, expression, w.shown())
	}
	return v
}

// run runs an expression in the page.
func (w *tab) run(expression string) {
	w.t.Helper()
	eval[bool](w, "(async () => { "+expression+"; return true; })()")
}

// until waits for an expression to be true. It asks until then: a page may be replaced while it is waited for.
func (w *tab) until(expression string) {
	w.t.Helper()
	ask := chromedp.Evaluate[bool]("(() => { try { return Boolean(" + expression + ") } catch { return false } })()")
	ctx, cancel := context.WithTimeout(w.ctx, patience)
	defer cancel()
	for {
		if ok, err := chromedp.Run(ctx, ask); ok && err == nil {
			return
		}
		select {
		case <-ctx.Done():
			w.t.Fatalf("it never became true: %s\non %s", expression, w.shown())
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// reads waits for a text to be seen on the page.
func (w *tab) reads(texts ...string) {
	w.t.Helper()
	for _, text := range texts {
		w.until("document.body.innerText.includes(" + quoted(text) + ")")
	}
}

// gone waits for a text to be seen no more.
func (w *tab) gone(text string) {
	w.t.Helper()
	w.until("!document.body.innerText.includes(" + quoted(text) + ")")
}

// goTo opens a page of the console.
func (w *tab) goTo(hash string) {
	w.t.Helper()
	w.run("location.hash = " + quoted(hash))
}

// button finds what can be pressed, in the dialog if there is one: by its words, its label, or failing these how it
// begins.
func button(words string) string {
	return fmt.Sprintf(`(() => {
		const all = [...(document.querySelector("dialog[open]") ?? document).querySelectorAll("button, a, summary, [role=tab]")].filter((b) => b.checkVisibility() && !b.disabled);
		return all.find((b) => b.innerText.trim() === %[1]s || b.ariaLabel === %[1]s) ?? all.find((b) => b.innerText.trim().startsWith(%[1]s));
	})()`, quoted(words))
}

// press presses something by its words.
func (w *tab) press(words string) {
	w.t.Helper()
	w.until(button(words))
	w.run(button(words) + ".click()")
}

// fill writes into the field with a label, as a person does.
func (w *tab) fill(label, text string) {
	w.t.Helper()
	field := fmt.Sprintf(`[...(document.querySelector("dialog[open]") ?? document).querySelectorAll("label")].find((l) => l.innerText.trim().startsWith(%s))?.control`, quoted(label))
	w.until(field)
	w.run(fmt.Sprintf(`const f = %s; f.focus(); f.value = %s; f.dispatchEvent(new Event("input", { bubbles: true }))`,
		field, quoted(text)))
}

// keys types.
func (w *tab) keys(text string) {
	w.t.Helper()
	w.do(chromedp.KeyEvent(text))
}

// signIn opens the console with a key.
func (w *tab) signIn(key string) {
	w.t.Helper()
	w.do(chromedp.Navigate(w.srv.url + "/console"))
	w.fill("Token or key", key)
	w.press("Sign in")
	w.until(`document.querySelector("nav")`)
}

// picture keeps what is seen as a file, where somebody wants to look at it.
func (w *tab) picture(name string) {
	w.t.Helper()
	dir := os.Getenv("MAILKIN_TEST_SCREENSHOTS")
	if dir == "" {
		return
	}
	png := w.screenshot()
	if err := os.WriteFile(filepath.Join(dir, strings.ReplaceAll(name, "/", "-")+".png"), png, 0o644); err != nil {
		w.t.Fatal(err)
	}
}

func (w *tab) screenshot() []byte {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.ctx, patience)
	defer cancel()
	png, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
	if err != nil {
		w.t.Fatal(err)
	}
	return png
}

// visit opens an address.
func (w *tab) visit(address string) {
	w.t.Helper()
	w.do(chromedp.Navigate(address))
}
