package postgres

import (
	"context"
	"errors"
	"io"
	"net"
	"net/url"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/store/postgres/pgtest"
)

// wire passes connections on to the database. It can lose answers, and be cut for good.
type wire struct {
	net.Listener
	to string

	mu    sync.Mutex
	deaf  bool // answers are lost
	cut   bool
	conns []net.Conn
	open  sync.WaitGroup
}

// newWire gives a wire to a database, and the database's URL through it.
func newWire(t *testing.T, database string) (*wire, string) {
	t.Helper()
	u, err := url.Parse(database)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w := &wire{Listener: l, to: u.Host}
	w.open.Go(func() {
		for {
			near, err := l.Accept()
			if err != nil {
				return
			}
			w.open.Go(func() { w.pass(near) })
		}
	})
	t.Cleanup(func() { _ = l.Close(); w.end(true); w.open.Wait() })
	u.Host = l.Addr().String()
	return w, u.String()
}

func (w *wire) pass(near net.Conn) {
	far, err := net.Dial("tcp", w.to)
	if err != nil {
		_ = near.Close()
		return
	}
	w.mu.Lock()
	w.conns = append(w.conns, near, far)
	cut := w.cut
	w.mu.Unlock()
	if cut {
		_, _ = near.Close(), far.Close()
	}
	var both sync.WaitGroup
	both.Go(func() { _, _ = io.Copy(far, near); _ = far.Close() })
	both.Go(func() { _, _ = io.Copy(answers{near, w}, far); _ = near.Close() })
	both.Wait()
}

type answers struct {
	net.Conn
	w *wire
}

func (a answers) Write(b []byte) (int, error) {
	a.w.mu.Lock()
	deaf := a.w.deaf
	a.w.mu.Unlock()
	if deaf {
		return len(b), nil
	}
	return a.Conn.Write(b)
}

// lose loses the answers from now on.
func (w *wire) lose() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.deaf = true
}

// end ends all connections; new ones work, or, where it is for good, do not.
func (w *wire) end(good bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, c := range w.conns {
		_ = c.Close()
	}
	w.conns, w.deaf, w.cut = nil, false, good
}

// Where the answer to a commit is lost the server is asked what became of it: what is stored is stored, once, and what
// is not is done again.
func TestUnknownCommit(t *testing.T) {
	database := pgtest.URL(t)
	other := openStore(t, database, Options{})
	w, through := newWire(t, database)
	db := openStore(t, through, Options{})
	num := insertBox(t, other, "a@x.org")
	arrived := func() (n int64) {
		err := other.View(t.Context(), func(r store.Reader) error {
			c, err := r.Counters(t.Context(), num)
			n = c.Inbound
			return err
		})
		if err != nil {
			t.Error(err)
		}
		return n
	}
	for _, c := range []struct {
		name  string
		lose  func(tx store.Tx)
		after func(before int64) // while the commit is on its way
		good  bool               // the wire stays cut
		runs  int
		err   error
	}{
		{"the answer is lost", func(store.Tx) { w.lose() }, func(before int64) {
			for deadline := time.Now().Add(time.Minute); arrived() == before && time.Now().Before(deadline); {
			}
		}, false, 1, nil},
		{"the question is lost", func(tx store.Tx) { cutOff(t, other, tx) }, func(int64) {}, false, 2, nil},
		{"the server is away for long", func(store.Tx) { w.lose() }, func(before int64) {
			for deadline := time.Now().Add(time.Minute); arrived() == before && time.Now().Before(deadline); {
			}
		}, true, 1, store.ErrUnavailable},
	} {
		t.Run(c.name, func(t *testing.T) {
			mustUpdate(t, db, func(tx store.Tx) error { // so that the connection knows the statements
				m, content := benchMail(arrived(), num)
				return receiveMail(tx, m, content)
			})
			before, runs, sent := arrived(), 0, make(chan struct{})
			if c.good {
				db.outcomeTime = 100 * time.Millisecond
			}
			var cutting sync.WaitGroup
			cutting.Go(func() {
				<-sent
				c.after(before)
				w.end(c.good)
			})
			err := db.Update(context.Background(), func(tx store.Tx) error {
				runs++
				m, content := benchMail(before, num)
				if err := receiveMail(tx, m, content); err != nil {
					return err
				}
				if runs == 1 {
					if _, err := tx.Counters(context.Background(), num); err != nil {
						return err
					}
					c.lose(tx)
					close(sent)
				}
				return nil
			})
			cutting.Wait()
			if !errors.Is(err, c.err) || runs != c.runs {
				t.Errorf("%v after %d runs", err, runs)
			}
			if n := arrived() - before; n != 1 {
				t.Errorf("it is there %d times", n)
			}
		})
	}
}

