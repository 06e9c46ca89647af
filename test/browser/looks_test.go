package browser

import (
	"fmt"
	"os"
	"testing"
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
		{"drafts", "#/drafts", "Drafts"},
		{"events", "#/events", "received"},
		{"stats", "#/stats", "stored"},
		{"quarantine", "#/quarantine", "A surprise"},
		{"reviews", "#/reviews", "A message that waits"},
		{"rejects", "#/rejects", "Refused mail"},
		{"webhooks", "#/webhooks", "What was posted"},
		{"domains", "#/domains", "sails.example"},
		{"mailbox", "#/mailbox", "Undo"},
		{"lists", "#/lists", "Nobody is on this list"},
		{"suppressions", "#/suppressions", "bounced@simulator"},
		{"keys", "#/keys", "Keys"},
		{"mailboxes", "#/mailboxes", "robin@mailkin.localhost"},
		{"overview", "#/overview", "last backup"},
		{"claims", "#/claims", "No claim waits"},
		{"queue", "#/queue", "Nothing is in the queue"},
		{"activity", "#/activity", "wren@mailkin.localhost"},
		{"sessions", "#/sessions", "No sessions"},
		{"audit", "#/audit", "Audit log"},
	}
}

// Every page, on a phone and on a desk, light and dark: what is written can be read, nothing sticks out, and everything
// that can be used has a name.
func TestLooks(t *testing.T) {
	t.Parallel()
	w := settle(t)
	tab := open(t, w.server)
	tab.signIn(w.token)
	tab.reads("wren@mailkin.localhost")
	tab.press("wren@mailkin.localhost")
	tab.reads("Your sign-in code")
	type screen struct {
		width, height int64
		scheme        string
	}
	screens := []screen{{1440, 900, "light"}, {390, 844, "dark"}}
	if os.Getenv("MAILKIN_TEST_SCREENSHOTS") != "" { // somebody looks; colours and places do not depend on each other
		screens = append(screens, screen{1440, 900, "dark"}, screen{390, 844, "light"})
	}
	for _, screen := range screens {
		tab.size(screen.width, screen.height)
		tab.scheme(screen.scheme)
		for _, p := range w.places() {
			name := fmt.Sprintf("%s-%d-%s", p.name, screen.width, screen.scheme)
			tab.goTo(p.hash)
			tab.until(`document.querySelector("main h1") && !document.querySelector("main .state .spinner")`)
			tab.reads(p.reads)
			if p.name == "message-html" {
				tab.until(`document.querySelector("mk-mailframe[shown]")`)
			}
			for _, problem := range append(eval[[]string](tab, inspection), tab.axe()...) {
				t.Errorf("%s: %s", name, problem)
			}
			tab.picture(name)
		}
	}
	w.ownersPages(screens[0].width, screens[1].width)
	tab.press("Menu")
	tab.until(`document.querySelector(".shell.open")`)
	tab.picture("menu-390")
	tab.press("Inbox")
	tab.until(`!document.querySelector(".shell.open")`)
}

// ownersPages looks at what the owner of a mailbox sees, which differs from what the operator does on a few pages.
// Where somebody looks, it keeps pictures of all.
func (w *world) ownersPages(widths ...int64) {
	differ := map[string]bool{"mailbox": true, "inbox": true, "lists": true, "keys": true, "message-code": true}
	looked := os.Getenv("MAILKIN_TEST_SCREENSHOTS") != ""
	tab := open(w.t, w.server)
	tab.signIn(w.wren.key)
	tab.reads("Your sign-in code")
	for i, width := range widths {
		tab.size(width, 844)
		tab.scheme([]string{"dark", "light"}[i%2])
		for _, p := range w.places() {
			switch p.name {
			case "mailboxes", "overview", "queue", "activity", "sessions", "audit", "quarantine", "reviews", "claims":
				continue
			}
			if !looked && !differ[p.name] {
				continue
			}
			tab.goTo(p.hash)
			tab.until(`document.querySelector("main h1") && !document.querySelector("main .state .spinner")`)
			for _, problem := range append(eval[[]string](tab, inspection), tab.axe()...) {
				w.t.Errorf("owner, %s, %d: %s", p.name, width, problem)
			}
			tab.picture(fmt.Sprintf("owner-%s-%d", p.name, width))
		}
	}
	tab.size(widths[0], 900)
	tab.visit(w.url + "/docs")
	// the first of each kind: all are made alike, and there are hundreds
	tab.run(`const first = new Map();
		for (const e of document.querySelectorAll("article")) {
			const n = (first.get(e.className) ?? 0) + 1;
			first.set(e.className, n);
			if (n > 8) e.remove();
		}`)
	for _, problem := range tab.axe() {
		w.t.Errorf("/docs: %s", problem)
	}
}

// looksRight says what is wrong with how the page looks, on a phone and on a desk, light and dark.
func (w *tab) looksRight(name string) {
	w.t.Helper()
	for _, phone := range []bool{true, false} {
		if w.scheme("dark"); phone {
			w.size(390, 844)
		} else {
			w.scheme("light")
			w.size(1440, 900)
		}
		for _, problem := range append(eval[[]string](w, inspection), w.axe()...) {
			w.t.Errorf("%s, on a phone %v: %s", name, phone, problem)
		}
		w.picture(fmt.Sprintf("%s-phone-%v", name, phone))
	}
}

// inspection finds what is wrong with how a page looks: WCAG 2 AA for contrast, names for controls, and no scrolling
// sideways.
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
	const main = document.querySelector("main");
	if (main.scrollWidth > main.clientWidth + 1) problems.push("the main part is " + main.scrollWidth + " wide, of " + main.clientWidth);
	if (document.querySelectorAll("h1").length !== 1) problems.push(document.querySelectorAll("h1").length + " headings of the first order");
	return problems;
})()`
