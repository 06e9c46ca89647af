package test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"
)

// client keeps no connections: a server that is killed must not be met again through an old one. What it asks and is
// answered is held against the contract.
var client = &http.Client{Timeout: 2 * patience, Transport: checked{&http.Transport{DisableKeepAlives: true,
	ExpectContinueTimeout: patience}}}

// request is what is asked of the API.
type request struct {
	method string // GET if empty
	path   string // with parameters
	key    string // empty: none
	body   string // JSON unless kind says otherwise
	kind   string // Content-Type; "none" sends none
	header http.Header
}

// answer is what came back.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// to makes the request to a server at an address.
func (q request) to(base string) (*http.Request, error) {
	if q.method == "" {
		q.method = http.MethodGet
	}
	r, err := http.NewRequest(q.method, base+q.path, strings.NewReader(q.body))
	if err != nil {
		return nil, err
	}
	if q.header != nil {
		r.Header = q.header.Clone()
	}
	if q.key != "" {
		r.Header.Set("Authorization", "Bearer "+q.key)
	}
	if len(q.body) > 500_000 {
		// A server that refuses a large body answers and closes while it is still being sent, which Go's client may
		// report as an error in place of the answer. So it asks first.
		r.Header.Set("Expect", "100-continue")
	}
	switch {
	case q.kind == "none" || q.body == "":
	case q.kind != "":
		r.Header.Set("Content-Type", q.kind)
	default:
		r.Header.Set("Content-Type", "application/json")
	}
	return r, nil
}

