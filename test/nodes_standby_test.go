package test

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/store/postgres/pgtest"
)

// Two nodes read from a standby: what one has taken the other lists, shows and finds at once, also while the standby is
// stopped.
func TestNodesStandby(t *testing.T) {
	t.Parallel()
	primary := pgtest.Start(t)
	database := primary.URL(t)
	standby := primary.Standby(t)
	var nodes [2]*server
	for i := range nodes {
		nodes[i] = newNode(t, append(secrets(), "MAILKIN_DATABASE_URL="+database,
			"MAILKIN_DATABASE_STANDBY_URL="+standby.At(database))...)
		nodes[i].start(t)
	}
	here := nodes[0].mailbox(t, "robin")
	there := box{nodes[1], here.address, here.key, here.prefix}
	n := 0
	bring := func(many int) {
		for range many {
			n++
			subject := fmt.Sprint("letter ", n)
			nodes[n%2].deliver(t, mail(subject), here.address)
			for _, b := range []box{here, there} {
				list := b.inbox(t)
				if len(list) != n || list[0].Subject != subject {
					t.Fatalf("%d messages of %d are listed", len(list), n)
				}
				b.email(t, list[0].ID)
				var found struct{ Emails []email }
				b.srv.get(t, b.key, "/v1/search?q=letter&mode=keyword&limit=100", &found)
				if len(found.Emails) != n {
					t.Errorf("%d messages of %d are found", len(found.Emails), n)
				}
			}
		}
	}
	answered := func() (sum float64) {
		for _, node := range nodes {
			page := node.do(t, request{path: "/metrics", key: node.token}, http.StatusOK, nil)
			_, after, _ := strings.Cut(string(page.body), `mailkin_standby_reads_total{result="answered"} `)
			count, _, _ := strings.Cut(after, "\n")
			n, err := strconv.ParseFloat(count, 64)
			if err != nil {
				t.Fatal(err)
			}
			sum += n
		}
		return sum
	}
	bring(10)
	before := answered()
	if before == 0 {
		t.Error("the standby has answered nothing")
	}
	standby.Stop(t)
	bring(5)
	standby.Restart(t)
	before = answered()
	for end := time.Now().Add(patience); answered() == before; {
		bring(1)
		if time.Now().After(end) {
			t.Fatal("the standby is not asked again")
		}
	}
}
