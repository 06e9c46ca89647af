package client_test

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"testing/iotest"
	"time"

	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/client"
)

// Between two mailboxes: a message with files, an answer, and sent on.
func TestSend(t *testing.T) {
	k := newKit(t)
	annAddress, ann := k.mailbox("send-ann")
	bobAddress, bob := k.mailbox("send-bob")
	file := strings.Repeat("0123456789", 10_000)
	path := filepath.Join(t.TempDir(), "b.txt")
	k.done(os.WriteFile(path, []byte("from the disk"), 0o600))
	disk := got(os.Open(path)).ok(k)
	defer disk.Close()
	sent := got(ann.Send(k.ctx(), client.Draft{
		From: "Ann <" + annAddress + ">", To: []string{"Bob <" + bobAddress + ">"}, Cc: []string{annAddress},
		ReplyTo: []string{annAddress},
		Subject: "files & <more>", Text: "See there.", HTML: "<p>See there.", Tags: []string{"a"},
		Headers: map[string]string{"X-A": "1"},
		Files: []client.File{
			{Name: "a.txt", Type: "text/plain", Content: io.MultiReader(strings.NewReader(file))},
			{Name: `b "quoted".txt`, ContentID: "b", Content: disk},
			{Name: "empty"},
		},
	})).same(k)

	inbox := got(bob.Inbox(k.ctx(), client.InboxQuery{})).same(k)
	mail := got(bob.Email(k.ctx(), inbox.Emails[0].ID, client.EmailOptions{})).same(k)
	if mail.Subject != "files & <more>" || mail.MessageID != sent.MessageID || mail.Headers.Get("X-A") != "1" ||
		len(mail.Attachments) != 3 {
		t.Fatalf("bob got %+v", mail)
	}
	for i, want := range []string{file, "from the disk", ""} {
		d := got(bob.Attachment(k.ctx(), mail.Attachments[i].ID, client.Range{})).ok(k)
		if content := string(got(io.ReadAll(d)).ok(k)); content != want {
			t.Errorf("file %d has %d bytes", i, len(content))
		}
		k.done(d.Close())
	}
	if own := got(ann.Email(k.ctx(), sent.ID, client.EmailOptions{})).same(k); len(own.Deliveries) != 2 ||
		own.Metadata.Tags[0] != "a" {
		t.Errorf("ann sent %+v", own)
	}
	got(bob.Reply(k.ctx(), mail.ID, client.Draft{Text: "Thank you.", All: true})).same(k)
	got(bob.Forward(k.ctx(), mail.ID, client.Draft{To: []string{annAddress},
		Files: []client.File{{Name: "c", Content: strings.NewReader("c")}}})).same(k)
	all := got(ann.Inbox(k.ctx(), client.InboxQuery{Direction: "inbound"})).same(k).Emails
	if len(all) != 3 || all[0].Subject != "Fwd: files & <more>" || all[0].AttachmentCount != 4 ||
		all[1].Subject != "Re: files & <more>" || all[1].ThreadID != sent.ThreadID {
		t.Errorf("ann got %+v", all)
	}
	n := 0
	for m, err := range ann.ThreadAll(k.ctx(), sent.ThreadID, client.Page{Limit: 1}) {
		k.done(err)
		if n++; m.ThreadID != sent.ThreadID {
			t.Errorf("in the thread: %+v", m)
		}
	}
	if n < 3 {
		t.Errorf("the thread has %d messages", n)
	}
}

func TestPreview(t *testing.T) {
	k := newKit(t)
	address, c := k.mailbox("preview")
	id := k.deliver(address, "hello", "Hello.")
	at := time.Now().Add(time.Hour)
	p := got(c.Preview(k.ctx(), client.Draft{To: []string{"far@else.example"}, Subject: "s", Text: "t",
		SendAt: at})).same(k)
	if !p.DryRun || p.Deliveries[0].Route != "capture" || p.SendAt.Unix() != at.Unix() {
		t.Errorf("the preview is %+v", p)
	}
	if p := got(c.PreviewReply(k.ctx(), id, client.Draft{Text: "t"})).same(k); p.Subject != "Re: hello" {
		t.Errorf("the preview is %+v", p)
	}
	if p := got(c.PreviewForward(k.ctx(), id, client.Draft{To: []string{"far@else.example"}})).same(
		k); p.Subject != "Fwd: hello" {
		t.Errorf("the preview is %+v", p)
	}
	if list := got(c.Inbox(k.ctx(), client.InboxQuery{Direction: "outbound"})).same(k); len(list.Emails) != 0 {
		t.Errorf("sent %+v", list)
	}
	_, err := c.Send(k.ctx(), client.Draft{Subject: "s", Text: "t"})
	var refused *client.Error
	if !errors.As(err, &refused) || refused.Field != "to" || refused.Status != 400 || refused.RequestID == "" {
		t.Errorf("without a recipient: %#v", err)
	}
}

