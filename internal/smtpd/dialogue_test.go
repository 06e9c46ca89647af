package smtpd

import (
	"bufio"
	"context"
	"io"
	"log/slog"
	"net"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// post is a Backend that keeps what it gets. Addresses are known by their local part: unknown@, paused@ and so on are
// refused at RCPT, late-… only when the message has come.
type post struct {
	mu      sync.Mutex
	stored  []letter
	cut     []error // how messages ended that were not whole
	rejects []mailbox.Reject
	asked   []string

	receive func(ctx context.Context, env mailbox.Envelope, message io.Reader) ([]mailbox.Receipt, error)
	entered chan struct{} // if not nil, gets one for each Receive that has begun
}

type letter struct {
	env  mailbox.Envelope
	body string
}

// refusals are the errors of addresses by local part, with "late-" before it for those that come at the end.
var refusals = map[string]error{
	"unknown": mailbox.Errorf(mailbox.NoSuchRecipient, "no_such_recipient", "No mailbox here has this address."),
	"paused":  mailbox.Errorf(mailbox.Paused, "paused", "The mailbox is paused."),
	"full":    mailbox.Errorf(mailbox.QuotaFull, "quota", "The mailbox is full."),
	"broken":  io.ErrClosedPipe,
	"umlaut":  mailbox.Errorf(mailbox.Denied, "denied", "Nöö:\r\n250 injected"),
}

func (p *post) Recipient(_ context.Context, address string) (mailbox.Recipient, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.asked = append(p.asked, address)
	local, _, _ := strings.Cut(address, "@")
	to := mailbox.Recipient{Address: address, Alone: strings.HasPrefix(local, "choosy")}
	if to.Alone {
		to.Mailbox.Num = 2
	}
	return to, refusals[local]
}

func (p *post) Receive(ctx context.Context, env mailbox.Envelope, message io.Reader) ([]mailbox.Receipt, error) {
	if p.entered != nil {
		p.entered <- struct{}{}
	}
	if p.receive != nil {
		return p.receive(ctx, env, message)
	}
	return p.keep(env, message)
}

func (p *post) keep(env mailbox.Envelope, message io.Reader) ([]mailbox.Receipt, error) {
	body, err := io.ReadAll(message)
	p.mu.Lock()
	defer p.mu.Unlock()
	if err != nil {
		p.cut = append(p.cut, err)
		return nil, err
	}
	p.stored = append(p.stored, letter{env, string(body)})
	receipts := make([]mailbox.Receipt, len(env.Recipients))
	for i, rcpt := range env.Recipients {
		address := rcpt.Address
		receipts[i] = mailbox.Receipt{Recipient: address, ID: testID(i)}
		local, _, _ := strings.Cut(address, "@")
		if late, ok := strings.CutPrefix(local, "late-"); ok {
			receipts[i].Err = refusals[late]
		}
	}
	return receipts, nil
}

func (p *post) Rejected(r mailbox.Reject) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.rejects = append(p.rejects, r)
}

func (p *post) bodies() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	var all []string
	for _, l := range p.stored {
		all = append(all, l.body)
	}
	return all
}

// testID is 00000000-0000-0000-0000-00000000000n, n from 1.
func testID(i int) (id mailbox.ID) {
	id[15] = byte(i + 1)
	return id
}

// start runs a server on a free port until the test ends.
func start(t testing.TB, cfg Config, b Backend) (srv *Server, addr string) {
	t.Helper()
	return startServer(t, cfg, func(cfg Config) *Server { return New(cfg, b) })
}

func startServer(t testing.TB, cfg Config, build func(Config) *Server) (srv *Server, addr string) {
	t.Helper()
	if cfg.Hostname == "" {
		cfg.Hostname = "mx.test"
	}
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.NewTextHandler(t.Output(), nil))
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	srv = build(cfg)
	served := make(chan error, 1)
	go func() { served <- srv.Serve(l) }()
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		if err := srv.Shutdown(ctx); err != nil {
			t.Error(err)
		}
		if err := <-served; err != ErrServerClosed {
			t.Errorf("Serve: %v", err)
		}
	})
	return srv, l.Addr().String()
}

// client is the other end of a dialogue.
type client struct {
	t    testing.TB
	conn net.Conn
	in   *bufio.Reader
}

func dial(t testing.TB, addr string) *client {
	t.Helper()
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	_ = conn.SetDeadline(time.Now().Add(20 * time.Second))
	return talkOver(t, conn)
}

func talkOver(t testing.TB, conn net.Conn) *client {
	return &client{t: t, conn: conn, in: bufio.NewReader(conn)}
}

// play goes through a dialogue:
//
//	C: text    send text and CR LF
//	R: "…"     send a Go string as it is
//	S: text    the next line begins with text
//	S* 250     the next reply, of any number of lines, has this code
//	X          the server has closed
func (c *client) play(script string) {
	c.t.Helper()
	for line := range strings.Lines(script) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		kind, text, _ := strings.Cut(line, " ")
		switch kind {
		case "C:":
			c.send(text + "\r\n")
		case "R:":
			raw, err := strconv.Unquote(text)
			if err != nil {
				c.t.Fatalf("script %s: %v", line, err)
			}
			c.send(raw)
		case "S:":
			c.expect(text)
		case "S*":
			c.expectReply(text)
		case "X":
			c.expectEnd()
		default:
			c.t.Fatalf("script: %q", line)
		}
	}
}

func (c *client) send(s string) {
	c.t.Helper()
	if _, err := io.WriteString(c.conn, s); err != nil {
		c.t.Fatalf("send %.80q: %v", s, err)
	}
}

func (c *client) readLine() string {
	c.t.Helper()
	line, err := c.in.ReadString('\n')
	if err != nil {
		c.t.Fatalf("after %q: %v", line, err)
	}
	if len(line) > 512 || !strings.HasSuffix(line, "\r\n") {
		c.t.Fatalf("not a reply line: %q", line)
	}
	return strings.TrimSuffix(line, "\r\n")
}

func (c *client) expect(prefix string) string {
	c.t.Helper()
	line := c.readLine()
	if !strings.HasPrefix(line, prefix) {
		c.t.Fatalf("got %q, want %q…", line, prefix)
	}
	return line
}

func (c *client) expectReply(code string) []string {
	c.t.Helper()
	var lines []string
	for {
		line := c.expect(code)
		lines = append(lines, line)
		if line[3] == ' ' {
			return lines
		}
	}
}

func (c *client) expectEnd() {
	c.t.Helper()
	if line, err := c.in.ReadString('\n'); err == nil {
		c.t.Fatalf("got %q, want the end of the connection", line)
	} else if ne, ok := err.(net.Error); ok && ne.Timeout() {
		c.t.Fatalf("the connection is still open")
	}
}

// The beginnings of dialogues: greeted, and with an envelope.
const (
	greeted = `
		S: 220 mx.test ESMTP
		C: EHLO client.test
		S* 250
	`
	enveloped = greeted + `
		C: MAIL FROM:<alice@client.test>
		S: 250 2.1.0
		C: RCPT TO:<bob@mx.test>
		S: 250 2.1.5
	`
)

// recipients are addresses as a Backend gives them back.
func recipients(addresses ...string) (list []mailbox.Recipient) {
	for _, a := range addresses {
		list = append(list, mailbox.Recipient{Address: a})
	}
	return list
}
