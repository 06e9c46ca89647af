package test

import (
	"errors"
	"fmt"
	"io"
	"net"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// say sends bytes over a connection of its own, with cut ends its half of it, and gives everything that comes back
// until the server closes. A server that has had enough may close before it has read all.
func say(t *testing.T, addr string, cut bool, parts ...string) string {
	t.Helper()
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(patience))
	got := make(chan string)
	go func() {
		b, err := io.ReadAll(conn)
		if err != nil && !errors.Is(err, syscall.ECONNRESET) {
			t.Errorf("the server neither answers nor closes: %v after %.100q", err, b)
		}
		got <- string(b)
	}()
	for _, part := range parts {
		if _, err := conn.Write([]byte(part)); err != nil {
			break
		}
	}
	if cut {
		_ = conn.(*net.TCPConn).CloseWrite()
	}
	return <-got
}

var (
	replyCode  = regexp.MustCompile(`(?m)^(\d{3}) `)
	statusLine = regexp.MustCompile(`(?m)^HTTP/1\.[01] (\d{3}) `)
)

// codes lists the codes of the replies in what a server has said.
func codes(re *regexp.Regexp, text string) string {
	var all []string
	for _, m := range re.FindAllStringSubmatch(text, -1) {
		all = append(all, m[1])
	}
	return strings.Join(all, " ")
}

// steady checks at the end of a test that the server is as it was: healthy, with no more goroutines, and nothing
// stored.
func (b box) steady(t *testing.T) (check func()) {
	t.Helper()
	b.stats(t) // so that what is made once is there
	before := b.srv.begun(t)
	return func() {
		t.Helper()
		eventually(t, func() error {
			if now := b.srv.goroutines(t); now > before {
				return fmt.Errorf("%d goroutines, %d before", now, before)
			}
			return nil
		})
		b.srv.do(t, request{path: "/health"}, 200, nil)
		if s := b.stats(t); s.Total != 0 || s.Storage != 0 {
			t.Errorf("something was stored: %+v", s)
		}
		if left := blobFiles(t, b.srv); len(left) > 0 {
			t.Errorf("left in the blob folder: %v", left)
		}
	}
}

// begun is how many goroutines the server has when no more begin: some do so a moment after the start.
func (s *server) begun(t *testing.T) (n int) {
	t.Helper()
	for last := time.Now(); time.Since(last) < 500*time.Millisecond; time.Sleep(50 * time.Millisecond) {
		if now := s.goroutines(t); now > n {
			n, last = now, time.Now()
		}
	}
	return n
}

var goroutines = regexp.MustCompile(`(?m)^go_goroutines (\d+)$`)