// The same message is sent once: also if the answer is lost, and if a program asks again.
func TestSendOnce(t *testing.T) {
	k := newKit(t)
	address, _ := k.mailbox("once-bob")
	made := got(k.operator.CreateMailbox(k.ctx(), api.NewMailbox{Name: unique("once-ann")})).ok(k)
	lossy := &lossy{lose: 2}
	c := got(client.New(shared().URL, made.APIKey, client.WithTransport(lossy))).ok(k)
	draft := client.Draft{To: []string{address}, Subject: "once", Text: "Once.",
		Files: []client.File{{Name: "a", Content: strings.NewReader("a")}}}
	sent := got(c.Send(k.ctx(), draft)).ok(k)
	if lossy.calls != 3 {
		t.Errorf("%d requests", lossy.calls)
	}
	draft = client.Draft{To: []string{address}, Subject: "named", Text: "Once.", IdempotencyKey: "my own"}
	first, second := got(c.Send(k.ctx(), draft)).ok(k), got(c.Send(k.ctx(), draft)).ok(k)
	if *first != *second || first.ID == sent.ID {
		t.Errorf("%+v and %+v", first, second)
	}
	draft.Text = "Twice."
	got(c.Send(k.ctx(), draft)).fails(k, client.ErrConflict)
	if list := got(c.Inbox(k.ctx(), client.InboxQuery{Direction: "outbound"})).ok(k); len(list.Emails) != 2 {
		t.Errorf("%d messages were sent", len(list.Emails))
	}
	// What cannot be read twice is not tried twice.
	lossy.calls, lossy.lose = 0, 1
	draft = client.Draft{To: []string{address}, Subject: "s", Text: "t",
		Files: []client.File{{Name: "a", Content: io.MultiReader(strings.NewReader("a"))}}}
	got(c.Send(k.ctx(), draft)).fails(k, errLost)
	if lossy.calls != 1 {
		t.Errorf("%d requests", lossy.calls)
	}
}

var errLost = errors.New("the answer was lost")

// lossy loses the first answers.
type lossy struct{ lose, calls int }

func (l *lossy) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := http.DefaultTransport.RoundTrip(req)
	if l.calls++; err != nil || l.calls > l.lose {
		return resp, err
	}
	_, _ = io.Copy(io.Discard, resp.Body)
	_ = resp.Body.Close()
	return nil, errLost
}

// A file that cannot be read ends the call with the reader's own error, and nothing is sent.
func TestSendBrokenFile(t *testing.T) {
	k := newKit(t)
	address, c := k.mailbox("broken")
	broken := errors.New("the disk is gone")
	files := []client.File{{Name: "a", Content: io.MultiReader(strings.NewReader(strings.Repeat("x", 100_000)),
		iotest.ErrReader(broken))}}
	got(c.Send(k.ctx(), client.Draft{To: []string{address}, Subject: "s", Text: "t", Files: files})).fails(k, broken)
	if list := got(c.Inbox(k.ctx(), client.InboxQuery{})).ok(k); len(list.Emails) != 0 {
		t.Errorf("sent %+v", list)
	}
}

// A large file is read as it is sent, a small piece ahead: it is never in memory as a whole.
func TestSendLarge(t *testing.T) {
	k := newKit(t)
	const size, ahead = 5_000_000, 64 << 10
	file := &counted{from: io.LimitReader(zeros{}, size)}
	var sent, most int64
	c := got(client.New(shared().URL, token, client.WithTransport(sink(func(n int) {
		sent += int64(n)
		most = max(most, file.n.Load()-sent*3/4)
	})))).ok(k)
	got(c.Send(k.ctx(), client.Draft{Files: []client.File{{Name: "a", Content: file}}})).ok(k)
	if most > ahead || sent < size*4/3 || file.n.Load() != size {
		t.Errorf("%d bytes ahead, %d sent, %d read", most, sent, file.n.Load())
	}
}

// A refusal that comes before the file was read is told, and the file is left alone after that.
func TestSendRefusedEarly(t *testing.T) {
	k := newKit(t)
	file := counted{from: zeros{}}
	told := make(chan struct{})
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		const body = `{"error":"No.","code":"message_too_large"}`
		control := http.NewResponseController(w)
		_ = control.EnableFullDuplex()
		w.Header().Set("Content-Length", strconv.Itoa(len(body)))
		w.WriteHeader(http.StatusRequestEntityTooLarge)
		_, _ = io.WriteString(w, body)
		_ = control.Flush()
		<-told
	}))
	c := got(client.New(srv.URL, "k")).ok(k)
	got(c.Send(k.ctx(), client.Draft{Files: []client.File{{Name: "a", Content: &file}}})).fails(k, client.ErrTooLarge)
	read := file.n.Load()
	close(told)
	srv.Close()
	if after := file.n.Load(); after != read {
		t.Errorf("%d bytes were read afterwards", after-read)
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// counted counts what is read.
type counted struct {
	from io.Reader
	n    atomic.Int64
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.from.Read(p)
	c.n.Add(int64(n))
	return n, err
}

// sink is a service that reads, and tells how much.
type sink func(int)

func (s sink) RoundTrip(req *http.Request) (*http.Response, error) {
	buf := make([]byte, 16<<10)
	for {
		n, err := req.Body.Read(buf)
		if s(n); err != nil {
			return &http.Response{StatusCode: 200, Header: http.Header{}, Body: io.NopCloser(strings.NewReader("{}")),
				Request: req}, nil
		}
	}
}

func TestSuppressions(t *testing.T) {
	k := newKit(t)
	_, c := k.mailbox("suppressions")
	if list := got(c.Suppressions(k.ctx(), client.Page{})).same(k); len(list.Suppressions) != 0 {
		t.Errorf("the list is %+v", list)
	}
	for s, err := range c.SuppressionsAll(k.ctx(), client.Page{}) {
		t.Errorf("on the list: %+v, %v", s, err)
	}
	added := got(c.AddSuppressions(k.ctx(), []string{"a+b@else.example", "A+B@else.example"}, "asked us")).ok(k)
	if added.Added != 1 || added.Present != 0 {
		k.Error(added)
	}
	k.is(c.DeleteSuppression(k.ctx(), "a+b@else.example"), nil)
	k.is(c.DeleteSuppression(k.ctx(), "a+b@else.example"), client.ErrNotFound)
}
