package transport

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"
)

const letter = "Subject: hi\r\n\r\n.dot\r\nbye\r\n"

func mailOf(body string) Mail {
	return Mail{From: "ann@example.com", To: "bob@example.net", Size: int64(len(body)), Body: strings.NewReader(body)}
}

// dial opens a session with a server that is told how to behave.
func dial(t *testing.T, s *server) (*session, *problem) {
	t.Helper()
	c := newClient("us.example", nil, testLog(t))
	for _, says := range s.says {
		if says == silent {
			quick(&c)
		}
	}
	return c.open(t.Context(), target{host: "mx.test", address: s.on(t, "127.0.0.1:0"), demand: demand{off: true}})
}

func mustDial(t *testing.T, s *server) *session {
	t.Helper()
	conn, p := dial(t, s)
	if p != nil {
		t.Fatalf("%+v", p)
	}
	t.Cleanup(conn.Close)
	return conn
}

func TestOpen(t *testing.T) {
	long := "250-" + strings.Repeat("x", 3000) + "\r\n250 OK"
	for _, tt := range []struct {
		name string
		says map[string]string
		code int
		want string // text of the result; empty for a session
		log  string
	}{
		{"good", nil, 0, "", "EHLO us.example"},
		{"greeting of many lines", map[string]string{"": "220-hello\r\n220-there\r\n220 mx.test"}, 0, "",
			"EHLO us.example"},
		{"greeting in pieces", map[string]string{"": odd + "220-hello\r\n220 mx.test"}, 0, "", "EHLO us.example"},
		{"greeting refuses", map[string]string{"": "554 5.7.1 go away"}, 554, "go away", ""},
		{"greeting is busy", map[string]string{"": "421 4.3.2 later"}, 421, "later", ""},
		{"greeting is none", map[string]string{"": cutOff}, 0, "the connection with mx.test was lost", ""},
		{"greeting never comes", map[string]string{"": silent}, 0, "mx.test took too long to answer", ""},
		{"greeting of another protocol", map[string]string{"": "HTTP/1.1 400 Bad Request"}, 0,
			"mx.test: the server's reply makes no sense", ""},
		{"greeting without an end", map[string]string{"": strings.Repeat("220-x\r\n", 150) + "220 x"}, 0,
			"mx.test: the server's reply is too long", ""},
		{"greeting in one long line", map[string]string{"": "220 " + strings.Repeat("x", 5000)}, 0,
			"mx.test: the server's reply is too long", ""},
		{"EHLO not known", map[string]string{"EHLO": "502 what"}, 0, "", "EHLO us.example|HELO us.example"},
		{"EHLO refused twice", map[string]string{"EHLO": "550 no", "HELO": "550 5.7.1 your name is bad"}, 550,
			"your name is bad", "EHLO us.example|HELO us.example"},
		{"EHLO busy", map[string]string{"EHLO": "450 4.7.1 wait"}, 450, "wait", "EHLO us.example"},
		{"EHLO cut", map[string]string{"EHLO": cutOff}, 0, "the connection with mx.test was lost", "EHLO us.example"},
		{"EHLO with a long line", map[string]string{"EHLO": long}, 0, "mx.test: the server's reply is too long",
			"EHLO us.example"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := &server{says: tt.says}
			conn, p := dial(t, s)
			if p == nil {
				conn.Close()
				p = new(problem)
			} else if p.Outcome != Temporary || p.Host != "mx.test" || p.Addr.String() != "127.0.0.1" || p.Began {
				t.Errorf("%+v", p.Result)
			}
			if p.Text != tt.want || p.Code != tt.code {
				t.Errorf("%d %q, want %d %q", p.Code, p.Text, tt.code, tt.want)
			}
			if got := strings.TrimSuffix(s.log(), "|QUIT"); got != tt.log {
				t.Errorf("heard %s, want %s", got, tt.log)
			}
		})
	}
}

