package browser

import (
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
)

// place is a page to look at.
type place struct {
	name, hash string
	reads      string // what is there when it is ready
}

func (w *world) places() []place {
	message := func(name, word, reads string) place { return place{name, "#/inbox/" + w.ids[word], reads} }
	return []place{
		{"inbox", "#/inbox", "Your sign-in code"},
		message("message-code", "code", "Reply all"),
		message("message-html", "newsletter", "Load them"),
		message("message-screening", "injection", "give orders"),
		{"conversations", "#/threads", "The crossing"},
		{"conversation", "#/threads/" + w.wren.do("GET", "email?id="+w.ids["answer"], nil)["thread_id"].(string),
			"At six, at the pontoon."},
		{"answer", "#/inbox/" + w.ids["order"] + "?reply=" + w.ids["order"], "Answers Your order"},
		{"outbox", "#/outbox", "Crew list"},
		{"search", "#/search?q=pontoon&mode=keyword", "pontoon"},
		{"compose", "#/compose", "sent today"},
		{"drafts", "#/drafts", "A plan"},
		{"events", "#/events", "received"},
		{"stats", "#/stats", "stored"},
		{"quarantine", "#/quarantine", "A surprise"},
		{"reviews", "#/reviews", "A message that waits"},
		{"rejects", "#/rejects", "Refused mail"},
		{"webhooks", "#/webhooks", "What was posted"},
		{"domains", "#/domains", "sails.example"},
		{"mailbox", "#/mailbox", "Undo"},
		{"lists", "#/lists", "harbour.example"},
		{"suppressions", "#/suppressions", "bounced@simulator"},
		{"keys", "#/keys", "Keys"},
		{"mailboxes", "#/mailboxes", "robin@mailkin.localhost"},
		{"overview", "#/overview", "last backup"},
		{"claims", "#/claims", "finch@mailkin.localhost"},
		{"queue", "#/queue", "lee@example.com"},
		{"activity", "#/activity", "wren@mailkin.localhost"},
		{"operators", "#/operators", "Kim"},
		{"nodes", "#/nodes", "Index of words"},
		{"sessions", "#/sessions", "No sessions"},
		{"audit", "#/audit", "Audit log"},
	}
}

// Every page, on a phone and on a desktop, light and dark: what is written can be read, nothing sticks out, and
// everything that can be used has a name.
func TestLooks(t *testing.T) {
	t.Parallel()
	w := settle(t)
	tab := open(t, w.server)
	tab.signIn(w.token)
	tab.reads("wren@mailkin.localhost")
	tab.press("wren@mailkin.localhost")
	tab.reads("Your sign-in code")
	w.call(w.token, "POST", "operators", map[string]any{"name": "Kim", "role": "view", "email": "kim@example.com"})
	w.fillLists()
	for _, p := range w.places() {
		tab.goTo(p.hash)
		tab.until(`document.querySelector("main h1") && !document.querySelector("main .state .spinner")`)
		tab.reads(p.reads)
		if p.name == "message-html" {
			tab.until(`document.querySelector("mk-mailframe[shown]")`)
		}
		tab.onScreens(p.name)
	}
	w.ownersPages()
	tab.press("Menu")
	tab.until(`document.querySelector(".shell.open")`)
	tab.picture("menu-390")
	tab.press("Inbox")
	tab.until(`!document.querySelector(".shell.open")`)
}

// fillLists gives a row to each list that a world leaves empty.
func (w *world) fillLists() {
	w.wren.do("POST", "drafts", map[string]any{"to": []string{"kim@example.com"}, "subject": "A plan",
		"text": "We sail at six, from the pontoon on the right."})
	w.wren.do("POST", "send", map[string]any{"to": []string{"lee@example.com"}, "subject": "Tomorrow", "text": "Later.",
		"send_at": time.Now().Add(24 * time.Hour).UTC().Format(time.RFC3339)})
	w.call(w.token, "PUT", "lists/send/allow?mailbox=wren@mailkin.localhost",
		map[string]any{"value": "harbour.example", "note": "the harbour office"})
	w.call(w.token, "POST", "claim/start", map[string]any{"name": "finch"})
}

