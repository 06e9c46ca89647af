package test

import (
	"sync"
	"testing"

	"github.com/mailkin/mailkin/internal/store/postgres/pgtest"
)

// A database that goes away while a message is on its way out is no attempt of the delivery: it goes out as soon as the
// database is back, and nobody is told of a delay.
func TestSendDuringOutage(t *testing.T) {
	t.Parallel()
	pg := pgtest.Start(t, pgtest.Durable()...)
	away, once := make(chan struct{}), sync.Once{}
	to := (&sink{rcpt: func(string) string {
		once.Do(func() { pg.Kill(t); close(away) })
		return ""
	}}).listen(t, "127.0.0.1")
	node := newNode(t, append(secrets(), shortStreams, "MAILKIN_OUTBOUND=smtp://"+to.addr,
		"MAILKIN_DATABASE_URL="+pg.URL(t))...)
	node.expectErrors = true
	node.start(t)
	b := node.mailbox(t, "robin")
	sent := b.send(t, note("on its way", "ann@example.com"))
	<-away
	pg.Restart(t)
	if d := b.delivery(t, sent.ID, "sent"); d.Attempts != 1 || d.Code != 250 {
		t.Errorf("after the outage it is %+v", d)
	}
	to.only(t)
}
