package httpapi

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

func received(n int64, subject string) mailbox.Event {
	return mailbox.Event{Number: n, Kind: mailbox.MessageReceived, Message: fakeID, At: fakeTime,
		Mail: &mailbox.Message{
			ID: fakeID, Thread: fakeID, From: mailbox.Address{Name: "Ann", Address: "ann@x.example"}, Subject: subject,
			ReceivedAt: fakeTime,
			Labels:     []string{"code"}, Attachments: 2, MessageID: "1@x.example", Code: "123456",
		}}
}

// frame is how a received message looks in a stream.
func frame(n int64, subject string) string {
	return fmt.Sprintf("id: %d\nevent: message.received\n"+
		`data: {"event":"message.received","email_id":"019cb7d1-0000-7000-8000-000000000000",`+
		`"mailbox":"agent@mailkin.example","from":"ann@x.example","subject":"%s","received_at":"2026-03-04T05:06:07.089Z",`+
		`"thread_id":"019cb7d1-0000-7000-8000-000000000000","labels":["code"],"has_attachments":true,"message_id":"<1@x.example>",`+
		`"attachment_count":2,"code":"123456"}`+"\n\n", n, subject)
}

const deletedFrame = "id: 9\nevent: message.received\n" +
	`data: {"event":"message.received","email_id":"019cb7d1-0000-7000-8000-000000000000",` +
	`"mailbox":"agent@mailkin.example","from":"","subject":"","received_at":"2026-03-04T05:06:07.089Z","thread_id":"","labels":[],` +
	`"has_attachments":false,"message_id":"","attachment_count":0,"code":null,"deleted":true}` + "\n\n"

func TestEvents(t *testing.T) {
	gone := received(9, "")
	gone.Mail = nil
	streams := func(script ...moment) fake { return fake{stream: &fakeStream{script: script}} }
	const first = "retry: 1000\n\n: keepalive\n\n"
	head := []string{"Content-Type: text/event-stream", "Cache-Control: no-store", "X-Accel-Buffering: no",
		"Connection: close", "Content-Length"}
	runAll(t, []scenario{
		{name: "nothing", path: "/v1/events", status: 200, exact: first, headers: head},
		{name: "by the alias", path: "/api/events", key: keyProvisional, status: 200, exact: first},
		{name: "one", path: "/v1/events", svc: streams(moment{events: []mailbox.Event{received(7, "Hi")}}), status: 200,
			exact: first + frame(7, "Hi"), headers: head},
		{name: "some", path: "/v1/events", svc: streams(moment{events: []mailbox.Event{received(7, "a"),
			received(8, "b")}}, moment{events: []mailbox.Event{gone}}),
			status: 200, exact: first + frame(7, "a") + frame(8, "b") + deletedFrame},
		{name: "one line, whatever is in it", path: "/v1/events",
			svc: streams(moment{events: []mailbox.Event{received(7, "a\r\n\r\ndata: x\u2028<&>\"")}}), status: 200,
			exact: first + frame(7, `a\r\n\r\ndata: x\u2028<&>\"`)},
		{name: "the last with the end", path: "/v1/events",
			svc: streams(moment{events: []mailbox.Event{received(7, "a")}, err: io.EOF}), status: 200,
			exact: first + frame(7, "a")},
		{name: "ends early", path: "/v1/events", svc: streams(moment{err: errors.New("disk x")}), status: 200,
			exact: first},
		{name: "too many", path: "/v1/events", svc: fake{err: &mailbox.Error{Kind: mailbox.Limited,
			Code: "too_many_streams", Message: "Too many.", RetryAfter: time.Second}},
			status: 429, exact: `{"error":"Too many.","code":"too_many_streams"}`, headers: []string{"Retry-After: 1",
				"Content-Type: application/json", "X-Accel-Buffering"}},
		{name: "paused", path: "/v1/events", svc: fake{err: mailbox.Errorf(mailbox.Paused, "x", "y")}, status: 403,
			exact: `{"error":"Mailbox is paused"}`},
		{name: "HEAD", method: "HEAD", path: "/v1/events", status: 200, headers: head, check: asked(nil)},
		{name: "HEAD with bad parameters", method: "HEAD", path: "/v1/events?since=x", status: 400},
		{name: "operator", path: "/v1/events?mailbox=" + otherAddress, key: keyOperator, status: 200},
	})
}