// try asks and returns errors of the connection.
func (s *server) try(q request) (answer, error) {
	r, err := q.to(s.http)
	if err != nil {
		return answer{}, err
	}
	resp, err := client.Do(inTest(s.t, r))
	if err != nil {
		return answer{}, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	return answer{resp.StatusCode, resp.Header, body}, err
}

// ask asks and wants an answer, whatever it is.
func (s *server) ask(t testing.TB, q request) answer {
	t.Helper()
	a, err := s.try(q)
	if err != nil {
		t.Fatalf("%s %s: %v", q.method, q.path, err)
	}
	return a
}

// get asks for JSON with a key and wants 200.
func (s *server) get(t testing.TB, key, path string, into any) {
	t.Helper()
	s.do(t, request{path: path, key: key}, http.StatusOK, into)
}

// do asks and wants a status; into, if it is not nil, gets the JSON.
func (s *server) do(t testing.TB, q request, status int, into any) answer {
	t.Helper()
	a := s.ask(t, q)
	if a.status != status {
		t.Fatalf("%s %s: got %d %.300s, want %d", q.method, q.path, a.status, a.body, status)
	}
	if into != nil {
		a.into(t, into)
	}
	return a
}

func (a answer) into(t testing.TB, v any) {
	t.Helper()
	if err := json.Unmarshal(a.body, v); err != nil {
		t.Fatalf("not the JSON that was expected: %v in %.300s", err, a.body)
	}
}

// box is a mailbox with its key.
type box struct {
	srv     *server
	address string
	key     string
	prefix  string // of the API: /v1 or /api
}

// mailbox makes a mailbox.
func (s *server) mailbox(t testing.TB, name string) box {
	t.Helper()
	var made struct {
		Mailbox string `json:"mailbox"`
		Key     string `json:"api_key"`
	}
	s.do(t, request{method: "POST", path: "/v1/mailboxes", key: s.token, body: fmt.Sprintf(`{"name":%q}`, name)},
		http.StatusCreated, &made)
	return box{srv: s, address: made.Mailbox, key: made.Key, prefix: "/v1"}
}

// email is what the tests look at of a message, in its list or detail form.
type email struct {
	ID          string            `json:"id"`
	Mailbox     string            `json:"mailbox"`
	From        string            `json:"from_address"`
	FromName    string            `json:"from_name"`
	Subject     string            `json:"subject"`
	Snippet     string            `json:"snippet"`
	MessageID   string            `json:"message_id"`
	ThreadID    string            `json:"thread_id"`
	ReceivedAt  time.Time         `json:"received_at"`
	Labels      []string          `json:"labels"`
	Seen        bool              `json:"seen"`
	Direction   string            `json:"direction"`
	Text        string            `json:"body_text"`
	HTML        string            `json:"body_html"`
	Size        int64             `json:"size_bytes"`
	Headers     map[string]string `json:"headers"`
	Attachments []attachment      `json:"attachments"`
	Count       int               `json:"attachment_count"`
	Metadata    struct {
		EnvelopeFrom string `json:"envelope_from"`
		EnvelopeTo   string `json:"envelope_to"`
		Tag          string `json:"tag"`
		Protocol     string `json:"protocol"`
	} `json:"metadata"`
}

type attachment struct {
	ID       string `json:"id"`
	Filename string `json:"filename"`
	Type     string `json:"content_type"`
	Size     int64  `json:"size_bytes"`
	SHA256   string `json:"sha256"`
}

type stats struct {
	Mailbox   string `json:"mailbox"`
	Total     int    `json:"total_emails"`
	Inbound   int    `json:"inbound"`
	Outbound  int    `json:"outbound"`
	ThisMonth int    `json:"emails_this_month"`
	Unseen    int    `json:"unseen"`
	Storage   int64  `json:"storage_bytes"`
}

// inbox lists the whole mailbox, newest first.
func (b box) inbox(t testing.TB) []email {
	t.Helper()
	return listed[email](t, b, "/inbox?limit=100")
}

// outbox lists what a mailbox has sent.
func (b box) outbox(t testing.TB) []outgoing {
	t.Helper()
	return listed[outgoing](t, b, "/inbox?direction=outbound&limit=100")
}

// listed asks for all pages of a list of messages.
func listed[T any](t testing.TB, b box, path string) (all []T) {
	t.Helper()
	for cursor := ""; ; {
		var page struct {
			Emails []T     `json:"emails"`
			Next   *string `json:"next_cursor"`
		}
		b.srv.get(t, b.key, b.prefix+path+"&cursor="+url.QueryEscape(cursor), &page)
		all = append(all, page.Emails...)
		if page.Next == nil {
			return all
		}
		cursor = *page.Next
	}
}

// only wants the mailbox to hold one message and returns it in full.
func (b box) only(t testing.TB) email {
	t.Helper()
	list := b.inbox(t)
	if len(list) != 1 {
		t.Fatalf("%s has %d messages, want 1", b.address, len(list))
	}
	return b.email(t, list[0].ID)
}

func (b box) email(t testing.TB, id string) (e email) {
	t.Helper()
	b.srv.get(t, b.key, b.prefix+"/email?id="+id, &e)
	return e
}

func (b box) raw(t testing.TB, id string) []byte {
	t.Helper()
	return b.srv.do(t, request{path: b.prefix + "/email/raw?id=" + id, key: b.key}, http.StatusOK, nil).body
}

func (b box) stats(t testing.TB) (s stats) {
	t.Helper()
	b.srv.get(t, b.key, b.prefix+"/stats", &s)
	return s
}

// ask asks the mailbox's own API with its key.
func (b box) ask(t testing.TB, method, path, body string) answer {
	t.Helper()
	return b.srv.ask(t, request{method: method, path: b.prefix + path, key: b.key, body: body})
}

// mail is a short message with a subject, which is also in its Message-ID.
func mail(subject string) string {
	return strings.ReplaceAll(fmt.Sprintf(`From: Ada <ada@example.org>
To: someone@mailkin.localhost
Subject: %s
Message-ID: <%s@example.org>
Date: Mon, 02 Mar 2026 10:00:00 +0000
Content-Type: text/plain; charset=utf-8

This is %s.
`, subject, strings.ReplaceAll(subject, " ", "-"), subject), "\n", "\r\n")
}

// sameBytes compares a message with what was sent.
func sameBytes(t testing.TB, got, want []byte) {
	t.Helper()
	if bytes.Equal(got, want) {
		return
	}
	at := 0
	for at < len(got) && at < len(want) && got[at] == want[at] {
		at++
	}
	t.Errorf("got %d bytes, want %d; the first difference is at %d: %.60q, want %.60q", len(got), len(want), at,
		got[at:], want[at:])
}
