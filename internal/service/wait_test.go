package service_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

// note is a message with a body.
func note(subject, body string, fields ...string) string {
	head, _, _ := strings.Cut(letter(subject, fields...), "\r\n\r\n")
	return head + "\r\n\r\n" + body + "\r\n"
}

func withCode(subject, code string) string {
	return note(subject, "Your verification code is "+code+". It expires in 10 minutes.")
}

func (k *kit) code(in service.Access, q service.CodeQuery) string {
	k.Helper()
	if q.Timeout == 0 {
		q.Timeout = time.Millisecond
	}
	m, err := k.svc.Code(k.Context(), new(in), q)
	k.works("Code", err)
	if m == nil {
		return ""
	}
	return m.Code
}

func TestCode(t *testing.T) {
	k := newService(t)
	own := k.permanent("own")
	k.receive(withCode("stale", "111111"), own.Address)
	k.clock.advance(10 * time.Minute)
	k.receive(withCode("first", "222222"), own.Address)
	k.clock.advance(5 * time.Minute)
	first := k.clock.Now()
	k.receive(withCode("second", "333333"), own.Address)
	k.receive(letter("no code here"), own.Address)
	shown := k.inbox(own.read(), service.InboxQuery{Label: mailbox.LabelCode}).Items
	k.same("labelled", subjects(shown), []string{"second", "first", "stale"})
	for _, tt := range []struct {
		name string
		q    service.CodeQuery
		want string
	}{
		{"newest", service.CodeQuery{}, "333333"},
		{"later than", service.CodeQuery{Since: first.Add(-time.Millisecond)}, "333333"},
		{"strictly later than", service.CodeQuery{Since: first}, ""},
		{"within the same millisecond", service.CodeQuery{Since: first.Add(-time.Microsecond)}, "333333"},
		{"long ago", service.CodeQuery{Since: noon.Add(-24 * time.Hour)}, "333333"},
		{"to come is now", service.CodeQuery{Since: first.Add(time.Hour)}, ""},
		{"from", service.CodeQuery{From: "ADA@sender"}, "333333"},
		{"from, by name", service.CodeQuery{From: "ada"}, "333333"},
		{"from another", service.CodeQuery{From: "bank"}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) { k.same("code", k.code(own.read(), tt.q), tt.want) })
	}
	k.clock.advance(15 * time.Minute)
	k.same("a quarter of an hour later", k.code(own.read(), service.CodeQuery{}), "")
	if m, err := k.svc.Code(t.Context(), new(own.read()), service.CodeQuery{Since: noon,
		Timeout: time.Minute}); err != nil || len(m.Detail.Links) > 0 || m.Subject != "second" {
		t.Errorf("found %+v, error %v", m, err)
	}
}

func TestCodeConsume(t *testing.T) {
	k := newService(t)
	own := k.permanent("own")
	k.receive(withCode("first", "222222"), own.Address)
	k.receive(withCode("second", "333333"), own.Address)
	take := service.CodeQuery{Consume: true}
	k.same("consumed", k.code(own.read(), take), "333333")
	k.same("looked at", k.code(own.read(), service.CodeQuery{}), "333333")
	k.same("consumed again", k.code(own.read(), take), "222222")
	k.same("and again", k.code(own.read(), take), "")
	k.same("still to be seen", k.code(own.read(), service.CodeQuery{}), "333333")
}

// Each of many callers who wait gets a code of its own.
func TestCodeConsumeConcurrent(t *testing.T) {
	const callers = 20
	k := newService(t)
	own := k.permanent("own")
	in := own.read()
	got := make(chan string, callers)
	var wg sync.WaitGroup
	for range callers {
		wg.Go(func() {
			m, err := k.svc.Code(t.Context(), new(in), service.CodeQuery{Timeout: time.Minute, Consume: true})
			if err != nil || m == nil {
				t.Errorf("message %v, error %v", m, err)
				return
			}
			got <- m.Code
		})
	}
	for i := range callers {
		k.receive(withCode(fmt.Sprint("n", i), fmt.Sprint(123400+i)), own.Address)
	}
	wg.Wait()
	close(got)
	seen := map[string]bool{}
	for c := range got {
		if seen[c] {
			t.Errorf("%s was handed out twice", c)
		}
		seen[c] = true
	}
	if len(seen) != callers {
		t.Errorf("%d codes were handed out, want %d", len(seen), callers)
	}
}

// A mail that arrives after the look and before the wait is found.
func TestCodeMissesNothing(t *testing.T) {
	gate := &storeWith{}
	k := newService(t, func(o *service.Options) { gate.Store, o.Store = o.Store, gate })
	own := k.permanent("own")
	in := own.read()
	gate.thenReceive(k, own, withCode("in between", "987654"))
	k.same("code", k.code(in, service.CodeQuery{Timeout: time.Hour}), "987654")
}