// Each row is a mail, and then another one over the same session if that is still alive.
func TestSend(t *testing.T) {
	const whole = "MAIL FROM:<ann@example.com>|RCPT TO:<bob@example.net>|DATA"
	for _, tt := range []struct {
		name     string
		verb     string
		says     string
		outcome  Outcome
		code     int
		enhanced string
		text     string
		began    bool
		alive    bool
		log      string // between EHLO and what follows
	}{
		{"good", "", "", Delivered, 250, "2.0.0", "queued as 42", true, true, whole},
		{"MAIL 5xx", "MAIL", "550 5.7.1 not you", Permanent, 550, "5.7.1", "not you", false, true, ""},
		{"MAIL 4xx", "MAIL", "451 4.7.1 grey", Temporary, 451, "4.7.1", "grey", false, true, ""},
		{"MAIL 421", "MAIL", "421 4.4.2 bye", Temporary, 421, "4.4.2", "bye", false, false, ""},
		{"MAIL 3xx", "MAIL", "354 what", Temporary, 354, "", "what", false, false, ""},
		{"MAIL cut", "MAIL", cutOff, Temporary, 0, "4.4.2", "the connection with mx.test was lost", false, false, ""},
		{"MAIL silent", "MAIL", silent, Temporary, 0, "4.4.2", "mx.test took too long to answer", false, false, ""},
		{"MAIL nonsense", "MAIL", "hello", Temporary, 0, "4.5.0", "mx.test: the server's reply makes no sense", false,
			false, ""},
		{"RCPT 5xx", "RCPT", "550 5.1.1 no such user", Permanent, 550, "5.1.1", "no such user", false, true, ""},
		{"RCPT 5xx of many lines", "RCPT", "550-5.1.1 no such\r\n550-5.1.1 user\r\n550 5.1.1 here", Permanent, 550,
			"5.1.1", "no such user here", false, true, ""},
		{"RCPT 5xx in pieces", "RCPT", odd + "550-5.1.1 no such\r\n550 5.1.1 user", Permanent, 550, "5.1.1",
			"no such user", false, true, ""},
		{"RCPT 5xx without text", "RCPT", "550", Permanent, 550, "", "", false, true, ""},
		{"RCPT 4xx", "RCPT", "450 4.2.1 busy", Temporary, 450, "4.2.1", "busy", false, true, ""},
		{"RCPT 251", "RCPT", "251 will forward", Delivered, 250, "2.0.0", "queued as 42", true, true, ""},
		{"RCPT cut", "RCPT", cutOff, Temporary, 0, "4.4.2", "the connection with mx.test was lost", false, false, ""},
		{"RCPT silent", "RCPT", silent, Temporary, 0, "4.4.2", "mx.test took too long to answer", false, false, ""},
		{"DATA 5xx", "DATA", "554 5.5.1 no valid recipients", Permanent, 554, "5.5.1", "no valid recipients", true,
			true, ""},
		{"DATA 4xx", "DATA", "451 4.3.0 disk", Temporary, 451, "4.3.0", "disk", true, true, ""},
		{"DATA 2xx", "DATA", "250 fine", Temporary, 0, "4.5.0", "mx.test: the server's reply makes no sense", true,
			false, ""},
		{"DATA cut", "DATA", cutOff, Temporary, 0, "4.4.2", "the connection with mx.test was lost", true, false, ""},
		{"DATA silent", "DATA", silent, Temporary, 0, "4.4.2", "mx.test took too long to answer", true, false, ""},
		{"end 5xx", ".", "550 5.7.1 spam", Permanent, 550, "5.7.1", "spam", true, true, ""},
		{"end 4xx", ".", "451 4.3.0 later", Temporary, 451, "4.3.0", "later", true, true, ""},
		{"end 421", ".", "421 4.3.2 going down", Temporary, 421, "4.3.2", "going down", true, false, ""},
		{"end 3xx", ".", "354 more", Temporary, 354, "", "more", true, false, ""},
		{"end cut", ".", cutOff, Unknown, 0, "", "after the whole mail was sent: the connection with mx.test was lost",
			true, false, ""},
		{"end silent", ".", silent, Unknown, 0, "", "after the whole mail was sent: mx.test took too long to answer",
			true, false, ""},
		{"end nonsense", ".", "thanks", Unknown, 0, "", "after the whole mail was sent: mx.test: the server's reply " +
			"makes no sense", true, false, ""},
		{"end of control characters", ".", "550 5.7.1 a\x1b[2Jb\xff\x00\tc", Permanent, 550, "5.7.1", "a[2Jb? c", true,
			true, ""},
	} {
		for _, offer := range [][]string{nil, {"PIPELINING", "ENHANCEDSTATUSCODES"}} {
			t.Run(tt.name+strings.Join(offer, " "), func(t *testing.T) {
				s := &server{says: map[string]string{}, offer: offer}
				if tt.says != "" {
					s.says[tt.verb] = tt.says
				}
				conn := mustDial(t, s)
				begun := false
				m := mailOf(letter)
				m.Begin = func(context.Context) error {
					if begun = true; strings.Contains(s.log(), "DATA") {
						t.Error("begun after DATA")
					}
					return nil
				}
				r := conn.Send(t.Context(), m)
				want := Result{tt.outcome, tt.code, tt.enhanced, tt.text, "mx.test", r.Addr, "", false, tt.began, false}
				if r != want || begun != tt.began || r.Addr.String() != "127.0.0.1" {
					t.Errorf("%+v, want %+v, begun %v", r, want, begun)
				}
				if got := strings.TrimPrefix(s.log(), "EHLO us.example|"); tt.log != "" && got != tt.log {
					t.Errorf("heard %s, want %s", got, tt.log)
				}
				if conn.Alive() != tt.alive {
					t.Fatalf("alive %v", !tt.alive)
				}
				s.mu.Lock()
				delete(s.says, tt.verb)
				s.mu.Unlock()
				again := conn.Send(t.Context(), mailOf(letter))
				if (again.Outcome == Delivered) != tt.alive {
					t.Errorf("again: %+v", again)
				}
				if tt.alive {
					if got := s.last(); got != "Subject: hi\r\n\r\n..dot\r\nbye\r\n" {
						t.Errorf("%q", got)
					}
				}
			})
		}
	}
}

