package browser

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

const orderMail = `<html><head><script type="application/ld+json">{"@context":"http://schema.org","@type":"Order",` +
	`"orderNumber":"NW-20417","merchant":{"@type":"Organization","name":"Northwind Trading"},"price":"38.50",` +
	`"priceCurrency":"EUR","acceptedOffer":[{"@type":"Offer","itemOffered":{"@type":"Product","name":"Shackle, bronze"},` +
	`"eligibleQuantity":{"value":2},"price":"9.25"}]}</script></head><body><p>Order number: NW-20417</p>` +
	`<p>Total: 38.50 EUR</p><div style="display:flex"><form><input></form></div>` +
	`<p><a href="https://shop.example/orders/1">Your order</a></p></body></html>`

const calendarMail = "BEGIN:VCALENDAR\nMETHOD:REQUEST\nVERSION:2.0\nPRODID:-//x//y\nBEGIN:VEVENT\nUID:1@x\n" +
	"DTSTAMP:20260101T000000Z\nDTSTART:20270214T090000Z\nDTEND:20270214T100000Z\nSUMMARY:Berth inspection\n" +
	"LOCATION:Pier 4\nORGANIZER:mailto:harbour@example.com\nEND:VEVENT\nEND:VCALENDAR\n"

// picturePNG is a picture of a size.
func picturePNG(t *testing.T, width, height int) string {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, width, height))); err != nil {
		t.Fatal(err)
	}
	return base64.StdEncoding.EncodeToString(b.Bytes())
}

// twoPages is a PDF with a line on each of two pages.
func twoPages() string {
	page := func(n int, text string) string {
		stream := "BT /F1 12 Tf 72 700 Td (" + text + ") Tj ET"
		return fmt.Sprintf("%d 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents %d 0 R"+
			"/Resources<</Font<</F1 9 0 R>>>>>>endobj\n%d 0 obj<</Length %d>>stream\n%s\nendstream endobj\n",
			n, n+1, n+1, len(stream), stream)
	}
	return "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n" +
		"2 0 obj<</Type/Pages/Kids[3 0 R 5 0 R]/Count 2>>endobj\n" +
		page(3, "The first page of the manual") + page(5, "The second page of the manual") +
		"9 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n"
}

func filePart(name, kind, content string) string {
	return "--b\nContent-Type: " + kind + "; name=" + name + "\nContent-Disposition: attachment; filename=" + name +
		"\nContent-Transfer-Encoding: base64\n\n" + content + "\n"
}