// screens are the sizes and themes that every page is looked at with. The last is the phone.
var screens = []struct {
	width, height int64
	scheme        string
}{{1440, 900, "light"}, {1440, 900, "dark"}, {390, 844, "dark"}, {390, 844, "light"}}

// onScreens says what is wrong with the page that is shown, on every screen. It is not loaded again. What axe looks for
// does not depend on colours, so it looks once at each size, and everywhere where somebody looks, too.
func (w *tab) onScreens(name string) {
	w.t.Helper()
	looked := os.Getenv("MAILKIN_TEST_SCREENSHOTS") != ""
	for i, s := range screens {
		w.size(s.width, s.height)
		w.scheme(s.scheme)
		w.run(`for (let n = 0; n < 2; n++) await new Promise(requestAnimationFrame)`) // lists have measured themselves
		problems := eval[[]string](w, inspection)
		if looked || i%2 == 0 {
			problems = append(problems, w.axe()...)
		}
		for _, problem := range problems {
			w.t.Errorf("%s-%d-%s: %s", name, s.width, s.scheme, problem)
		}
		w.picture(fmt.Sprintf("%s-%d-%s", name, s.width, s.scheme))
	}
}

// ownersPages looks at what the owner of a mailbox sees, which differs from what the operator does on a few pages.
// Where somebody looks, it keeps pictures of all.
func (w *world) ownersPages() {
	differ := map[string]bool{"mailbox": true, "inbox": true, "lists": true, "keys": true, "message-code": true}
	looked := os.Getenv("MAILKIN_TEST_SCREENSHOTS") != ""
	tab := open(w.t, w.server)
	tab.signIn(w.wren.key)
	tab.reads("Your sign-in code")
	for _, p := range w.places() {
		switch p.name {
		case "mailboxes", "overview", "queue", "activity", "nodes", "operators", "sessions", "audit", "quarantine",
			"reviews", "claims":
			continue
		}
		if !looked && !differ[p.name] {
			continue
		}
		tab.goTo(p.hash)
		tab.until(`document.querySelector("main h1") && !document.querySelector("main .state .spinner")`)
		tab.onScreens("owner-" + p.name)
	}
	tab.visit(w.url + "/docs")
	// the first of each kind: all are made alike, and there are hundreds
	tab.run(`const first = new Map();
		for (const e of document.querySelectorAll("article")) {
			const n = (first.get(e.className) ?? 0) + 1;
			first.set(e.className, n);
			if (n > 8) e.remove();
		}`)
	for i, s := range screens {
		tab.size(s.width, s.height)
		tab.scheme(s.scheme)
		if looked || i%2 == 0 {
			for _, problem := range tab.axe() {
				w.t.Errorf("/docs, %d, %s: %s", s.width, s.scheme, problem)
			}
		}
		tab.picture(fmt.Sprintf("docs-%d-%s", s.width, s.scheme))
	}
}

// The overview is printed in dark ink on white, whichever colours the screen has, and without what cannot be pressed
// on paper.
func TestPrint(t *testing.T) {
	t.Parallel()
	w := settle(t)
	tab := open(t, w.server)
	tab.signIn(w.token)
	tab.goTo("#/overview")
	tab.reads("last backup", "All received mail of this time was screened")
	for _, scheme := range []string{"light", "dark"} {
		command(tab, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print",
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}})
		for _, problem := range eval[[]string](tab, inspection) {
			t.Errorf("printed, %s: %s", scheme, problem)
		}
		if eval[bool](tab, `getComputedStyle(document.body).backgroundColor !== "rgb(255, 255, 255)" ||
			[...document.querySelectorAll("nav, button")].some((e) => e.checkVisibility())`) {
			t.Errorf("printed, %s: it is not white, or it has buttons", scheme)
		}
		tab.picture("print-" + scheme)
	}
}