// A server that says what it dislikes in the middle of the message and hangs up has said it.
func TestEarlyRefusal(t *testing.T) {
	s := &server{says: map[string]string{".": "552 5.3.4 too big"}, early: true}
	conn := mustDial(t, s)
	r := conn.Send(t.Context(), mailOf(strings.Repeat(strings.Repeat("x", 70)+crlf, 400_000)))
	if conn.Alive() || r.Outcome == Delivered || r.Outcome == Unknown || r.Outcome == Permanent && r.Code != 552 {
		t.Errorf("%+v", r)
	}
}

func TestBeginFails(t *testing.T) {
	s := &server{}
	conn := mustDial(t, s)
	m := mailOf(letter)
	m.Begin = func(context.Context) error { return errors.New("the disk is full") }
	if r := conn.Send(t.Context(), m); r.Outcome != Temporary || r.Began || !conn.Alive() {
		t.Errorf("%+v", r)
	}
	if got := s.log(); !strings.HasSuffix(got, "|RSET") || strings.Contains(got, "DATA") {
		t.Error(got)
	}
	if r := conn.Send(t.Context(), mailOf(letter)); r.Outcome != Delivered {
		t.Errorf("%+v", r)
	}
}

// A message that cannot be read to its end must not have one.
func TestBodyFails(t *testing.T) {
	s := &server{}
	conn := mustDial(t, s)
	m := mailOf(letter)
	m.Body = io.MultiReader(strings.NewReader("Subject: half\r\n"), iotest.ErrReader(errors.New("blob is gone")))
	if r := conn.Send(t.Context(), m); r.Outcome != Temporary || !r.Began || conn.Alive() ||
		strings.Contains(r.Text, "blob") {
		t.Errorf("%+v", r)
	}
	if s.last() != "" {
		t.Error("half a mail was delivered")
	}
}

