package browser

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

// witness is a server that mail tries to reach, and that nobody should.
type witness struct {
	*httptest.Server
	mu       sync.Mutex
	seen     []string
	controls map[string]string // pages of its own, by path
}

func newWitness(t *testing.T, serve func(http.Handler) *httptest.Server) *witness {
	w := &witness{controls: map[string]string{}}
	picture, _ := base64.StdEncoding.DecodeString(pixel)
	w.Server = serve(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		w.mu.Lock()
		w.seen = append(w.seen, r.URL.String())
		control := w.controls[r.URL.Path]
		w.mu.Unlock()
		rw.Header().Set("Access-Control-Allow-Origin", "*")
		switch {
		case strings.HasSuffix(r.URL.Path, ".js"):
			rw.Header().Set("Content-Type", "text/javascript")
			_, _ = rw.Write([]byte("alert('script from elsewhere')"))
		case strings.HasSuffix(r.URL.Path, ".css"):
			rw.Header().Set("Content-Type", "text/css")
		case strings.HasSuffix(r.URL.Path, ".html"):
			rw.Header().Set("Content-Type", "text/html")
			_, _ = rw.Write([]byte(control))
		default:
			rw.Header().Set("Content-Type", "image/png")
			_, _ = rw.Write(picture)
		}
	}))
	t.Cleanup(w.Close)
	return w
}

func (w *witness) count() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.seen)
}

// hostile is a mail that tries to do harm. HOST is the witness's address.
type hostile struct {
	name string
	html string // its HTML
	head string // further header lines
	raw  string // the whole mail instead
	busy bool   // would keep the browser busy, and is shown as text
}

// TestHostileMail opens mail that tries everything HTML allows. None of it takes effect: nothing is asked of anybody,
// no script runs, no dialog opens, the page stays where it is.
func TestHostileMail(t *testing.T) {
	t.Parallel()
	rows := hostileMail()
	if len(rows) < 40 {
		t.Fatalf("the table has %d rows", len(rows))
	}
	srv := start(t)
	wren := srv.mailbox("wren")
	w := newWitness(t, httptest.NewServer)
	tab := open(t, srv)
	// inside the mail's own frame; the page's own are counted apart
	tab.expect("^log: security .*about:srcdoc|^log: security .*[Cc]ontent Security Policy.*")
	tab.expect("^log: (security|javascript|other|rendering|deprecation|intervention|recommendation|violation) " +
		".*[Ss]andbox")
	tab.signIn(wren.key)
	tab.reads("No mail yet")
	tab.run(`window.harmed = 0; window.harm = () => { window.harmed++; }; window.here = location.origin + "/console/"`)
	tabs := len(pages(t, tab))
	at := strings.TrimPrefix(w.URL, "http://")
	// the witness itself says whether it was asked: what the policy stops is a request to the browser's log as well
	tab.hosts[at] = true
	for i, row := range rows {
		began := time.Now()
		mail := row.raw
		if mail == "" {
			mail = mailFrom("Eve <eve@example.com>", "hostile", fmt.Sprint("h", i), row.head+htmlPart, row.html)
		}
		id := wren.receive(strings.ReplaceAll(mail, "HOST", at))
		tab.run(fmt.Sprintf(`const id = %s, again = %v;`, quoted(id), i%6 == 0 && len(mail) < 100_000) + look)
		if designed := eval[bool](tab, `Boolean(document.querySelector("#tab-html"))`); row.busy && designed {
			t.Errorf("%s: is not shown as text", row.name)
		} else if !row.busy && row.html != "" && !designed {
			t.Errorf("%s: is shown as text", row.name)
		}
		if took := time.Since(began); took > 5*time.Second {
			t.Logf("%s: %v", row.name, took)
		}
		if n := w.count(); n != 0 {
			t.Fatalf("%s: reached %q", row.name, w.seen)
		}
		if !eval[bool](tab, `location.href.startsWith(window.here) && window.harmed === 0 && document.querySelectorAll("mk-console").length === 1`) {
			t.Fatalf("%s: did harm", row.name)
		}
	}
	tab.goTo("#/inbox")
	tab.reads(fmt.Sprint(len(rows)), "messages")
	tab.picture("hostile-inbox")
	if n := w.count(); n != 0 {
		t.Errorf("reached %q", w.seen)
	}
	if n := len(pages(t, tab)); n != tabs {
		t.Errorf("there are %d pages, and were %d", n, tabs)
	}
}

// look opens a message in every way there is, and waits for each. Its HTML is shown again, by the same frame, where
// those who test mail look; that is done now and then, and not with mail that takes long to lay out.
const look = `
	const until = async (ok) => { for (const end = Date.now() + 50000; !ok(); await new Promise((r) => setTimeout(r, 5))) if (Date.now() > end) throw new Error("never: " + ok); };
	location.hash = "#/inbox/" + id;
	await until(() => document.querySelector("mk-message")?.mail?.id === id);
	const message = document.querySelector("mk-message");
	await message.updateComplete;
	if (message.querySelector("#tab-html")) {
		await until(() => message.querySelector("mk-mailframe")?.getAttribute("shown") === id || !message.querySelector("#tab-html"));
		message.querySelector(".mailframe")?.focus();
	}
	await until(() => message.querySelector("mk-cards[shown]"));
	for (const tab of ["text", "links", "files", "trust", "headers", ...again ? ["check"] : []]) {
		message.querySelector("#tab-" + tab)?.click();
		await message.updateComplete;
		for (const e of message.querySelectorAll("mk-opened details")) e.open = true;
		await until(() => [...message.querySelectorAll("mk-preview")].every((p) => p.hasAttribute("shown") || p.querySelector(".note")));
	}
	if (message.querySelector("#tab-check[aria-selected=true]")) {
		await until(() => message.querySelector("mk-check .mailcheck"));
		const frame = message.querySelector("mk-check mk-mailframe");
		if (frame) await until(() => frame.getAttribute("shown") === id || !frame.isConnected);
	}`

