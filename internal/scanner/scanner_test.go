package scanner

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/mailkin/mailkin/internal/mailbox"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const mail = "Subject: hi\r\n\r\ntext\r\n"

// served is a scanner that asks a server which answers so.
func served(t *testing.T, o Options, answer http.HandlerFunc) *Scanner {
	t.Helper()
	srv := httptest.NewServer(answer)
	t.Cleanup(srv.Close)
	o.URL = srv.URL
	if o.Timeout == 0 {
		o.Timeout = 10 * time.Second
	}
	o.Connections, o.MaxSize = max(o.Connections, 1), max(o.MaxSize, 1000)
	s, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.client.CloseIdleConnections)
	return s
}

func scan(t *testing.T, s *Scanner) (mailbox.Scan, error) {
	t.Helper()
	return s.Scan(t.Context(), mailbox.Envelope{}, strings.NewReader(mail), int64(len(mail)))
}

func TestVerdicts(t *testing.T) {
	for _, tt := range []struct {
		name, answer, want string
	}{
		{"clean", `{"action":"no action","score":0.5,"required_score":15}`, "clean no action 0.5 15 []"},
		{"marked", `{"action":"add header","score":7.25,"required_score":15,"symbols":{"A":{"score":-1},"B":{"score":8}}}`,
			"spam add header 7.25 15 [{B 8} {A -1}]"},
		{"subject", `{"action":"rewrite subject"}`, "spam rewrite subject 0 0 []"},
		{"rejected", `{"action":"reject","score":20,"required_score":15,"symbols":{"GTUBE":{"score":0}}}`,
			"spam reject 20 15 [{GTUBE 0}]"},
		{"virus", `{"action":"reject","symbols":{"CLAM_VIRUS":{"score":8}}}`, "virus reject 0 0 [{CLAM_VIRUS 8}]"},
		{"a list's name is no virus", `{"action":"no action","symbols":{"RBL_VIRUSFREE_BOTNET":{"score":2}}}`,
			"clean no action 0 0 [{RBL_VIRUSFREE_BOTNET 2}]"},
		{"greylisting is not done", `{"action":"greylist"}`, "clean greylist 0 0 []"},
		{"soft reject is not done", `{"action":"soft reject"}`, "clean soft reject 0 0 []"},
		{"odd names", `{"action":"no action","symbols":{"A B\tC\n":{"score":1}}}`, "clean no action 0 0 [{A_BC 1}]"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := served(t, Options{}, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, tt.answer) })
			got, err := scan(t, s)
			text := fmt.Sprint(got.Verdict, " ", got.Action, " ", got.Score, " ", got.Required, " ", got.Symbols)
			if err != nil || text != tt.want {
				t.Errorf("%s, %v, want %s", text, err, tt.want)
			}
			back := mailbox.DecodeVerdict(mailbox.Verdict{Scan: got}.Encode())
			if fmt.Sprint(back.Scan) != fmt.Sprint(got) {
				t.Errorf("stored and read again: %+v", back.Scan)
			}
		})
	}
}

func TestFailures(t *testing.T) {
	for _, tt := range []struct {
		name   string
		answer http.HandlerFunc
	}{
		{"status", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(500) }},
		{"no JSON", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "hello") }},
		{"no action", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "{}") }},
		{"redirect",
			func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/elsewhere", http.StatusFound) }},
		{"hangs up", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var seen []string
			s := served(t, Options{Observe: func(o string, _ time.Duration) { seen = append(seen, o) }}, tt.answer)
			if got, err := scan(t, s); err == nil || !strings.Contains(s.Problem(), "scanner") {
				t.Errorf("%+v, %q", got, s.Problem())
			}
			if !slices.Equal(seen, []string{Failed}) {
				t.Errorf("observed %v", seen)
			}
		})
	}
}

