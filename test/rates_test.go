package test

import (
	"context"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func TestRateLimits(t *testing.T) {
	t.Parallel()
	srv := start(t, "MAILKIN_RATE_LIMIT_KEY=6", "MAILKIN_RATE_LIMIT_ADDRESS=1", shortStreams)
	b, other := srv.mailbox(t, "wren"), srv.mailbox(t, "robin")
	const policy = `"key";q=6;w=60` // the address is loopback
	a := b.ask(t, "GET", "/me", "")
	if a.status != 200 || a.header.Get("RateLimit-Policy") != policy || a.header.Get("RateLimit") != `"key";r=5;t=10` {
		t.Errorf("%d %v", a.status, a.header)
	}
	b.log(t, 0) // a stream
	b.ask(t, "GET", "/wait?timeout=1", "")
	b.srv.do(t, request{method: "POST", path: "/mcp", key: b.key, header: http.Header{
		"Accept": {"application/json, text/event-stream"}}, body: `{"jsonrpc":"2.0","id":1,"method":"tools/call",` +
		`"params":{"name":"list_inbox","arguments":{}}}`}, 200, nil)
	left := b.ask(t, "GET", "/me", "").header.Get("RateLimit")
	if !strings.HasPrefix(left, `"key";r=1;`) && !strings.HasPrefix(left, `"key";r=2;`) { // on a slow day one comes back
		t.Errorf("left after five requests: %s", left)
	}
	for a.status != 429 { // the sixth from here at the latest: each is refused after a second
		a = b.ask(t, "GET", "/me", "")
	}
	if a.status != 429 || a.header.Get("Retry-After") == "" || a.header.Get("RateLimit-Policy") != policy ||
		!strings.HasPrefix(a.header.Get("RateLimit"), `"key";r=0;t=`) {
		t.Errorf("%d %v", a.status, a.header)
	}
	checkError(t, a, true, "rate_limited")
	if a := other.ask(t, "GET", "/me", ""); a.status != 200 {
		t.Errorf("another key: %d %s", a.status, a.body)
	}
	for range 10 {
		srv.get(t, srv.token, "/v1/me", nil)
	}
}

// pacer makes requests at a steady rate until it is stopped, and notes how long each took.
func (b box) pacer(t *testing.T, every time.Duration, stop <-chan struct{}) (took []time.Duration) {
	for tick := time.NewTicker(every); ; {
		select {
		case <-tick.C:
		case <-stop:
			tick.Stop()
			return took
		}
		began := time.Now()
		a, err := b.srv.try(request{path: "/v1/inbox?limit=5", key: b.key})
		if err != nil || a.status != http.StatusOK {
			t.Errorf("an ordinary client: %d %v", a.status, err)
		}
		took = append(took, time.Since(began))
	}
}

// pace has ordinary clients make requests for a while, and returns how long each of these took.
func pace(t *testing.T, boxes []box, d time.Duration) (all []time.Duration) {
	var mu sync.Mutex
	var done sync.WaitGroup
	stop := make(chan struct{})
	for _, b := range boxes {
		done.Go(func() {
			took := b.pacer(t, 200*time.Millisecond, stop)
			mu.Lock()
			defer mu.Unlock()
			all = append(all, took...)
		})
	}
	time.Sleep(d)
	close(stop)
	done.Wait()
	return all
}

// percentiles are the p50 and the p99.
func percentiles(all []time.Duration) (p50, p99 time.Duration) {
	slices.Sort(all)
	return all[len(all)/2], all[len(all)*99/100]
}

// flood makes requests on several connections, as fast as it can, until ctx ends, and counts them by their status.
func (b box) flood(ctx context.Context, conns int, ok, refused *atomic.Int64) (done func()) {
	var all sync.WaitGroup
	for range conns {
		all.Go(func() {
			c := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 1}}
			defer c.CloseIdleConnections()
			for ctx.Err() == nil {
				r, _ := http.NewRequestWithContext(ctx, "GET", b.srv.http+"/v1/inbox?limit=5", nil)
				r.Header.Set("Authorization", "Bearer "+b.key)
				resp, err := c.Do(r)
				if err != nil {
					continue
				}
				_, _ = io.Copy(io.Discard, resp.Body)
				_ = resp.Body.Close()
				if resp.StatusCode == http.StatusTooManyRequests {
					refused.Add(1)
				} else {
					ok.Add(1)
				}
			}
		})
	}
	return all.Wait
}

// One key that floods the server gets its quota and no more, and 20 others notice nothing. How long they wait is
// printed; MAILKIN_TEST_MEASURE is for how long it is measured, and makes a p99 above twice that of a quiet server a
// failure.
func TestGreedyClient(t *testing.T) {
	measured, _ := time.ParseDuration(os.Getenv("MAILKIN_TEST_MEASURE"))
	if measured == 0 {
		t.Parallel()
	}
	srv := start(t, "MAILKIN_RATE_LIMIT_KEY=600")
	greedy := srv.mailbox(t, "greedy")
	var boxes []box
	for i := range 20 {
		b := srv.mailbox(t, "ordinary"+string(rune('a'+i)))
		srv.deliver(t, mail("hello"), b.address)
		boxes = append(boxes, b)
	}
	const turns = 4 // the machine may be slower at one time than at another
	length := max(measured/turns, time.Second)
	pace(t, boxes, length)
	var quiet, beside []time.Duration
	var ok, refused atomic.Int64
	began := time.Now()
	for range turns {
		quiet = append(quiet, pace(t, boxes, length)...)
		ctx, cancel := context.WithCancel(t.Context())
		done := greedy.flood(ctx, 32, &ok, &refused)
		beside = append(beside, pace(t, boxes, length)...)
		cancel()
		done()
		if measured == 0 {
			break
		}
	}
	if most := 600 + int64(time.Since(began).Seconds()*600/60) + 32; ok.Load() > most {
		t.Errorf("the greedy client got %d answers, at most %d were due", ok.Load(), most)
	}
	q50, q99 := percentiles(quiet)
	f50, f99 := percentiles(beside)
	t.Logf("20 ordinary clients, quiet: p50 %v, p99 %v; beside a flood: p50 %v, p99 %v; the greedy one got %d answers, "+
		"%d were refused", q50, q99, f50, f99, ok.Load(), refused.Load())
	if measured > 0 && f99 > 2*q99 {
		t.Errorf("p99 is %.1f times that of a quiet server", float64(f99)/float64(q99))
	}
}