func (s *server) goroutines(t *testing.T) int {
	t.Helper()
	page := s.do(t, request{path: "/metrics", key: s.token}, 200, nil)
	n, err := strconv.Atoi(found(goroutines, string(page.body)))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// Whatever is said to the SMTP port is answered or ends the session, and nothing is stored of a message that has no
// end.
func TestBadSMTP(t *testing.T) {
	t.Parallel()
	srv := start(t)
	b := srv.mailbox(t, "bad")
	defer b.steady(t)()
	hello := "EHLO x\r\n"
	ready := hello + "MAIL FROM:<a@example.org>\r\nRCPT TO:<" + b.address + ">\r\n"
	for _, tt := range []struct {
		name  string
		parts []string
		want  string // the codes
	}{
		{"nothing", nil, "220"},
		{"unknown command", []string{"FOO\r\n"}, "220 500"},
		{"empty line", []string{"\r\n"}, "220 500"},
		{"too many of them", []string{strings.Repeat("FOO\r\n", 30)}, "220" + strings.Repeat(" 500", 20) + " 421"},
		{"long line", []string{"NOOP " + strings.Repeat("x", 5000) + "\r\n", "NOOP\r\n"}, "220 500 250"},
		{"endless line", []string{strings.Repeat("x", 300_000)}, "220 421"},
		{"NUL", []string{"NOOP\x00\r\n"}, "220 500"},
		{"bare LF", []string{"NOOP\n"}, "220 500"},
		{"bare CR", []string{"NOOP\rNOOP\r\n"}, "220 500"},
		{"invalid UTF-8", []string{hello + "MAIL FROM:<\xff\xfe@example.org> SMTPUTF8\r\n"}, "220 250 500"},
		{"half a command", []string{"EHL"}, "220"},
		{"HTTP", []string{"POST / HTTP/1.1\r\nHost: x\r\n\r\n" + ready + "DATA\r\nx\r\n.\r\n"}, "220 421"},
		{"TLS hello", []string{"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n"}, "220 500"},
		{"no hello", []string{"MAIL FROM:<a@example.org>\r\n"}, "220 503"},
		{"no sender", []string{hello + "RCPT TO:<" + b.address + ">\r\n"}, "220 250 503"},
		{"two senders", []string{hello + "MAIL FROM:<a@x.org>\r\nMAIL FROM:<b@x.org>\r\n"}, "220 250 250 503"},
		{"sender without an end", []string{hello + "MAIL FROM:<a@x.org\r\n"}, "220 250 501"},
		{"unknown parameter", []string{hello + "MAIL FROM:<a@x.org> XYZ=1\r\n"}, "220 250 555"},
		{"size that is no number", []string{hello + "MAIL FROM:<a@x.org> SIZE=big\r\n"}, "220 250 501"},
		{"DATA without recipients and without waiting",
			[]string{hello + "MAIL FROM:<a@x.org>\r\nDATA\r\nMAIL FROM:<b@x.org>\r\n.\r\n"}, "220 250 250 421"},
		{"half a message", []string{ready + "DATA\r\n", "Subject: half\r\n\r\nhalf"}, "220 250 250 250 354"},
		{"end without CR LF before it", []string{ready + "DATA\r\n", "Subject: x\r\n\r\nx\n.\nMAIL FROM:<b@x.org>\n"},
			"220 250 250 250 354"},
		{"end with LF alone", []string{ready + "DATA\r\n", "Subject: x\r\n\r\nx\r\n.\nMAIL FROM:<b@x.org>\r\n"},
			"220 250 250 250 354"},
		{"end after LF alone", []string{ready + "DATA\r\n", "Subject: x\r\n\r\nx\n.\r\nMAIL FROM:<b@x.org>\r\n"},
			"220 250 250 250 354"},
		{"end with CR alone", []string{ready + "DATA\r\n", "Subject: x\r\n\r\nx\r.\rMAIL FROM:<b@x.org>\r\n"},
			"220 250 250 250 354"},
		{"chunk that is cut", []string{ready + "BDAT 1000 LAST\r\n", "Subject: half"}, "220 250 250 250"},
		{"no last chunk", []string{ready + "BDAT 5\r\n", "Subje"}, "220 250 250 250 250"},
		{"chunk without a size", []string{ready + "BDAT LAST\r\n", "MAIL FROM:<b@x.org>\r\n"},
			"220 250 250 250 501 421"},
		{"negative chunk", []string{ready + "BDAT -1 LAST\r\n", "NOOP\r\n"}, "220 250 250 250 501 421"},
		{"chunk beyond numbers", []string{ready + "BDAT 99999999999999999999 LAST\r\n", "NOOP\r\n"},
			"220 250 250 250 552 421"},
		{"chunk beyond patience", []string{ready + "BDAT 9000000000 LAST\r\n", "NOOP\r\n"}, "220 250 250 250 552 421"},
		{"refused chunk is not run", []string{hello + "BDAT 6 LAST\r\n", "QUIT\r\n", "NOOP\r\n"}, "220 250 503 250"},
		{"DATA inside chunks", []string{ready + "BDAT 3\r\nabcDATA\r\n"}, "220 250 250 250 250 503"},
		{"something behind STARTTLS", []string{hello + "STARTTLS\r\n" + ready}, "220 250 421"},
		{"no TLS behind STARTTLS", []string{hello + "STARTTLS\r\n", "\r\n\r\n\r\n"}, "220 250 220"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := say(t, srv.smtp, true, tt.parts...)
			if codes(replyCode, got) != tt.want && !raced(tt.name, got) {
				t.Errorf("got %s, want %s:\n%.600q", codes(replyCode, got), tt.want, got)
			}
		})
	}
}

// raced tells whether two parts of a row that must come apart came together: then what follows STARTTLS is refused.
func raced(name, got string) bool {
	return name == "no TLS behind STARTTLS" && codes(replyCode, got) == "220 250 421"
}

// What looks like the end of a message and is none is part of it: there is one message, with everything in it.
func TestSmuggling(t *testing.T) {
	t.Parallel()
	srv := start(t)
	for i, end := range []string{"\n.\n", "\n.\r\n", "\r\n.\n", "\r.\r", "\r\n.\r", "\r\n\x00.\r\n", "\r\n.\r\r\n",
		"\n\n.\n\n"} {
		t.Run(fmt.Sprintf("%q", end), func(t *testing.T) {
			b := srv.mailbox(t, fmt.Sprintf("smuggle%d", i))
			message := "Subject: outer\r\n\r\nfirst" + end + "MAIL FROM:<b@x.org>\r\nRCPT TO:<" + b.address +
				">\r\nDATA\r\nSubject: inner\r\n\r\nsecond\r\n"
			for _, by := range []sender{byDATA, byBDAT} {
				c := open(t, srv.smtp)
				r, err := c.send(envelope{from: "a@example.org", to: []string{b.address}}, []byte(message), by)
				if err != nil || r.code != 250 {
					t.Fatalf("got %v %v", r, err)
				}
				c.mustAsk(t, "NOOP", 250)
			}
			for _, e := range b.inbox(t) {
				sameBytes(t, b.raw(t, e.ID), []byte(message))
			}
			if n := len(b.inbox(t)); n != 2 { // without a Message-ID nothing is a duplicate
				t.Errorf("%d messages, want 2", n)
			}
		})
	}
}