// A number that the server has not given out, or that it has given out after another server's failure, says nothing.
func TestOutcomeOfOthers(t *testing.T) {
	db := newStore(t, Options{})
	var own ticket
	for name, note := range map[string]func(store.Tx) error{ // which lock no mailbox, and must not be done twice either
		"rejects": func(tx store.Tx) error { return tx.AppendRejects(t.Context(), []mailbox.Reject{{}}, 10) },
		"audit":   func(tx store.Tx) error { return tx.AppendAudit(t.Context(), mailbox.Audit{At: time.Now()}) },
	} {
		mustUpdate(t, db, func(tx store.Tx) error {
			err := note(tx)
			own = tx.(*queries).ticket
			return err
		})
		if own.number == 0 {
			t.Errorf("%s: nobody could tell what became of it", name)
		}
	}
	for _, c := range []struct {
		name string
		t    ticket
		want outcome
	}{
		{"its own", own, committed},
		{"none", ticket{}, unknown},
		{"of the future", ticket{own.number + 1_000_000, own.timeline, own.at, own.base}, unknown},
		{"of another server", ticket{own.number, "00000099", own.at, own.base}, unknown},
	} {
		if got := db.outcome(t.Context(), c.t); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}

// failedSince waits until a server works again that has failed after a ticket was given out.
func failedSince(t *testing.T, url string, since ticket) {
	t.Helper()
	for began := time.Now(); ; time.Sleep(10 * time.Millisecond) {
		conn, err := pgx.Connect(t.Context(), url)
		if err == nil {
			var status, timeline string
			var failed bool
			err = conn.QueryRow(t.Context(), ticketOutcome, "1", since.at).Scan(&status, &timeline, &failed)
			_ = conn.Close(t.Context())
			if err == nil && failed {
				return
			}
		}
		if time.Since(began) > time.Minute {
			t.Fatalf("the server has not failed, or does not work again: %v", err)
		}
	}
}

// A number that was given out shortly before the server failed is given out again. That this other transaction was
// committed says nothing of the first.
func TestOutcomeAfterFailure(t *testing.T) {
	for name, fail := range map[string]func(t *testing.T, server *pgtest.Server, conn *pgx.Conn){
		"the server is killed": func(t *testing.T, server *pgtest.Server, _ *pgx.Conn) {
			server.Kill(t)
			server.Restart(t)
		},
		"a process of it dies": func(t *testing.T, _ *pgtest.Server, conn *pgx.Conn) {
			if err := syscall.Kill(int(conn.PgConn().PID()), syscall.SIGKILL); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := pgtest.Start(t, pgtest.Durable()...)
			url := server.URL(t)
			db := openStore(t, url, Options{})
			conn, err := pgx.Connect(t.Context(), url)
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close(context.Background())
			begun, err := conn.Begin(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			var lost ticket
			if err := begun.QueryRow(t.Context(), `SELECT n::text::bigint, timeline, at FROM (SELECT `+ticketColumns+
				`) AS t (n, timeline, at)`).
				Scan(&lost.number, &lost.timeline, &lost.at); err != nil {
				t.Fatal(err)
			}
			witness, err := pgx.Connect(t.Context(), url)
			if err != nil {
				t.Fatal(err)
			}
			defer witness.Close(context.Background())
			fail(t, server, conn)
			for witness.Ping(t.Context()) == nil { // a failure ends all connections, a moment later
				time.Sleep(time.Millisecond)
			}
			failedSince(t, url, lost) // until then others may still commit

			// Others go on until one of them has the number.
			var again ticket
			for began := time.Now(); again.number < lost.number; {
				err := db.Update(t.Context(), func(tx store.Tx) error {
					err := tx.AppendRejects(t.Context(), []mailbox.Reject{{}}, 10)
					again = tx.(*queries).ticket
					return err
				})
				if err != nil && !errors.Is(err, store.ErrUnavailable) || time.Since(began) > time.Minute {
					t.Fatalf("at number %d, %d was lost: %v", again.number, lost.number, err)
				}
				if err != nil {
					again = ticket{}
				}
			}
			if again.number != lost.number {
				t.Logf("number %d was lost, and somebody else has it: ours is %d", lost.number, again.number)
			}
			if got := db.outcome(t.Context(), lost); got == committed {
				t.Error("what was lost is taken for committed")
			}
			var status, timeline string
			var failed bool
			if err := db.pool.QueryRow(t.Context(), ticketOutcome, strconv.FormatInt(again.number, 10),
				lost.at).Scan(&status, &timeline, &failed); err != nil || !failed {
				t.Errorf("it is not seen that the server has failed since: %v", err)
			}
			if got := db.outcome(t.Context(), again); got != committed {
				t.Errorf("what was committed with its number is %d, want %d", got, committed)
			}
		})
	}
}
