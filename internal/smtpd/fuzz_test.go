package smtpd

import (
	"bytes"
	"context"
	"io"
	"math/rand/v2"
	"net"
	"net/netip"
	"regexp"
	"strings"
	"testing"
	"time"
)

// tape is a connection that was recorded before: input in pieces of random sizes, and room for the replies.
type tape struct {
	in  io.Reader
	out bytes.Buffer
}

func (c *tape) Read(p []byte) (int, error)       { return c.in.Read(p) }
func (c *tape) Write(p []byte) (int, error)      { return c.out.Write(p) }
func (c *tape) Close() error                     { return nil }
func (c *tape) LocalAddr() net.Addr              { return &net.TCPAddr{} }
func (c *tape) RemoteAddr() net.Addr             { return &net.TCPAddr{} }
func (c *tape) SetDeadline(time.Time) error      { return nil }
func (c *tape) SetReadDeadline(time.Time) error  { return nil }
func (c *tape) SetWriteDeadline(time.Time) error { return nil }

var replyLine = regexp.MustCompile(`^[2-5][0-9]{2}[ -][^\x00-\x1f\x7f]*\r\n$`)

// FuzzSession plays any bytes to a whole session. It ends, every reply is well formed, what was stored was whole and
// told so, and what was cut off was not stored.
func FuzzSession(f *testing.F) {
	envelope := "EHLO c\r\nMAIL FROM:<a@b> SIZE=5 SMTPUTF8\r\nRCPT TO:<bob@mx.test>\r\nRCPT TO:<late-full@mx.test>\r\n"
	for i, s := range []string{
		envelope + "DATA\r\n..x\r\n.\nQUIT\r\n.\r\nQUIT\r\n",
		envelope + "BDAT 5\r\nQUIT\rBDAT 0 LAST\r\nRSET\r\n",
		envelope + "BDAT 900 LAST\r\nx",
		envelope + "BDAT 5 LAST\r\n12345" + strings.TrimPrefix(envelope, "EHLO c\r\n") + "DATA\r\n.\r\n",
		strings.ReplaceAll(envelope, "EHLO", "LHLO") + "BDAT 5\r\n12345BDAT 1 LAST\r\nx",
		"HELO c\r\nMAIL FROM:<>\r\nRCPT TO:<\"a b\"@[IPv6:::1]>\r\nDATA\r\n.\r\n",
		"EHLO c\r\nSTARTTLS\r\n\x16\x03\x01\x00\x01\x00",
		"NOOP\nVRFY\r\nHELP\r\nEXPN x\r\nGET / HTTP/1.0\r\n",
	} {
		f.Add([]byte(s), uint64(i), i%2 == 0)
	}
	tlsConfig, _ := testTLS(f)
	f.Fuzz(func(t *testing.T, data []byte, seed uint64, lmtp bool) {
		conn := &tape{in: shortReader{bytes.NewReader(data), rand.New(rand.NewPCG(seed, 0))}}
		p := &post{}
		srv := New(Config{Hostname: "mx.test", LMTP: lmtp, TLS: tlsConfig, MaxSize: 2000, MaxErrors: 50}, p)
		newSession(srv, conn, netip.Addr{}).run(context.Background())

		plain, _, _ := strings.Cut(conn.out.String(), replyStartTLS.String()+"\r\n") // TLS records follow
		for line := range strings.Lines(plain) {
			if len(line) > 512 || !replyLine.MatchString(line) {
				t.Fatalf("reply %q", line)
			}
		}
		if strings.Contains(plain, replyPanic.text) {
			t.Fatal("panic")
		}
		checkStored(t, srv, p, plain, data)
	})
}