func TestEnvelope(t *testing.T) {
	all := []string{"PIPELINING", "SIZE 1000", "8BITMIME", "SMTPUTF8"}
	for _, tt := range []struct {
		name  string
		offer []string
		mail  Mail
		want  string // the commands, or the enhanced code
	}{
		{"plain", all, Mail{From: "a@b.example", To: "c@d.example", Size: 10}, "MAIL FROM:<a@b.example> SIZE=10|RCPT " +
			"TO:<c@d.example>"},
		{"report", all, Mail{To: "c@d.example"}, "MAIL FROM:<>|RCPT TO:<c@d.example>"},
		{"8-bit", all, Mail{From: "a@b.example", To: "c@d.example", EightBit: true},
			"MAIL FROM:<a@b.example> BODY=8BITMIME|RCPT TO:<c@d.example>"},
		{"8-bit without", nil, Mail{From: "a@b.example", To: "c@d.example", Size: 10, EightBit: true},
			"MAIL FROM:<a@b.example>|RCPT TO:<c@d.example>"},
		{"header in UTF-8", all, Mail{From: "a@b.example", To: "c@d.example", UTF8: true},
			"MAIL FROM:<a@b.example> SMTPUTF8|RCPT TO:<c@d.example>"},
		{"header in UTF-8 without", nil, Mail{From: "a@b.example", To: "c@d.example", UTF8: true}, "5.6.7"},
		{"address in UTF-8", all, Mail{From: "a@b.example", To: "jörg@d.example"},
			"MAIL FROM:<a@b.example> SMTPUTF8|RCPT TO:<jörg@d.example>"},
		{"address in UTF-8 without", nil, Mail{From: "a@b.example", To: "jörg@d.example"}, "5.6.7"},
		{"domain in UTF-8", nil, Mail{From: "a@bücher.example", To: "c@bücher.example"},
			"MAIL FROM:<a@xn--bcher-kva.example>|RCPT TO:<c@xn--bcher-kva.example>"},
		{"too large", all, Mail{From: "a@b.example", To: "c@d.example", Size: 1001}, "5.3.4"},
		{"as large as may be", []string{"SIZE 1000"}, Mail{From: "a@b.example", To: "c@d.example", Size: 1000},
			"MAIL FROM:<a@b.example> SIZE=1000|RCPT TO:<c@d.example>"},
		{"size not said", []string{"size"}, Mail{From: "a@b.example", To: "c@d.example", Size: 1001},
			"MAIL FROM:<a@b.example> SIZE=1001|RCPT TO:<c@d.example>"},
		{"quoted", all, Mail{From: "a@b.example", To: `"x > y"@d.example`},
			`MAIL FROM:<a@b.example>|RCPT TO:<"x > y"@d.example>`},
		{"literal", all, Mail{From: "a@b.example", To: "x@[192.0.2.1]"}, "MAIL FROM:<a@b.example>|RCPT " +
			"TO:<x@[192.0.2.1]>"},
		{"two commands", all, Mail{From: "a@b.example", To: "c@d.example>\r\nDATA"}, "5.1.3"},
		{"two commands in the sender", all, Mail{From: "a@b.example\nRSET", To: "c@d.example"}, "5.1.7"},
		{"parameters", all, Mail{From: "a@b.example", To: "c@d.example> NOTIFY=NEVER"}, "5.1.3"},
		{"parameters in the local part", all, Mail{From: "a> SIZE=1 <x@b.example", To: "c@d.example"}, "5.1.7"},
		{"quote that is not closed", all, Mail{From: "a@b.example", To: `"a> NOTIFY=NEVER@d.example`}, "5.1.3"},
		{"quote that is closed too soon", all, Mail{From: "a@b.example", To: `"a"> NOTIFY=NEVER "@d.example`}, "5.1.3"},
		{"no recipient", all, Mail{From: "a@b.example"}, "5.1.3"},
		{"no domain", all, Mail{From: "a@b.example", To: "c@"}, "5.1.3"},
		{"no local part", all, Mail{From: "a@b.example", To: "@d.example"}, "5.1.3"},
		{"broken UTF-8", all, Mail{From: "a@b.example", To: "\xff@d.example"}, "5.1.3"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := &server{offer: tt.offer}
			conn := mustDial(t, s)
			tt.mail.Body = strings.NewReader("\r\n")
			r := conn.Send(t.Context(), tt.mail)
			got := strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(s.log(), "EHLO us.example"), "|"), "|DATA")
			if r.Outcome != Delivered {
				if got != "" || r.Outcome != Permanent || r.Began || !conn.Alive() {
					t.Errorf("%+v after %s", r, got)
				}
				got = r.Enhanced
			}
			if got != tt.want {
				t.Errorf("%s, want %s (%+v)", got, tt.want, r)
			}
		})
	}
}