func pages(t *testing.T, w *tab) []*target.Info {
	t.Helper()
	all, err := chromedp.Targets(w.ctx)
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(all, func(i *target.Info) bool {
		return i.TargetID == chromedp.FromContext(
			w.ctx).Target.TargetID
	})
	var list []*target.Info
	for _, i := range all {
		if i.Type == "page" && i.BrowserContextID == all[at].BrowserContextID {
			list = append(list, i)
		}
	}
	return list
}

// The same mail does harm in a page that holds nothing back: the table is not harmless, and the witness sees.
func TestHostileMailIsHostile(t *testing.T) {
	t.Parallel()
	srv := start(t)
	w := newWitness(t, httptest.NewServer)
	at := strings.TrimPrefix(w.URL, "http://")
	harmed := 0
	tab := open(t, srv)
	tab.expect(".")
	tab.hosts[at], tab.hosts[""] = true, true
	for i, row := range hostileMail() {
		// what keeps a browser busy takes seconds, and is no harm that is counted here
		if row.html == "" || len(row.html) > 50_000 || row.busy {
			continue
		}
		path := fmt.Sprintf("/%d.html", i)
		w.mu.Lock()
		w.controls[path] = "<!doctype html><script>window.harmed = 0; window.harm = () => { window.harmed++; }; for " +
			"(const f of ['alert', 'confirm', 'prompt', 'print', 'open']) window[f] = harm</script>" +
			strings.ReplaceAll(row.html, "HOST", at)
		w.mu.Unlock()
		before := w.count()
		_ = chromedp.Do(tab.ctx, chromedp.Navigate(w.URL+path)) // some go elsewhere at once
		calm, err := chromedp.Run(tab.ctx, chromedp.Evaluate[bool](`window.harmed === 0`))
		if w.count() > before+1 || err != nil || !calm {
			harmed++
		}
	}
	if harmed < 20 {
		t.Errorf("only %d of the mails did harm", harmed)
	}
}

// Pictures from elsewhere are fetched when they are asked for, over TLS, and not before.
func TestRemotePictures(t *testing.T) {
	t.Parallel()
	srv := start(t)
	wren := srv.mailbox("wren")
	secure, plain := newWitness(t, httptest.NewTLSServer), newWitness(t, httptest.NewServer)
	id := wren.receive(mailFrom("News <news@example.com>", "Pictures", "p", htmlPart,
		`<p>Two pictures</p><img src="`+secure.URL+`/a.png"><img src="`+plain.URL+`/b.png"><script src="`+secure.URL+
			`/c.js"></script><iframe src="`+secure.URL+`/d.html"></iframe>`))
	tab := open(t, srv)
	tab.hosts[strings.TrimPrefix(secure.URL, "https://")] = true
	tab.expect("^log: security .*Content Security Policy|Mixed Content")
	tab.signIn(wren.key)
	tab.goTo("#/inbox/" + id)
	tab.reads("Pictures from elsewhere are not loaded")
	tab.until(`document.querySelector("mk-mailframe[shown]")`)
	if n := secure.count() + plain.count(); n != 0 {
		t.Fatalf("%d requests before anybody asked", n)
	}
	tab.press("Load them")
	tab.gone("Pictures from elsewhere are not loaded")
	waitFor(t, func() bool { return secure.count() == 1 })
	tab.until(`document.querySelector(".mailframe").contentDocument?.querySelector("iframe")`)
	if secure.count() != 1 || plain.count() != 0 {
		t.Errorf("asked for %q and %q", secure.seen, plain.seen)
	}
}

// A link of a mail leads to a page that says where it goes, and only what is safe can be opened from there.
func TestLeaving(t *testing.T) {
	t.Parallel()
	srv := start(t)
	tab := open(t, srv)
	for _, tt := range []struct {
		name, url string
		reads     []string
		opens     bool
	}{
		{"plain", "https://example.com/a?b=c", []string{"example.com", "https://example.com/a?b=c"}, true},
		{"not encrypted", "http://example.com/", []string{"not encrypted"}, true},
		{"look-alike", "https://аррӏе.com/", []string{"xn--", "letters that look like others"}, true},
		{"name before the site", "https://example.com@evil.example/",
			[]string{"evil.example", "is not the site's name"}, true},
		{"script", "javascript:alert(1)", []string{"are not opened"}, false},
		{"data", "data:text/html,<script>alert(1)</script>", []string{"are not opened"}, false},
		{"markup", `https://example.com/"><img src=x onerror=alert(1)>`, []string{"example.com"}, true},
		{"nothing", "hello", []string{"not an address"}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tab.t = t
			tab.visit("about:blank")
			tab.visit(srv.url + "/console/leave#" + url.PathEscape(tt.url))
			tab.reads(tt.reads...)
			if opens := eval[bool](tab, `document.querySelector("#open").hidden === false`); opens != tt.opens {
				t.Errorf("can be opened: %v", opens)
			}
			if tt.name == "look-alike" {
				tab.picture("leave")
			}
			tab.check()
		})
	}
	tab.t = t
}