// Messages that no parser likes are stored to the byte all the same.
func TestStrangeMail(t *testing.T) {
	srv := start(t)
	b := srv.mailbox(t, "strange")
	nested := func(n int) string {
		var s strings.Builder
		for i := range n {
			fmt.Fprintf(&s, "Content-Type: multipart/mixed; boundary=b%d\r\n\r\n--b%d\r\n", i, i)
		}
		return s.String()
	}
	for _, tt := range []struct{ name, message string }{
		{"empty", ""},
		{"one byte", "x"},
		{"NULs", strings.Repeat("\x00", 100_000)},
		{"one header line of 5 MB", "Subject: " + strings.Repeat("x", 5_000_000) + "\r\n\r\nbody\r\n"},
		{"100,000 headers", strings.Repeat("X-A: b\r\n", 100_000) + "\r\nbody\r\n"},
		{"100,000 folded lines", "X-A: b\r\n" + strings.Repeat(" c\r\n", 100_000) + "\r\nbody\r\n"},
		{"nesting", nested(5000)},
		{"many parts", "Content-Type: multipart/mixed; boundary=b\r\n\r\n" + strings.Repeat("--b\r\n\r\nx\r\n",
			20_000) + "--b--\r\n"},
		{"many addresses", "To: " + strings.Repeat("a@b.c, ", 50_000) + "\r\n\r\n"},
		{"many encoded words", "Subject: " + strings.Repeat("=?utf-8?q?x?= ", 20_000) + "\r\n\r\n"},
		{"deep HTML", "Content-Type: text/html\r\n\r\n" + strings.Repeat("<div>", 200_000)},
		{"bad base64", "Content-Transfer-Encoding: base64\r\nContent-Type: text/plain\r\n\r\n" + strings.Repeat("=!*",
			100_000)},
		{"invalid UTF-8", "Subject: \xff\xfe\r\nFrom: \xc3\x28 <\xa0@\xa1>\r\n\r\n\xf0\x28\x8c\x28"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			began := time.Now()
			asIs := corpusWay{by: byBDAT, sent: func(b []byte) []byte { return b }, forms: true}
			asIs.roundTrip(t, b, tt.name, []byte(tt.message))
			if took := time.Since(began); took > 10*time.Second {
				t.Errorf("it took %v", took)
			}
		})
	}
	b.srv.do(t, request{path: "/health"}, 200, nil)
	if peak := srv.peakMemory(t); peak > 200 {
		t.Errorf("peak memory %.0f MB", peak)
	} else {
		t.Logf("peak memory %.0f MB", peak)
	}
}

