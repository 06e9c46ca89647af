package browser

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/heapprofiler"
	"github.com/chromedp/cdproto/performance"
)

// A mailbox with as many messages as MAILKIN_TEST_SCALE says, real ones, is scrolled in the inbox, a screen a frame,
// from its newest to its oldest message. It takes minutes, so it is run by hand: the manual has its numbers.
func TestScale(t *testing.T) {
	all, _ := strconv.Atoi(os.Getenv("MAILKIN_TEST_SCALE"))
	if all == 0 {
		t.Skip("MAILKIN_TEST_SCALE is not set")
	}
	srv := start(t)
	wren := srv.mailbox("wren")
	began := time.Now()
	wren.flood(all)
	t.Logf("%d messages stored in %v", all, time.Since(began).Round(time.Second))

	tab := open(t, srv)
	tab.signIn(wren.key)
	tab.until(`document.querySelector("mk-list")?.items.length > 0`)
	command(tab, performance.Enable, performance.EnableParams{TimeDomain: performance.EnableTimeDomainThreadTicks})
	tab.heap("the list", 60)
	tab.waits("the list", `location.hash = "#/inbox"`, 250)
	for _, q := range []string{"water", "4711", "nowhere"} {
		tab.waits("a search for "+q, `location.hash = "#/search?q=`+q+`"`, 1000)
	}
	tab.goTo("#/inbox")
	tab.until(`document.querySelector("mk-list")?.items.length > 0`)
	tab.scrolls("down, while rows are fetched", "600")
	const loaded = `document.querySelector("mk-mail").pager.done`
	for range all/2000 + 1 {
		tab.run(`const { pager } = document.querySelector("mk-mail"); for (let n = 0; n < 20 && !pager.done; n++) await pager.next(100)`)
	}
	tab.until(loaded)
	if n := eval[int](tab, `document.querySelector("mk-list").items.length`); n != all {
		t.Errorf("%d rows, want %d", n, all)
	}
	tab.heap("all rows", 60)
	tab.run(`document.querySelector("mk-list").top()`)
	tab.scrolls("down, with all rows there", "600")
	tab.scrolls("leaps to the end", "box.scrollHeight / 300")
	tab.scrolls("leaps back", "-box.scrollHeight / 300")
	tab.goTo("#/stats")
	tab.reads("In and out per day", fmt.Sprintf("in %s", grouped(all)))
	tab.picture("scale-stats")
}

// waits measures how long a person waits for a page, from another one: until its rows, or that there are none, are
// drawn. The machine may be busy; the page is as fast as its best time.
func (w *tab) waits(name, begin string, most float64) {
	w.t.Helper()
	var took []float64
	for range 9 {
		w.goTo("#/lists")
		w.reads("Nobody is on this list")
		took = append(took, eval[float64](w, `(async () => {
			const at = performance.now();
			`+begin+`;
			const ready = () => document.querySelector("mk-list li, mk-mail .empty");
			while (!ready()) await new Promise((done) => setTimeout(done, 2));
			await new Promise(requestAnimationFrame);
			return performance.now() - at;
		})()`))
	}
	slices.Sort(took)
	w.t.Logf("%s: the best of 9 took %.0f ms, half within %.0f ms, the longest %.0f ms", name, took[0], took[4], took[8])
	if took[0] > most {
		w.t.Errorf("%s took %.0f ms, of at most %.0f", name, took[0], most)
	}
}

// heap measures what the page's scripts hold, in MB.
func (w *tab) heap(name string, most float64) {
	w.t.Helper()
	command(w, heapprofiler.CollectGarbage, cdp.Empty{})
	for _, m := range command(w, performance.GetMetrics, cdp.Empty{}).Metrics {
		if m.Name == "JSHeapUsedSize" {
			w.t.Logf("%s: %.1f MB of heap", name, m.Value/1e6)
			if m.Value > most*1e6 {
				w.t.Errorf("%s: %.1f MB of heap, of at most %.0f", name, m.Value/1e6, most)
			}
		}
	}
}

