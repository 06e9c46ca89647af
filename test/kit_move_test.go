package test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// moveSettings are the same on both sides; the address in answers too.
var moveSettings = []string{shortStreams, "MAILKIN_PUBLIC_URL=http://mail.example", "MAILKIN_MAILBOX=ops@" + domain}

// secretsOf are the settings for nodes that a data folder has.
func secretsOf(t *testing.T, s *server) (list []string) {
	t.Helper()
	for name, file := range map[string]string{"MAILKIN_SECRET": "secret", "AUTH_TOKEN": "token",
		"WEBHOOK_SECRET": "webhook-secret"} {
		value, err := os.ReadFile(filepath.Join(s.dir, file))
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, name+"="+strings.TrimSpace(string(value)))
	}
	return list
}

// fillToMove makes something of every kind. The first mailbox is the one with most of it.
func fillToMove(t *testing.T, srv *server, hooks *receiver) []box {
	t.Helper()
	robin, marian := srv.mailbox(t, "robin"), srv.mailbox(t, "marian")
	agent := srv.bootstrap(t)
	robin.hookTo(t, hooks.URL)
	call := func(b box, method, path, body string) {
		t.Helper()
		if a := b.ask(t, method, path, body); a.status >= 300 {
			t.Fatalf("%s %s: %d %s", method, path, a.status, a.body)
		}
	}
	call(robin, "PUT", "/mailbox/routes", `{"label":"code","webhook_url":"`+hooks.URL+`/codes"}`)
	srv.deliver(t, mail("first"), robin.address, marian.address)
	srv.deliver(t, string(answer2(mail("second"), "first")), robin.address)
	srv.deliver(t, string(largeMail("shared", 400_000, 1)), robin.address, marian.address) // in the bucket
	for i := range 6 {
		srv.deliver(t, string(largeMail("middling", 100_000, uint64(i+10))), robin.address) // in the database
	}
	srv.deliver(t, codeMail("482913"), robin.address, agent.address)
	srv.deliver(t, strings.Replace(mail("odd"), "From: Ada", "From: =?utf-8?q?=C3=84DA=00=FF?=", 1), robin.address)
	srv.deliver(t, mail("deleted"), robin.address)
	call(robin, "DELETE", "/email?id="+robin.inbox(t)[0].ID, "")
	call(robin, "PATCH", "/email?id="+robin.inbox(t)[3].ID, `{"seen":true,"add_labels":["kept"]}`)
	robin.delivery(t, robin.send(t, note("to nobody", "bounced@simulator."+domain)).ID, "bounced")
	robin.delivery(t, robin.send(t, note("inside and out", marian.address, "delivered@simulator."+domain)).ID,
		"delivered")
	robin.keep(t, withFile(note("a draft", marian.address))) // its file is in the bucket
	sent := robin.keep(t, note("a draft that was sent", marian.address))
	if a := srv.ask(t, sendOf(robin, sent.ID)); a.status != http.StatusOK {
		t.Fatalf("send a draft: %d %s", a.status, a.body)
	}
	call(robin, "POST", "/domains", `{"domain":"own.example"}`)
	call(box{srv: srv, key: srv.token, prefix: "/v1"}, "GET", "/domains", "")
	gone := srv.mailbox(t, "gone")
	srv.deliver(t, mail("never mind"), gone.address)
	call(gone, "DELETE", "/mailbox", "")
	c := open(t, srv.smtp)
	c.mustAsk(t, "MAIL FROM:<a@example.org>", 250)
	c.mustAsk(t, "RCPT TO:<nobody@"+domain+">", 550)
	robin.settled(t)
	return []box{robin, marian, agent}
}

// answer2 makes a mail the answer to another.
func answer2(message, to string) []byte {
	return []byte(strings.Replace(message, "Date:", "In-Reply-To: <"+to+"@example.org>\r\nDate:", 1))
}

