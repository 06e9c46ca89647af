package client

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"
)

// streams is an answer with events of these numbers.
func streams(numbers ...int) func(*http.Request) (*http.Response, error) {
	body := "retry: 2000\n\n: keepalive\n\n"
	for _, n := range numbers {
		body += fmt.Sprintf("id: %d\nevent: message.received\ndata: "+
			"{\"event\":\"message.received\",\"email_id\":\"%d\"}\n\n", n, n)
	}
	return says(200, body, "Content-Type: text/event-stream; charset=utf-8")
}

// cut is an answer that breaks off after it.
func cut(answer func(*http.Request) (*http.Response, error)) func(*http.Request) (*http.Response, error) {
	return func(req *http.Request) (*http.Response, error) {
		resp, err := answer(req)
		resp.Body = io.NopCloser(io.MultiReader(resp.Body, strings.NewReader("id: 99\ndata: {\"half"), broken{}))
		return resp, err
	}
}

type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, errBroken }

// The streams of a service that ends them, cuts them, repeats itself, is busy and is gone make one sequence.
func TestFollow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		date := "Date: " + time.Now().Add(time.Hour).UTC().Format(http.TimeFormat) // its clock is an hour ahead
		c, s := scripted(t,
			says(503, `{}`, date),
			streams(),
			streams(5, 6),
			cut(streams(6, 7)),
			breaks(errBroken), breaks(errBroken),
			says(429, `{}`, "Retry-After: 60"),
			streams(6, 7, 8, 8),
			says(404, `{"error":"Not found"}`),
		)
		var given []string
		var last error
		var pauses []time.Duration
		began := time.Now()
		for e, err := range c.Events(t.Context(), EventOptions{Types: []string{"a", "b"}, Disconnected: func(err error,
			pause time.Duration) {
			if err == nil {
				t.Error("disconnected for nothing")
			}
			pauses = append(pauses, pause)
		}}) {
			if last = err; err == nil {
				given = append(given, e.EmailID)
			}
		}
		if got := strings.Join(given, " "); got != "5 6 7 8" {
			t.Errorf("given: %s", got)
		}
		if !errors.Is(last, ErrNotFound) {
			t.Errorf("ended with %v", last)
		}
		var asked []string
		for _, req := range s.asked {
			asked = append(asked, req.Header.Get("Last-Event-ID"))
			if req.URL.Query().Get("types") != "a,b" {
				t.Errorf("asked for %v", req.URL)
			}
		}
		if got := strings.Join(asked, ","); got != ",,,6,7,7,7,7,8" {
			t.Errorf("asked after: %s", got)
		}
		since := began.Add(time.Hour - replayTime)
		for i, want := range []string{"", since.UTC().Format(time.RFC3339Nano), since.UTC().Format(time.RFC3339Nano),
			"", ""} {
			if got := s.asked[i].URL.Query().Get("since"); got != want {
				t.Errorf("request %d: since %q, want %q", i, got, want)
			}
		}
		if len(pauses) != 5 || pauses[4] != time.Minute || pauses[3] < pauses[1] {
			t.Errorf("pauses %v", pauses)
		}
	})
}

// A stream on which nothing is heard any more is given up, and a reader that stops is not called again.
func TestFollowStops(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		silent := func(req *http.Request) (*http.Response, error) {
			resp, err := streams(1)(req)
			r, w := io.Pipe()
			context.AfterFunc(req.Context(), func() { _ = w.CloseWithError(req.Context().Err()) })
			resp.Body = struct {
				io.Reader
				io.Closer
			}{io.MultiReader(resp.Body, r), r}
			return resp, err
		}
		c, _ := scripted(t, silent, streams(2, 3))
		var given []string
		began := time.Now()
		for e, err := range c.Events(t.Context(), EventOptions{}) {
			if err != nil {
				t.Fatal(err)
			}
			if given = append(given, e.ID); e.ID == "2" {
				break
			}
		}
		if took := time.Since(began); strings.Join(given, " ") != "1 2" || took < stallTime || took > 2*stallTime {
			t.Errorf("given %q in %v", given, took)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		c, _ = scripted(t, hangs)
		for e, err := range c.Events(ctx, EventOptions{}) {
			t.Errorf("given %v, %v", e, err)
		}
	})
}