// What a mail is about is shown as cards; pictures are drawn again, documents are read by pages, links in text lead to
// the page that warns; and those who test mail see which programs show it how.
func TestCardsAndPreviews(t *testing.T) {
	t.Parallel()
	srv := start(t)
	wren := srv.mailbox("wren")
	order := wren.receive(mailFrom("Northwind <orders@northwind.example>", "Your order", "order", htmlPart, orderMail))
	meeting := wren.receive(mailFrom("Harbour <harbour@example.com>", "Inspection", "ics",
		"Content-Type: text/calendar; method=REQUEST; charset=utf-8\n", calendarMail))
	huge := base64.StdEncoding.EncodeToString([]byte("GIF89a\xff\xff\xff\xff" + strings.Repeat("\x00", 60)))
	files := wren.receive(mailFrom("Kim <kim@example.com>", "Files", "files",
		"Content-Type: multipart/mixed; boundary=b\n", "--b\nContent-Type: text/plain\n\n"+
			"See https://docs.example/a?b=1.\n"+filePart("plan.png", "image/png", picturePNG(t, 40, 30))+
			filePart("huge.gif", "image/gif", huge)+
			filePart("page.png", "image/png", base64.StdEncoding.EncodeToString([]byte("<svg onload=alert(1)>"+
				strings.Repeat("x", 60))))+
			filePart("manual.pdf", "application/pdf", base64.StdEncoding.EncodeToString([]byte(twoPages())))+"--b--"))
	tab := open(t, srv)
	tab.signIn(wren.key)
	tab.goTo("#/inbox/" + order)
	tab.until(`document.querySelector("mk-cards[shown]")`)
	tab.reads("Northwind Trading", "NW-20417", "38.50 EUR", "2 × Shackle, bronze")
	tab.until(`document.querySelector("mk-mailframe[shown]")`)
	looksGood(tab, "cards-order")
	tab.press("Check")
	tab.reads("form element", "Link to a page with the form.", "Thunderbird", "% shown",
		"https://shop.example/orders/1", "None was followed.")
	tab.until(`document.querySelector("mk-check mk-mailframe[shown]")`)
	width := `document.querySelector("mk-check .device > div").getBoundingClientRect().width`
	tab.until(width + ` === 360`)
	tab.press("Tablet 768")
	tab.until(width + ` === 768`)
	looksGood(tab, "check")

	tab.goTo("#/inbox/" + meeting)
	tab.reads("Berth inspection", "Pier 4", "2027-02-14")

	tab.goTo("#/inbox/" + files)
	tab.until(`document.querySelector("pre.text a")?.hash === "#" + encodeURIComponent("https://docs.example/a?b=1")`)
	if to := eval[string](tab, `document.querySelector("pre.text a").pathname`); to != "/console/leave" {
		t.Errorf("the link leads to %s", to)
	}
	tab.press("Attachments 4")
	tab.run(`for (const d of document.querySelectorAll("mk-opened details")) d.open = true`)
	tab.until(`document.querySelector("mk-preview[shown] canvas")?.width === 40`)
	tab.reads("40 × 30 pixels", "It says that it is 65535 by 65535 pixels", "This is not a picture that can be shown.")
	tab.until(`document.body.innerText.includes("The first page of the manual") || !document.querySelector("#tab-files")`)
	tab.reads("Page 1 of 2")
	tab.press("Next page")
	tab.reads("The second page of the manual")
	tab.gone("The first page of the manual")
	looksGood(tab, "previews")
}

// looksGood inspects a page on a desktop in light and on a phone in dark, also with axe-core.
func looksGood(tab *tab, name string) {
	tab.t.Helper()
	for _, screen := range []struct {
		width, height int64
		scheme        string
	}{{390, 844, "dark"}, {1440, 900, "light"}} {
		tab.size(screen.width, screen.height)
		tab.scheme(screen.scheme)
		for _, problem := range append(eval[[]string](tab, inspection), tab.axe()...) {
			tab.t.Errorf("%s, %d wide: %s", name, screen.width, problem)
		}
		tab.picture(fmt.Sprintf("%s-%d-%s", name, screen.width, screen.scheme))
	}
}

// An endpoint has events and a secret of its own, that is rotated; what did not arrive while the receiver was away is
// posted again at once.
func TestEndpoints(t *testing.T) {
	t.Parallel()
	var broken atomic.Bool
	hook := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if broken.Load() {
			w.WriteHeader(http.StatusTeapot)
		}
		_, _ = io.WriteString(w, "ok")
	}))
	t.Cleanup(hook.Close)
	srv := start(t, "MAILKIN_LIMIT_WEBHOOK_ATTEMPTS=1")
	wren := srv.mailbox("wren")
	tab := open(t, srv)
	tab.signIn(wren.key)
	tab.goTo("#/webhooks")
	tab.press("Add an endpoint")
	tab.fill("URL", hook.URL+"/agent")
	tab.fill("Events", "message.received, message.bounced")
	tab.press("Save")
	tab.reads("whsec_")
	tab.press("I have stored it")
	tab.reads("message.received, message.bounced")
	tab.run(`[...document.querySelectorAll("ul[aria-label=Endpoints] button")].find((b) => b.innerText === "Rotate secret").click()`)
	tab.press("Rotate")
	tab.reads("The old one signs, too, until")
	tab.press("I have stored it")

	broken.Store(true)
	for i := range 3 {
		wren.receive(mailFrom("Kim <kim@example.com>", "Hello", fmt.Sprint("h", i), "", "Hello."))
	}
	tab.until(`[...document.querySelectorAll(".posted .status")].filter((s) => s.innerText === "418").length === 3`) // live
	looksGood(tab, "webhooks-failed")
	tab.run(`const s = document.querySelector("select[aria-label=State]"); s.value = "failed"; s.dispatchEvent(new Event("change"))`)
	tab.reads("3 events that fit")
	broken.Store(false)
	tab.press("Replay since…")
	tab.press("Replay")
	tab.reads("3 events on the way again")
	waitFor(t, func() bool {
		return len(wren.do("GET", "webhook/deliveries?status=delivered", nil)["deliveries"].([]any)) == 3
	})
	tab.run(`const s = document.querySelector("select[aria-label=State]"); s.value = "delivered"; s.dispatchEvent(new Event("change"))`)
	tab.until(`[...document.querySelectorAll(".posted .status")].filter((s) => s.innerText === "200").length === 3`)
	tab.press("Turn off")
	tab.reads("disabled")
	tab.run(`document.querySelector("ul[aria-label=Endpoints] button.danger").click()`)
	tab.press("Remove")
	tab.reads("No webhook")
}

