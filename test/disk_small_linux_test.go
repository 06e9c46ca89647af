package test

import (
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

// rareMail is a message of words that no other has.
func rareMail(n int) []byte {
	random := make([]byte, 56_000)
	_, _ = rand.Read(random) // it never fails
	var b strings.Builder
	fmt.Fprintf(&b, "From: a@example.org\r\nSubject: rare\r\nMessage-ID: <rare-%d-%x@example.org>\r\n\r\n", n,
		random[:8])
	for text := base64.StdEncoding.EncodeToString(random); text != ""; text = text[min(72, len(text)):] {
		b.WriteString(text[:min(72, len(text))] + "\r\n")
	}
	return []byte(b.String())
}

// pourUntilFull sends mail from several senders at once until each was put off several times, and returns how many
// bytes were free when there were fewest.
func pourUntilFull(t *testing.T, srv *server, boxes []box, senders int) int64 {
	t.Helper()
	least := &lowWater{path: srv.dir, free: 1 << 62}
	var running sync.WaitGroup
	for i := range senders {
		running.Go(func() {
			c, err := dial(srv.smtp)
			if err == nil {
				defer c.conn.Close()
				err = c.hello()
			}
			for n, refused := 0, 0; refused < 10 && n < 10_000 && err == nil; n++ {
				var r reply
				to := []string{boxes[(i+n)%len(boxes)].address}
				if r, err = c.send(envelope{from: "a@example.org", to: to}, rareMail(n), byDATA); err == nil &&
					r.code != 250 {
					refused++
				}
				least.look()
			}
			if err != nil {
				t.Errorf("sender %d: %v", i, err)
			}
		})
	}
	running.Wait()
	return least.free
}

// lowWater is the fewest bytes that were seen free on a disk.
type lowWater struct {
	mu   sync.Mutex
	path string
	free int64
}

func (l *lowWater) look() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if free, err := freeOn(l.path); err == nil {
		l.free = min(l.free, free)
	}
}

// deleteSome deletes a given number of messages, the newest first, and wants each to work.
func (b box) deleteSome(t *testing.T, count int) {
	t.Helper()
	for n := range count {
		id := found(idMember, string(b.ask(t, "GET", "/inbox?limit=1", "").body))
		if id == "" {
			t.Fatalf("nothing is left to delete after %d", n)
		}
		if a := b.ask(t, "DELETE", "/email?id="+id, ""); a.status != http.StatusOK {
			t.Fatalf("deletion %d: %d %s, with %d bytes free", n, a.status, a.body, freeBytes(t, b.srv.dir))
		}
	}
}

// A disk so small that mail can take the rest of it within a moment, with the bound that is set by default: several
// senders of mail whose index is as large as itself never fill it, and deletions work from the first to the last.
func TestTinyDisk(t *testing.T) {
	t.Parallel()
	embedded(t)
	srv, disk := onSmallDisk(t, 60, "MAILKIN_MIN_FREE_DISK=1GB,5%")
	boxes := []box{srv.mailbox(t, "one"), srv.mailbox(t, "two"), srv.mailbox(t, "three")}
	for range 3 {
		if least := pourUntilFull(t, srv, boxes, 6); least < 1<<20 {
			t.Errorf("only %d bytes were free, where mail stops at 3 MB", least)
		}
		for _, b := range boxes {
			b.deleteSome(t, 20)
		}
	}
	// Others fill it, and the server is killed: it starts, and deletions work.
	for _, end := range []func(testing.TB){srv.kill, srv.kill, srv.stop} {
		pourUntilFull(t, srv, boxes, 6)
		disk.fill(t, 0)
		boxes[0].deleteSome(t, 3)
		disk.fill(t, 0)
		end(t)
		disk.fill(t, 0)
		srv.start(t)
		for _, b := range boxes {
			b.deleteSome(t, 20)
		}
		disk.remove(t)
	}
	eventually(t, func() error {
		r, err := open(t, srv.smtp).send(envelope{from: "a@example.org", to: []string{boxes[0].address}}, rareMail(0),
			byDATA)
		if err == nil && r.code != 250 {
			err = fmt.Errorf("mail with room again: %v", r)
		}
		return err
	})
	if log := srv.stderr.String(); strings.Count(log, "level=ERROR") > 1 {
		t.Errorf("logged more than once:\n%.3000s", log)
	}
}

