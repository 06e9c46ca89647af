package test

import (
	"cmp"
	"context"
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

	"github.com/mailkin/mailkin/internal/blob/s3test"
	"github.com/mailkin/mailkin/internal/store/postgres/pgtest"
)

// TestScale prints what a message and a mailbox cost on PostgreSQL, for docs/scale.md. It is run by hand on a quiet
// machine:
//
//	MAILKIN_TEST_SCALE=20000 go test ./test -run TestScale -v -timeout 30m
//
// MAILKIN_TEST_SCALE_NODES says with how many nodes, and MAILKIN_TEST_SCALE_PARTITIONS on how many partitions.
func TestScale(t *testing.T) {
	messages := atoi(os.Getenv("MAILKIN_TEST_SCALE"))
	if messages == 0 {
		t.Skip("MAILKIN_TEST_SCALE says how many messages to measure with")
	}
	const boxes, sessions = 1000, 50
	pg := pgtest.Start(t, append(pgtest.Durable(), "shared_buffers=512MB", "max_wal_size=4GB")...)
	database := pg.URL(t)
	settings := append(secrets(), "MAILKIN_DATABASE_URL="+database,
		"MAILKIN_BLOB_URL="+s3test.Start(t).URLWithKeys(),
		"MAILKIN_BOOTSTRAP_GLOBAL_LIMIT=0", "MAILKIN_SMTP_MAX_CONNS_PER_ADDR=1000",
		"MAILKIN_DATABASE_PARTITIONS="+cmp.Or(os.Getenv("MAILKIN_TEST_SCALE_PARTITIONS"), "0"))
	nodes := make([]*server, max(1, atoi(os.Getenv("MAILKIN_TEST_SCALE_NODES"))))
	for i := range nodes {
		nodes[i] = newNode(t, settings...)
		nodes[i].start(t)
	}
	srv := nodes[0]
	worked := func() (all float64) {
		for _, n := range nodes {
			all += cpu(t, n.cmd.Process.Pid)
		}
		return all
	}
	db := pgFacts{t, database}
	before := db.size()
	addresses := make([]string, boxes)
	for i := range addresses {
		addresses[i] = srv.mailbox(t, fmt.Sprintf("scale%d", i)).address
	}
	t.Logf("a mailbox with its key: %.1f KB", (db.size()-before)/boxes/1000)

	before, log := db.size(), db.log()
	node, server := worked(), pg.CPU(t).Seconds()
	began := time.Now()
	var wg sync.WaitGroup
	for i := range sessions {
		wg.Go(func() {
			s := open(t, nodes[i%len(nodes)].smtp)
			words := rand.New(rand.NewPCG(uint64(i), 1))
			for n := i; n < messages; n += sessions {
				r, err := s.send(envelope{from: "a@example.org", to: []string{addresses[n%boxes]}}, wordyMail(n, words),
					byDATA)
				if err != nil || r.code != 250 {
					t.Errorf("message %d: %v %v", n, r, err)
					return
				}
			}
		})
	}
	wg.Wait()
	took := time.Since(began)
	each := func(total float64) float64 { return total / float64(messages) }
	t.Logf("%d messages of 4 KB, %d sessions: %.0f/s; CPU of the node %.2f ms and of PostgreSQL %.2f ms for each",
		messages, sessions,
		float64(messages)/took.Seconds(), each(1000*(worked()-node)),
		each(1000*(pg.CPU(t).Seconds()-server)))
	t.Logf("write-ahead log %.1f KB for each", each(db.log()-log)/1000)
	eventually(t, func() error {
		if lag := srv.metric(t, "mailkin_index_lag_seconds"); lag != 0 {
			return fmt.Errorf("the index is %v s behind", lag)
		}
		return nil
	})
	t.Logf("with the index caught up: %v for all; CPU of the node %.2f ms and of PostgreSQL %.2f ms for each",
		time.Since(began).Round(time.Second),
		each(1000*(worked()-node)), each(1000*(pg.CPU(t).Seconds()-server)))
	t.Logf("database %.1f KB for each, of it %s", each(db.size()-before)/1000, db.tables(messages))
}

func atoi(s string) int {
	n, _ := strconv.Atoi(s)
	return n
}

// wordyMail is a message of about 4 KB, 600 words of a vocabulary of 20,000.
func wordyMail(n int, words *rand.Rand) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "From: Ada <ada%d@example.org>\r\nTo: someone@mailkin.localhost\r\nSubject: Report number "+
		"%d\r\nMessage-ID: <scale-%d@example.org>\r\nDate: Mon, 02 Mar 2026 10:00:00 +0000\r\n\r\n", n%500, n, n)
	for i := range 600 {
		fmt.Fprintf(&b, "w%x ", int(20_000*words.Float64()*words.Float64()))
		if i%12 == 11 {
			b.WriteString("\r\n")
		}
	}
	b.WriteString("\r\n")
	return []byte(b.String())
}

// cpu is the seconds that a process has worked.
func cpu(t testing.TB, pid int) float64 {
	t.Helper()
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0 // it has ended
	}
	fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
	user, _ := strconv.ParseFloat(fields[11], 64)
	system, _ := strconv.ParseFloat(fields[12], 64)
	return (user + system) / 100
}

// pgFacts asks PostgreSQL about itself.
type pgFacts struct {
	t   testing.TB
	url string
}

func (d pgFacts) ask(sql string, to ...any) {
	d.t.Helper()
	conn, err := pgx.Connect(context.Background(), d.url)
	if err != nil {
		d.t.Fatal(err)
	}
	defer conn.Close(context.Background())
	if err := conn.QueryRow(context.Background(), sql).Scan(to...); err != nil {
		d.t.Fatal(err)
	}
}

func (d pgFacts) size() (bytes float64) {
	d.ask(`SELECT pg_database_size(current_database())`, &bytes)
	return bytes
}

func (d pgFacts) log() (bytes float64) {
	d.ask(`SELECT pg_current_wal_lsn() - '0/0'::pg_lsn`, &bytes)
	return bytes
}

// tables lists the largest tables in KB for each message.
func (d pgFacts) tables(messages int) (list string) {
	d.ask(`SELECT string_agg(relname || ' ' || round(bytes / `+strconv.Itoa(messages)+`.0 / 1000, 2), ', ')
		FROM (SELECT relname, pg_total_relation_size(oid) AS bytes FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY 2 DESC LIMIT 6) t`, &list)
	return list
}

// metric reads one number of the server's metrics.
func (s *server) metric(t testing.TB, name string) float64 {
	t.Helper()
	page := s.do(t, request{path: "/metrics", key: s.token}, http.StatusOK, nil)
	for line := range strings.Lines(string(page.body)) {
		if value, ok := strings.CutPrefix(line, name+" "); ok {
			n, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
			if err != nil {
				t.Fatal(err)
			}
			return n
		}
	}
	t.Fatalf("there is no metric %s", name)
	return 0
}