// Lists are searched and narrowed: mail from a day on back, suppressions, refused mail. The overview counts all
// mailboxes, by hour and by day.
func TestFindingAndCounting(t *testing.T) {
	t.Parallel()
	w := settle(t)
	tab := open(t, w.server)
	tab.signIn(w.token)
	tab.press("wren@mailkin.localhost")
	tab.reads("Your sign-in code")
	tab.goTo("#/inbox/" + w.ids["code"])
	tab.press("Agent") // also of a mailbox that is not the operator's own
	tab.reads("What a model reads", "characters, about", "Why this code")
	tab.until(`document.querySelector("mk-agent pre").innerText.includes("482915")`)
	tab.goTo("#/inbox")
	day := func(value string) {
		tab.until(`document.querySelector(".dayjump")`)
		tab.run(`const d = document.querySelector(".dayjump"); d.value = ` + quoted(value) + `; d.dispatchEvent(new Event("change"))`)
	}
	day("2020-01-31")
	tab.reads("No message fits this filter.", "until 2020-01-31")
	tab.press("Take away until 2020-01-31")
	tab.reads("Your sign-in code")
	day(time.Now().UTC().Format(time.DateOnly))
	tab.reads("15 messages")
	looksGood(tab, "inbox-day")

	tab.goTo("#/suppressions")
	tab.press("Add addresses")
	tab.fill("Addresses", "ann@example.com, joe@example.com")
	tab.press("Add")
	tab.reads("2 addresses added", "ann@example.com")
	tab.run(`const f = document.querySelector("main input[type=search]"); f.value = "joe@"; f.dispatchEvent(new Event("input"))`)
	tab.gone("ann@example.com")
	tab.reads("joe@example.com", "1 address")
	tab.run(`const f = document.querySelector("main input[type=search]"); f.value = "nobody"; f.dispatchEvent(new Event("input"))`)
	tab.reads("Nothing fits")

	tab.goTo("#/overview")
	tab.reads("In and out per hour", "received", "bounced 1", "All received mail of this time was screened.")
	tab.until(`document.querySelectorAll("mk-overview figure table")[0].tBodies[0].rows.length === 24`)
	tab.press("30 days")
	tab.reads("In and out per day")
	tab.until(`document.querySelectorAll("mk-overview figure table")[0].tBodies[0].rows.length === 30`)
	looksGood(tab, "overview-days")
	tab.until(`document.querySelector("mk-overview a.tile[href*='screening%3D']")`)
	tab.run(`document.querySelector("mk-overview a.tile[href*='screening%3D']").click()`)
	tab.reads("Ticket 93 is waiting")
	tab.gone("Your sign-in code")
	tab.goTo("#/overview")
	tab.until(`[...document.querySelectorAll("a.tile")].some((t) => t.innerText.includes("last backup"))`)
	tab.run(`[...document.querySelectorAll("a.tile")].find((t) => t.innerText.includes("last backup")).click()`)
	tab.reads("Nodes and storage", "answers here", "Index of words", "Nothing was backed up from this data folder.")
	looksGood(tab, "nodes")
	tab.goTo("#/overview")
	tab.until(`[...document.querySelectorAll("a.tile")].some((t) => t.innerText.includes("bounced or failed"))`)
	tab.run(`[...document.querySelectorAll(".tile")].find((t) => t.innerText.includes("bounced or failed")).click()`)
	tab.until(`location.pathname.endsWith("/m/wren@mailkin.localhost/outbox") && document.querySelectorAll(".mailrow").length === 1`)
	tab.reads("Crew list")
	tab.goTo("#/overview")
	tab.until(`[...document.querySelectorAll(".tile")].some((t) => t.innerText.includes("paused"))`)
	tab.run(`[...document.querySelectorAll(".tile")].find((t) => t.innerText.includes("paused")).click()`)
	tab.until(`location.search === "?status=paused" && document.querySelectorAll(".boxrow").length === 1`)
}

