package client_test

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"time"

	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/client"
)

// Over several streams, which this service ends after half a second, every event comes once and in order.
func TestEvents(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	address, c := k.mailbox("events")
	opened := make(chan string, 100)
	c = got(client.New(c.BaseURL(), got(k.operator.Moderate(address).CreateKey(k.ctx())).ok(k).APIKey,
		client.WithTransport(announcer(opened)))).ok(k)
	ctx, cancel := context.WithCancel(k.ctx())
	defer cancel()
	came := make(chan api.Event)
	ended := make(chan error, 1)
	go func() {
		defer close(ended)
		for e, err := range c.Events(ctx, client.EventOptions{Types: []string{api.MessageReceived, api.MessageSent}}) {
			if err != nil {
				ended <- err
				return
			}
			came <- e
		}
	}()
	var last api.Event
	for _, subject := range []string{"first", "second"} {
		id := k.deliver(address, subject, "Your verification code is 482913.")
		e := next(k, came)
		if e.EmailID != id || e.Subject != subject || e.Code != "482913" || e.ID <= last.ID {
			t.Fatalf("came %+v after %+v", e, last)
		}
		for next(k, opened) != e.ID { // the stream ends, and another is opened
		}
		last = e
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	for e, err := range c.Events(k.ctx(), client.EventOptions{Since: time.Now().Add(-time.Hour)}) {
		if k.done(err); e.Subject != "first" {
			t.Errorf("replayed %+v", e)
		}
		break
	}
	k.deliver(address, "third", "Hello.")
	for e, err := range c.Events(k.ctx(), client.EventOptions{LastEventID: last.ID}) {
		if k.done(err); e.Subject != "third" {
			t.Errorf("after the last came %+v", e)
		}
		break
	}
}

// announcer tells of every stream that is opened, and after which event.
type announcer chan string

func (a announcer) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := http.DefaultTransport.RoundTrip(req)
	a <- req.Header.Get("Last-Event-ID")
	return resp, err
}

// What will not go away ends the events.
func TestEventsRefused(t *testing.T) {
	k := newKit(t)
	_, c := k.mailbox("refused")
	got(c.Pause(k.ctx(), "")).same(k)
	for name, row := range map[string]struct {
		c    *client.Client
		o    client.EventOptions
		want error
	}{
		"a wrong key":      {c.WithKey("mk_wrong"), client.EventOptions{}, client.ErrUnauthorized},
		"a paused mailbox": {c, client.EventOptions{}, client.ErrPaused},
		"another mailbox":  {k.operator.For("nobody@" + domain), client.EventOptions{}, client.ErrNotFound},
	} {
		n := 0
		for e, err := range row.c.Events(k.ctx(), row.o) {
			if n++; !errors.Is(err, row.want) {
				t.Errorf("%s: %+v, %v", name, e, err)
			}
		}
		if n != 1 {
			t.Errorf("%s: %d errors", name, n)
		}
	}
}

func TestCodeAndWait(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	address, c := k.mailbox("waits")
	got(c.Code(k.ctx(), client.CodeQuery{Timeout: time.Second})).fails(k, client.ErrTimedOut)
	got(c.WaitForEmail(k.ctx(), client.WaitQuery{Subject: "nothing", Timeout: time.Second})).fails(k,
		client.ErrTimedOut)

	codes, mails := make(chan result[*api.Code]), make(chan result[*api.Email])
	go func() { codes <- got(c.WaitForCode(k.ctx(), client.CodeQuery{From: "shop.example"})) }()
	go func() {
		mails <- got(c.WaitForEmail(k.ctx(), client.WaitQuery{From: "ann", Has: []string{"attachment", "code"},
			Label: "code"}))
	}()
	id := k.deliver(address, "Your verification code", "Your verification code is 482913.")
	if code := next(k, codes).ok(k); code.ID != id || code.Code != "482913" || code.From != "ann@shop.example" {
		t.Errorf("the code is %+v", code)
	}
	if mail := next(k, mails).ok(k); mail.ID != id || mail.Code != "482913" {
		t.Errorf("the message is %+v", mail)
	}
	q := client.CodeQuery{Consume: true, Since: time.Now().Add(-time.Minute), Timeout: time.Second}
	got(c.Code(k.ctx(), q)).same(k)
	got(c.Code(k.ctx(), q)).fails(k, client.ErrTimedOut)
	got(c.Wait(k.ctx(), client.WaitQuery{Query: "verification",
		ThreadID: got(c.Email(k.ctx(), id, client.EmailOptions{})).ok(k).ThreadID})).ok(k)

	ctx, cancel := context.WithTimeout(k.ctx(), 100*time.Millisecond)
	defer cancel()
	got(c.WaitForCode(ctx, client.CodeQuery{From: "nobody"})).fails(k, context.DeadlineExceeded)
	got(c.WithKey("mk_wrong").WaitForCode(k.ctx(), client.CodeQuery{})).fails(k, client.ErrUnauthorized)
}
