package client_test

import (
	"testing"
	"time"
)

func TestReindex(t *testing.T) {
	k := newKit(t)
	address, _ := k.mailbox("reindex")
	k.deliver(address, "hello", "The body.")
	state := got(k.operator.Reindex(k.ctx())).same(k)
	for ctx := k.ctx(); state.Running; {
		if state.MessagesTotal == 0 || state.MessagesDone > state.MessagesTotal || state.Done > state.Total {
			t.Fatalf("it is at %+v", state)
		}
		select {
		case <-ctx.Done():
			t.Fatalf("it is still at %+v", state)
		case <-time.After(10 * time.Millisecond):
		}
		state = got(k.operator.Reindexing(ctx)).same(k)
	}
}
