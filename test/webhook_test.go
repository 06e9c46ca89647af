package test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"
)

// What arrives, and that it can be verified, with the deployment's secret and with the mailbox's own.
func TestWebhookEvent(t *testing.T) {
	t.Parallel()
	srv := start(t, "WEBHOOK_SECRET=the-deployments-secret")
	b, other := srv.mailbox(t, "robin"), srv.mailbox(t, "other")
	r := newReceiver(t, http.StatusNoContent)
	b.hookTo(t, r.URL+"/hook?a=b")
	srv.deliver(t, mail("first"), b.address, other.address)
	post := r.await(t, 1)[0]
	e := b.only(t)

	var body map[string]any
	if err := json.Unmarshal([]byte(post.body), &body); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]any{"event": "message.received", "email_id": e.ID, "mailbox": b.address,
		"from": "ada@example.org", "subject": "first",
		"message_id": "<first@example.org>", "thread_id": e.ThreadID, "has_attachments": false,
		"attachment_count": 0.0} {
		if body[name] != want {
			t.Errorf("%s is %v, want %v", name, body[name], want)
		}
	}
	mac := hmac.New(sha256.New, []byte("the-deployments-secret"))
	mac.Write([]byte(post.body))
	id, sent := post.header.Get("webhook-id"), post.header.Get("webhook-timestamp")
	for name, want := range map[string]string{"X-Webhook-Event": "message.received", "X-Webhook-Id": e.ID,
		"Content-Type":        "application/json",
		"X-Webhook-Signature": "sha256=" + hex.EncodeToString(mac.Sum(nil)), "X-Webhook-Timestamp": sent,
		"webhook-signature": "v1," + base64.StdEncoding.EncodeToString(b.signs(t, id+"."+sent+"."+post.body))} {
		if got := post.header.Get(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if foreign := other.signs(t, "x"); string(foreign) == string(b.signs(t, "x")) {
		t.Error("two mailboxes have the same secret")
	}
	log := b.settled(t)
	if len(log) != 1 || log[0].WebhookID != id || log[0].EmailID != e.ID || log[0].Status != "delivered" ||
		*log[0].Attempts[0].Status != http.StatusNoContent {
		t.Errorf("log %+v", log)
	}
	if s := b.webhook(t); s.Status != "active" || s.Last == nil || s.Error != "" {
		t.Errorf("webhook %+v", s)
	}
}

// signs is what the mailbox's secret makes of a text.
func (b box) signs(t testing.TB, text string) []byte {
	t.Helper()
	var s struct{ Secret string }
	b.srv.get(t, b.key, "/v1/webhook/secret", &s)
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(s.Secret, "whsec_"))
	if err != nil || len(key) < 24 {
		t.Fatalf("secret %q: %v", s.Secret, err)
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(text))
	return mac.Sum(nil)
}

// The table of SPEC 6.1 in real time.
func TestWebhookSchedule(t *testing.T) {
	t.Parallel()
	srv := start(t)
	b := srv.mailbox(t, "robin")
	r := newReceiver(t, http.StatusServiceUnavailable)
	b.hookTo(t, r.URL)
	srv.deliver(t, mail("first"), b.address)
	r.await(t, 4)
	log := b.settled(t)
	wantSchedule(t, log[0])
	if log[0].Status != "failed" || len(r.all()) != 4 {
		t.Errorf("%d posts, log %+v", len(r.all()), log)
	}
	if s := b.webhook(t); s.Status != "active" || s.Failures != 1 || s.Error != "The receiver answered 503." {
		t.Errorf("webhook %+v", s)
	}
}

// wantSchedule checks the waits between attempts, each from the end of the one before.
func wantSchedule(t testing.TB, h hook) {
	t.Helper()
	waits := []time.Duration{time.Second, 3 * time.Second, 8 * time.Second}
	const late = 4 * time.Second // on a busy machine; one wait too many or too few is further off at least once
	if len(h.Attempts) != len(waits)+1 {
		t.Fatalf("%d attempts", len(h.Attempts))
	}
	for i, want := range waits {
		end := h.Attempts[i].Time.Add(time.Duration(h.Attempts[i].Took * float64(time.Millisecond)))
		if got := h.Attempts[i+1].Time.Sub(end); got < want-2*time.Millisecond || got > want+late {
			t.Errorf("attempt %d began %v after the one before, want %v", i+2, got, want)
		}
	}
}