func TestEventParameters(t *testing.T) {
	last := func(s string) []string { return []string{"Last-Event-ID: " + s} }
	stream := func(q service.StreamQuery) func(*testing.T, *fake) { return asked(q) }
	runAll(t, []scenario{
		{name: "none", path: "/v1/events", status: 200, check: stream(service.StreamQuery{})},
		{name: "types", path: "/v1/events?types=message.received,%20message.sent%20,", status: 200,
			check: stream(service.StreamQuery{Kinds: []mailbox.EventKind{mailbox.MessageReceived,
				mailbox.MessageSent}})},
		{name: "types twice", path: "/v1/events?types=message.received&types=message.received,message.bounced",
			status: 200,
			check: stream(service.StreamQuery{Kinds: []mailbox.EventKind{mailbox.MessageReceived,
				mailbox.MessageBounced}})},
		{name: "no types", path: "/v1/events?types=%20,", status: 200, check: stream(service.StreamQuery{})},
		{name: "unknown type", path: "/v1/events?types=message.received,message.read", status: 200,
			check: stream(service.StreamQuery{Kinds: []mailbox.EventKind{mailbox.MessageReceived, noKind}})},
		{name: "only unknown types", path: "/v1/events?types=message.read,message.eaten&types=Message.Received,%00",
			status: 200,
			check:  stream(service.StreamQuery{Kinds: []mailbox.EventKind{noKind}})},
		{name: "since", path: "/v1/events?since=2026-01-02T03:04:05%2B01:00", status: 200,
			check: stream(service.StreamQuery{Since: time.Date(2026, 1, 2, 2, 4, 5, 0, time.UTC)})},
		{name: "since is no time", path: "/v1/events?since=60", status: 400, contains: invalid("since")},
		{name: "last as a header", path: "/v1/events", header: last("42"), status: 200,
			check: stream(service.StreamQuery{Last: "42"})},
		{name: "last as a parameter", path: "/v1/events?last_event_id=43", status: 200,
			check: stream(service.StreamQuery{Last: "43"})},
		{name: "the header wins", path: "/v1/events?last_event_id=43", header: last("42"), status: 200,
			check: stream(service.StreamQuery{Last: "42"})},
		{name: "an empty header does not", path: "/v1/events?last_event_id=43", header: last(""), status: 200,
			check: stream(service.StreamQuery{Last: "43"})},
		{name: "last that is no number", path: "/v1/events?last_event_id=x", status: 200,
			check: stream(service.StreamQuery{Last: "x"})},
		{name: "NUL in last", path: "/v1/events?last_event_id=%00", status: 400, contains: invalid("last_event_id")},
		{name: "foreign before types", path: "/v1/events?types=x&mailbox=" + otherAddress, status: 403,
			exact: `{"error":"forbidden","message":"Key not authorized for this mailbox"}`},
	})
}

// What ends a stream early is logged once, and a stream that had to end is not.
func TestBrokenStream(t *testing.T) {
	for err, lines := range map[error]int{errors.New("disk x"): 1, io.EOF: 0, fmt.Errorf("end: %w", io.EOF): 0} {
		api, log := newAPI(&fake{stream: &fakeStream{script: []moment{{err: err}}}})
		api.ServeHTTP(httptest.NewRecorder(), scenario{path: "/v1/events"}.request())
		if got := strings.Count(log.String(), "request failed"); got != lines {
			t.Errorf("%v: logged %d times: %s", err, got, log)
		}
	}
}

// tape is a ResponseWriter that notes when what was written, flushed, and by when it had to be.
type tape struct {
	header http.Header
	began  time.Time
	pieces []string
	limits []time.Duration // deadlines as they were at each write
	limit  time.Time
	lifted int           // how often there was none any more
	life   time.Duration // after which writing fails; 0: never
}

