package test

import (
	"net/http"
	"strconv"
	"strings"
	"testing"
)

// A pause ends streams and waiting calls, and puts mail off at RCPT and at the end of DATA. After the resume the
// sender's next try arrives, and a stream goes on where it was.
func TestPauseUnderWay(t *testing.T) {
	t.Parallel()
	srv := start(t, endlessStreams)
	for _, who := range []string{"owner", "operator"} {
		t.Run(who, func(t *testing.T) {
			b := srv.mailbox(t, "pause-"+who)
			srv.deliver(t, mail("before "+who), b.address)
			stream := b.stream(t, "", nil)
			last := stream.mustNext(t)
			waits := []*call{b.dial(t, "/code?timeout=55"), b.dial(t, "/wait?timeout=55&subject=never")}
			srv.awaitCalls(t, 3)
			outside, inside := open(t, srv.smtp), srv.inData(t, b, "Subject: in flight "+who+"\r\n")

			b.moderate(t, who, "PATCH", "/pause")
			stream.mustEnd(t)
			for _, c := range append(waits, b.dial(t, "/events"), b.dial(t, "/code")) {
				if a := c.answer(t); a.status != 403 || string(a.body) != paused {
					t.Errorf("%s: %d %s", c.q.URL, a.status, a.body)
				}
			}
			outside.mustAsk(t, "MAIL FROM:<a@example.org>", 250)
			outside.finish(t, "RCPT TO:<"+b.address+">\r\n", "450 4.2.1 ")
			inside.finish(t, "\r\nx\r\n.\r\n", "450 4.2.1 ")

			b.moderate(t, who, "PATCH", "/resume")
			outside.mustAsk(t, "RSET", 250)
			for subject, s := range map[string]*session{"outside ": outside, "inside ": inside} {
				r, err := s.send(envelope{from: "a@example.org", to: []string{b.address}}, []byte(mail(subject+who)),
					byDATA)
				if err != nil || r.code != 250 {
					t.Errorf("the next try: %v %v", r, err)
				}
			}
			stream = b.stream(t, "last_event_id="+strconv.FormatInt(last.Number, 10), nil)
			first, second := stream.mustNext(t), stream.mustNext(t)
			if list := b.inbox(t); len(list) != 3 || list[1].ID != first.EmailID || list[0].ID != second.EmailID {
				t.Errorf("the mailbox has %+v, the stream %+v %+v", list, first, second)
			}
		})
	}
}

// moderate lets the owner or the operator do something to the mailbox as a whole.
func (b box) moderate(t *testing.T, who, method, verb string) {
	t.Helper()
	q := request{method: method, path: "/v1/mailbox" + verb, key: b.key}
	if who == "operator" {
		q.path, q.key = "/v1/mailboxes/"+b.address+verb, b.srv.token
	}
	b.srv.do(t, q, http.StatusOK, nil)
}

// finish sends the rest of something and wants a reply that begins with a text.
func (s *session) finish(t *testing.T, rest, want string) {
	t.Helper()
	if err := s.write([]byte(rest)); err != nil {
		t.Fatal(err)
	}
	if r, err := s.read(); err != nil || !strings.HasPrefix(r.String(), want) {
		t.Errorf("got %v %v, want %s", r, err, want)
	}
}
