package service_test

import (
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

// shownCode is what a caller sees of a code.
type shownCode struct {
	ID            mailbox.ID
	Code, Subject string
	From          mailbox.Address
	At            time.Time
	Links         []mailbox.Link
}

func showCode(m *service.FullMessage) shownCode {
	if m == nil {
		return shownCode{}
	}
	return shownCode{m.ID, m.Code, m.Subject, m.From, m.ReceivedAt, m.Detail.Links}
}

// codeOf is what a caller sees of an error.
func codeOf(err error) string {
	var known *mailbox.Error
	if errors.As(err, &known) {
		return known.Code
	}
	return ""
}

// A waiting call is handed the code that comes, without a look at the store, and it is what the store has. Where the
// message is not what it waits for, or it may no longer see it, it looks.
func TestCodeInHand(t *testing.T) {
	page := note("Sign in to Example", `<p>Your verification code is <b>338201</b>, or <a href="https://example.test/verify?t=1">confirm here</a>.</p>`,
		"Content-Type: text/html; charset=utf-8", "List-Unsubscribe: <https://example.test/leave>")
	for _, tt := range []struct {
		name   string
		q      service.CodeQuery
		before func(k *kit, own box) // the mail comes
		mail   string
		after  func(k *kit, own box) // it came
		change func(*service.Options)
		code   string
		err    string
		looks  bool
	}{
		{name: "text", mail: withCode("one", "338201"), code: "338201"},
		{name: "HTML", mail: page, code: "338201"},
		{name: "from", q: service.CodeQuery{From: " ADA "}, mail: page, code: "338201"},
		{name: "from another", q: service.CodeQuery{From: "bank"}, mail: page, looks: true},
		{name: "since", q: service.CodeQuery{Since: noon.Add(-time.Second)}, mail: page, code: "338201"},
		{name: "since then", q: service.CodeQuery{Since: noon}, mail: page, looks: true},
		{name: "consume", q: service.CodeQuery{Consume: true}, mail: page, code: "338201"},
		{name: "after one without", before: func(k *kit, own box) { k.receive(letter("none"), own.Address) },
			mail: page, code: "338201"},
		{name: "without", mail: letter("none"), looks: true},
		{name: "long", mail: note("long", "Your verification code is 338201.\r\n"+strings.Repeat("And so on. ", 7000)),
			code: "338201", looks: true},
		{name: "several nodes", change: func(o *service.Options) { o.Alone = false }, mail: page, code: "338201",
			looks: true},
		{name: "the clock was set back", before: func(k *kit, _ box) { k.clock.advance(-2 * time.Minute) }, mail: page,
			code: "338201"},
		{name: "key revoked", mail: page, err: "unauthorized", looks: true, after: func(k *kit, own box) {
			k.works("RevokeKey", k.svc.RevokeKey(k.Context(), k.operator(mailbox.Moderate, ""),
				k.login(own.Key).Key.ID))
		}},
		{name: "key rotated", mail: page, err: "unauthorized", looks: true, after: func(k *kit, own box) {
			_, err := k.svc.RotateKey(k.Context(), own.in(mailbox.ManageMailbox))
			k.works("RotateKey", err)
		}},
		{name: "mailbox paused", mail: page, err: "paused", looks: true, after: func(k *kit, own box) {
			_, err := k.svc.PauseMailbox(k.Context(), k.operator(mailbox.Moderate, own.Address), "")
			k.works("PauseMailbox", err)
		}},
		{name: "mailbox deleted", mail: page, err: "unauthorized", looks: true, after: func(k *kit, own box) {
			_, err := k.svc.DeleteMailbox(k.Context(), own.in(mailbox.DeleteMailbox))
			k.works("DeleteMailbox", err)
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				gate := &storeWith{}
				k := newService(t, func(o *service.Options) {
					gate.Store, o.Store = o.Store, gate
					if tt.change != nil {
						tt.change(o)
					}
				})
				own := k.permanent("own")
				in := own.read()
				looks := 0
				gate.looked = func() { // it has looked and found nothing
					gate.looked = nil
					if tt.before != nil {
						tt.before(k, own)
					}
					k.receive(tt.mail, own.Address)
					if tt.after != nil {
						tt.after(k, own)
					}
					gate.looked = func() { looks++ }
				}
				tt.q.Timeout = time.Minute
				m, err := k.svc.Code(t.Context(), new(in), tt.q)
				gate.looked = nil
				if tt.err != "" {
					k.same("error", codeOf(err), tt.err)
				} else {
					k.works("Code", err)
				}
				got := showCode(m)
				k.same("code", got.Code, tt.code)
				k.same("looked into the store", looks > 0, tt.looks)
				if got.Code != "" {
					stored, err := k.svc.Code(t.Context(), new(in), service.CodeQuery{Timeout: time.Millisecond,
						Since: noon.Add(-time.Hour)})
					k.works("Code", err)
					k.same("from the store", showCode(stored), got)
				}
			})
		})
	}
}

// All who wait are handed the same message, and each makes of it what it needs.
func TestCodeInManyHands(t *testing.T) {
	k := newService(t)
	own := k.permanent("own")
	in := own.read()
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			m, err := k.svc.Code(t.Context(), new(in), service.CodeQuery{Timeout: time.Minute})
			if err != nil || m == nil || m.Code != "338201" || len(m.Detail.Links) != 1 {
				t.Errorf("message %+v, error %v", m, err)
			}
		})
	}
	for k.svc.Attending() < 20 {
		time.Sleep(time.Millisecond)
	}
	k.receive(note("one", "Your verification code is 338201. https://example.test/verify"), own.Address)
	wg.Wait()
	k.same("hands", k.svc.Hands(), 0)
}

// A key that was rotated works on for a while, and no longer.
func TestCodeInHandAfterGrace(t *testing.T) {
	gate := &storeWith{}
	k := newService(t, func(o *service.Options) { gate.Store, o.Store, o.KeyGrace = o.Store, gate, time.Hour })
	own := k.permanent("own")
	in := own.read()
	_, err := k.svc.RotateKey(t.Context(), own.in(mailbox.ManageMailbox))
	k.works("RotateKey", err)
	gate.looked = func() {
		gate.looked = nil
		k.receive(withCode("one", "338201"), own.Address)
		k.clock.advance(2 * time.Hour)
	}
	_, err = k.svc.Code(t.Context(), new(in), service.CodeQuery{Timeout: time.Minute})
	k.same("error", codeOf(err), "unauthorized")
}
