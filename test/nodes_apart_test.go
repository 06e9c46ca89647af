package test

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
)

// Mail to several recipients is a transaction for each. A node or the database dies when some have it and others not:
// when its sender has come back, all have it once. Without a Message-ID nobody has it until then.
func TestNodesApart(t *testing.T) {
	t.Parallel()
	seed := crashSeed(t)
	t.Logf("seed %d; MAILKIN_TEST_SEED repeats its choices", seed)
	choices := rand.New(rand.NewPCG(seed, 4))
	d := deploy(t, 2, append([]string{"MAILKIN_DATABASE_PARTITIONS=4"}, unbounded...)...)
	a := apart{t: t, d: d}
	for i := range 3 {
		a.boxes = append(a.boxes, d.nodes[1].mailbox(t, fmt.Sprint("apart", i)))
	}
	more := crashRounds(t)
	counts := map[string]int{}
	for round := 0; more(round); round++ {
		how := fmt.Sprintf("named=%v database=%v", round%2 == 0, round%4 > 1)
		counts[how]++
		subject := fmt.Sprint("apart ", round)
		message := mail(subject)
		if choices.IntN(4) == 0 {
			message = string(largeMail(subject, 300_000, uint64(round)))
		}
		if round%2 == 1 {
			message = strings.Replace(message, "Message-ID:", "X-No-ID:", 1)
		}
		a.round(subject, message, choices.IntN(3), round%2 == 0, round%4 > 1)
	}
	t.Logf("rounds: %v", counts)
}

type apart struct {
	t     *testing.T
	d     *deployment
	boxes []box
}

// round brings a message to all mailboxes, of which one cannot be written, and kills then.
func (a *apart) round(subject, message string, held int, named, database bool) {
	t, d := a.t, a.d
	release := a.hold(a.boxes[held])
	defer release()
	e := envelope{from: "sender@example.org"}
	for _, b := range a.boxes {
		e.to = append(e.to, b.address)
	}
	acked := make(chan bool, 1)
	s := open(t, d.nodes[0].smtp)
	go func() {
		r, err := s.send(e, []byte(message), byDATA)
		acked <- err == nil && r.code == 250
	}()
	a.waited()
	a.have(subject, func(i int) int {
		if named && i != held {
			return 1
		}
		return 0
	})
	if database {
		d.pg.Kill(t)
		d.pg.Restart(t)
	} else {
		d.kill(0)
		release()
	}
	if ok := <-acked; !ok {
		if !named {
			a.have(subject, func(int) int { return 0 })
		}
		for range 200 {
			r, err := open(t, d.nodes[1].smtp).send(e, []byte(message), byDATA)
			if err == nil && r.code == 250 {
				break
			}
		}
	} else if !database {
		t.Errorf("%s: a node that was killed has taken it", subject)
	}
	a.have(subject, func(int) int { return 1 })
	if !database {
		d.start(0)
	}
}

var errAway = errors.New("the storage cannot be reached")

// have wants so many messages with this subject in each mailbox, soon.
func (a *apart) have(subject string, want func(i int) int) {
	a.t.Helper()
	eventually(a.t, func() error {
		for i, b := range a.boxes {
			got, err := b.srv.try(request{key: b.key, path: "/v1/inbox?limit=100"})
			if err != nil || got.status == http.StatusServiceUnavailable { // the database was killed
				return fmt.Errorf("%d %w", got.status, cmp.Or(err, errAway))
			}
			var page struct {
				Emails []email `json:"emails"`
			}
			got.into(a.t, &page)
			n := 0
			for _, e := range page.Emails {
				if e.Subject == subject {
					n++
				}
			}
			if n > 1 {
				a.t.Fatalf("%s: %d times in mailbox %d", subject, n, i)
			}
			if n != want(i) {
				return fmt.Errorf("%s: %d times in mailbox %d, want %d", subject, n, i, want(i))
			}
		}
		return nil
	})
}

// waited returns when somebody waits for a mailbox.
func (a *apart) waited() {
	a.t.Helper()
	conn, err := pgx.Connect(a.t.Context(), a.d.database)
	if err != nil {
		a.t.Fatal(err)
	}
	defer conn.Close(a.t.Context())
	eventually(a.t, func() (err error) {
		var n int
		err = conn.QueryRow(a.t.Context(), `SELECT count(*) FROM pg_locks WHERE NOT granted`).Scan(&n)
		if err == nil && n == 0 {
			err = errors.New("nobody waits for the mailbox")
		}
		return err
	})
}

// hold locks a mailbox as a node does.
func (a *apart) hold(b box) (release func()) {
	a.t.Helper()
	conn, err := pgx.Connect(a.t.Context(), a.d.database)
	if err != nil {
		a.t.Fatal(err)
	}
	_, err = conn.Exec(a.t.Context(), `BEGIN; SELECT FROM counters WHERE box =
		(SELECT box FROM addresses WHERE address = convert_to('`+b.address+`', 'UTF8')) FOR UPDATE`)
	if err != nil {
		a.t.Fatal(err)
	}
	return func() { _ = conn.Close(a.t.Context()) }
}
