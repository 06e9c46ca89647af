package test

import (
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
)

// An address in any spelling that is ours reaches its mailbox; the tag is kept.
func TestRecipients(t *testing.T) {
	t.Parallel()
	srv := start(t, "MAILKIN_DOMAIN="+domain+",bücher.example")
	robin := srv.mailbox(t, "robin")
	ops := box{srv: srv, address: "ops@" + domain, key: srv.token, prefix: "/v1"}
	for _, tt := range []struct {
		name, to string
		params   string
		code     int
		in       box
		tag      string
	}{
		{name: "plain", to: "robin@" + domain, code: 250, in: robin},
		{name: "capitals", to: "Robin@MAILKIN.Localhost", code: 250, in: robin},
		{name: "tag", to: "robin+news@" + domain, code: 250, in: robin, tag: "news"},
		{name: "quoted", to: `"robin"@` + domain, code: 250, in: robin},
		{name: "final dot", to: "robin@" + domain + ".", code: 250, in: robin},
		{name: "postmaster", to: "postmaster@" + domain, code: 250, in: ops},
		{name: "postmaster alone", to: "Postmaster", code: 250, in: ops},
		{name: "abuse", to: "abuse@" + domain, code: 250, in: ops},
		{name: "postmaster of a domain beyond ASCII", to: "postmaster@bücher.example", params: " SMTPUTF8", code: 250,
			in: ops},
		{name: "the same in its ASCII form", to: "postmaster@xn--bcher-kva.example", code: 250, in: ops},
		{name: "beyond ASCII without SMTPUTF8", to: "postmaster@bücher.example", code: 553},
		{name: "unknown", to: "nobody@" + domain, code: 550},
		{name: "no relay", to: "robin@example.com", code: 550},
		{name: "no relay by percent", to: "robin%example.com@" + domain, code: 550},
		{name: "no relay by route", to: "@" + domain + ":robin@example.com", code: 550},
		{name: "no domain", to: "robin", code: 501},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := open(t, srv.smtp)
			subject := "recipient " + tt.name
			r, err := c.send(envelope{from: "a@example.org", params: tt.params, to: []string{tt.to}},
				[]byte(mail(subject)), byDATA)
			if err != nil || r.code != tt.code {
				t.Fatalf("got %v %v, want %d", r, err, tt.code)
			}
			if tt.code != 250 {
				return
			}
			e := tt.in.email(t, tt.in.inbox(t)[0].ID)
			if e.Subject != subject || e.Metadata.Tag != tt.tag || e.Metadata.EnvelopeTo != tt.to {
				t.Errorf("got subject %q, tag %q, to %q", e.Subject, e.Metadata.Tag, e.Metadata.EnvelopeTo)
			}
		})
	}
	var list struct {
		Rejects []struct{ To, Reply string }
	}
	srv.get(t, srv.token, "/v1/rejects", &list)
	refused := map[string]string{}
	for _, r := range list.Rejects {
		refused[r.To] = r.Reply
	}
	for _, to := range []string{"nobody@" + domain, "robin@example.com"} {
		if !strings.HasPrefix(refused[to], "550 5.1.1") {
			t.Errorf("rejects have %q for %s", refused[to], to)
		}
	}
}

// Each of several recipients has a copy; a recipient that is not ours does not keep the others from theirs.
func TestSeveralRecipients(t *testing.T) {
	t.Parallel()
	srv := start(t)
	first, second := srv.mailbox(t, "first"), srv.mailbox(t, "second")
	c := open(t, srv.smtp)
	c.mustAsk(t, "MAIL FROM:<>", 250)
	c.mustAsk(t, "RCPT TO:<"+first.address+">", 250)
	c.mustAsk(t, "RCPT TO:<nobody@"+domain+">", 550)
	c.mustAsk(t, "RCPT TO:<"+second.address+">", 250)
	c.mustAsk(t, "RCPT TO:<first+again@"+domain+">", 250)
	if r, err := byDATA(c, []byte(mail("for two"))); err != nil || r.code != 250 {
		t.Fatalf("got %v %v", r, err)
	}
	one, two := first.only(t), second.only(t)
	if one.ID == two.ID || one.ThreadID == two.ThreadID {
		t.Error("two mailboxes share an id")
	}
	if a := first.ask(t, "GET", "/email?id="+two.ID, ""); a.status != http.StatusNotFound {
		t.Errorf("another mailbox's message is %d", a.status)
	}
}

// LMTP answers for each recipient, on a Unix socket as well.
func TestLMTPOnUnixSocket(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "lmtp.sock")
	srv := start(t, "MAILKIN_LMTP_ADDR=unix:"+path)
	first, second := srv.mailbox(t, "first"), srv.mailbox(t, "second")
	c := open(t, path)
	if !c.lmtp {
		t.Fatal("the greeting does not say LMTP")
	}
	c.mustAsk(t, "MAIL FROM:<a@example.org>", 250)
	c.mustAsk(t, "RCPT TO:<"+first.address+">", 250)
	c.mustAsk(t, "RCPT TO:<"+second.address+">", 250)
	if a := second.ask(t, "DELETE", "/mailbox", ""); a.status != http.StatusOK {
		t.Fatalf("delete: %d %s", a.status, a.body)
	}
	c.mustAsk(t, "DATA", 354)
	if err := c.write(stuffed([]byte(mail("by socket")))); err != nil {
		t.Fatal(err)
	}
	c.mustRead(t, 250)
	c.mustRead(t, 550) // deleted between RCPT and DATA
	first.only(t)
	c.mustAsk(t, "EHLO x", 500)
}