func TestRequest(t *testing.T) {
	var got *http.Request
	var body string
	s := served(t, Options{}, func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		got, body = r, string(b)
		fmt.Fprint(w, `{"action":"no action"}`)
	})
	env := mailbox.Envelope{
		Trace:      mailbox.Trace{From: "ann@far.example\r\nX: y", Remote: "192.0.2.1", Helo: "far.example"},
		Recipients: []mailbox.Recipient{{Address: "bo@example.test"}, {Address: "cy@example.test"}}}
	if _, err := s.Scan(t.Context(), env, strings.NewReader(mail), int64(len(mail))); err != nil {
		t.Fatal(err)
	}
	have := fmt.Sprint(got.Method, got.URL, got.Header["Ip"], got.Header["Helo"], got.Header["From"],
		got.Header["Rcpt"])
	if want := "POST/checkv2 [192.0.2.1] [far.example] [ann@far.exampleX: y] [bo@example.test cy@example.test]"; have != want ||
		body != mail {
		t.Errorf("%s %q, want %s", have, body, want)
	}
}

func TestTooLarge(t *testing.T) {
	s := served(t, Options{}, func(http.ResponseWriter, *http.Request) { t.Error("it was asked") })
	got, err := s.Scan(t.Context(), mailbox.Envelope{}, strings.NewReader(""), 1001)
	if err != nil || got.Verdict != mailbox.ScanUnscanned {
		t.Errorf("%+v, %v", got, err)
	}
}

// Whoever waits for a slot waits no longer than a scan may take, and what the transport still has of a message is cut
// off.
func TestSlots(t *testing.T) {
	release := make(chan struct{})
	s := served(t, Options{Timeout: 50 * time.Millisecond}, func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-release:
		case <-r.Context().Done():
		}
	})
	defer close(release)
	s.slots <- struct{}{} // as a scan that is under way
	if _, err := scan(t, s); err == nil || !strings.Contains(err.Error(), "slot") {
		t.Errorf("without a slot: %v", err)
	}
	<-s.slots
	if _, err := scan(t, s); err == nil || !strings.Contains(err.Error(), "deadline") {
		t.Errorf("without an answer: %v", err)
	}
	b := &body{r: strings.NewReader(mail)}
	b.end()
	if n, err := b.Read(make([]byte, 10)); n != 0 || err == nil {
		t.Errorf("%d bytes after its end, %v", n, err)
	}
}

// A scanner that fails is left alone for a while, then one message tries it.
func TestBackoff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, err := New(Options{URL: "http://127.0.0.1:1", Timeout: time.Second, Connections: 1, MaxSize: 1000})
		if err != nil {
			t.Fatal(err)
		}
		asked, up := 0, false
		s.client.Transport = tripper(func(*http.Request) (*http.Response, error) {
			asked++
			if !up {
				return nil, io.ErrUnexpectedEOF
			}
			return &http.Response{StatusCode: 200, Body: io.NopCloser(strings.NewReader(`{"action":"no action"}`))}, nil
		})
		try := func(n int) (failed int) {
			for range n {
				if _, err := scan(t, s); err != nil {
					failed++
				}
			}
			return failed
		}
		if failed := try(10); failed != 10 || asked != failuresBeforeBackoff {
			t.Errorf("asked %d times, %d failed", asked, failed)
		}
		time.Sleep(backoff + time.Second)
		if failed := try(10); failed != 10 || asked != failuresBeforeBackoff+1 {
			t.Errorf("after a while asked %d times, %d failed", asked, failed)
		}
		up = true
		time.Sleep(backoff + time.Second)
		if failed := try(10); failed != 0 || s.Problem() != "" {
			t.Errorf("%d failed when it was back: %s", failed, s.Problem())
		}
		up = false
		gone, cancel := context.WithCancel(t.Context())
		cancel()
		_, _ = s.Scan(gone, mailbox.Envelope{}, strings.NewReader(mail), int64(len(mail)))
		if s.Problem() != "" {
			t.Errorf("a sender that is gone is blamed on the scanner: %s", s.Problem())
		}
	})
}

type tripper func(*http.Request) (*http.Response, error)

func (f tripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestURL(t *testing.T) {
	for _, bad := range []string{"", "127.0.0.1:11333", "ftp://x", "http://", "http://u:secret@%zz"} {
		if _, err := New(Options{URL: bad}); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: %v", bad, err)
		}
	}
	s, err := New(Options{URL: "http://u:secret@127.0.0.1:1/x?y=z", Timeout: time.Second, Connections: 1, MaxSize: 100})
	if err != nil || !strings.HasSuffix(s.url, "/x?y=z") {
		t.Fatal(err)
	}
	if _, err := scan(t, s); err == nil || strings.Contains(err.Error(), "secret") {
		t.Errorf("%v", err)
	}
}