// What has been looked at is not looked at again: a message before since that is written later does not matter, one
// that comes does.
func TestWaitGoesOn(t *testing.T) {
	k := newService(t)
	own := k.permanent("own")
	in := own.read()
	found := make(chan string, 1)
	go func() {
		m, err := k.svc.Wait(t.Context(), new(in), service.WaitQuery{Timeout: time.Minute, Subject: "wanted"})
		if err != nil || m == nil {
			found <- fmt.Sprint(m, err)
			return
		}
		found <- m.Subject
	}()
	for i := range 30 {
		k.receive(letter(fmt.Sprint("other", i)), own.Address)
	}
	k.receive(letter("the-Wanted-one"), own.Address)
	k.same("found", <-found, "the-Wanted-one")
}

func TestWait(t *testing.T) {
	k := newService(t)
	own := k.permanent("own")
	k.receive(letter("stale"), own.Address)
	k.clock.advance(2 * time.Minute)
	first := k.receive(letter("first"), own.Address)[0]
	k.receive(letter("answer", "In-Reply-To: <first@sender.test>"), own.Address)
	k.receive(withCode("code", "424242"), own.Address)
	k.receive(mixed("file", []byte("x")), own.Address)
	k.receive(note("link", "Go to https://example.test/x to see the purple elephant."), own.Address)
	since := k.clock.Now().Add(-time.Millisecond)
	thread := k.message(own.read(), first.ID).Thread.String()
	for _, tt := range []struct {
		name string
		q    service.WaitQuery
		want string
	}{
		{"newest", service.WaitQuery{}, "link"},
		{"since", service.WaitQuery{Since: since}, "link"},
		{"since now", service.WaitQuery{Since: since.Add(time.Millisecond)}, ""},
		{"not older than a minute", service.WaitQuery{Subject: "stale"}, ""},
		{"older if asked for", service.WaitQuery{Subject: "stale", Since: noon.Add(-time.Hour)}, "stale"},
		{"has code", service.WaitQuery{Has: []string{"code"}}, "code"},
		{"has attachment", service.WaitQuery{Has: []string{"attachment"}}, "file"},
		{"has link", service.WaitQuery{Has: []string{"link"}}, "link"},
		{"has both", service.WaitQuery{Has: []string{"code", "attachment"}}, ""},
		{"label", service.WaitQuery{Label: "Code"}, "code"},
		{"thread", service.WaitQuery{Thread: thread}, "answer"},
		{"thread that is not there", service.WaitQuery{Thread: "tomato"}, ""},
		{"words", service.WaitQuery{Query: "Elephant purple"}, "link"},
		{"words that are not there", service.WaitQuery{Query: "elephant green"}, ""},
		{"from", service.WaitQuery{From: "nobody"}, ""},
		{"subject", service.WaitQuery{Subject: "FIR"}, "first"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.q.Timeout = time.Millisecond
			m, err := k.svc.Wait(t.Context(), new(own.read()), tt.q)
			k.works("Wait", err)
			got := ""
			if m != nil {
				got = m.Subject
			}
			k.same("found", got, tt.want)
		})
	}
	_, err := k.svc.Wait(t.Context(), new(own.read()), service.WaitQuery{Label: "tomato", Timeout: time.Minute})
	k.kind("unknown label", err, mailbox.Invalid, "unknown_label")
}

// A caller who hangs up ends the wait at once and leaves nothing behind.
func TestWaitCallerGone(t *testing.T) {
	k := newService(t)
	own := k.permanent("own")
	in := own.read()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		_, err := k.svc.Code(ctx, new(in), service.CodeQuery{Timeout: time.Hour})
		done <- err
	}()
	for k.svc.Attending() == 0 {
		time.Sleep(time.Millisecond)
	}
	cancel()
	if err := <-done; err == nil {
		t.Error("no error")
	}
	if n := k.svc.Attending(); n != 0 {
		t.Errorf("%d are still attending", n)
	}
}

func TestWaitTime(t *testing.T) {
	bubble(t, func(k *kit) {
		own := k.permanent("own")
		in := own.read()
		began := time.Now()
		if m, err := k.svc.Code(k.Context(), new(in), service.CodeQuery{Timeout: 30 * time.Second}); m != nil ||
			err != nil {
			k.Errorf("message %v, error %v", m, err)
		}
		if took := time.Since(began); took != 30*time.Second {
			k.Errorf("waited %v", took)
		}
		// One whose code another call takes goes on with the time it has left.
		began = time.Now()
		var wg sync.WaitGroup
		for range 2 {
			wg.Go(func() {
				if _, err := k.svc.Code(k.Context(), new(in), service.CodeQuery{Timeout: 30 * time.Second,
					Consume: true}); err != nil {
					k.Error(err)
				}
			})
		}
		time.Sleep(20 * time.Second)
		k.receive(withCode("one", "123987"), own.Address)
		wg.Wait()
		if took := time.Since(began); took != 30*time.Second {
			k.Errorf("the one who got nothing waited %v", took)
		}
	})
}

