package test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// The index of words is made by all nodes, each that of some partitions. When one is killed the others go on with its
// partitions, and when it comes back it has a share again: each message is in the index, and once.
func TestNodesShareIndex(t *testing.T) {
	t.Parallel()
	const partitions, boxes = 6, 24
	d := deploy(t, 3, append([]string{fmt.Sprint("MAILKIN_DATABASE_PARTITIONS=", partitions)}, unbounded...)...)
	s := sharedIndex{t: t, d: d}
	var err error
	if s.conn, err = pgx.Connect(t.Context(), d.database); err != nil {
		t.Fatal(err)
	}
	defer s.conn.Close(t.Context())
	for i := range boxes {
		s.boxes = append(s.boxes, d.nodes[i%3].mailbox(t, fmt.Sprint("indexed", i)))
	}
	s.held(map[int]int{2: 3})
	s.mail(0, 1, 2)
	s.indexed()

	began := make(chan struct{})
	var sending sync.WaitGroup
	sending.Go(func() { close(began); s.mail(0, 1) })
	<-began
	d.kill(2) // in the middle of that
	sending.Wait()
	s.mail(0, 1)
	s.held(map[int]int{3: 2})
	s.indexed()

	d.start(2)
	s.held(map[int]int{2: 3})
	s.mail(0, 1, 2)
	s.indexed()
}

type sharedIndex struct {
	t     *testing.T
	d     *deployment
	conn  *pgx.Conn
	boxes []box
	sent  int
}

// mail brings a message to each mailbox several times, over some of the nodes in turn.
func (s *sharedIndex) mail(nodes ...int) {
	for range 10 {
		for _, b := range s.boxes {
			s.d.nodes[nodes[s.sent%len(nodes)]].deliver(s.t, mail(fmt.Sprint("indexed ", s.sent)), b.address)
			s.sent++
		}
	}
}

// held waits until so many nodes have so many partitions each.
func (s *sharedIndex) held(want map[int]int) {
	s.t.Helper()
	const takeover = time.Minute // on a quiet machine it takes 20 seconds
	settlesWithin(s.t, takeover, func() error {
		rows, err := s.conn.Query(s.t.Context(), `SELECT count(*) FROM leases WHERE what LIKE 'index/%'
			AND EXISTS (SELECT FROM leases m WHERE m.what = 'index@' || leases.holder AND m.until > clock_timestamp()) GROUP BY holder`)
		if err != nil {
			return err
		}
		counts, err := pgx.CollectRows(rows, pgx.RowTo[int])
		got := make(map[int]int)
		for _, n := range counts {
			got[n]++
		}
		if err == nil && fmt.Sprint(got) != fmt.Sprint(want) {
			err = fmt.Errorf("so many nodes have so many partitions: %v, want %v", got, want)
		}
		return err
	})
}

// indexed waits until every message is in the index, and sees that none is there twice.
func (s *sharedIndex) indexed() {
	s.t.Helper()
	const takeover = time.Minute
	settlesWithin(s.t, takeover, func() error {
		var docs int
		err := s.conn.QueryRow(s.t.Context(), `SELECT coalesce(sum(docs), 0)::int FROM index_segments`).Scan(&docs)
		if err == nil && docs < s.sent {
			return fmt.Errorf("%d of %d messages are indexed", docs, s.sent)
		}
		if docs > s.sent {
			s.t.Fatalf("%d messages are in the index %d times", s.sent, docs)
		}
		return err
	})
	for i, b := range s.boxes {
		b.srv = s.d.nodes[i%2]
		var found struct{ Emails []email }
		b.srv.get(s.t, b.key, "/v1/search?q=indexed&mode=keyword&limit=100", &found)
		if want := s.sent / len(s.boxes); len(found.Emails) != want {
			s.t.Errorf("%d of %d found in mailbox %d", len(found.Emails), want, i)
		}
	}
}
