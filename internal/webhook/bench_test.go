package webhook

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// BenchmarkPost holds Post against a plain loop of POSTs to the same fast receiver, 8 at a time. "of-plain" is the part
// of the plain loop's rate that is reached (0.25 is needed, 0.5 the aim); it is measured in short turns, so that what
// else the machine does meets both.
func BenchmarkPost(b *testing.B) {
	r := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		_, _ = io.Copy(io.Discard, req.Body)
		w.WriteHeader(http.StatusNoContent)
	}))
	defer r.Close()
	s := shipment(r.URL)
	s.Body = append([]byte(`{"subject":"`), append(bytes.Repeat([]byte("a"), 600), `"}`...)...)

	transport := &http.Transport{MaxIdleConnsPerHost: 8}
	defer transport.CloseIdleConnections()
	client := &http.Client{Transport: transport}
	plain := func() error {
		resp, err := client.Post(s.URL, "application/json", bytes.NewReader(s.Body))
		if err != nil {
			return err
		}
		defer resp.Body.Close()
		_, err = io.Copy(io.Discard, resp.Body)
		return err
	}
	p := newPoster(b, Options{})
	post := func() error {
		if o := p.Post(b.Context(), s); !o.OK() {
			return fmt.Errorf("%+v", o)
		}
		return nil
	}

	b.Run("plain", func(b *testing.B) { b.ReportAllocs(); eightAtATime(b, b.N, plain) })
	b.Run("post", func(b *testing.B) { b.ReportAllocs(); eightAtATime(b, b.N, post) })
	b.Run("in turns", func(b *testing.B) {
		var plainTook, postTook time.Duration
		for done := 0; done < b.N; {
			n := min(400, b.N-done)
			plainTook += eightAtATime(b, n, plain)
			postTook += eightAtATime(b, n, post)
			done += n
		}
		b.ReportMetric(float64(plainTook)/float64(postTook), "of-plain")
	})
}

// eightAtATime does something n times and returns how long that took.
func eightAtATime(b *testing.B, n int, do func() error) time.Duration {
	began := time.Now()
	var left atomic.Int64
	left.Store(int64(n))
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for left.Add(-1) >= 0 {
				if err := do(); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	all.Wait()
	return time.Since(began)
}
