package client_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/client"
)

// hook is a request that a webhook posted.
type hook struct {
	header http.Header
	event  *api.Event
	err    error
}

// receive runs a receiver of webhooks that verifies them with a secret.
func receive(t *testing.T, secret string) (url string, hooks chan hook) {
	hooks = make(chan hook, 10)
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		e, err := client.ReadWebhook(r, secret)
		hooks <- hook{r.Header, e, err}
		w.WriteHeader(http.StatusNoContent)
	}))
	t.Cleanup(srv.Close)
	return srv.URL, hooks
}

// next waits for something that comes.
func next[T any](k *kit, from chan T) T {
	k.Helper()
	select {
	case v := <-from:
		return v
	case <-k.ctx().Done():
		k.Fatal("nothing came")
		panic("not reached")
	}
}

// What a real webhook posts is verified, listed and posted again.
func TestWebhook(t *testing.T) {
	k := newKit(t)
	address, c := k.mailbox("webhook")
	secret := got(c.WebhookSecret(k.ctx())).ok(k)
	url, hooks := receive(t, secret)
	got(c.SetWebhook(k.ctx(), url)).same(k)

	id := k.deliver(address, "posted", "Hello.")
	first := next(k, hooks)
	if first.err != nil || first.event.EmailID != id || first.event.Event != api.MessageReceived ||
		first.event.Subject != "posted" || first.event.ID == "" {
		t.Fatalf("came: %+v, %v", first.event, first.err)
	}
	list := awaitDelivered(k, c, id)
	if list.Deliveries[0].WebhookID != first.event.ID || list.Deliveries[0].Attempts[0].Status != http.StatusNoContent {
		t.Errorf("the log has %+v", list)
	}
	posted := got(c.WebhookDelivery(k.ctx(), list.Deliveries[0].ID)).same(k)
	for _, name := range []string{"webhook-id", "webhook-timestamp", "webhook-signature", "X-Webhook-Signature",
		"Content-Type", "User-Agent"} {
		if sent := first.header.Get(name); sent == "" || posted.Request.Headers[name] != sent {
			t.Errorf("%s: %q, and %q was sent", name, posted.Request.Headers[name], sent)
		}
	}
	if !strings.Contains(posted.Request.Body, `"email_id":"`+id+`"`) {
		t.Errorf("the body is %s", posted.Request.Body)
	}
	again := got(c.ReplayWebhook(k.ctx(), list.Deliveries[0].ID)).same(k)
	if second := next(k, hooks); !again.OK || again.Delivery == nil || second.event.ID != first.event.ID {
		t.Errorf("again: %+v", again)
	}
	if trial := got(c.TestWebhook(k.ctx(), "")).same(k); !trial.OK || trial.URL != url || next(k, hooks).err != nil {
		t.Errorf("the test: %+v", trial)
	}
	if reset := got(c.ResetWebhook(k.ctx(), url)).same(k); !reset.OK {
		t.Errorf("reset: %+v", reset)
	}
	n := 0
	for d, err := range c.WebhookDeliveriesAll(k.ctx(), client.WebhookDeliveriesQuery{Event: api.MessageReceived}) {
		k.done(err)
		if n++; d.EmailID != id {
			t.Errorf("in the log: %+v", d)
		}
	}
	if n != 1 {
		t.Errorf("%d in the log", n)
	}
}

// awaitDelivered returns the log of a message when its delivery is noted: that is after the receiver has it.
func awaitDelivered(k *kit, c *client.Client, id string) *api.WebhookDeliveries {
	k.Helper()
	for {
		list := got(c.WebhookDeliveries(k.ctx(), client.WebhookDeliveriesQuery{EmailID: id, Status: "delivered"})).same(
			k)
		if len(list.Deliveries) > 0 {
			return list
		}
		select {
		case <-k.ctx().Done():
			k.Fatal("the delivery was not noted")
		case <-time.After(5 * time.Millisecond):
		}
	}
}

func TestRoutes(t *testing.T) {
	k := newKit(t)
	address, c := k.mailbox("routes")
	url, hooks := receive(t, got(c.WebhookSecret(k.ctx())).ok(k))
	if set := got(c.SetRoute(k.ctx(), "code", url)).same(k); set.Label != "code" || set.Mailbox != address {
		t.Errorf("set: %+v", set)
	}
	k.deliver(address, "without", "Hello.")
	id := k.deliver(address, "Your verification code", "Your verification code is 482913.")
	if came := next(k, hooks); came.err != nil || came.event.EmailID != id {
		t.Errorf("came: %+v, %v", came.event, came.err)
	}
	if list := got(c.Routes(k.ctx())).same(k); len(list.Routes) != 1 || list.Routes[0].WebhookURL != url {
		t.Errorf("the routes are %+v", list)
	}
	k.done(c.DeleteRoute(k.ctx(), "code"))
	k.is(c.DeleteRoute(k.ctx(), "code"), client.ErrNotFound)
}
