package browser

import (
	"compress/gzip"
	"io"
	"net/http"
	"strings"
	"testing"
)

// Everything that the console loads is small, and something is seen at once.
func TestFirstPaintAndSize(t *testing.T) {
	srv := start(t)
	tab := open(t, srv)
	best := 1e9
	for range 20 { // the machine may be busy; the page is as fast as its best time
		tab.visit("about:blank")
		tab.visit(srv.url + "/console")
		tab.until(`document.querySelector("mk-signin input") && performance.getEntriesByName("first-contentful-paint").length`)
		best = min(best, eval[float64](tab, `performance.getEntriesByName("first-contentful-paint")[0].startTime`))
		if best < 300 {
			break
		}
	}
	t.Logf("first paint after %.0f ms", best)
	if best > 300 {
		t.Errorf("the first paint came after %.0f ms", best)
	}
	tab.mu.Lock()
	asked := map[string]bool{}
	for _, r := range tab.requests {
		asked[r] = true
	}
	tab.mu.Unlock()
	total := 0
	for address := range asked {
		if !strings.Contains(address, "/console") {
			continue
		}
		r, _ := http.NewRequest("GET", address, nil)
		r.Header.Set("Accept-Encoding", "gzip")
		answer, err := http.DefaultTransport.RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		packed, _ := io.ReadAll(answer.Body)
		answer.Body.Close()
		if _, err := gzip.NewReader(strings.NewReader(string(packed))); err != nil {
			t.Errorf("%s is not compressed: %v", address, err)
		}
		total += len(packed)
	}
	t.Logf("%d files, %d bytes compressed", len(asked), total)
	if total > 150_000 || total < 10_000 {
		t.Errorf("%d bytes", total)
	}
}