// The description of the interface has samples for everything, and tries a route with the key of the console.
func TestTryingInDocs(t *testing.T) {
	t.Parallel()
	srv := start(t)
	wren := srv.mailbox("wren")
	id := wren.receive(mailFrom("Kim <kim@example.com>", "Hello", "one", "", "Hello."))
	tab := open(t, srv)
	tab.signIn(wren.key)
	tab.visit(srv.url + "/docs")
	tab.until(`document.getElementById("key-about").innerText === "That of the console in this tab."`)
	try := func(operation string, fields map[string]string) {
		t.Helper()
		encoded, _ := json.Marshal(fields)
		tab.run(`const a = document.getElementById(` + quoted(operation) + `), fields = ` + string(encoded) + `;
			a.querySelector(".samples").open = a.querySelector(".trying").open = true;
			await new Promise((r) => setTimeout(r));
			for (const [name, value] of Object.entries(fields)) a.querySelector(".try").elements[name].value = value;
			a.querySelector(".try button").click()`)
	}
	answer := func(operation, text string) {
		t.Helper()
		tab.until(`document.getElementById(` + quoted(operation) + `).querySelector("output").innerText.includes(` +
			quoted(text) + `)`)
	}
	try("email", map[string]string{"query id": id})
	answer("email", `"subject": "Hello"`)
	answer("email", "200")
	try("send", map[string]string{"body": `{"to":"kim@example.com","subject":"Tried","text":"It works."}`})
	answer("send", `"status"`)
	tab.expect("404")
	try("webhookDelivery", map[string]string{"path id": "none/../../me"})
	answer("webhookDelivery", "404")
	for _, text := range []string{"curl -X POST '" + srv.url + "/v1/send'", "print(mailkin.send(",
		"console.log(await mailkin.send(", "Bearer $MAILKIN_API_KEY"} {
		tab.until(`document.querySelector("#send .samples").textContent.includes(` + quoted(text) + `)`)
	}
	if eval[bool](tab, `document.body.textContent.includes(`+quoted(wren.key)+`)`) {
		t.Error("the key is on the page")
	}
	tab.run(`document.querySelector("#send .copied button").click()`)
	tab.until(`document.querySelector("#send .copied button").innerText === "Copied"`)
	if n := eval[int](tab, `[...document.querySelectorAll("article[data-path]")].filter((a) => a.querySelectorAll(".samples pre").length !== 3).length`); n != 0 {
		t.Errorf("%d operations do not have three samples", n)
	}
	tab.run(`for (const d of document.querySelectorAll("details.error")) d.open = false`)
	for _, screen := range []struct {
		width  int64
		scheme string
	}{{1440, "light"}, {390, "dark"}} {
		tab.size(screen.width, 900)
		tab.scheme(screen.scheme)
		// the others have the same form, and take axe long
		tab.run(`for (const e of document.querySelectorAll("article")) if (!["email", "send", "webhookDelivery", "schema-Trial"].includes(e.id)) e.remove()`)
		for _, problem := range tab.axe() {
			t.Errorf("/docs, %d wide: %s", screen.width, problem)
		}
		if wide := eval[int](tab, `document.documentElement.scrollWidth - innerWidth`); wide > 0 {
			t.Errorf("/docs is %d wider than %d", wide, screen.width)
		}
		tab.run(`document.getElementById("send").scrollIntoView()`)
		tab.picture(fmt.Sprintf("docs-%d-%s", screen.width, screen.scheme))
	}
	for _, r := range tab.requests {
		if at, _ := url.Parse(r); at.Host != strings.TrimPrefix(srv.url, "http://") {
			t.Errorf("asked %s", r)
		}
	}
}