// answers are everything that the interface says about mailboxes, by what was asked.
func answers(t *testing.T, srv *server, boxes []box) map[string]string {
	t.Helper()
	all := map[string]string{}
	ask := func(key, path string) string {
		var a answer
		eventually(t, func() error {
			a = srv.ask(t, request{path: "/v1" + path, key: key})
			for _, unfinished := range []string{`"vectors":"partial"`, `"text_extraction_status":"pending"`} {
				if bytes.Contains(a.body, []byte(unfinished)) {
					return fmt.Errorf("%s: still %s", path, unfinished)
				}
			}
			return nil
		})
		all[key[:8]+" "+path] = fmt.Sprintf("%d %s", a.status, volatile.ReplaceAll(a.body, nil))
		return string(a.body)
	}
	for _, b := range boxes {
		for _, path := range []string{"/me", "/mailbox", "/stats", "/inbox?limit=100", "/inbox?limit=2",
			"/inbox?label=kept",
			"/threads?limit=100", "/threads?limit=1", "/events?last_event_id=0", "/suppressions", "/rejects",
			"/webhook/deliveries?limit=100", "/webhook/deliveries?limit=1",
			"/webhook/secret", "/mailbox/routes", "/domains", "/search?q=middling", "/inbox?query=from:%C3%A4da",
			"/code?timeout=0", "/drafts", "/drafts?status=sent"} {
			text := ask(b.key, path)
			for _, m := range idMember.FindAllStringSubmatch(text, -1) {
				if path == "/threads?limit=100" {
					ask(b.key, "/thread?id="+m[1])
				}
				if path == "/inbox?limit=100" {
					ask(b.key, "/email/raw?id="+m[1])
					for _, a := range idMember.FindAllStringSubmatch(ask(b.key, "/email?id="+m[1]), -1)[1:] {
						ask(b.key, "/attachment?id="+a[1])
					}
				}
			}
		}
	}
	for _, path := range []string{"/mailboxes?limit=100", "/domains", "/rejects"} {
		ask(srv.token, path)
	}
	ask(srv.token, "/mailboxes/"+url.PathEscape(boxes[0].address)+"/keys")
	return all
}

var (
	idMember = regexp.MustCompile(`"id":"([0-9a-f-]{36})"`)
	// volatile is what asking itself changes, the state of the index, which each side makes for itself, and where the
	// log of events ends: each store goes on at a number of its own above all that were told.
	volatile = regexp.MustCompile(`"last_used_at":("[^"]*"|null)|"index":{[^}]*}|,"event_id":"\d+"}$`)
)

func sameAnswers(t *testing.T, got, want map[string]string) {
	t.Helper()
	if len(want) < 100 || len(got) != len(want) {
		t.Errorf("%d answers, before %d", len(got), len(want))
	}
	for path, text := range want {
		if strings.HasPrefix(text, "5") || got[path] != text {
			t.Errorf("%s is\n%.2000s\nwas\n%.2000s", path, got[path], text)
		}
	}
}

// audits is the operator's log, newest first, when the read of somebody's keys is in it.
func audits(t *testing.T, srv *server) (text string) {
	t.Helper()
	eventually(t, func() error {
		a := srv.do(t, request{path: "/v1/audit?limit=100", key: srv.token}, http.StatusOK, nil)
		if text = string(a.body); !strings.Contains(text, "/keys") {
			return errors.New("reading the keys is not in the log")
		}
		return nil
	})
	_, text, _ = strings.Cut(text, "[")
	return text
}

// dam passes connections on to an address until a given number of bytes have gone there, and not one more.
type dam struct {
	net.Listener
	to   string
	left atomic.Int64
	full chan struct{} // closed when no more goes through
	gone chan struct{} // closed at the end

	once, ended sync.Once
	open        sync.WaitGroup
}

func newDam(t testing.TB, to string, most int64) *dam {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	d := &dam{Listener: l, to: to, full: make(chan struct{}), gone: make(chan struct{})}
	d.left.Store(most)
	d.open.Go(func() {
		for {
			near, err := l.Accept()
			if err != nil {
				return
			}
			d.open.Go(func() { d.pass(near) })
		}
	})
	t.Cleanup(d.end)
	return d
}

// end closes everything.
func (d *dam) end() {
	d.ended.Do(func() {
		close(d.gone)
		d.Close()
		d.open.Wait()
	})
}

func (d *dam) pass(near net.Conn) {
	defer near.Close()
	far, err := net.DialTimeout("tcp", d.to, patience)
	if err != nil {
		return
	}
	defer far.Close()
	var back sync.WaitGroup
	back.Go(func() {
		_, _ = io.Copy(near, far)
		near.Close()
	})
	back.Go(func() {
		<-d.gone
		near.Close()
		far.Close()
	})
	buf := make([]byte, 4096)
	for {
		n, err := near.Read(buf)
		if d.left.Add(-int64(n)) < 0 {
			d.once.Do(func() { close(d.full) })
			break
		}
		if _, writeErr := far.Write(buf[:n]); err != nil || writeErr != nil {
			far.Close()
			break
		}
	}
	back.Wait()
}