func newTape() *tape { return &tape{header: make(http.Header), began: time.Now()} }

func (p *tape) note(format string, args ...any) {
	p.pieces = append(p.pieces, fmt.Sprintf("%v ", time.Since(p.began))+fmt.Sprintf(format, args...))
}

func (p *tape) Header() http.Header    { return p.header }
func (p *tape) WriteHeader(status int) { p.note("%d", status) }
func (p *tape) FlushError() error      { p.note("flush"); return p.broken() }
func (p *tape) Write(b []byte) (int, error) {
	p.note("%.28q", b)
	p.limits = append(p.limits, p.limit.Sub(p.began))
	return len(b), p.broken()
}

func (p *tape) broken() error {
	if p.life > 0 && time.Since(p.began) >= p.life {
		return errors.New("reset")
	}
	return nil
}

func (p *tape) SetWriteDeadline(t time.Time) error {
	p.limit = t
	if t.IsZero() {
		p.lifted++
	}
	return nil
}

// play streams events in a bubble and passes the tape on.
func play(t *testing.T, s *fakeStream, check func(t *testing.T, p *tape)) {
	synctest.Test(t, func(t *testing.T) {
		api, _ := newAPI(&fake{stream: s})
		p := newTape()
		api.ServeHTTP(p, scenario{path: "/v1/events"}.request())
		if s.closed.IsZero() {
			t.Error("the stream was not closed")
		}
		check(t, p)
	})
}

func TestKeepalive(t *testing.T) {
	play(t, &fakeStream{life: 25 * time.Second}, func(t *testing.T, p *tape) {
		want := []string{"0s 200", `0s "retry: 1000\n\n: keepalive\n\n"`, "0s flush"}
		for at := 2 * time.Second; at < 25*time.Second; at += 2 * time.Second {
			want = append(want, fmt.Sprintf(`%v ": keepalive\n\n"`, at), fmt.Sprintf("%v flush", at))
		}
		if diff := cmp.Diff(want, p.pieces); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		if took := time.Since(p.began); took != 25*time.Second {
			t.Errorf("it took %v", took)
		}
	})
}

// A sign of life is sent two seconds after anything was written, and not before; a batch is written in one piece.
func TestKeepaliveAfterEvents(t *testing.T) {
	one, two := received(1, ""), received(2, "")
	s := &fakeStream{life: 8 * time.Second, script: []moment{
		{after: 500 * time.Millisecond}, // a wake-up without events
		{after: 1500 * time.Millisecond, events: []mailbox.Event{one, two}},
		{after: 3 * time.Second},
		{after: 5500 * time.Millisecond, events: []mailbox.Event{one}}, // when the next sign of life is due
	}}
	play(t, s, func(t *testing.T, p *tape) {
		event, life := `"id: 1\nevent: message.receive"`, `": keepalive\n\n"`
		want := []string{"0s 200", `0s "retry: 1000\n\n: keepalive\n\n"`, "0s flush", "1.5s " + event, "1.5s flush",
			"3.5s " + life, "3.5s flush",
			"5.5s " + event, "5.5s flush", "7.5s " + life, "7.5s flush"}
		if diff := cmp.Diff(want, p.pieces); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}

// Every write has a limit of its own, which is soon and not far after the stream's end; a quiet stream has none.
func TestStreamDeadlines(t *testing.T) {
	play(t, &fakeStream{life: 25 * time.Second}, func(t *testing.T, p *tape) {
		for i, limit := range p.limits {
			at := time.Duration(i) * 2 * time.Second
			if want := min(at+streamStall, 25*time.Second+streamGrace); limit != want {
				t.Errorf("what is written at %v has time until %v, want %v", at, limit, want)
			}
		}
		if got := p.limit.Sub(p.began); got != 27*time.Second || p.lifted != len(p.limits) {
			t.Errorf("the end has time until %v; of %d limits %d were lifted", got, len(p.limits), p.lifted)
		}
	})
}

func TestStreamEndsWithItsClient(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // told by the context
		s := &fakeStream{life: 25 * time.Second}
		api, log := newAPI(&fake{stream: s})
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(3*time.Second, cancel)
		p := newTape()
		api.ServeHTTP(p, scenario{path: "/v1/events"}.request().WithContext(ctx))
		if s.lasted() != 3*time.Second || log.Len() > 0 || !strings.HasPrefix(p.pieces[len(p.pieces)-1], "2s") {
			t.Errorf("it lasted %v, wrote %q, and logged %s", s.lasted(), p.pieces, log)
		}
	})
	synctest.Test(t, func(t *testing.T) { // told by a write
		s := &fakeStream{life: 25 * time.Second}
		api, log := newAPI(&fake{stream: s})
		p := newTape()
		p.life = 3 * time.Second
		api.ServeHTTP(p, scenario{path: "/v1/events"}.request())
		if s.lasted() != 4*time.Second || log.Len() > 0 {
			t.Errorf("it lasted %v and logged %s", s.lasted(), log)
		}
	})
}