func TestFollowGarbage(t *testing.T) {
	for name, answer := range map[string]func(*http.Request) (*http.Response, error){
		"not a stream": says(200, `{}`, "Content-Type: application/json"),
		"not an event": says(200, "id: 1\ndata: garbage\n\n", "Content-Type: text/event-stream"),
		"a long line":  says(200, "data: "+strings.Repeat("x", lineLimit+1), "Content-Type: text/event-stream"),
		"a long event": says(200, strings.Repeat("data: "+strings.Repeat("x", 1000)+"\n", dataLimit/1000+1),
			"Content-Type: text/event-stream"),
		"no such thing": says(501, `{}`),
	} {
		c, _ := scripted(t, answer)
		n := 0
		for _, err := range c.Events(t.Context(), EventOptions{}) {
			if n++; err == nil || !errors.Is(err, ErrNotMail) && !errors.Is(err, ErrUnsupported) {
				t.Errorf("%s: %v", name, err)
			}
		}
		if n != 1 {
			t.Errorf("%s: %d errors", name, n)
		}
	}
}

func TestFrames(t *testing.T) {
	for _, row := range []struct{ name, stream, want string }{
		{"plain", "id: 1\nevent: a\ndata: x\n\n", "1 a x|"},
		{"line ends", "id: 1\r\nevent: a\r\ndata: x\r\n\r\nid: 2\rdata: y\r\rid:3\ndata:z\n\n", "1 a x|2  y|3  z|"},
		{"mark", "\xef\xbb\xbfdata: x\n\n", "  x|"},
		{"comments and unknown", ": hello\nfoo: bar\nfoo\ndata: x\n\n", "  x|"},
		{"several lines", "data: x\ndata\ndata:  y\n\n", "  x\n\n y|"},
		{"no data", "event: a\n\ndata: x\n\n", "  x|"},
		{"the id stays", "id: 1\ndata: x\n\ndata: y\n\nid\ndata: z\n\n", "1  x|1  y|  z|"},
		{"an id that is none", "id: 1\ndata: x\n\nid: 2\x00\ndata: y\n\n", "1  x|1  y|"},
		{"unfinished", "data: x\n\ndata: y\n", "  x|"},
		{"nothing", "", ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			got := ""
			for f := newFrames(strings.NewReader(row.stream)); ; {
				one, err := f.next()
				if err != nil {
					break
				}
				got += fmt.Sprintf("%s %s %s|", one.id, one.kind, one.data)
			}
			if got != row.want {
				t.Errorf("got %q", got)
			}
		})
	}
	for value, want := range map[string]time.Duration{"1500": 1500 * time.Millisecond, "0": leastRetry,
		"99999999": mostRetry, "-1": 0, "x": 0, "": 0, "+5": 0, "999999999999999": 0} {
		f := newFrames(strings.NewReader("retry: " + value + "\n\n"))
		if _, err := f.next(); err != io.EOF || f.retry != want {
			t.Errorf("retry %q: %v, %v", value, f.retry, err)
		}
	}
}

// However a stream is cut into pieces, it means the same, and is bounded.
func FuzzFrames(f *testing.F) {
	for _, seed := range []string{"id: 1\nevent: a\ndata: x\n\n", "data: x\r\n\r\ndata:y\r\r", "retry: 5\n: c\n\n",
		"\xef\xbb\xbfid\n\n"} {
		f.Add([]byte(seed))
	}
	read := func(r io.Reader) (out string) {
		for s := newFrames(r); ; {
			one, err := s.next()
			if err != nil {
				return fmt.Sprintf("%s%v %v", out, err, s.retry)
			}
			out += fmt.Sprintf("%q %q %q\n", one.id, one.kind, one.data)
		}
	}
	f.Fuzz(func(t *testing.T, stream []byte) {
		whole := read(strings.NewReader(string(stream)))
		if lf := read(strings.NewReader(strings.ReplaceAll(strings.ReplaceAll(string(stream), "\r\n", "\n"), "\r",
			"\n"))); lf != whole {
			t.Errorf("%q means\n%s\nand with other line ends\n%s", stream, whole, lf)
		}
	})
}