// MAIL and RCPT go out in one piece where the server can take that, and DATA never with them.
func TestPipelining(t *testing.T) {
	for offer, want := range map[string]string{
		"PIPELINING": "MAIL FROM:<ann@example.com>\r\nRCPT TO:<bob@example.net>\r\n|DATA\r\n",
		"HELP":       "MAIL FROM:<ann@example.com>\r\n|RCPT TO:<bob@example.net>\r\n|DATA\r\n",
	} {
		t.Run(offer, func(t *testing.T) {
			ours, theirs := net.Pipe() // where a read is what one write wrote
			var writes []string
			done := make(chan struct{})
			go func() {
				defer close(done)
				defer theirs.Close()
				buf := make([]byte, 1<<10)
				for reply := "220 hi\r\n"; ; {
					if _, err := io.WriteString(theirs, reply); err != nil {
						return
					}
					n, err := theirs.Read(buf)
					if err != nil {
						return
					}
					writes = append(writes, string(buf[:n]))
					switch line := writes[len(writes)-1]; {
					case strings.HasPrefix(line, "EHLO"):
						reply = "250-hi\r\n250 " + offer + "\r\n"
					case strings.HasPrefix(line, "DATA"):
						reply = "354 go\r\n"
					default:
						reply = strings.Repeat("250 ok\r\n", strings.Count(line, "TO:")+strings.Count(line, "FROM:"))
						if strings.HasPrefix(line, "Subject") {
							reply = "250 ok\r\n"
						}
					}
				}
			}()
			c := newClient("us.example", func(context.Context, string, string) (net.Conn, error) { return ours, nil },
				testLog(t))
			conn, p := c.open(t.Context(), target{host: "mx.test"})
			if p != nil {
				t.Fatalf("%+v", p)
			}
			r := conn.Send(t.Context(), mailOf(letter))
			ours.Close()
			<-done
			if got := strings.Join(writes[1:len(writes)-1], "|"); r.Outcome != Delivered || got != want {
				t.Errorf("%+v after %q", r, got)
			}
			if got := writes[len(writes)-1]; got != "Subject: hi\r\n\r\n..dot\r\nbye\r\n.\r\n" {
				t.Errorf("%q", got)
			}
		})
	}
}

// When the context ends, so does everything.
func TestCancel(t *testing.T) {
	for verb, want := range map[string]Outcome{"MAIL": Temporary, "RCPT": Temporary, "DATA": Temporary, ".": Unknown} {
		t.Run(verb, func(t *testing.T) {
			s := &server{says: map[string]string{verb: silent}}
			c := newClient("us.example", nil, testLog(t))
			conn, p := c.open(t.Context(), target{host: "mx.test", address: s.on(t, "127.0.0.1:0"),
				demand: demand{off: true}})
			if p != nil {
				t.Fatalf("%+v", p)
			}
			ctx, cancel := context.WithCancel(t.Context())
			m := mailOf(letter)
			timer := time.AfterFunc(100*time.Millisecond, cancel)
			defer timer.Stop()
			start := time.Now()
			r := conn.Send(ctx, m)
			if r.Outcome != want || conn.Alive() || time.Since(start) > 10*time.Second {
				t.Errorf("%+v", r)
			}
			conn.Close()
		})
	}
	for _, says := range []map[string]string{{"": silent}, {"EHLO": silent}} {
		s := &server{says: says}
		c := newClient("us.example", nil, testLog(t))
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		conn, p := c.open(ctx, target{host: "mx.test", address: s.on(t, "127.0.0.1:0")})
		cancel()
		if conn != nil || p == nil || p.Outcome != Temporary {
			t.Errorf("%+v", p)
		}
	}
}