// Ten events that fail mark the webhook failed; what is missed is kept, and sent again when asked for.
func TestWebhookFailed(t *testing.T) {
	t.Parallel()
	srv := start(t, "MAILKIN_LIMIT_WEBHOOK_ATTEMPTS=1", "MAILKIN_LIMIT_WEBHOOK_FAILURES=3")
	b := srv.mailbox(t, "robin")
	good := make(chan struct{})
	r := startReceiver(t, func(_ int, w http.ResponseWriter, _ *http.Request) {
		select {
		case <-good:
		default:
			w.WriteHeader(http.StatusTeapot)
		}
	})
	b.hookTo(t, r.URL+"/path-that-is-nobodys-business")
	for n := range 5 {
		srv.deliver(t, mail(fmt.Sprint("mail ", n)), b.address)
		b.settled(t)
	}
	if s := b.webhook(t); s.Status != "failed" || s.Failures != 3 || len(r.all()) != 3 {
		t.Errorf("%d posts, webhook %+v", len(r.all()), s)
	}
	srv.stderr.await("webhook failed", srv.ended)
	if log := srv.stderr.String(); !strings.Contains(log, "webhook failed") || !strings.Contains(log, b.address) ||
		strings.Contains(log, "nobodys-business") {
		t.Errorf("log %s", log)
	}
	metrics := srv.ask(t, request{path: "/metrics", key: srv.token})
	if !strings.Contains(string(metrics.body), "mailkin_webhooks_failed_total 1\n") {
		t.Error("it is not counted")
	}
	close(good)
	if a := b.ask(t, "POST", "/webhook/test", ""); a.status != 200 || !strings.Contains(string(a.body), `"ok":true`) {
		t.Errorf("test: %d %s", a.status, a.body)
	}
	if s := b.webhook(t); s.Status != "failed" {
		t.Errorf("a test revived it: %+v", s)
	}
	if a := b.ask(t, "POST", "/webhook/reset", `{}`); a.status != 200 {
		t.Errorf("reset: %d %s", a.status, a.body)
	}
	if s := b.webhook(t); s.Status != "active" || s.Failures != 0 {
		t.Errorf("after a reset: %+v", s)
	}
	held := b.hooks(t, "status=held")
	for _, h := range held {
		if a := b.ask(t, "POST", "/webhook/deliveries/"+h.ID+"/replay", ""); a.status != 200 ||
			!strings.Contains(string(a.body), `"ok":true`) {
			t.Errorf("replay: %d %s", a.status, a.body)
		}
	}
	if left := b.hooks(t, "status=delivered"); len(held) != 2 || len(left) != 2 {
		t.Errorf("%d were held, %d are delivered", len(held), len(left))
	}
}

// A receiver that hangs delays nobody else.
func TestWebhookHanging(t *testing.T) {
	t.Parallel()
	srv := start(t)
	hung, free := srv.mailbox(t, "hung"), srv.mailbox(t, "free")
	release := make(chan struct{})
	dead := startReceiver(t, func(n int, _ http.ResponseWriter, _ *http.Request) {
		if n > 1 { // it answers once: only then does it get as many at a time as any other
			<-release
		}
	})
	defer close(release)
	r := newReceiver(t, http.StatusOK)
	free.hookTo(t, r.URL)
	hung.hookTo(t, dead.URL)
	srv.deliver(t, mail("answered"), hung.address)
	dead.await(t, 1)
	quiet := srv.latency(t, free, r, "quiet", 100)
	for n := range 50 {
		srv.deliver(t, mail(fmt.Sprint("hung ", n)), hung.address)
	}
	dead.await(t, 9)
	busy := srv.latency(t, free, r, "busy", 100)
	// The slowest tenth is left to a busy machine; a destination that held others up would show in all of them.
	t.Logf("event to arrival: p50 %v, p90 %v; beside one that hangs: p50 %v, p90 %v", quiet[50], quiet[90], busy[50],
		busy[90])
	if busy[90] > 2*quiet[90]+100*time.Millisecond || busy[50] > 2*quiet[50]+20*time.Millisecond {
		t.Errorf("p50 rose from %v to %v, p90 from %v to %v", quiet[50], busy[50], quiet[90], busy[90])
	}
	if n := len(dead.all()) - 1; n > 8 {
		t.Errorf("%d posts to the one that hangs at a time", n)
	}
}

// latency is how long events take from their acknowledgement to their arrival, sorted.
func (s *server) latency(t testing.TB, b box, r *receiver, name string, n int) (all []time.Duration) {
	t.Helper()
	c := open(t, s.smtp)
	before := len(r.all())
	for i := range n {
		reply, err := c.send(envelope{from: "a@example.org", to: []string{b.address}},
			[]byte(mail(fmt.Sprint(name, i))), byDATA)
		acked := time.Now()
		if err != nil || reply.code != 250 {
			t.Fatalf("%v %v", reply, err)
		}
		all = append(all, r.await(t, before+i+1)[before+i].at.Sub(acked))
	}
	slices.Sort(all)
	return all
}

// A mailbox's routes, and who may set them.
func TestWebhookRoutes(t *testing.T) {
	t.Parallel()
	srv := start(t)
	b := srv.mailbox(t, "robin")
	all, codes := newReceiver(t, http.StatusOK), newReceiver(t, http.StatusOK)
	b.hookTo(t, all.URL)
	if a := b.ask(t, "PUT", "/mailbox/routes", fmt.Sprintf(`{"label":"code","webhook_url":%q}`, codes.URL)); a.status != 200 {
		t.Fatalf("PUT: %d %s", a.status, a.body)
	}
	srv.deliver(t, mail("plain"), b.address)
	srv.deliver(t, codeMail("482913"), b.address)
	all.await(t, 2)
	if post := codes.await(t, 1)[0]; !strings.Contains(post.body, `"code"`) {
		t.Errorf("posted %s", post.body)
	}
	b.settled(t)
	if len(codes.all()) != 1 || len(b.hooks(t, "")) != 3 {
		t.Errorf("%d by the route, log %+v", len(codes.all()), b.hooks(t, ""))
	}
	if a := b.ask(t, "DELETE", "/mailbox/routes?label=code", ""); a.status != 200 {
		t.Errorf("DELETE: %d %s", a.status, a.body)
	}
	if a := b.ask(t, "DELETE", "/mailbox/routes?label=code", ""); a.status != 404 {
		t.Errorf("DELETE again: %d %s", a.status, a.body)
	}
	if a := srv.bootstrap(t).ask(t, "GET", "/webhook/secret", ""); a.status != 403 {
		t.Errorf("a temporary mailbox: %d %s", a.status, a.body)
	}
}
