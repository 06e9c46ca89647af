package test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/mailkin/mailkin/internal/store/postgres/pgtest"
)

// A server that has nothing to do does nothing, whatever was done with it before: it neither writes nor computes. Mail
// that is deleted before it is indexed, or while its index is merged, once had the index written again for ever.
func TestIdleServerIsIdle(t *testing.T) {
	t.Parallel()
	const sequences, workers, silence = 300, 6, 30 * time.Second
	// Temporary mailboxes end soon; what is due at a start is that they are removed.
	settings := []string{"MAILKIN_PROVISIONAL_TTL=5s", "MAILKIN_BOOTSTRAP_IP_LIMIT=0"}
	database := ""
	if onPostgres() {
		database = pgtest.Start(t, "autovacuum=off").URL(t) // nobody else writes there
		settings = append(settings, "MAILKIN_DATABASE_URL="+database)
	}
	srv := start(t, settings...)
	var running sync.WaitGroup
	for w := range workers {
		running.Go(func() {
			for seed := w; seed < sequences && !t.Failed(); seed += workers {
				newSequence(t, srv, seed).run(t)
			}
		})
	}
	running.Wait()
	srv.restart(t)
	srv.awaitQuiet(t, database)
	before := srv.spent(t, database)
	time.Sleep(silence) // this is what is measured
	after := srv.spent(t, database)
	t.Logf("in %v: %d bytes written, %d to the disk, %.2f s of CPU, %d bytes of the database's log", silence,
		after.written-before.written, after.disk-before.disk, after.cpu-before.cpu, after.log-before.log)
	if after.written-before.written > 1<<20 || after.disk-before.disk > 1<<20 || after.cpu-before.cpu > 1.5 ||
		after.log-before.log > 512<<10 {
		t.Errorf("an idle server is at work: %+v, %v later %+v", before, silence, after)
	}
	page := srv.do(t, request{path: "/metrics", key: srv.token}, http.StatusOK, nil)
	if !strings.Contains(string(page.body), `mailkin_background_no_progress_total{worker="index_merge"} 0`) {
		t.Errorf("background work made no progress:\n%s", grep(string(page.body), "no_progress_total"))
	}
}

// grep returns the lines that have a word.
func grep(text, word string) (lines string) {
	for line := range strings.Lines(text) {
		if strings.Contains(line, word) {
			lines += line
		}
	}
	return lines
}

// sequence is what happens to one mailbox.
type sequence struct {
	b     box
	r     *rand.Rand
	smtp  *session
	ids   []string // of what it holds, the oldest first
	n     int
	brief bool // the mailbox may be over before the sequence is
}

func newSequence(t *testing.T, srv *server, seed int) *sequence {
	q := &sequence{r: rand.New(rand.NewPCG(uint64(seed), 22)), smtp: open(t, srv.smtp), brief: seed < 60}
	if q.brief {
		q.b = srv.bootstrap(t)
	} else {
		q.b = srv.mailbox(t, fmt.Sprint("idle-", seed))
	}
	return q
}

func (q *sequence) run(t *testing.T) {
	for range 3 + q.r.IntN(6) {
		switch q.r.IntN(10) {
		case 0, 1, 2:
			q.deliver(t, 1+q.r.IntN(3))
		case 3, 4, 5: // before it is indexed
			q.deliver(t, 1+q.r.IntN(2))
			q.delete(t, len(q.ids)-1)
			q.deliver(t, 1)
		case 6: // of which some is being merged
			q.deliver(t, 10)
			for range 5 {
				q.delete(t, q.r.IntN(max(len(q.ids), 1)))
			}
		case 7:
			q.delete(t, q.r.IntN(max(len(q.ids), 1)))
		case 8: // let the index come along
			time.Sleep(time.Duration(q.r.IntN(60)) * time.Millisecond)
		case 9:
			if q.r.IntN(4) == 0 {
				q.b.srv.do(t, request{method: "POST", path: "/v1/reindex", key: q.b.srv.token}, http.StatusAccepted,
					nil)
			}
		}
	}
	if q.r.IntN(6) == 0 && !q.brief {
		q.b.srv.do(t, request{method: "DELETE", path: "/v1/mailbox", key: q.b.key}, http.StatusOK, nil)
	}
	q.smtp.conn.Close()
}

func (q *sequence) deliver(t *testing.T, count int) {
	for range count {
		q.n++
		text := mail(fmt.Sprintf("number-%d-%s", q.n, strings.Split(q.b.address, "@")[0]))
		r, err := q.smtp.send(envelope{from: "a@example.org", to: []string{q.b.address}}, []byte(text), byDATA)
		switch {
		case err == nil && r.code == 250:
			q.ids = append(q.ids, r.lines[0][strings.LastIndexByte(r.lines[0], ' ')+1:])
		case err != nil || !q.brief:
			t.Errorf("not delivered: %v %v", r, err)
		}
	}
}

func (q *sequence) delete(t *testing.T, i int) {
	if i < 0 || i >= len(q.ids) {
		return
	}
	a := q.b.ask(t, "DELETE", "/email?id="+q.ids[i], "")
	if a.status != http.StatusOK && !q.brief {
		t.Errorf("delete: %d %s", a.status, a.body)
	}
	q.ids = append(q.ids[:i], q.ids[i+1:]...)
}

// spending is what a server has used since its start.
type spending struct {
	written, disk int64 // bytes: by calls, and those that are for a disk
	cpu           float64
	log           int64 // bytes that the database has logged
}

func (s *server) spent(t *testing.T, database string) (sum spending) {
	t.Helper()
	io, err := os.ReadFile(fmt.Sprintf("/proc/%d/io", s.cmd.Process.Pid))
	if err != nil {
		t.Skipf("what the server writes cannot be seen here: %v", err)
	}
	for line := range strings.Lines(string(io)) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		n, _ := strconv.ParseInt(value, 10, 64)
		switch name {
		case "wchar":
			sum.written = n
		case "write_bytes":
			sum.disk = n
		}
	}
	sum.cpu = cpu(t, s.cmd.Process.Pid)
	if database == "" {
		return sum
	}
	conn, err := pgx.Connect(t.Context(), database)
	if err == nil {
		err = conn.QueryRow(t.Context(), `SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint`).Scan(&sum.log)
		conn.Close(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	return sum
}

// awaitQuiet waits until the server has written next to nothing for some seconds: what was still to do is done.
func (s *server) awaitQuiet(t *testing.T, database string) {
	t.Helper()
	const look, quiet = time.Second, 3
	last, still := s.spent(t, database), 0
	for began := time.Now(); still < quiet; still++ {
		time.Sleep(look)
		now := s.spent(t, database)
		if now.written-last.written > 64<<10 || now.disk-last.disk > 64<<10 || now.log-last.log > 64<<10 ||
			now.cpu-last.cpu > 0.2 {
			still = -1
		}
		if time.Since(began) > 2*patience {
			t.Fatalf("the server does not come to rest: %+v, %v later %+v", last, look, now)
		}
		last = now
	}
}
