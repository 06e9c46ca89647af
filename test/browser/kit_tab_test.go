package browser

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// scratch is a folder for what all tests share.
var scratch string

// chromium is the one browser of a run; every test has its own profile in it.
var chromium struct {
	once   sync.Once
	ctx    context.Context
	cancel context.CancelFunc
	err    error
}

func TestMain(m *testing.M) {
	var err error
	if scratch, err = os.MkdirTemp("", "mailkin-browser-"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	status := m.Run()
	if chromium.cancel != nil {
		_ = chromedp.Cancel(chromium.ctx)
		chromium.cancel()
	}
	_ = os.RemoveAll(scratch)
	os.Exit(status)
}

func startChromium() {
	path, err := exec.LookPath("chromium")
	if err != nil {
		chromium.err = err
		return
	}
	options := append([]chromedp.ExecAllocatorOption{}, chromedp.DefaultExecAllocatorOptions[:]...)
	options = append(options, chromedp.ExecPath(path), chromedp.UserDataDir(scratch+"/profile"),
		chromedp.WSURLReadTimeout(patience),
		chromedp.NoSandbox, chromedp.DisableGPU, chromedp.IgnoreCertErrors, chromedp.Flag("headless", "new"),
		chromedp.Flag("lang", "en-GB"),
		chromedp.Env("TZ=UTC", "LANG=en_GB.UTF-8"),
		// Frames without an origin stay in the page's process: less protects the page, and what they do is seen here.
		// The omnibox that nobody sees and the spare process cost each tab more than a page of the console does.
		chromedp.Flag("disable-features", "Translate,BlinkGenPropertyTrees,IsolateSandboxedIframes,"+
			"WebUIOmniboxPopup,WebUIOmniboxAimPopup,SpareRendererForSitePerProcess"))
	for _, flag := range []string{"disable-quic", "disable-component-update", "mute-audio"} {
		options = append(options, chromedp.Flag(flag, true))
	}
	allocator, cancel := chromedp.NewExecAllocator(context.Background(), options...)
	chromium.ctx, _ = chromedp.NewContext(allocator, chromedp.WithErrorf(func(form string, values ...any) {
		// after Page.setDocumentContent
		if text := fmt.Sprintf(form, values...); !strings.Contains(text, "DOM.documentUpdated") {
			fmt.Fprintln(os.Stderr, text)
		}
	}))
	chromium.cancel = cancel
	chromium.err = chromedp.Do(chromium.ctx)
}

// tab is a page in a browser, as one person sees it.
type tab struct {
	t   testing.TB
	ctx context.Context
	srv *server

	mu       sync.Mutex
	problems []string
	expected []*regexp.Regexp
	hosts    map[string]bool // that may be asked
	requests []string
	foreign  map[network.RequestID]string // to other hosts, unless the policy stopped them
}

// newProfile returns a browser without any memory, for as long as the test runs.
func newProfile(t testing.TB) context.Context {
	t.Helper()
	chromium.once.Do(startChromium)
	if chromium.err != nil {
		if os.Getenv("CI") != "" {
			t.Fatalf("Chromium: %v", chromium.err)
		}
		t.Skipf("Chromium: %v", chromium.err)
	}
	ctx, cancel := chromedp.NewContext(chromium.ctx, chromedp.WithNewBrowserContext())
	t.Cleanup(cancel)
	return ctx
}

// open returns an empty tab with a profile of its own.
func open(t testing.TB, srv *server) *tab {
	t.Helper()
	ctx := newProfile(t)
	w := &tab{t: t, ctx: ctx, srv: srv, hosts: map[string]bool{}, foreign: map[network.RequestID]string{}}
	at, _ := url.Parse(srv.url)
	w.hosts[at.Host] = true
	w.watch()
	command(w, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: watcher})
	w.size(1280, 800)
	t.Cleanup(w.check)
	return w
}

// watcher counts what a page's policy refused.
const watcher = `if (window === window.top) { window.refused = []; addEventListener("securitypolicyviolation", (e) => window.refused.push(e.violatedDirective + " " + e.blockedURI)); }`

// command gives the browser a command of its protocol.
func command[P, R any](w *tab, cmd cdp.Command[P, R], params P) R {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.ctx, patience)
	defer cancel()
	r, err := chromedp.Call(ctx, cmd, params)
	if err != nil {
		w.t.Fatal(err)
	}
	return r
}

// follow does something for every event of a kind, until the tab is closed.
func follow[E any](w *tab, event cdp.Event[E], do func(E)) {
	events := chromedp.Events(w.ctx, event)
	go func() {
		for e, err := range events {
			if err != nil {
				return
			}
			do(e)
		}
	}()
}

