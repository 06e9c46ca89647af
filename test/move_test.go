package test

import (
	"bytes"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/blob/s3test"
	"github.com/mailkin/mailkin/internal/store/postgres/pgtest"
)

// A deployment is moved up, by a move that is killed and run again. Every answer is the same before and after, to the
// byte, and what comes then goes on with the numbers.
func TestMove(t *testing.T) {
	embedded(t)
	t.Parallel()
	bucket := s3test.Start(t) // first: without it there is nothing to test
	database := pgtest.URL(t)
	hooks := newReceiver(t, http.StatusNoContent)
	old := newNode(t, moveSettings...)
	old.start(t)
	boxes := fillToMove(t, old, hooks)
	wanted := boxes[2].startClaim(t, `{"name":"scarlet"}`)
	var first, again bootstrapped
	old.do(t, keyed, http.StatusCreated, &first)
	before, log := answers(t, old, boxes), audits(t, old)
	last := boxes[0].log(t, 0)
	old.stop(t)

	target := append(secretsOf(t, old), "MAILKIN_DATABASE_URL="+database, "MAILKIN_BLOB_URL="+bucket.URLWithKeys())
	killMove(t, old, target, database)
	up := newNode(t, append(moveSettings, target...)...)
	if status, _, stderr := run(t, up.environ, "serve"); status != 1 || !strings.Contains(stderr, "is not done") {
		t.Errorf("a node starts on half of it: %d %s", status, stderr)
	}
	status, stdout, stderr := run(t, target, "move", "--from", "sqlite:"+old.dir)
	if status != 0 || !strings.Contains(stdout, "Every row was read back") ||
		!strings.Contains(stderr, "Going on with a move") {
		t.Fatalf("status %d: %s%s", status, stdout, stderr)
	}
	for _, secret := range secretsOf(t, old) {
		name, value, _ := strings.Cut(secret, "=")
		if strings.Contains(stdout+stderr, value) || !strings.Contains(stdout, name) {
			t.Errorf("%s is shown, or not named: %s", name, stdout)
		}
	}
	if status, _, stderr := run(t, target, "move", "--from", "sqlite:"+old.dir); status != 1 ||
		!strings.Contains(stderr, "not empty") {
		t.Errorf("moved twice: %d %s", status, stderr)
	}
	if err := os.Rename(old.dir, old.dir+"-was"); err != nil {
		t.Fatal(err)
	}

	up.start(t)
	for i := range boxes {
		boxes[i].srv = up
	}
	sameAnswers(t, answers(t, up, boxes), before)
	if now := audits(t, up); !strings.HasSuffix(now, log) {
		t.Errorf("the audit log is\n%s\nwant at its end\n%s", now, log)
	}
	up.do(t, keyed, http.StatusOK, &again)
	if wanted.submit(t, up, up.token); again.Key != first.Key || wanted.poll(t, up).Key == "" {
		t.Errorf("keys are derived from another secret: %+v, was %+v", again, first)
	}
	goOnMoved(t, up, boxes, last[len(last)-1].Number, hooks)
}

// keyed is a request for a temporary mailbox that may be repeated.
var keyed = request{method: "POST", path: "/v1/bootstrap", header: http.Header{"Idempotency-Key": {"0123456789abcdef"}}}

// killMove begins a move and kills it in the middle of a table. The way to the database is cut when so much of it has
// gone there that it must be the bytes of messages.
func killMove(t *testing.T, old *server, target []string, database string) {
	t.Helper()
	at, err := url.Parse(database)
	if err != nil {
		t.Fatal(err)
	}
	w := newDam(t, at.Host, 300_000)
	at.Host = w.Addr().String()
	cmd := exec.Command(binary(t), "move", "--from", "sqlite:"+old.dir, "--to", at.String())
	var output bytes.Buffer
	cmd.Env, cmd.Stdout, cmd.Stderr = append([]string{"PATH=" + os.Getenv("PATH")}, target...), &output, &output
	ended := begin(t, cmd)
	select {
	case <-w.full:
	case <-ended:
		t.Errorf("the move ended before it could be killed: %s", output.String())
	case <-time.After(patience):
		t.Errorf("the move does not get on")
	}
	_ = cmd.Process.Kill()
	<-ended
	w.end()
}

// goOnMoved has something new come to a deployment that was moved.
func goOnMoved(t *testing.T, srv *server, boxes []box, last int64, hooks *receiver) {
	t.Helper()
	robin, posts := boxes[0], len(hooks.all())
	srv.deliver(t, mail("after the move"), robin.address)
	srv.deliver(t, string(largeMail("large after it", 400_000, 99)), robin.address)
	news := robin.log(t, last)
	if len(news) != 2 || news[0].Number <= last || news[1].Number != news[0].Number+1 ||
		news[0].Subject != "after the move" {
		t.Errorf("behind %d came %+v", last, news)
	}
	hooks.await(t, posts+2)
	robin.delivery(t, robin.send(t, note("out after it", "ann@example.com")).ID, "captured")
	srv.deliver(t, mail("first"), robin.address) // which it has
	if list := robin.inbox(t); list[0].Subject != "out after it" || list[1].Subject != "large after it" {
		t.Errorf("the mailbox has %+v", list[:2])
	}
	fresh := srv.mailbox(t, "gone")
	if list := fresh.inbox(t); len(list) != 0 {
		t.Errorf("a new mailbox has %d messages", len(list))
	}
	eventually(t, func() error { // it is rebuilt, of what was moved too
		var s struct{ Index struct{ Pending int } }
		srv.get(t, robin.key, "/v1/stats", &s)
		if s.Index.Pending > 0 {
			return fmt.Errorf("%d messages are not in the index", s.Index.Pending)
		}
		return nil
	})
}