// looksRight says what is wrong with how the page looks, on every screen, and leaves it on a desktop.
func (w *tab) looksRight(name string) {
	w.t.Helper()
	w.onScreens(name)
	w.size(1440, 900)
}

// inspection finds what is wrong with how a page looks: WCAG 2 AA for contrast, names for controls, nothing that is cut
// off, and no scrolling sideways.
const inspection = `(() => {
	const problems = [];
	const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
	const rgba = (colour) => { canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1); return [...canvas.getImageData(0, 0, 1, 1).data]; };
	const light = ([r, g, b]) => [r, g, b].map((v) => v / 255).map((v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)).reduce((n, v, i) => n + v * [0.2126, 0.7152, 0.0722][i], 0);
	const over = (top, below) => top.map((v, i) => (i === 3 ? 255 : (v * top[3] + below[i] * (255 - top[3])) / 255));
	const behind = (e) => { const stack = []; for (; e; e = e.parentElement) { const c = rgba(getComputedStyle(e).backgroundColor); stack.push(c); if (c[3] === 255) break; } return stack.reduceRight((below, c) => over(c, below), [255, 255, 255, 255]); };
	const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	const seen = new Set();
	while (walker.nextNode()) {
		const e = walker.currentNode.parentElement;
		if (!walker.currentNode.data.trim() || seen.has(e) || !e.checkVisibility({ opacityProperty: true, visibilityProperty: true }) || e.closest(".offscreen, noscript, .skip, :disabled, option")) continue;
		seen.add(e);
		const style = getComputedStyle(e);
		const colour = rgba(e instanceof SVGElement ? style.fill : style.color);
		const back = behind(e);
		const [a, b] = [light(over(colour, back)), light(back)].sort((x, y) => y - x);
		const ratio = (a + 0.05) / (b + 0.05);
		const size = parseFloat(style.fontSize);
		if (ratio < (size >= 24 || size >= 18.66 && style.fontWeight >= 700 ? 3 : 4.5)) problems.push("contrast " + ratio.toFixed(2) + " of " + JSON.stringify(walker.currentNode.data.trim().slice(0, 40)));
	}
	for (const e of document.querySelectorAll("button, a, input, select, textarea, iframe, summary, meter, [role=img], img")) {
		if (!e.checkVisibility({ visibilityProperty: true })) continue;
		const name = e.ariaLabel || e.title || e.alt || e.innerText?.trim() || e.labels?.[0]?.innerText.trim();
		if (!name && e.getAttribute("alt") !== "" && !e.closest("[aria-hidden=true]")) problems.push("no name: " + e.outerHTML.slice(0, 120));
	}
	if (document.documentElement.scrollWidth > innerWidth) problems.push("the page is " + document.documentElement.scrollWidth + " wide");
	const clipped = (e) => {
		const r = e.getBoundingClientRect();
		for (let p = e.parentElement; p; p = p.parentElement) {
			const style = getComputedStyle(p);
			if (/auto|scroll/.test(style.overflow)) return false;
			const b = p.getBoundingClientRect();
			if ((/hidden|clip/.test(style.overflow) || style.contain.includes("paint")) && (r.bottom > b.bottom + 1 || r.top < b.top - 1 || r.right > b.right + 1 || r.left < b.left - 1)) return true;
		}
		return false;
	};
	for (const e of document.querySelectorAll("main :is(button, .button, input, select, textarea)")) {
		if (e.checkVisibility({ visibilityProperty: true }) && !e.closest(".offscreen") && clipped(e)) problems.push("cut off: " + e.outerHTML.slice(0, 120));
	}
	for (const e of document.querySelectorAll("mk-list li > article")) {
		if (e.scrollHeight > e.clientHeight + 1) problems.push("a row is cut: " + e.innerText.slice(0, 60));
	}
	const main = document.querySelector("main");
	if (main.scrollWidth > main.clientWidth + 1) problems.push("the main part is " + main.scrollWidth + " wide, of " + main.clientWidth);
	if (document.querySelectorAll("h1").length !== 1) problems.push(document.querySelectorAll("h1").length + " headings of the first order");
	return problems;
})()`
