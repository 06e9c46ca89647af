package browser

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
)

// before puts a server in front of another that answers some requests itself. It tells whether it has.
func before(t *testing.T, srv *server, answer func(http.ResponseWriter, *http.Request) bool) *server {
	t.Helper()
	to, _ := url.Parse(srv.url)
	pass := httputil.NewSingleHostReverseProxy(to)
	pass.FlushInterval = -1
	pass.ErrorHandler = func(w http.ResponseWriter, _ *http.Request, _ error) { w.WriteHeader(http.StatusBadGateway) }
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !answer(w, r) {
			pass.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(front.Close)
	t.Cleanup(front.CloseClientConnections)
	return &server{t: t, url: front.URL, token: srv.token}
}

// listed is a page of a mailbox with a given number of messages.
func listed(w http.ResponseWriter, r *http.Request, all int) {
	from, _ := strconv.Atoi(r.URL.Query().Get("cursor"))
	limit, _ := strconv.Atoi(r.URL.Query().Get("limit"))
	w.Header().Set("Content-Type", "application/json")
	_, _ = io.WriteString(w, `{"emails":[`)
	for i := from; i < min(from+limit, all); i++ {
		if i > from {
			_, _ = io.WriteString(w, ",")
		}
		fmt.Fprintf(w, `{"id":"%08d-0000-7000-8000-000000000000","mailbox":"x","from_address":"kim@example.com","from_name":"Kim","to_address":"x","subject":"Message %[1]d",
			"snippet":"The beginning of the text.","code":null,"direction":"inbound","status":"received","received_at":"2026-01-01T00:00:00.000Z","has_attachments":false,
			"attachment_count":0,"message_id":"<x>","thread_id":"x","labels":["personal"],"seen":%t,"trust":{"level":"unverified","reasons":[]}}`, i, i%3 > 0)
	}
	next := "null"
	if from+limit < all {
		next = fmt.Sprintf("%q", strconv.Itoa(from+limit))
	}
	fmt.Fprintf(w, `],"search_mode":"keyword","next_cursor":%s}`, next)
}

// A hundred thousand messages: few rows are drawn at any time, and what comes near is fetched. The list goes to its
// end.
func TestHundredThousandMessages(t *testing.T) {
	t.Parallel()
	const all = 100_000
	srv := start(t)
	front := before(t, srv, func(w http.ResponseWriter, r *http.Request) bool {
		if r.URL.Path != "/v1/inbox" {
			return false
		}
		listed(w, r, all)
		return true
	})
	tab := open(t, front)
	tab.signIn(srv.mailbox("wren").key)
	tab.reads("Message 0")
	const box = `document.querySelector("mk-list .window")`
	longest := eval[float64](tab, `(async () => {
		const list = document.querySelector("mk-list"), box = `+box+`;
		let longest = 0;
		while (list.items.length < 1500) {
			const at = performance.now();
			box.scrollTop += 1500;
			await new Promise(requestAnimationFrame);
			longest = Math.max(longest, performance.now() - at);
			const rows = list.querySelectorAll("li").length;
			if (rows > 80) throw new Error(rows + " rows are drawn");
		}
		return longest;
	})()`)
	t.Logf("scrolling through 1500 messages, the longest frame took %.0f ms", longest)
	if n := eval[int](tab, `document.querySelector("mk-list ul").childNodes.length`); n > 300 {
		t.Errorf("the list has %d nodes: what was scrolled away is still there", n)
	}
	tab.run(box + `.scrollTop = 0`)
	tab.keys("jj")
	tab.until(`document.activeElement.closest("[data-index='1']")`)
	tab.run(box + `.scrollTop = 60000`) // the row with the focus goes, and no other gets it
	tab.until(`document.activeElement === ` + box)
	const pager = `document.querySelector("mk-mail").pager`
	for !eval[bool](tab, pager+`.done`) { // each step has its own time
		tab.run(`await ` + pager + `.next(5000)`)
	}
	tab.run(box + `.scrollTop = 1e9`)
	tab.reads("Message 99999", "100,000 messages")
	if rows := eval[int](tab, `document.querySelectorAll("mk-list li").length`); rows > 80 {
		t.Errorf("%d rows are drawn", rows)
	}
	tab.picture("full-end")
	tab.keys("k")
	tab.run(box + `.scrollTop = 0`)
	tab.reads("Message 0")
}

// Where no stream tells that the server is back, as for a role that may not read this mailbox, a page still loads by
// itself; and a tab that is opened meanwhile keeps its key.
func TestServerComesBack(t *testing.T) {
	t.Parallel()
	srv := start(t)
	srv.mailbox("wren")
	viewer := srv.call(srv.token, "POST", "operators", map[string]any{"name": "Kim", "role": "view"})
	var away atomic.Bool
	tab := open(t, before(t, srv, func(w http.ResponseWriter, r *http.Request) bool {
		if !away.Load() || !strings.HasPrefix(r.URL.Path, "/v1/") {
			return false
		}
		w.WriteHeader(http.StatusBadGateway)
		return true
	}))
	tab.expect("502")
	tab.signIn(viewer["api_key"].(string))
	tab.visit(tab.srv.url + "/console/m/wren@mailkin.localhost/mailbox")
	tab.reads("Sent today")
	away.Store(true)
	tab.goTo("#/webhooks")
	tab.reads("The server does not answer", "The page loads by itself when the server is back.")
	away.Store(false)
	tab.reads("What was posted")

	away.Store(true)
	tab.run("location.reload()")
	tab.reads("The console opens by itself when it is back.")
	away.Store(false)
	tab.reads("What was posted")
}

// What a page shows while it waits, when the server fails, and when it cannot be reached; and that trying again helps.
func TestStates(t *testing.T) {
	t.Parallel()
	srv := start(t)
	wren := srv.mailbox("wren")
	mode := make(chan string, 1)
	mode <- ""
	hold := make(chan struct{})
	front := before(t, srv, func(w http.ResponseWriter, r *http.Request) bool {
		now := <-mode
		mode <- now
		if r.URL.Path == "/v1/me" || r.URL.Path == "/v1/events" || len(r.URL.Path) < 4 || r.URL.Path[:4] != "/v1/" {
			return false
		}
		switch now {
		case "slow":
			select {
			case <-hold:
			case <-r.Context().Done():
			}
		case "broken":
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusInternalServerError)
			_, _ = io.WriteString(w, `{"error":"Internal server error","code":"internal","request_id":"4b1d"}`)
			return true
		case "gone":
			panic(http.ErrAbortHandler)
		}
		return false
	})
	set := func(s string) { <-mode; mode <- s }
	tab := open(t, front)
	tab.expect("500|ERR_|502")
	tab.signIn(wren.key)
	tab.reads("No mail yet")
	pages := []string{"outbox", "search?q=x", "webhooks", "domains", "suppressions", "stats", "rejects", "mailbox",
		"lists", "compose", "drafts", "inbox"}
	for _, p := range pages {
		set("broken")
		tab.goTo("#/" + p)
		tab.reads("The page could not be loaded", "Internal server error", "4b1d")
		set("gone")
		tab.press("Try again")
		tab.reads("The server cannot be reached.")
		set("")
		tab.press("Try again")
		tab.until(`!document.querySelector("main [role=alert]") && !document.querySelector("main .state .spinner")`)
	}
	set("broken")
	tab.goTo("#/outbox")
	tab.reads("The page could not be loaded")
	tab.picture("state-broken")
	set("slow")
	for _, p := range pages {
		tab.goTo("#/" + p)
		if p != "outbox" { // it is there already
			tab.until(`document.querySelector("main .state .spinner")`)
		}
	}
	tab.goTo("#/outbox")
	tab.until(`document.querySelector("main .state .spinner")`)
	tab.picture("state-loading")
	set("")
	close(hold)
	tab.reads("Nothing was sent yet")
}
