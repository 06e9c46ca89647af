package test

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"net/http"
	"net/smtp"
	"net/url"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// capturing is a server that takes mail for every address. It keeps its mail in its folder on either store.
func capturing(t *testing.T, settings ...string) *server {
	t.Helper()
	s := newNode(t, append([]string{"MAILKIN_CATCH_ALL=on"}, settings...)...)
	s.start(t)
	return s
}

// greeted connects and says hello.
func greeted(addr string) (*session, error) {
	s, err := dial(addr)
	if err == nil {
		err = s.hello()
	}
	return s, err
}

// captured lists the subjects of a mailbox, or of all mail where none is named, newest first.
func (s *server) captured(t testing.TB, mailbox string) (list []string) {
	t.Helper()
	for cursor := ""; ; {
		var page struct {
			Emails []email
			Next   string `json:"next_cursor"`
		}
		path := "/v1/inbox?limit=100&cursor=" + url.QueryEscape(cursor)
		if mailbox != "" {
			path += "&mailbox=" + url.QueryEscape(mailbox)
		}
		s.get(t, s.token, path, &page)
		for _, e := range page.Emails {
			list = append(list, e.Subject)
		}
		if cursor = page.Next; cursor == "" {
			return list
		}
	}
}

func TestCaptureAnyAddress(t *testing.T) {
	srv := capturing(t)
	c := open(t, srv.smtp)
	c.mustAsk(t, "EHLO client.test", 250)
	c.mustAsk(t, "AUTH PLAIN "+base64.StdEncoding.EncodeToString([]byte("\x00any\x00thing")), 235)
	if r, err := c.send(envelope{from: "a@b.test", to: []string{"one@x.test", "two@y.test"}}, []byte(mail("plain")),
		byDATA); err != nil || r.code != 250 {
		t.Fatal(r, err)
	}
	c = open(t, srv.smtp)
	c.startTLS(t)
	c.mustAsk(t, "AUTH LOGIN "+base64.StdEncoding.EncodeToString([]byte("any")), 334)
	c.mustAsk(t, base64.StdEncoding.EncodeToString([]byte("thing")), 235)
	if r, err := c.send(envelope{from: "", to: []string{"one@x.test"}}, []byte(mail("secure")),
		byBDAT); err != nil || r.code != 250 {
		t.Fatal(r, err)
	}
	for address, want := range map[string]string{"one@x.test": "secure plain", "two@y.test": "plain",
		"": "secure plain", "nobody@z.test": ""} {
		if got := strings.Join(srv.captured(t, address), " "); got != want {
			t.Errorf("%q has %q, want %q", address, got, want)
		}
	}
	if a := srv.ask(t, request{path: "/v1/inbox?mailbox=one@x.test"}); a.status != http.StatusUnauthorized {
		t.Errorf("without a key: %d", a.status)
	}
}

// Some senders use STARTTLS wherever it is offered, and check the certificate.
func TestCaptureWithoutSTARTTLS(t *testing.T) {
	srv := capturing(t, "MAILKIN_CATCH_ALL_STARTTLS=off")
	if err := smtp.SendMail(srv.smtp, nil, "a@b.test", []string{"one@x.test"}, []byte(mail("plain"))); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(srv.captured(t, "one@x.test"), " "); got != "plain" {
		t.Errorf("there is %q", got)
	}
}

// Tests that run side by side wait each for its own address before any mail has come there.
func TestCaptureParallelWaits(t *testing.T) {
	srv := capturing(t)
	const workers, rounds = 8, 5
	var all sync.WaitGroup
	for w := range workers {
		all.Go(func() {
			for r := range rounds {
				address, code := fmt.Sprintf("w%d-%d@sign.up.test", w, r), fmt.Sprint(100000+w*1000+r)
				got, began := make(chan string, 1), time.Now()
				go func() {
					var a codeAnswer
					answer, err := srv.try(request{key: srv.token, path: "/v1/code?timeout=60&mailbox=" + address})
					if err == nil && answer.status == http.StatusOK {
						answer.into(t, &a)
					}
					got <- cmp.Or(a.value(), fmt.Sprintf("%d, %v", answer.status, err))
				}()
				c, err := greeted(srv.smtp)
				if err == nil {
					_, err = c.send(envelope{from: "a@b.test", to: []string{address}}, []byte(codeMail(code)), byDATA)
					c.conn.Close()
				}
				sent := time.Since(began)
				if g := <-got; err != nil || g != code {
					t.Errorf("%s: %q after %v, want %q; sent after %v: %v", address, g, time.Since(began), code, sent,
						err)
				}
			}
		})
	}
	all.Wait()
	if n := len(srv.captured(t, "")); n != workers*rounds {
		t.Errorf("%d messages in all", n)
	}
}