// watch notes whatever a page should not do.
func (w *tab) watch() {
	w.t.Helper()
	if err := chromedp.Do(w.ctx); err != nil { // opens it
		w.t.Fatal(err)
	}
	follow(w, runtime.ExceptionThrown, func(e runtime.EventExceptionThrown) {
		text := e.ExceptionDetails.Text
		if e.ExceptionDetails.Exception != nil {
			text += " " + e.ExceptionDetails.Exception.Description
		}
		w.note("exception: %s", text)
	})
	follow(w, runtime.ConsoleAPICalled, func(e runtime.EventConsoleAPICalled) {
		if e.Type == "error" || e.Type == "warning" || e.Type == "assert" {
			var words []string
			for _, a := range e.Args {
				words = append(words, string(a.Value)+a.Description)
			}
			w.note("console: %s", strings.Join(words, " "))
		}
	})
	follow(w, log.EntryAdded, func(e log.EventEntryAdded) {
		if e.Entry.Level == "error" || e.Entry.Level == "warning" {
			w.note("log: %s %s %s", e.Entry.Source, e.Entry.Text, e.Entry.URL)
		}
	})
	follow(w, page.JavascriptDialogOpening, func(e page.EventJavascriptDialogOpening) {
		w.note("dialog: %s", e.Message)
		_, _ = chromedp.Call(w.ctx, page.HandleJavaScriptDialog, page.HandleJavaScriptDialogParams{})
	})
	follow(w, network.RequestWillBeSent, func(e network.EventRequestWillBeSent) { w.asked(e.RequestID, e.Request.URL) })
	follow(w, network.LoadingFailed, func(e network.EventLoadingFailed) {
		if e.BlockedReason == "csp" || e.BlockedReason == "mixed-content" { // it never left the browser
			w.mu.Lock()
			defer w.mu.Unlock()
			w.foreign[e.RequestID] = ""
		}
	})
	command(w, network.Enable, network.EnableParams{})
	command(w, log.Enable, cdp.Empty{})
	command(w, page.Enable, page.EnableParams{})
	command(w, runtime.Enable, cdp.Empty{})
}

func (w *tab) asked(id network.RequestID, address string) {
	at, err := url.Parse(address)
	w.mu.Lock()
	defer w.mu.Unlock()
	if err != nil || at.Scheme == "data" || at.Scheme == "blob" || at.Scheme == "about" {
		return
	}
	w.requests = append(w.requests, address)
	if _, over := w.foreign[id]; !over && !w.hosts[at.Host] {
		w.foreign[id] = address
	}
}

func (w *tab) note(form string, values ...any) {
	text := fmt.Sprintf(form, values...)
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, re := range w.expected {
		if re.MatchString(text) {
			return
		}
	}
	w.problems = append(w.problems, text)
}

// expect says that something the page reports is part of the test.
func (w *tab) expect(pattern string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.expected = append(w.expected, regexp.MustCompile(pattern))
}

// check fails the test for whatever was noted.
func (w *tab) check() {
	w.t.Helper()
	if w.ctx.Err() == nil {
		refused, err := chromedp.Run(w.ctx, chromedp.Evaluate[[]string](`window.refused ?? []`))
		if err != nil {
			w.t.Errorf("ask what was refused: %v", err)
		}
		for _, r := range refused {
			w.note("policy: %s", r)
		}
	}
	for limit := time.Now().Add(2 * time.Second); len(w.elsewhere()) > 0 && time.Now().Before(limit); time.Sleep(
		10 * time.Millisecond) {
		// The browser says of a request first that it is made and then that it was stopped.
	}
	for _, address := range w.elsewhere() {
		w.note("request to another host: %s", address)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, p := range w.problems {
		w.t.Errorf("in the browser: %s", p)
	}
	w.problems = nil
	clear(w.foreign)
}

// elsewhere are the requests to other hosts.
func (w *tab) elsewhere() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	var list []string
	for _, address := range w.foreign {
		if address != "" {
			list = append(list, address)
		}
	}
	return list
}

// do runs what the browser is to do; failing that, the test ends with what the page shows.
func (w *tab) do(actions ...chromedp.Action[chromedp.Void]) {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.ctx, patience)
	defer cancel()
	if err := chromedp.Do(ctx, actions...); err != nil {
		w.t.Fatalf("%v\non %s", err, w.shown())
	}
}

// shown is the page as text, for messages.
func (w *tab) shown() string {
	ctx, cancel := context.WithTimeout(w.ctx, 5*time.Second)
	defer cancel()
	text, _ := chromedp.Run(ctx, chromedp.Evaluate[string](
		`location.href + "\n" + (document.body?.innerText ?? "").slice(0, 3000)`))
	w.mu.Lock()
	defer w.mu.Unlock()
	return text + "\n" + strings.Join(w.problems, "\n")
}

// knows lets the tab ask another host.
func (w *tab) knows(address string) {
	at, _ := url.Parse(address)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.hosts[at.Host] = true
}

// size is that of the window; phones are narrow.
func (w *tab) size(width, height int64) {
	w.t.Helper()
	command(w, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: width,
		Height: height, DeviceScaleFactor: 1, Mobile: width < 600})
}

// scheme chooses light or dark.
func (w *tab) scheme(name string) {
	w.t.Helper()
	command(w, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{
		{Name: "prefers-color-scheme", Value: name}, {Name: "prefers-reduced-motion", Value: "reduce"}}})
}