const askEvents = "GET /v1/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + keyMailbox + "\r\n"

// A stream over a connection: its bytes come as they are written, and the connection ends with it.
func TestStreamOverAConnection(t *testing.T) {
	s := &fakeStream{life: 25 * time.Second, script: []moment{{after: time.Second,
		events: []mailbox.Event{received(1, "Hi")}}}}
	onOwnClock(t, &fake{stream: s}, func(t *testing.T, conn net.Conn) {
		began := time.Now()
		resp := talk(t, conn, askEvents+"\r\n")
		piece := make([]byte, 4096)
		var got []string
		for {
			n, err := resp.Body.Read(piece)
			if n > 0 {
				got = append(got, fmt.Sprintf("%v %s", time.Since(began), piece[:n]))
			}
			if err != nil {
				break
			}
		}
		want := []string{"0s retry: 1000\n\n: keepalive\n\n", "1s " + frame(1, "Hi"), "3s : keepalive\n\n"}
		if len(got) < 3 || !slices.Equal(got[:3], want) {
			t.Errorf("got %q", got)
		}
		if _, err := conn.Read(piece); err != io.EOF || time.Since(began) != 25*time.Second {
			t.Errorf("the connection ends with %v after %v", err, time.Since(began))
		}
	})
}

// A client that hangs up ends its stream at once, also if it sent a body that nobody wants.
func TestHangingUpOnAStream(t *testing.T) {
	for name, request := range map[string]string{
		"no body": askEvents + "\r\n", "body": askEvents + "Content-Length: 2\r\n\r\n{}",
		"chunked": askEvents + "Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			s := &fakeStream{life: 25 * time.Second}
			onOwnClock(t, &fake{stream: s}, func(t *testing.T, conn net.Conn) {
				_ = talk(t, conn, request)
				go func() { _, _ = io.Copy(io.Discard, conn) }()
				time.Sleep(3 * time.Second)
				_ = conn.Close()
				synctest.Wait()
				if s.lasted() != 3*time.Second {
					t.Errorf("it lasted %v", s.lasted())
				}
			})
		})
	}
}

// A client that does not read holds a stream for seconds, and never for long after its end.
func TestStreamThatNobodyReads(t *testing.T) {
	for _, tt := range []struct{ reads, lasts time.Duration }{
		{time.Second, 12 * time.Second},      // the write at 2 s has 10
		{23 * time.Second, 27 * time.Second}, // the write at 24 s has 3
	} {
		s := &fakeStream{life: 25 * time.Second}
		onOwnClock(t, &fake{stream: s}, func(t *testing.T, conn net.Conn) {
			_ = talk(t, conn, askEvents+"\r\n")
			_ = conn.SetReadDeadline(time.Now().Add(tt.reads))
			_, _ = io.Copy(io.Discard, conn)
			time.Sleep(time.Minute)
			synctest.Wait()
			if s.lasted() != tt.lasts {
				t.Errorf("it lasted %v, want %v", s.lasted(), tt.lasts)
			}
		})
	}
}
