package test

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"
)

// receiver is a webhook of the test.
type receiver struct {
	*httptest.Server
	answer func(n int, w http.ResponseWriter, r *http.Request) // to the n-th post, from 1

	mu    sync.Mutex
	posts []hookPost
	news  chan struct{} // something has come
}

// hookPost is an event that came.
type hookPost struct {
	at     time.Time
	header http.Header
	body   string
}

// newReceiver starts a webhook that answers with a status.
func newReceiver(t testing.TB, status int) *receiver {
	return startReceiver(t, func(_ int, w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) })
}

func startReceiver(t testing.TB, answer func(int, http.ResponseWriter, *http.Request)) *receiver {
	return startReceiverAt(t, "127.0.0.1", answer)
}

// startReceiverAt starts a webhook on any port of a host.
func startReceiverAt(t testing.TB, host string, answer func(int, http.ResponseWriter, *http.Request)) *receiver {
	t.Helper()
	l, err := net.Listen("tcp", host+":0")
	if err != nil {
		t.Fatal(err)
	}
	r := &receiver{answer: answer, news: make(chan struct{}, 1)}
	r.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		body, err := io.ReadAll(req.Body) // of a server that is killed it ends early
		if contract := agreed.contract.Load(); err == nil && contract != nil {
			if err := contract.checkHook(req.Header, body); err != nil {
				t.Errorf("what is posted breaks the contract: %v", err)
			}
		}
		req.Body = io.NopCloser(bytes.NewReader(body))
		r.mu.Lock()
		r.posts = append(r.posts, hookPost{time.Now(), req.Header, string(body)})
		n := len(r.posts)
		r.mu.Unlock()
		select {
		case r.news <- struct{}{}:
		default:
		}
		r.answer(n, w, req)
	}))
	_ = r.Listener.Close() // that of loopback, which nobody has used
	r.Listener = l
	r.Start()
	t.Cleanup(r.CloseClientConnections)
	t.Cleanup(r.Close)
	return r
}

func (r *receiver) all() []hookPost {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.posts)
}

// await waits for a given number of posts.
func (r *receiver) await(t testing.TB, n int) []hookPost {
	t.Helper()
	limit := time.NewTimer(2 * patience)
	defer limit.Stop()
	for {
		if posts := r.all(); len(posts) >= n {
			return posts
		}
		select {
		case <-r.news:
		case <-limit.C:
			t.Fatalf("%d posts came, want %d", len(r.all()), n)
		}
	}
}

// hookTo sets the mailbox's webhook.
func (b box) hookTo(t testing.TB, url string) {
	t.Helper()
	if a := b.ask(t, "PATCH", "/mailbox", fmt.Sprintf(`{"webhook_url":%q}`, url)); a.status != http.StatusOK {
		t.Fatalf("PATCH mailbox: %d %s", a.status, a.body)
	}
}

// hook is an entry of the log of webhooks.
type hook struct {
	ID        string    `json:"id"`
	WebhookID string    `json:"webhook_id"`
	Event     string    `json:"event"`
	EmailID   string    `json:"email_id"`
	URL       string    `json:"url"`
	Status    string    `json:"status"`
	CreatedAt time.Time `json:"created_at"`
	Attempts  []struct {
		Time   time.Time `json:"time"`
		Status *int      `json:"status"`
		Took   float64   `json:"duration_ms"`
		Error  *string   `json:"error"`
		Replay bool      `json:"replay"`
	} `json:"attempts"`
}

// hooks lists the log of webhooks, newest first, page by page.
func (b box) hooks(t testing.TB, params string) (all []hook) {
	t.Helper()
	for cursor := ""; ; {
		var page struct {
			Deliveries []hook  `json:"deliveries"`
			Next       *string `json:"next_cursor"`
		}
		b.srv.get(t, b.key, b.prefix+"/webhook/deliveries?limit=100&"+params+"&cursor="+cursor, &page)
		all = append(all, page.Deliveries...)
		if page.Next == nil {
			return all
		}
		cursor = *page.Next
	}
}

// settled waits until no event of the mailbox is on its way, and returns the log.
func (b box) settled(t testing.TB) []hook {
	t.Helper()
	for began := time.Now(); len(b.hooks(t, "status=pending")) > 0; {
		if time.Since(began) > 2*patience {
			t.Fatalf("%d are still pending", len(b.hooks(t, "status=pending")))
		}
		time.Sleep(20 * time.Millisecond)
	}
	return b.hooks(t, "")
}

type webhookState struct {
	Status   string     `json:"status"`
	Failures int        `json:"consecutive_failures"`
	Last     *time.Time `json:"last_attempt_at"`
	Error    string     `json:"last_error"`
}

func (b box) webhook(t testing.TB) webhookState {
	t.Helper()
	var m struct {
		Webhook webhookState `json:"webhook"`
	}
	b.srv.get(t, b.key, b.prefix+"/mailbox", &m)
	return m.Webhook
}