// A client may send everything up to DATA at once, and the next message after the first one's end.
func TestPipelining(t *testing.T) {
	t.Parallel()
	srv := start(t)
	b := srv.mailbox(t, "pipe")
	c := open(t, srv.smtp)
	head := "MAIL FROM:<a@example.org>\r\nRCPT TO:<" + b.address + ">\r\nDATA\r\n"
	if err := c.write([]byte(head)); err != nil {
		t.Fatal(err)
	}
	for _, code := range []int{250, 250, 354} {
		c.mustRead(t, code)
	}
	if err := c.write([]byte(string(stuffed([]byte(mail("one")))) + head)); err != nil {
		t.Fatal(err)
	}
	for _, code := range []int{250, 250, 250, 354} {
		c.mustRead(t, code)
	}
	if err := c.write([]byte(string(stuffed([]byte(mail("two")))) + "QUIT\r\n")); err != nil {
		t.Fatal(err)
	}
	c.mustRead(t, 250)
	c.mustRead(t, 221)
	if list := b.inbox(t); len(list) != 2 || list[0].Subject != "two" || list[1].Subject != "one" {
		t.Errorf("got %+v", list)
	}
}

// The same message is stored once, whichever way it comes again; another with the same Message-ID is another.
func TestDuplicates(t *testing.T) {
	t.Parallel()
	srv := start(t)
	b := srv.mailbox(t, "twice")
	message := mail("twice")
	srv.deliver(t, message, b.address)
	srv.deliver(t, "Received: from elsewhere\r\n"+message, b.address)
	var receipt struct {
		ID        string
		Duplicate bool
	}
	srv.do(t, request{method: "POST", path: "/v1/ingest?mailbox=" + b.address, key: srv.token, body: message,
		kind: "message/rfc822"},
		http.StatusCreated, &receipt)
	if first := b.only(t); !receipt.Duplicate || receipt.ID != first.ID {
		t.Errorf("receipt %+v for the duplicate of %s", receipt, first.ID)
	}
	srv.deliver(t, strings.Replace(message, "This is twice", "This is new", 1), b.address)
	if got := len(b.inbox(t)); got != 2 {
		t.Errorf("%d messages, want 2", got)
	}
}

func TestThreads(t *testing.T) {
	srv := start(t)
	b := srv.mailbox(t, "talk")
	srv.deliver(t, mail("question"), b.address)
	srv.deliver(t, "In-Reply-To: <question@example.org>\r\n"+mail("answer"), b.address)
	srv.deliver(t, mail("something else"), b.address)
	var list struct {
		Threads []struct {
			ID    string `json:"thread_id"`
			Count int    `json:"message_count"`
		}
	}
	for _, prefix := range []string{"/v1", "/api"} {
		srv.get(t, b.key, prefix+"/threads", &list)
		if len(list.Threads) != 2 || list.Threads[0].Count != 1 || list.Threads[1].Count != 2 {
			t.Fatalf("threads %+v", list)
		}
		var talk struct{ Emails []email }
		srv.get(t, b.key, prefix+"/thread?id="+list.Threads[1].ID, &talk)
		if len(talk.Emails) != 2 || talk.Emails[0].Subject != "question" || talk.Emails[1].Text == "" {
			t.Errorf("thread %+v", talk)
		}
	}
}

// Nothing of a message that is too large is kept, whether it says so beforehand or not.
func TestTooLarge(t *testing.T) {
	t.Parallel()
	srv := start(t, "MAILKIN_LIMIT_WIRE=1MB", "MAILKIN_LIMIT_MESSAGE=700KB", "MAILKIN_LIMIT_ATTACHMENT=700KB")
	b := srv.mailbox(t, "small")
	large := []byte(mail("large") + strings.Repeat(strings.Repeat("x", 98)+"\r\n", 12_000))
	decoded := []byte(mail("decoded") + strings.Repeat(strings.Repeat("x", 98)+"\r\n", 8_000))
	for _, tt := range []struct {
		name    string
		message []byte
		params  string
		by      sender
	}{
		{"SIZE says so", large, fmt.Sprintf(" SIZE=%d", len(large)), byDATA},
		{"DATA", large, "", byDATA},
		{"BDAT", large, "", byBDAT},
		{"BDAT in chunks", large, "", inChunks(300_000)},
		{"decoded", decoded, "", byDATA},
		{"decoded by BDAT", decoded, "", byBDAT},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := open(t, srv.smtp)
			r, err := c.send(envelope{from: "a@example.org", params: tt.params, to: []string{b.address}}, tt.message,
				tt.by)
			if err != nil || r.code != 552 || !strings.HasPrefix(r.lines[0], "5.3.4") {
				t.Fatalf("got %v %v, want 552 5.3.4", r, err)
			}
		})
	}
	for name, message := range map[string][]byte{"large": large, "decoded": decoded} {
		a := srv.ask(t, request{method: "POST", path: "/v1/ingest?mailbox=" + b.address, key: srv.token,
			body: string(message), kind: "message/rfc822"})
		if a.status != http.StatusRequestEntityTooLarge {
			t.Errorf("ingest of %s: %d %s", name, a.status, a.body)
		}
	}
	if s := b.stats(t); s.Total != 0 || s.Storage != 0 {
		t.Errorf("stats %+v", s)
	}
	if left := blobFiles(t, srv); len(left) > 0 {
		t.Errorf("left in the blob folder: %v", left)
	}
	srv.deliver(t, mail("small enough"), b.address)
	b.only(t)
}