// flood sends n messages to the mailbox.
func (b box) flood(all int) {
	b.s.t.Helper()
	var next atomic.Int64
	var wait sync.WaitGroup
	for range 16 {
		wait.Go(func() {
			for n := next.Add(1) - 1; n < int64(all); n = next.Add(1) - 1 {
				mail := mailFrom("Sam Reed <sam@harbour.example>", fmt.Sprintf("Message %d", n), fmt.Sprint("m", n), "",
					"High water at six in the morning.")
				r, _ := http.NewRequest("POST", b.s.url+"/v1/ingest?mailbox="+b.address,
					strings.NewReader(strings.ReplaceAll(mail, "\n", "\r\n")))
				r.Header.Set("Authorization", "Bearer "+b.s.token)
				r.Header.Set("Content-Type", "message/rfc822")
				answer, err := http.DefaultClient.Do(r)
				if err != nil {
					b.s.t.Error(err)
					return
				}
				_, _ = io.Copy(io.Discard, answer.Body)
				answer.Body.Close()
				if answer.StatusCode != http.StatusCreated {
					b.s.t.Errorf("status %d", answer.StatusCode)
					return
				}
			}
		})
	}
	wait.Wait()
}

// scrolled is how a list moved.
type scrolled struct {
	Rows, Drawn, Frames int
	Slow                int     // tasks above 50 ms
	Half, Most, Longest float64 // milliseconds that half of the frames took at most, 99 of 100, and all
}

// scrolls moves the list by a given number of pixels in each of 300 frames, and measures how long a frame takes with
// all that it brings about.
func (w *tab) scrolls(name, by string) {
	w.t.Helper()
	before := w.busy()
	s := eval[scrolled](w, fmt.Sprintf(scroll, by))
	frame := (w.busy() - before) / float64(s.Frames)
	w.t.Logf("%s: %d rows, at most %d drawn; %.1f ms of the processor a frame; of %d frames half came within %.0f "+
		"ms, 99 %% within %.0f ms, the longest took %.0f ms; %d tasks above 50 ms",
		name, s.Rows, s.Drawn, frame, s.Frames, s.Half, s.Most, s.Longest, s.Slow)
	if s.Drawn > 80 || frame > 30 {
		w.t.Errorf("%s: %.1f ms a frame, %+v", name, frame, s)
	}
}

// busy is how much of the processor the page's thread has used, in milliseconds. It does not depend on what else the
// machine does.
func (w *tab) busy() float64 {
	w.t.Helper()
	for _, m := range command(w, performance.GetMetrics, cdp.Empty{}).Metrics {
		if m.Name == "TaskDuration" {
			return 1000 * m.Value
		}
	}
	w.t.Fatal("the browser does not say how busy it is")
	return 0
}

const scroll = `(async () => {
	const list = document.querySelector("mk-list"), box = list.querySelector(".window");
	const times = [], tasks = [];
	const watch = new PerformanceObserver((all) => tasks.push(...all.getEntries()));
	watch.observe({ type: "longtask" });
	let drawn = 0;
	const frame = async (by) => {
		const at = performance.now();
		box.scrollTop += by;
		await new Promise(requestAnimationFrame);
		await new Promise((done) => { const c = new MessageChannel(); c.port1.onmessage = done; c.port2.postMessage(0); }); // after what it drew
		times.push(performance.now() - at);
		drawn = Math.max(drawn, list.querySelectorAll("li").length);
	};
	for (let n = 0; n < 300; n++) await frame(%s);
	watch.disconnect();
	times.sort((a, b) => a - b);
	return { Rows: list.items.length, Drawn: drawn, Frames: times.length, Slow: tasks.length, Half: times[150], Most: times[297], Longest: times.at(-1) };
})()`

// grouped is a number as the console writes it.
func grouped(n int) string {
	text := strconv.Itoa(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