// Whatever is asked of a server whose disk is full works, or is refused with the reason.
func TestChangesOnFullDisk(t *testing.T) {
	t.Parallel()
	embedded(t)
	srv, disk := onSmallDisk(t, 60, "MAILKIN_MIN_FREE_DISK=1GB,5%", "MAILKIN_CLAIM=open")
	b := srv.mailbox(t, "own")
	b.pour(t, 30, func(n int) []byte { return rareMail(n) })
	claim := srv.bootstrap(t).startClaim(t, `{}`)
	var made struct {
		ID  string
		Key string `json:"api_key"`
	}
	srv.do(t, request{method: "POST", path: "/v1/mailboxes/" + b.address + "/keys", key: srv.token}, http.StatusCreated,
		&made)
	id := b.inbox(t)[0].ID
	calls := []request{
		{method: "PATCH", path: "/v1/email?id=" + id, key: b.key, body: `{"seen":true}`},
		{method: "PATCH", path: "/v1/email?id=" + id, key: b.key, body: `{"add_labels":["later"]}`},
		{method: "POST", path: "/v1/domains", key: b.key, body: `{"domain":"full.example.org"}`},
		{method: "POST", path: "/v1/claim/confirm", body: fmt.Sprintf(`{"session_id":%q}`, claim.Session)},
		{method: "PATCH", path: "/v1/mailbox", key: b.key, body: `{"webhook_url":"https://example.org/hook"}`},
		{method: "GET", path: "/v1/webhook/deliveries", key: b.key},
		{method: "GET", path: "/v1/rejects", key: b.key},
		{method: "GET", path: "/v1/search?q=rare", key: b.key},
		{method: "GET", path: "/v1/email?mark_seen=true&id=" + id, key: b.key},
		{method: "POST", path: "/v1/mailboxes/" + b.address + "/keys", key: srv.token},
		{method: "POST", path: "/v1/mailboxes", key: srv.token, body: `{"name":"another"}`},
		{method: "POST", path: "/v1/send", key: b.key, body: `{"to":"a@example.org","subject":"x","text":"y"}`},
		{method: "POST", path: "/v1/reindex", key: srv.token},
		{method: "POST", path: "/v1/keys/rotate", key: made.Key},
		{method: "DELETE", path: "/v1/keys/" + made.ID, key: srv.token},
		{method: "DELETE", path: "/v1/email?id=" + id, key: b.key},
	}
	for _, leave := range []int64{0, 300 << 10, 2 << 20} {
		disk.fill(t, leave)
		for range 5 {
			for _, c := range calls {
				a := srv.ask(t, c)
				body := string(a.body)
				switch {
				case a.status < 500 && a.status != http.StatusBadRequest && a.status != http.StatusUnsupportedMediaType:
				case a.status == http.StatusServiceUnavailable && strings.Contains(body, `"code":"disk_full"`) &&
					c.method != "GET" && c.method != "DELETE":
				default:
					t.Errorf("%d bytes free: %s %s: %d %s", leave, c.method, c.path, a.status, body)
				}
			}
			time.Sleep(50 * time.Millisecond) // for what is done after the answers
		}
		disk.remove(t)
	}
	bad := 0
	for line := range strings.Lines(srv.stderr.String()) {
		if strings.Contains(line, "level=WARN") || strings.Contains(line, "level=ERROR") {
			bad++
		}
	}
	if bad > 12 {
		t.Errorf("%d lines about it:\n%.4000s", bad, srv.stderr.String())
	}
}