// Looking through much mail holds no place in the store while a message is taken apart, and stops when its time is up.
func TestWaitLeavesTheStoreAlone(t *testing.T) {
	gate := &storeWith{}
	k := newService(t, func(o *service.Options) { gate.Store, o.Store = o.Store, gate })
	own := k.permanent("own")
	for i := range 30 {
		k.receive(note(fmt.Sprint("n", i), strings.Repeat("nothing of the kind ", 500)), own.Address)
	}
	in := own.read()
	views := 0
	gate.looked = func() { views++ }
	m, err := k.svc.Wait(t.Context(), new(in), service.WaitQuery{Timeout: time.Millisecond, Since: noon.Add(-time.Hour),
		Query: "elephant"})
	gate.looked = nil
	if m != nil || err != nil {
		t.Errorf("message %v, error %v", m, err)
	}
	if views < 30 {
		t.Errorf("%d looks at the store for 30 messages", views)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := k.svc.Wait(ctx, new(in), service.WaitQuery{Timeout: time.Hour, Since: noon.Add(-time.Hour),
		Query: "elephant"}); err == nil {
		t.Error("a caller who is gone was searched for")
	}
}

// A message far back is found, however many came after it.
func TestWaitFarBack(t *testing.T) {
	k := newService(t)
	own := k.permanent("own")
	k.receive(letter("needle"), own.Address)
	for i := range 230 {
		k.receive(letter(fmt.Sprint("hay", i)), own.Address)
	}
	m, err := k.svc.Wait(t.Context(), new(own.read()), service.WaitQuery{Timeout: time.Minute,
		Since: noon.Add(-time.Hour), Subject: "needle"})
	if err != nil || m == nil || m.Subject != "needle" {
		t.Errorf("message %v, error %v", m, err)
	}
}

// The clock is set back while a call waits that gave no time: what comes is new all the same.
func TestWaitClockSetBack(t *testing.T) {
	gate := &storeWith{}
	k := newService(t, func(o *service.Options) { gate.Store, o.Store = o.Store, gate })
	own := k.permanent("own")
	in := own.read()
	env := k.envelope(own.Address)
	gate.looked = func() { // it has looked and found nothing
		gate.looked = nil
		k.clock.advance(-2 * time.Minute)
		if _, err := k.svc.Receive(t.Context(), env, strings.NewReader(letter("new"))); err != nil {
			t.Error(err)
		}
	}
	m, err := k.svc.Wait(t.Context(), new(in), service.WaitQuery{Timeout: time.Minute})
	if err != nil || m == nil || m.Subject != "new" {
		t.Errorf("found %v, error %v", m, err)
	}
}

// What came after an event is found whatever the clocks say: the newest code, and messages in their order.
func TestWaitAfterEvent(t *testing.T) {
	k := newService(t)
	own := k.permanent("own")
	mark := func() int64 {
		me, err := k.svc.Me(k.Context(), own.read())
		k.works("Me", err)
		return me.Event
	}
	made := mark()
	k.receive(withCode("one", "111111"), own.Address)
	first := mark()
	k.clock.advance(-time.Hour)
	k.receive(withCode("two", "222222"), own.Address)
	k.receive(withCode("three", "333333"), own.Address)
	k.clock.advance(3 * time.Hour)
	last := mark()
	later := k.clock.Now() // since would find nothing
	for _, tt := range []struct {
		name          string
		after         int64
		code, message string
	}{
		{"made", made, "333333", "one"},
		{"from the beginning", 1, "333333", "one"},
		{"first", first, "333333", "two"},
		{"second", first + 1, "333333", "three"},
		{"last", last, "", ""},
		{"of another mailbox", last + 1000, "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			k.same("code", k.code(own.read(), service.CodeQuery{After: tt.after, Since: later}), tt.code)
			m, err := k.svc.Wait(t.Context(), new(own.read()), service.WaitQuery{Timeout: time.Millisecond,
				After: tt.after, Since: later})
			k.works("Wait", err)
			subject := ""
			if m != nil {
				subject = m.Subject
				k.same("event", m.Event, max(tt.after, made)+1)
			}
			k.same("message", subject, tt.message)
		})
	}
	for i := range 230 {
		k.receive(letter(fmt.Sprint("hay", i)), own.Address)
	}
	k.receive(letter("needle"), own.Address)
	m, err := k.svc.Wait(t.Context(), new(own.read()), service.WaitQuery{Timeout: time.Minute, After: last,
		Subject: "needle"})
	if err != nil || m == nil || m.Event != last+231 {
		t.Errorf("message %v, error %v", m, err)
	}
}
