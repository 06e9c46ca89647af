package test

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/store/postgres/pgtest"
)

// A primary freezes and a standby takes over that does not have its last commits: mail is taken again soon, and who has
// read events that are lost sees all that is new, once, on any node.
func TestNodesPromotion(t *testing.T) {
	t.Parallel()
	primary := pgtest.Start(t)
	database := primary.URL(t)
	standby := primary.Standby(t)
	database = strings.Replace(database, primary.Addr(), primary.Addr()+","+standby.Addr(), 1)
	var nodes [2]*server
	for i := range nodes {
		nodes[i] = newNode(t, append(secrets(), "MAILKIN_DATABASE_URL="+database)...)
		nodes[i].expectErrors = true
		nodes[i].start(t)
	}
	b := nodes[0].mailbox(t, "robin")
	there := box{nodes[1], b.address, b.key, b.prefix}
	deliver := func(what string, many int) (subjects []string) {
		for i := range many {
			subjects = append(subjects, fmt.Sprintf("%s %d", what, i))
			nodes[i%2].deliver(t, mail(subjects[i]), b.address)
		}
		return subjects
	}
	deliver("kept", 5)
	standby.Detach(t, primary)
	lost := deliver("lost", 10)
	read := there.stream(t, "", nil).until(t, lost[9])
	last := http.Header{"Last-Event-ID": {strconv.FormatInt(read[len(read)-1].Number, 10)}}

	primary.Pause(t)
	standby.Promote(t)
	began := time.Now()
	for {
		r, err := open(t, nodes[0].smtp).send(envelope{from: "a@example.org", to: []string{b.address}},
			[]byte(mail("first")), byDATA)
		if err == nil && r.code == 250 {
			break
		}
		if time.Since(began) > patience {
			t.Fatalf("no mail is taken: %v %v", r, err)
		}
	}
	took := time.Since(began)
	t.Logf("mail was taken %v after the promotion", took.Round(10*time.Millisecond))
	if took > 20*time.Second {
		t.Errorf("mail was taken only %v after the promotion", took)
	}
	fresh := append([]string{"first"}, deliver("new", 11)...)
	for i, at := range []box{b, there} {
		var subjects []string
		for _, e := range at.stream(t, "", last).until(t, fresh[11]) {
			subjects = append(subjects, e.Subject)
		}
		if !slices.Equal(subjects, fresh) {
			t.Errorf("node %d shows %q, want %q", i, subjects, fresh)
		}
	}
	if list := there.inbox(t); len(list) != 17 {
		t.Errorf("the mailbox has %d messages, want 17", len(list))
	}
	eventually(t, func() error { // numbers have a gap, and the index goes on after it
		var s struct {
			Index struct{ Pending int }
		}
		node := nodes[1]
		node.get(t, b.key, "/v1/stats", &s)
		var found struct{ Results, Emails []struct{ Subject string } }
		node.get(t, b.key, "/v1/search?mode=keyword&limit=50&query=subject:new", &found)
		if n := len(found.Results) + len(found.Emails); s.Index.Pending > 0 || n != 11 {
			return fmt.Errorf("%d messages are not in the index, and %d are found", s.Index.Pending, n)
		}
		return nil
	})
}
