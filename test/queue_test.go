package test

import (
	"fmt"
	"net/http"
	"sync/atomic"
	"testing"
)

// What an operator keeps in the queue stays there when the server is killed, and leaves once when it is released.
func TestQueueHoldAndKill(t *testing.T) {
	t.Parallel()
	var calm atomic.Bool
	to := (&sink{rcpt: func(string) string {
		if calm.Load() {
			return ""
		}
		return "451 4.7.1 later"
	}}).listen(t, "127.0.0.1")
	srv := start(t, shortStreams, "MAILKIN_OUTBOUND=smtp://"+to.addr)
	b := srv.mailbox(t, "robin")
	sent := b.send(t, note("held", "ann@example.com", "bob@example.com"))
	eventually(t, func() error {
		for _, d := range b.outgoing(t, sent.ID).Deliveries {
			if d.Attempts == 0 {
				return fmt.Errorf("not tried yet: %+v", d)
			}
		}
		return nil
	})
	change := func(action, body string, want int) {
		t.Helper()
		var done struct{ Changed, Unchanged int }
		srv.do(t, request{method: "POST", path: "/v1/queue/" + action, key: srv.token, body: body}, http.StatusOK,
			&done)
		if done.Changed != want {
			t.Errorf("%s: %+v, want %d", action, done, want)
		}
	}
	var sums struct {
		Destinations []struct {
			Destination string
			Deliveries  int
			LastCode    int `json:"last_code"`
		}
	}
	srv.do(t, request{path: "/v1/queue/destinations", key: srv.token}, http.StatusOK, &sums)
	if len(sums.Destinations) != 1 || sums.Destinations[0].Deliveries != 2 || sums.Destinations[0].LastCode != 451 {
		t.Errorf("destinations: %+v", sums)
	}
	change("hold", `{"destination":"example.com","error":"4xx"}`, 2)
	srv.kill(t)
	srv.start(t)
	calm.Store(true)
	change("retry", `{"all":true}`, 0)
	if o := b.outgoing(t, sent.ID); o.Status != "on_hold" || o.Deliveries[0].NextAt != nil {
		t.Errorf("after the kill: %+v", o)
	}
	change("release", `{"state":"on_hold"}`, 2)
	eventually(t, func() error {
		if o := b.outgoing(t, sent.ID); o.Status != "sent" {
			return fmt.Errorf("it is %+v", o)
		}
		return nil
	})
	if n := len(to.all()); n != 2 {
		t.Errorf("sent %d times", n)
	}
}