// checkStored compares what the Backend has with what the client was told and had sent.
func checkStored(t *testing.T, srv *Server, p *post, replies string, sent []byte) {
	told := strings.Count(replies, replyStored.text)
	if accepted := int(srv.Stats().Accepted); accepted > len(p.stored) || accepted > told {
		t.Fatalf("accepted %d, stored %d, told %d", accepted, len(p.stored), told)
	}
	if told > 0 && len(p.stored) == 0 {
		t.Fatalf("told of %d, stored none", told)
	}
	for _, l := range p.stored {
		// Stored as sent but for dots, and with the end that the client must have sent after it.
		data := bytes.Contains(sent, []byte(".\r\n")) && strings.HasSuffix("\r\n"+l.body, "\r\n")
		chunk := bytes.Contains(bytes.ToUpper(sent), []byte(" LAST"))
		if !data && !chunk || len(l.body) > 2000 {
			t.Fatalf("stored %q, which was not sent whole", l.body)
		}
	}
}

// FuzzSubmission plays any bytes to a session in which mail is handed in. Nothing is taken from whoever has not logged
// in, and a message is either whole, and answered, or not there.
func FuzzSubmission(f *testing.F) {
	hello := "EHLO c\r\n"
	login := auth("robin@mx.test", "right") + "\r\n"
	envelope := "MAIL FROM:<robin@mx.test> AUTH=<> SIZE=5\r\nRCPT TO:<bob@far.test>\r\nRCPT " +
		"TO:<suppressed@far.test>\r\n"
	for i, s := range []string{
		hello + login + envelope + "DATA\r\n..x\r\n.\r\nQUIT\r\n",
		hello + login + envelope + "BDAT 5\r\nQUIT\rBDAT 0 LAST\r\nRSET\r\n" + envelope + "BDAT 900 LAST\r\nx",
		hello + envelope + "DATA\r\nx\r\n.\r\n" + login,
		hello + "AUTH PLAIN\r\n" + strings.TrimPrefix(login, "AUTH PLAIN ") + envelope,
		hello + "AUTH LOGIN\r\ncm9iaW5AbXgudGVzdA==\r\ncmlnaHQ=\r\n" + envelope + "DATA\r\n.\r\n",
		hello + "AUTH LOGIN\r\n*\r\nAUTH PLAIN =\r\nAUTH PLAIN AAA=\r\nAUTH X\r\n" +
			strings.Repeat(auth("robin@mx.test", "no")+"\r\n", 4),
		hello + login + "STARTTLS\r\n" + envelope,
	} {
		f.Add([]byte(s), uint64(i), i%3 != 2)
	}
	tlsConfig, _ := testTLS(f)
	f.Fuzz(func(t *testing.T, data []byte, seed uint64, plain bool) {
		conn := &tape{in: shortReader{bytes.NewReader(data), rand.New(rand.NewPCG(seed, 0))}}
		d := &outbox{}
		srv := NewSubmission(Config{Hostname: "mx.test", TLS: tlsConfig, PlainAuthLoopback: plain, MaxSize: 2000,
			MaxErrors: 50}, d)
		newSession(srv, conn, netip.MustParseAddr("127.0.0.1")).run(context.Background())

		said, _, _ := strings.Cut(conn.out.String(), replyStartTLS.String()+"\r\n")
		for line := range strings.Lines(said) {
			if len(line) > 512 || !replyLine.MatchString(line) {
				t.Fatalf("reply %q", line)
			}
		}
		told := strings.Count(said, replyQueued.text)
		switch in := strings.Contains(said, replyLoggedIn.String()); {
		case strings.Contains(said, replyPanic.text):
			t.Fatal("panic")
		case told != len(d.stored) || told != int(srv.Stats().Accepted):
			t.Fatalf("told of %d, stored %d, counted %d", told, len(d.stored), srv.Stats().Accepted)
		case told > 0 && !in, !plain && (in || d.logins != nil):
			t.Fatal("somebody sent mail, or a key, who may not")
		case strings.Count(said, replyLoginWrong.String()) > maxLogins:
			t.Fatal("keys can be tried out")
		}
	})
}