// The times of RFC 5321 4.5.3.2, without waiting for them.
func TestPatience(t *testing.T) {
	for verb, want := range map[string]time.Duration{
		"": 5 * time.Minute, "EHLO": 5 * time.Minute, "MAIL": 5 * time.Minute, "RCPT": 5 * time.Minute,
		"DATA": 2 * time.Minute, ".": 10 * time.Minute,
	} {
		t.Run(verb, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &server{says: map[string]string{verb: silent}}
				c := newClient("us.example", func(context.Context, string, string) (net.Conn, error) {
					ours, theirs := net.Pipe()
					go func() { defer theirs.Close(); s.talk(theirs) }()
					return ours, nil
				}, testLog(t))
				start := time.Now()
				conn, p := c.open(t.Context(), target{host: "mx.test"})
				r := Result{}
				if p == nil {
					r = conn.Send(t.Context(), mailOf(letter))
				} else {
					r = p.Result
				}
				if took := time.Since(start); took != want || r.Outcome == Delivered ||
					!strings.HasSuffix(r.Text, "took too long to answer") {
					t.Errorf("%+v after %s", r, took)
				}
			})
		})
	}
}

// A server that takes a message a little at a time does not have us for days.
func TestSlowReader(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newClient("us.example", func(context.Context, string, string) (net.Conn, error) {
			ours, theirs := net.Pipe()
			go func() {
				defer theirs.Close()
				p := &peer{&server{}, theirs, nil}
				_, _ = io.WriteString(theirs, "220 hi\r\n")
				buf := make([]byte, 100)
				for _, reply := range []string{"250 hi", "250 ok", "250 ok", "354 go"} {
					if _, err := theirs.Read(buf); err != nil || !p.reply("", reply) {
						return
					}
				}
				for {
					time.Sleep(time.Second)
					if _, err := theirs.Read(buf); err != nil {
						return
					}
				}
			}()
			return ours, nil
		}, testLog(t))
		conn, p := c.open(t.Context(), target{host: "mx.test"})
		if p != nil {
			t.Fatalf("%+v", p)
		}
		start := time.Now()
		r := conn.Send(t.Context(), mailOf(strings.Repeat(strings.Repeat("x", 70)+crlf, 400_000)))
		if took := time.Since(start); r.Outcome != Temporary || took > 50*time.Minute || conn.Alive() {
			t.Errorf("%+v after %s", r, took)
		}
	})
}

// An idle session that the server has closed is not offered a mail.
func TestIdleSession(t *testing.T) {
	for _, last := range []string{"421 4.4.2 idle too long\r\n", ""} {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		closing, done := make(chan struct{}), make(chan struct{})
		go func() {
			defer close(done)
			conn, err := l.Accept()
			if err != nil {
				return
			}
			defer conn.Close()
			p := &peer{&server{}, conn, nil}
			buf := make([]byte, 100)
			p.reply("", "220 hi")
			_, _ = conn.Read(buf)
			p.reply("", "250 hi")
			<-closing
			_, _ = io.WriteString(conn, last)
		}()
		c := newClient("us.example", nil, testLog(t))
		conn, problem := c.open(t.Context(), target{host: "mx.test", address: l.Addr().String()})
		if problem != nil {
			t.Fatalf("%+v", problem)
		}
		conn.used = time.Now().Add(-time.Minute)
		if !conn.Alive() {
			t.Error("an idle session is dead")
		}
		close(closing)
		<-done
		if conn.Alive() {
			t.Error("a closed session is alive")
		}
		conn.Close()
		l.Close()
	}
}
