package test

import (
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// A mailbox that is deleted while everything is under way is gone at once, and nothing of it is left.
func TestDeleteUnderWay(t *testing.T) {
	t.Parallel()
	for _, who := range []string{"owner", "operator"} {
		t.Run(who, func(t *testing.T) {
			srv := start(t, endlessStreams)
			b := srv.mailbox(t, "doomed")
			srv.deliver(t, string(largeMail("large", 300_000, 1)), b.address)
			stream := b.stream(t, "", nil)
			stream.mustNext(t)
			calls := []*call{b.dial(t, "/code?timeout=55"), b.dial(t, "/wait?timeout=55&subject=never"),
				b.dial(t, "/code?timeout=55&consume=true")}
			srv.awaitCalls(t, 4)
			small := srv.inData(t, b, "Subject: in flight\r\n")
			large := largeMail("large in flight", 400_000, 2)
			big := srv.inData(t, b, string(large[:300_000]))

			b.moderate(t, who, "DELETE", "")
			for _, c := range append(calls, b.dial(t, "/events"), b.dial(t, "/inbox"), b.dial(t, "/code")) {
				if a := c.answer(t); a.status != 401 || string(a.body) != unauthorized {
					t.Errorf("%s: %d %s", c.q.URL, a.status, a.body)
				}
			}
			stream.mustEnd(t)
			small.finish(t, "\r\nx\r\n.\r\n", "550 5.1.1 ")
			big.finish(t, string(large[300_000:])+".\r\n", "550 5.1.1 ")
			checkGone(t, srv, b.address)
			srv.restart(t)
			checkGone(t, srv, b.address)
		})
	}
}

// checkGone wants nothing to be left of the only mailbox that had mail.
func checkGone(t *testing.T, srv *server, address string) {
	t.Helper()
	for _, path := range []string{"/v1/mailboxes/" + address, "/v1/stats?mailbox=" + address,
		"/v1/events?mailbox=" + address} {
		srv.do(t, request{path: path, key: srv.token}, http.StatusNotFound, nil)
	}
	srv.awaitCalls(t, 0)
	if left := blobFiles(t, srv); len(left) > 0 {
		t.Errorf("left in the blob folder: %v", left)
	}
	var list struct{ Mailboxes []struct{ Mailbox string } }
	srv.get(t, srv.token, "/v1/mailboxes", &list)
	if len(list.Mailboxes) != 1 || list.Mailboxes[0].Mailbox != "ops@"+domain {
		t.Errorf("mailboxes %+v", list)
	}
}

// A mailbox that is deleted in the middle of a flood: every sender gets an honest answer, and nothing is left.
func TestDeleteInFlood(t *testing.T) {
	t.Parallel()
	srv := start(t)
	for range 4 {
		b := srv.mailbox(t, "flooded")
		var taken atomic.Int64
		var senders sync.WaitGroup
		for i := range 8 {
			s := open(t, srv.smtp)
			senders.Go(func() { b.sendUntilGone(t, s, uint64(1000*i), &taken) })
		}
		eventually(t, func() error {
			if n := taken.Load(); n < 40 {
				return fmt.Errorf("%d messages are taken", n)
			}
			return nil
		})
		a := b.ask(t, "DELETE", "/mailbox", "")
		senders.Wait()
		if a.status != 200 {
			t.Errorf("delete: %d %s", a.status, a.body)
		}
		checkGone(t, srv, b.address)
	}
}

// sendUntilGone sends until the mailbox is refused, and wants no other answer than stored and gone.
func (b box) sendUntilGone(t *testing.T, s *session, seed uint64, taken *atomic.Int64) {
	for n := seed; ; n++ {
		message := largeMail(fmt.Sprintf("flood-%d", n), int(100+n%2*200_000), n) // every other one is a file
		r, err := s.send(envelope{from: "a@example.org", to: []string{b.address}}, message, byDATA)
		switch {
		case err == nil && r.code == 250:
			taken.Add(1)
			continue
		case err != nil || r.code != 550:
			t.Errorf("got %v %v", r, err)
		}
		return
	}
}

// A kill in the middle of a deletion: the mailbox is there as it was or gone, and what is gone leaves nothing behind.
func TestKillDuringDelete(t *testing.T) {
	t.Parallel()
	srv := start(t)
	for i := range 6 {
		b := srv.mailbox(t, "doomed")
		b.pour(t, 160, func(n int) []byte {
			return largeMail(fmt.Sprintf("number-%d", n), 100+n%10/9*200_000,
				uint64(n))
		})
		before := b.stats(t)
		c, err := ring(srv.http, request{method: "DELETE", path: "/v1/mailbox", key: b.key})
		if err != nil {
			t.Fatal(err)
		}
		timer := time.NewTimer(time.Duration(i) * time.Millisecond)
		<-timer.C // not a wait for something: the moment of the kill
		srv.kill(t)
		answered := c.pickUp() == nil
		c.hangUp()
		srv.start(t)

		a := b.ask(t, "GET", "/inbox", "")
		t.Logf("killed after %d ms: answered %v, then %d", i, answered, a.status)
		switch {
		case a.status == 401:
		case a.status != 200 || answered:
			t.Errorf("answered %v, and then %d %s", answered, a.status, a.body)
		default:
			b.whole(t, before)
			b.moderate(t, "owner", "DELETE", "")
		}
		eventually(t, func() error {
			if left := blobFiles(t, srv); len(left) > 0 {
				return fmt.Errorf("left in the blob folder: %v", left)
			}
			return nil
		})
		checkGone(t, srv, b.address)
	}
}

// whole wants the mailbox to be as it was.
func (b box) whole(t *testing.T, before stats) {
	t.Helper()
	if now := b.stats(t); now != before {
		t.Errorf("stats %+v, before %+v", now, before)
	}
	for _, e := range b.inbox(t) {
		b.raw(t, e.ID)
	}
}

// Whoever makes a mailbox under a name that was deleted sees nothing of the old one's events, and an id of the old one,
// of whichever event it was, keeps nothing of the new one back.
func TestDeletedEventsStayGone(t *testing.T) {
	t.Parallel()
	srv := start(t)
	old := srv.mailbox(t, "again")
	numbered := func(n int) []byte { return []byte(mail(fmt.Sprintf("number %d", n))) }
	began := time.Now()
	old.pour(t, 400, numbered)
	events := old.stream(t, "last_event_id=0", nil)
	var numbers []int64
	for range 400 {
		numbers = append(numbers, events.mustNext(t).Number)
	}
	if a := old.ask(t, "DELETE", "/mailbox", ""); a.status != 200 {
		t.Fatalf("delete: %d %s", a.status, a.body)
	}
	b := srv.mailbox(t, "again")
	b.pour(t, 400, numbered)
	srv.deliver(t, mail("the last"), b.address)
	holds := map[string]bool{}
	for _, e := range b.inbox(t) {
		holds[e.ID] = true
	}
	since := began.UTC().Format(time.RFC3339Nano)
	for name, params := range map[string]string{
		"nothing": "", "since": "since=" + since, "old first id": "last_event_id=" + strconv.FormatInt(numbers[0], 10),
		"old middle id": "last_event_id=" + strconv.FormatInt(numbers[200], 10),
		"old last id":   "last_event_id=" + strconv.FormatInt(numbers[399], 10),
	} {
		t.Run(name, func(t *testing.T) {
			got := b.stream(t, params, nil).until(t, "the last")
			if len(got) != 401 {
				t.Errorf("%d events, want 401; the old numbers go from %d to %d, the first shown is %d", len(got),
					numbers[0], numbers[399], got[0].Number)
			}
			for _, e := range got {
				if !holds[e.EmailID] {
					t.Fatalf("event %+v is not the new mailbox's", e)
				}
			}
		})
	}
	if a := old.ask(t, "GET", "/events", ""); a.status != 401 {
		t.Errorf("the old key: %d", a.status)
	}
}