// At the limit the oldest go while others come; each copy goes with its message, and mailboxes go with their mail.
func TestCapturePrunes(t *testing.T) {
	const keep, sessions, each = 50, 4, 100
	srv := capturing(t, fmt.Sprintf("MAILKIN_CATCH_ALL_MESSAGES=%d", keep))
	var all sync.WaitGroup
	for i := range sessions {
		all.Go(func() {
			c, err := greeted(srv.smtp)
			for n := 0; n < each && err == nil; n++ {
				var r reply
				r, err = c.send(envelope{from: "a@b.test", to: []string{fmt.Sprintf("s%d-%d@x.test", i, n),
					"all@x.test"}}, []byte(mail(fmt.Sprintf("s%d-%d", i, n))), byDATA)
				if err == nil && r.code != 250 {
					err = fmt.Errorf("%v", r)
				}
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	eventually(t, func() error {
		if n := len(srv.captured(t, "")); n != keep {
			return fmt.Errorf("%d messages are there", n)
		}
		return nil
	})
	got, want := srv.captured(t, "all@x.test"), srv.captured(t, "")
	if strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("a mailbox has %d, the view %d", len(got), len(want))
	}
	eventually(t, func() error {
		var list struct{ Mailboxes []struct{ Address string } }
		srv.get(t, srv.token, "/v1/mailboxes?limit=100", &list)
		if n := len(list.Mailboxes); n != keep+2 {
			return fmt.Errorf("%d mailboxes are there", n)
		}
		return nil
	})
}

// What was acknowledged is there after a crash.
func TestCaptureCrash(t *testing.T) {
	srv := capturing(t)
	var mu sync.Mutex
	taken := map[string]bool{}
	var all sync.WaitGroup
	enough := make(chan struct{})
	for i := range 4 {
		all.Go(func() {
			c, err := greeted(srv.smtp)
			for n := 0; err == nil; n++ {
				subject := fmt.Sprintf("m%d-%d", i, n)
				r, failed := c.send(envelope{from: "a@b.test", to: []string{subject + "@x.test"}},
					[]byte(mail(subject)), byDATA)
				if err = failed; err == nil && r.code == 250 {
					mu.Lock()
					if taken[subject] = true; len(taken) == 40 {
						close(enough)
					}
					mu.Unlock()
				}
			}
		})
	}
	<-enough
	srv.kill(t)
	all.Wait()
	srv.start(t)
	there := map[string]int{}
	for _, subject := range srv.captured(t, "") {
		there[subject]++
	}
	for subject := range taken {
		if there[subject] != 1 || len(srv.captured(t, subject+"@x.test")) != 1 {
			t.Errorf("%s is there %d times", subject, there[subject])
		}
	}
}

// Mail of a deployment is never shown without a key, and captured mail is not taken for a deployment's.
func TestCaptureRefusesToStart(t *testing.T) {
	srv := newNode(t)
	srv.start(t)
	srv.stop(t)
	refuses := func(name, says string, s *server, settings ...string) {
		t.Helper()
		status, _, stderr := run(t, append(s.environ, settings...), "serve")
		if status == 0 || !strings.Contains(stderr, says) {
			t.Errorf("%s: %d, %s", name, status, stderr)
		}
	}
	refuses("a deployment", "not made by catch_all", srv, "MAILKIN_CATCH_ALL=on")
	test := capturing(t)
	test.signal(t, syscall.SIGTERM)
	if code := test.exit(t); code != 0 {
		t.Fatalf("ended with %d", code)
	}
	refuses("captured mail", "holds captured mail", test, "MAILKIN_CATCH_ALL=off")
	refuses("every interface", "is not on loopback", test, "MAILKIN_HTTP_ADDR=0.0.0.0:0")
	test.start(t)
}

// Routes without a key are for this machine: neither a page of another origin nor one that has given its own name this
// machine's address reads codes.
func TestCaptureOnlyFromHere(t *testing.T) {
	srv := capturing(t)
	srv.deliver(t, codeMail("424242"), "a@b.test")
	ask := func(method, host, origin string) answer {
		t.Helper()
		r, err := (request{method: method, path: "/api/v1/messages"}).to(srv.http)
		if err != nil {
			t.Fatal(err)
		}
		if host != "" {
			r.Host = host
		}
		if origin != "" {
			r.Header.Set("Origin", origin)
		}
		resp, err := http.DefaultClient.Do(r) // the description of /v1 does not have this route
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		return answer{status: resp.StatusCode, header: resp.Header}
	}
	for _, row := range []struct {
		method, host, origin string
		status               int
		allowed              string
	}{
		{"GET", "", "", 200, ""},
		{"GET", "localhost:8025", "http://localhost:3000", 200, "http://localhost:3000"},
		{"OPTIONS", "", "http://127.0.0.1:3000", 204, "http://127.0.0.1:3000"},
		{"GET", "rebound.attacker.example", "", 403, ""},
		{"GET", "rebound.attacker.example", "http://rebound.attacker.example", 403, ""},
		{"GET", "", "https://attacker.example", 403, ""},
		{"OPTIONS", "", "https://attacker.example", 403, ""},
		{"DELETE", "", "null", 403, ""},
	} {
		a := ask(row.method, row.host, row.origin)
		if got := a.header.Get("Access-Control-Allow-Origin"); a.status != row.status || got != row.allowed {
			t.Errorf("%s of host %q, origin %q: %d, allowed %q; want %d, %q", row.method, row.host, row.origin,
				a.status, got, row.status, row.allowed)
		}
	}
	if got := srv.captured(t, ""); len(got) != 1 {
		t.Errorf("%d messages are left", len(got))
	}
}