// A wait goes on over failures, asks for what came meanwhile, and ends in time.
func TestWaitRepeats(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		later := func(answer func(*http.Request) (*http.Response, error)) func(*http.Request) (*http.Response, error) {
			return func(req *http.Request) (*http.Response, error) {
				seconds, err := time.ParseDuration(req.URL.Query().Get("timeout") + "s")
				if err != nil {
					return nil, err
				}
				time.Sleep(seconds)
				return answer(req)
			}
		}
		none := later(says(200, `{"email":null}`))
		down := breaks(errBroken)
		c, s := scripted(t, none, none, down, down, down, down, says(500, `{}`), none,
			says(200, `{"email":{"id":"7"}}`))
		began := time.Now()
		mail, err := c.WaitForEmail(t.Context(), WaitQuery{Subject: "x"})
		if err != nil || mail.ID != "7" {
			t.Fatalf("%+v, %v", mail, err)
		}
		if first := s.asked[0].URL.Query(); first.Get("since") != "" || first.Get("timeout") != "55" ||
			first.Get("subject") != "x" {
			t.Errorf("first asked %v", first)
		}
		if last := s.asked[8].URL.Query(); last.Get("since") != began.Add(-replayTime).UTC().Format(time.RFC3339Nano) {
			t.Errorf("last asked %v", last)
		}

		c, s = scripted(t, later(says(200, `{"code":null}`)), later(says(200, `{"code":null}`)))
		began = time.Now()
		_, err = c.WaitForCode(t.Context(), CodeQuery{Timeout: 70 * time.Second})
		if took := time.Since(began); !errors.Is(err, ErrTimedOut) || took != 70*time.Second ||
			s.asked[1].URL.Query().Get("timeout") != "15" {
			t.Errorf("%v after %v", err, took)
		}
		c.http.Transport = breaking{}
		began = time.Now()
		_, err = c.WaitForCode(t.Context(), CodeQuery{Timeout: 70 * time.Second})
		if took := time.Since(began); !errors.Is(err, ErrTimedOut) || !errors.Is(err, io.ErrUnexpectedEOF) ||
			took > 80*time.Second {
			t.Errorf("%v after %v", err, took)
		}
	})
}

// A wait that is tried again has what is left of its time.
func TestWaitIsTriedAgainInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		after := func(d time.Duration, answer func(*http.Request) (*http.Response, error)) func(*http.Request) (
			*http.Response, error) {
			return func(req *http.Request) (*http.Response, error) { time.Sleep(d); return answer(req) }
		}
		c, s := scripted(t, after(40*time.Second, breaks(errBroken)),
			after(14*time.Second, says(200, `{"email":null}`)))
		if _, err := c.Wait(t.Context(), WaitQuery{Timeout: LongestWait, Has: []string{"code"}}); !errors.Is(err,
			ErrTimedOut) {
			t.Error(err)
		}
		if again := s.asked[1].URL.Query(); again.Get("timeout") != "15" || again.Get("has") != "code" {
			t.Errorf("asked again %v", again)
		}
		c, s = scripted(t, after(55*time.Second, says(504, ``)))
		if _, err := c.Code(t.Context(), CodeQuery{Timeout: LongestWait}); !errors.Is(err, ErrUnavailable) ||
			len(s.asked) != 1 {
			t.Errorf("%v after %d requests", err, len(s.asked))
		}
	})
}

// A wait that consumes ends where the answer with a code may have been lost, and only there.
func TestWaitSaysThatACodeMayBeLost(t *testing.T) {
	found := says(200, `{"id":"7","code":"123456"}`)
	away := breaks(&net.OpError{Op: "dial", Err: io.EOF})
	type answers = []func(*http.Request) (*http.Response, error)
	for _, row := range []struct {
		name    string
		keeps   bool
		answers answers
		want    error
	}{
		{"broken", false, answers{breaks(errBroken)}, ErrMaybeConsumed},
		{"of a proxy", false, answers{says(504, ``)}, ErrMaybeConsumed},
		{"half an answer", false, answers{func(req *http.Request) (*http.Response, error) {
			resp, err := found(req)
			resp.Body = io.NopCloser(io.MultiReader(strings.NewReader(`{"id"`), iotest.ErrReader(io.ErrUnexpectedEOF)))
			return resp, err
		}}, ErrMaybeConsumed},
		{"not reached", false, answers{away, found}, nil},
		{"refused", false, answers{says(503, `{}`), found}, nil},
		{"not consumed", true, answers{breaks(errBroken), says(502, ``), found}, nil},
	} {
		t.Run(row.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c, s := scripted(t, row.answers...)
				_, err := c.WaitForCode(t.Context(), CodeQuery{Consume: !row.keeps})
				if !errors.Is(err, row.want) || len(s.asked) != len(row.answers) {
					t.Errorf("%v after %d requests", err, len(s.asked))
				}
			})
		})
	}
}

type breaking struct{}

func (breaking) RoundTrip(*http.Request) (*http.Response, error) { return nil, errBroken }