// Whatever is said to the HTTP port gets a clear status or an end.
func TestBadHTTP(t *testing.T) {
	t.Parallel()
	srv := start(t)
	b := srv.mailbox(t, "bad")
	defer b.steady(t)()
	addr := strings.TrimPrefix(srv.http, "http://")
	post := "POST /v1/ingest?mailbox=" + b.address + " HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + srv.token +
		"\r\nContent-Type: message/rfc822\r\n"
	get := func(path string) string {
		return "GET " + path + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer " + b.key +
			"\r\n\r\n"
	}
	for _, tt := range []struct {
		name string
		text string
		cut  bool // the client ends its half after it
		want string
	}{
		{"nothing", "", true, ""},
		{"half a request line", "GET /v1/inb", true, "400"},
		{"half a header", "GET /v1/inbox HTTP/1.1\r\nHost: x\r\nAuthor", true, "400"},
		{"SMTP", "EHLO x\r\n", false, "400"},
		{"TLS hello", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", true, "400"},
		{"no host", "GET /health HTTP/1.1\r\n\r\n", false, "400"},
		{"two hosts", "GET /health HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", false, "400"},
		{"NUL in a header", "GET /health HTTP/1.1\r\nHost: x\r\nX: \x00\r\n\r\n", false, "400"},
		{"space before the colon", "GET /health HTTP/1.1\r\nHost: x\r\nX : y\r\n\r\n", false, "400"},
		{"version", "GET /health HTTP/3.7\r\nHost: x\r\n\r\n", false, "505"},
		{"HTTP/2 without being asked", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", false, "404"},
		{"huge header", "GET /health HTTP/1.1\r\nHost: x\r\nX: " + strings.Repeat("x", 200_000) + "\r\n\r\n", false,
			"431"},
		{"huge path", "GET /" + strings.Repeat("x", 200_000) + " HTTP/1.1\r\nHost: x\r\n\r\n", false, "431"},
		{"method of letters", "FLY /v1/inbox HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer " +
			b.key + "\r\n\r\n", false, "405"},
		{"CONNECT", "CONNECT example.com:25 HTTP/1.1\r\nHost: example.com:25\r\nConnection: close\r\n\r\n", false,
			"404"},
		{"query of bad escapes", get("/v1/inbox?limit=%zz"), false, "400"},
		{"query of bad UTF-8", get("/v1/inbox?label=%ff"), false, "400"},
		{"query with NUL", get("/v1/inbox?cursor=%00"), false, "400"},
		{"cursor of nonsense", get("/v1/inbox?cursor=AAAA"), false, "400"},
		{"two keys", "GET /v1/inbox HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer " + b.key +
			"\r\nAuthorization: Bearer x\r\n\r\n", false, "401"},
		{"two lengths", post + "Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello", false, "400"},
		{"negative length", post + "Content-Length: -1\r\n\r\nhello", false, "400"},
		{"length with a sign", post + "Content-Length: +5\r\n\r\nhello", false, "400"},
		{"coding that is none", post + "Transfer-Encoding: xchunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n", false, "501"},
		{"two codings", post + "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n", false,
			"501"},
		{"chunk size of letters", post + "Transfer-Encoding: chunked\r\n\r\nxyz\r\nhello\r\n0\r\n\r\n", false, "400"},
		{"chunk without its end", post + "Transfer-Encoding: chunked\r\n\r\n5\r\nhelloGET /health HTTP/1.1\r\n\r\n",
			false, "400"},
		{"no last chunk", post + "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n", true, "400"},
		{"body that is cut", post + "Content-Length: 1000\r\n\r\nSubject: half", true, "400"},
		{"length beyond the limit", post + "Content-Length: 140000001\r\n\r\nx", false, "413"},
		{"JSON beyond the limit", "POST /v1/mailboxes HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + srv.token +
			"\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nf4241\r\n" + strings.Repeat(" ",
			1_000_001) + "\r\n0\r\n\r\n", false, "413"},
		{"JSON of bad UTF-8", "POST /v1/mailboxes HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer " +
			srv.token + "\r\nContent-Type: application/json\r\nContent-Length: 13\r\n\r\n{\"name\":\"\xff\xfe\"}",
			false, "400"},
		{"JSON that is deep", "POST /v1/mailboxes HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer " +
			srv.token + "\r\nContent-Type: application/json\r\nContent-Length: 900000\r\n\r\n" + strings.Repeat(`{"a":`,
			180_000), true, "400"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := say(t, addr, tt.cut, tt.text); codes(statusLine, got) != tt.want {
				t.Errorf("got %s, want %s:\n%.600q", codes(statusLine, got), tt.want, got)
			}
		})
	}
}

// Clients that leave in the middle of anything leave nothing behind.
func TestClientsThatLeave(t *testing.T) {
	srv := start(t)
	b := srv.mailbox(t, "gone")
	defer b.steady(t)()
	hello := "EHLO x\r\nMAIL FROM:<a@example.org>\r\nRCPT TO:<" + b.address + ">\r\n"
	post := "POST /v1/ingest?mailbox=" + b.address + " HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + srv.token +
		"\r\nContent-Type: message/rfc822\r\nContent-Length: 9000000\r\n\r\n"
	large := strings.Repeat("x", 3_000_000)
	http := strings.TrimPrefix(srv.http, "http://")
	for _, tt := range []struct{ name, addr, text string }{
		{"SMTP at once", srv.smtp, ""},
		{"SMTP in a command", srv.smtp, "EHL"},
		{"SMTP in DATA", srv.smtp, hello + "DATA\r\n"},
		{"SMTP in a large message", srv.smtp, hello + "DATA\r\n" + large},
		{"SMTP in a chunk", srv.smtp, hello + "BDAT 9000000 LAST\r\n" + large},
		{"LMTP in a message", srv.lmtp, "LHLO" + hello[4:] + "DATA\r\n" + large},
		{"HTTP at once", http, ""},
		{"HTTP in the headers", http, "GET /v1/inbox HTTP/1.1\r\nHost: x\r\n"},
		{"HTTP in a body", http, post + "Subject: x\r\n"},
		{"HTTP in a large body", http, post + large},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, linger := range []int{-1, 0} { // an end, and a reset
				conn, err := net.Dial("tcp", tt.addr)
				if err != nil {
					t.Fatal(err)
				}
				_ = conn.(*net.TCPConn).SetLinger(linger)
				_ = conn.SetDeadline(time.Now().Add(patience))
				if _, err := conn.Write([]byte(tt.text)); err != nil {
					t.Error(err)
				}
				conn.Close()
			}
		})
	}
}
